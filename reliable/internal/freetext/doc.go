// Package freetext finds the input of a tool that takes free text in the arguments that a model wrote for it.
//
// A model that gets such a tool as a function is told of one parameter, input. Models choose other parameters, put the
// command's name beside the text, or write the text alone, in a code fence or in a here-document. The tool's grammar
// tells which text is meant; without one it is the only text there is.
package freetext
