// Package transformset applies the configured transforms of a client and of a model to requests and answers.
package transformset
