// Package tuned applies the configuration of a model to its requests: facts, sampling parameters, members of the
// request body and transforms.
package tuned
