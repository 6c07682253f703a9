// Package agent runs the tools that a model calls, until the model has answered.
//
// An [Agent] is a model, its tools and the limits of a run. Run asks the model, checks each call, runs it, gives the
// model its result, and repeats this until there is an answer without calls. A run is recorded in a [Journal]: it can
// wait for a person, and continues in another process where the first one ended, without repeating a call that has
// ended.
package agent
