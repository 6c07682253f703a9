// Package decoding adds decoding constraints to requests. Under a constraint the model can only call declared tools
// with arguments that satisfy their schemas. Text remains unconstrained.
package decoding
