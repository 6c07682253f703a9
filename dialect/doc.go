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
// notation for a schema-based conversion. The package imports only packages repair and jsonx.
package dialect

// The files, by the question each answers:
//
//	dialect.go tool.go format.go table*.go  what are tools, items, calls, formats; which formats are there
//	render.go tool_renderer.go internal/render internal/definition internal/result
//	                                       how are tools, calls and results written
//	marks.go mark_index.go lexer*.go       what is a mark; which one stands at a place
//	names.go toolset.go name_before.go name_line.go internal/toolname
//	                                       which declared tool does a written name mean
//	buffer.go                              which text is at hand, and what stands before a place in it
//	shown_*.go internal/shown internal/tristate label.go internal/label
//	                                       is markup meant or shown; what announces a call
//	internal/literal internal/arith python*.go reader.go parts.go envelope.go internal/callshape
//	                                       which calls does a value hold
//	judge.go call.go lost.go               can a call be run
//	queue*.go                              when is an item emitted
//	scan.go scanner.go                     what is a scanner, and what are its states
//	text.go passage.go reasoning.go thought_end.go harmony*.go internal/harmony fence.go internal/codeblock escaped.go bare.go
//	                                       what begins in visible text, in thoughts, in fences
//	region*.go head.go header.go stray.go nowhere.go
//	                                       where does a region of calls begin and end, and what stands between its calls
//	raw.go internal/split                  where does a raw value end
//	value.go ahead.go tail.go tags.go argument.go body.go block.go elements_region.go internal/markup internal/yaml internal/hash internal/pairs
//	                                       how are a call's arguments read
//	take.go emit.go                        what becomes of a value, and of a call
//	nested_scan.go from_name.go read_arguments.go
//	                                       what if a text, a name, or the arguments of a tool are nothing but calls
