// Package swallowed finds the rest of a call in a value or in a key of its own arguments. A server that takes calls out
// of its model's text leaves it there where the model closed a parameter by the wrong tag, or wrote a tag twice:
//
//	{"content": "Monday.</content>\n<parameter name=\"tags\">[\"a\"]"}
//	{"path</arg_key>": "/srv"}
//
// The formats with an element or special tokens for each parameter are known.
package swallowed
