// Package judge checks one call against the declared tools.
//
// A [Toolset] is the tools, compiled once. A [Candidate] is a call as it came, native or found in text. A [Judge]
// resolves its name, repairs its JSON, coerces and validates its arguments, and gives a verdict. Which of these changes
// may be made is decided by the [Ledger], which keeps a note of each.
package judge
