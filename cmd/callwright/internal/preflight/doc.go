// Package preflight checks models before a program asks them: whether there is a key, whether the provider answers and
// accepts the key, whether it has the model. A failure has a remedy.
package preflight
