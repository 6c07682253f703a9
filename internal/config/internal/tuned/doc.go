// Package tuned makes a model one of which a configuration says something: facts, parameters and members of its
// requests, transforms.
package tuned
