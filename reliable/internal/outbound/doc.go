// Package outbound adapts a request to one receiver: a model in a mode.
//
// [Shaper.Shape] runs the transforms (transform.go), fixes the history if necessary (fit.go, history.go), declares the
// tools or describes them in the prompt (describe.go, document.go), and adapts the tool choice, response format and
// parameters to the provider (shape.go, format.go, params.go). Package translate selects and translates the tools.
// Every change is noted.
package outbound
