// Package callrule compiles and evaluates the call rules of a configuration: which calls of which tools are refused, or
// wait for a person, by expressions of the Common Expression Language (https://cel.dev) over their arguments.
//
// An expression has the variables tool, args, key, model, client and session, the standard functions of the language
// (https://github.com/google/cel-spec/blob/master/doc/langdef.md) and the extension for strings
// (https://pkg.go.dev/cel.dev/cel-go/ext#Strings). It is of type bool. Its length, its nesting, and the cost, memory
// and time of an evaluation are bounded.
//
// Numbers keep their value. A whole number is an int, from 2^63 to 2^64-1 a uint. A number with a fraction or an
// exponent is a double. A number that none of these holds to the last digit is the text that was written, so that it
// compares with text alone.
package callrule
