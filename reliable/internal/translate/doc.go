// Package translate adapts the tools of a request and its response schema to a receiver. It translates JSON Schemas
// with the schema adapter of the receiver's target, replaces tool names that the receiver rejects, and marks tools as
// strict if this makes calls valid.
//
// It also selects the tools to send. It omits deferred tools that no search has found, tools that only code execution
// of another provider may call, and tools beyond the receiver's limit. A call of an omitted tool is validated like any
// other.
//
// The arguments of a response are converted back to the client's schemas and then validated against them. Calls in the
// history are not translated. No provider validates them, and the sent bytes of a message stay the same if tools or
// capabilities change.
package translate
