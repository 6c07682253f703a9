// Package dialect parses tool calls that a language model wrote as text. It also renders tools, calls and results as
// text for prompts.
//
// Models without native tool calling write their calls in one of about sixty text formats, and a model may use the
// format of another family. One [Scanner] recognizes all formats. It processes the text in chunks and in linear time,
// and buffers only text that may be part of a call or marker. The resulting items do not depend on the chunking. Each
// format is a row of the table in table.go ([Formats]) with its markers, such as <tool_call> and </tool_call>, and its
// renderer.
//
// Text counts as a call under these conditions:
//
//   - Its name is a declared tool, after lossless resolution (see [Names]).
//   - Its markers are not words of a sentence. It is not in inline code, a code block within prose, a block
//     quotation or a table. It does not repeat a recent tool result or user text ([Options].Quoted).
//   - If the response has a call with markers, calls in code blocks and calls without markers stay text.
//   - The surrounding words do not present it as an example, a format or an alternative. A call presented in this
//     way stays text, with its markers.
//   - A call in a code block or without markers must be on its own lines. A call with markers may be between words.
//   - A call in reasoning counts only if the response has nothing besides reasoning. The closing marker of the
//     reasoning ends every call inside it, except within a value that is closed after the marker.
//   - Text inside an open string is never a marker, and text in an explicit final channel is never a call.
//   - A raw (unescaped) value may contain markers of its format. Its end is chosen so that no later marker is left
//     over. This requires the complete response, so calls with such values are emitted at its end. If two ends are
//     possible, the call is rejected.
//   - A call that was truncated inside a value is not emitted as a call.
//
// [Options].Disabled can disable these rules by ID: name.case, name.separators, name.escape, name.prefix and
// name.suffix (resolution of names), dialect.FORMAT (calls in the format stay text), dialect.promoted (calls in
// reasoning), and json.RULE for the rules of package repair.
//
// Notes report removed text: mark.orphan (a marker without a call, or an incomplete marker at the end), mark.template,
// mark.header, mark.reasoning, mark.unopened, mark.citation, mark.result, mark.invented, mark.repeated, mark.text
// (text between calls), mark.attribute and mark.closer. A further note is envelope.needs_more_work.
//
// The package is independent of HTTP, providers and JSON Schema. A [Call] has the text of its arguments and the
// notation for a schema-based conversion. The package imports only packages repair, jsonx and prompt.
package dialect

// The files by subject:
//
//	dialect.go tool.go format.go table*.go    types of the API: tools, items, calls; formats and their table
//	render.go carries.go internal/render internal/definition internal/result
//	                                          rendering of tools, calls and results
//	marks.go mark_index.go lexer*.go          markers, and their recognition at an offset
//	names.go toolset.go name_before.go name_line.go internal/toolname
//	                                          resolution of tool names
//	buffer.go internal/chars                  text that is not emitted yet, and the text before an offset
//	shown_*.go internal/shown tristate.go internal/tristate label.go internal/label
//	                                          difference between calls and examples of calls; labels before calls
//	internal/literal internal/arith python*.go reader.go parts.go envelope.go internal/callshape internal/parts
//	                                          calls in a JSON or Python value
//	validator.go call.go lost.go              validity of calls
//	queue*.go                                 time at which an item is emitted
//	scan.go scanner.go plain.go               the Scanner and its states
//	text.go passage.go reasoning.go thought_end.go channel.go harmony*.go internal/harmony fence.go internal/codeblock
//	escaped.go bare.go                        beginnings of calls in visible text, reasoning and code blocks
//	region*.go head.go header.go stray.go nowhere.go
//	                                          beginning and end of a region of calls, and text between its calls
//	raw.go wrong_closer.go internal/split     end of an unquoted value
//	value.go ahead.go tail.go tags.go argument.go body.go block.go elements_region.go internal/markup internal/yaml
//	internal/hash internal/pairs              arguments of a call
//	take.go emit.go                           parsed values and calls
//	nested_scan.go from_name.go               texts and names that consist only of calls
