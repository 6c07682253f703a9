// Package translate writes the tools of a request, and the schema of its answer, in the form of the receiver: schemas
// through the schema adapter of its target, names that it accepts, and strict where that makes the model's calls valid.
//
// It also selects the tools that are sent: none that a search has not found yet, none that only code of another
// provider may call, and no more than the receiver accepts. A call of a tool that was not sent is validated like any
// other.
//
// The translation is undone on the arguments of the answer, which are then validated against the client's own schemas.
// Calls of the history stay in the client's form: no provider validates them, and the bytes sent for a turn stay the
// same when the tools or the facts of the model change.
package translate
