// Package describe makes a textual format of tool calls of a description of it: an example of one call, and a few words
// about it.
//
// An operator writes the description for a model whose format no table knows, or a model is asked for its own.
// [Description.Compile] looks for the parts of a call in the example, composes a [dialect.Format] of marks that the
// scanner of package dialect reads, with a writer that follows the example letter by letter, and tries it: it must read
// its own example, and further calls that it writes. A failed trial is an [Error] with the text that was read in place
// of the call.
//
// A format can be composed of:
//   - a JSON object with the name and the arguments, bare, in a fence or between marks;
//   - a name and a JSON object of arguments, between marks, with the name in a mark, or on marked lines;
//   - tags with a name, and a tag or a pair of tags for each argument;
//   - a call in Python's way between marks.
//
// Marks are tags, special tokens, texts in square brackets, and the beginnings of lines.
package describe
