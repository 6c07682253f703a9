// Package outbound adapts a request to one receiver: a model in a mode.
//
// [Shaper.Shape] makes the transforms of the receiver (transform.go), fixes the history (history.go, where it needs
// changes, fit.go), declares the tools that package translate selects, in the form that it gives them, or describes
// them in the prompt (describe.go, document.go), and adapts the tool choice, the form of the answer and the parameters
// to the provider's rules (shape.go, format.go, params.go). Every change is a note.
package outbound
