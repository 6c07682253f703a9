// Package swallowed finds further parameters of a call inside a value or a key of its arguments. Servers that parse
// tool calls from model text produce such arguments if the model closed a parameter with the wrong tag or wrote a tag
// twice:
//
//	{"content": "Monday.</content>\n<parameter name=\"tags\">[\"a\"]"}
//	{"path</arg_key>": "/srv"}
//
// It supports the call formats with an element or special tokens for each parameter.
package swallowed
