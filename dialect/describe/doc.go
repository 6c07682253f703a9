// Package describe creates a text format of tool calls from an example of one call.
//
// The description is written by an operator for a model with an unknown format, or by the model itself.
// [Description.Compile] finds the parts of the call in the example and derives a [dialect.Format] with markers for the
// scanner of package dialect and a renderer that reproduces the example. It then tests the format: the example and
// further rendered calls must be parsed correctly. A failed test is an [Error] that says how the text was parsed.
//
// Formats can have these structures:
//
//   - a JSON object with name and arguments: without markers, in a code block, or between markers
//   - a name and a JSON object with the arguments: between markers, with the name in a marker, or on marked lines
//   - tags with a name, and a tag or a pair of tags for each argument
//   - a Python call between markers
//
// Markers are tags, special tokens, texts in square brackets, or beginnings of lines.
package describe
