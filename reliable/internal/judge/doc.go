// Package judge validates calls against the declared tools.
//
// A [Toolset] has the compiled tools. A [Candidate] is a call before validation, native or parsed from text. A [Judge]
// resolves the tool name, repairs the JSON, coerces and validates the arguments, and returns a verdict. The [Ledger]
// determines which changes are permitted and records a note for each.
package judge
