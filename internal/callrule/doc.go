// Package callrule compiles and evaluates the call rules of a configuration. A rule rejects tool calls, or makes them
// wait for a person, by an expression of the Common Expression Language (https://cel.dev) about their arguments.
//
// An expression has the variables tool, args, key, group, model, client and session, the standard functions of CEL
// (https://github.com/google/cel-spec/blob/master/doc/langdef.md) and the strings extension
// (https://pkg.go.dev/cel.dev/cel-go/ext#Strings). Its type must be bool. Its length and nesting, and the cost, memory
// and time of an evaluation are limited.
//
// Numbers are exact. An integer is an int, or a uint from 2^63 to 2^64-1. A number with a fraction or an exponent is a
// double. A number that none of these represents exactly is a string with the original text, and only compares with
// strings.
package callrule
