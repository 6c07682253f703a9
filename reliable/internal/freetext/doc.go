// Package freetext finds the input of a custom tool (free text) in the arguments that a model wrote.
//
// A model that receives a custom tool as a function gets one parameter, input. Models use other parameters, add the
// command name, or write the text alone, in a code block or in a shell here-document. The tool's grammar determines
// which text is the input. Without a grammar it must be the only text.
package freetext
