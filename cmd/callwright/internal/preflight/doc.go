// Package preflight looks whether models can be asked before a program asks them: whether a key is there, whether the provider answers and takes the
// key, whether it has the model. A failure says what to do about it.
package preflight
