// Package dialect finds tool calls that a language model wrote as text, and writes tools, calls and results as text.
//
// Models without native tool calling, or behind a server that does not support it, print their calls in one of some
// sixty grammars, and a model of one family may use the grammar of another. One [Scanner] reads all grammars. It takes
// the text piece by piece and in linear time. It buffers only text that may still become a mark. The items are the same
// for any chunking of a text. A grammar is a row of the table in table.go ([Formats]): its marks as data, its body
// shapes, and how it is rendered.
//
// Text counts as a call under these conditions:
//   - its name is a declared tool, after lossless resolution ([Names]);
//   - its marks are no words of a sentence, it does not stand in inline code, a fence that is part of prose, a block
//     quotation or a table, and it does not repeat a recent tool result or a user's text ([Options].Quoted);
//   - a call with marks of its own beats fenced and bare ones of the same answer, which then stay text;
//   - the words around it do not present it as an example, a format or an alternative: one judgement for all formats,
//     in text and in reasoning. A call that is presented stays text, with its marks;
//   - a fence or a bare call counts only where it stands on its own, a call with marks also between words;
//   - a call in reasoning counts only when the answer has nothing beside its reasoning. The mark that closes the
//     reasoning ends every call in it, except inside a value that is closed behind it;
//   - nothing in an open string is a mark, and nothing in an explicit final channel is a call;
//   - a value that is written as it is may hold the marks of its format: it ends where no mark after it is left over.
//     Only the rest of the answer shows that, so calls with such values are returned at the end of the answer. Where
//     two ends fit, the call is rejected;
//   - a call that was cut inside a value is never emitted as a call.
//
// Rules that can be switched off by their ids ([Options].Disabled): name.case, name.separators, name.escape,
// name.prefix and name.suffix (how a name was resolved), dialect.<format> (calls in that format stay text),
// dialect.promoted (calls in reasoning), and json.<rule> for the rules of package repair. Reported as notes, with the
// bytes that were left out: mark.orphan (a mark without a call, or the beginning of one at the end of the text),
// mark.template, mark.header, mark.reasoning, mark.unopened, mark.citation, mark.result, mark.invented, mark.repeated,
// mark.text (text between calls), mark.attribute, mark.closer; and envelope.needs_more_work.
//
// The package knows no HTTP, no provider and no JSON Schema: a [Call] holds the text of its arguments and the
// information with which they are typed. It imports repair and jsonx only.
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
