// Package agent runs the tools that a model calls until the model answers without calls.
//
// An [Agent] has a model, tools, and limits for a run. [Agent.Run] sends the conversation to the model, checks each
// call, runs the tool, adds its result to the conversation, and repeats this until a response has no calls. Each step
// of a run is recorded in a [Journal]. A run can therefore wait for a person's approval, and another process can resume
// it after a crash. A call that has ended is never repeated.
package agent
