// Package translate writes the tools of a request, and the schema of its answer, as the receiver takes them: schemas
// through the schema adapter of its target, names that it takes, and strict where that makes the model's calls sound.
//
// It also selects the tools that a receiver is sent: not those that wait for a search, nor those that only code of
// another provider may call, nor more than the receiver takes. A call of a tool that was not sent is validated like any
// other.
//
// What was translated is undone on the arguments that come back, which are then held against the client's own schemas.
// Calls of the history stay in the client's form: no provider holds them against a schema, and what is sent for a turn
// stays the same when the tools, or what is known of the model, change.
package translate
