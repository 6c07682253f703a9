// Package preflight checks models before a program uses them: whether there is a key, whether the provider responds and
// accepts the key, and whether it has the model. Each problem has a remedy.
package preflight
