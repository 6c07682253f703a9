// Package dialecttest is the test suite for the formats of package dialect. [Run] tests one format: the cases in the
// format's directory, the example in its table row, and rendered calls that are parsed back.
//
// # Adding a case
//
// A case is a file dialect/testdata/FORMAT/NAME.txtar. A format has at least three cases: one simple call; two calls,
// or a call with text around it, with difficult arguments (quotes, nesting, a closing marker in a string); and one for
// each repair in the Repairs column of its row. For a bug, use the text that showed the bug.
//
//	The subject of the text, in one line.
//	-- text --
//	I look. <tool_call>{"name": "find_train", "arguments": {"from": "Köln"}}</tool_call>
//	-- options --
//	hint
//	-- want --
//	text "I look."
//	call find_train as hermes {"from":"Köln"}
//
// The section text is the output of the model; its last newline is removed. It calls the tools of [Tools]. The
// optional section options has words: "primed" means that the prompt opened the reasoning, "hint" that the format is
// given by name, which is needed to distinguish formats with the same markers. The section want has the expected
// items, one for each line, in the notation of [Say]:
//
//	text "..."                           visible text, quoted as in Go
//	reasoning "..."                      reasoning
//	call TOOL as FORMAT ARGUMENTS        a call, with JSON, or with KEY=JSON or KEY="text as it stands" for each argument
//	rejected WHY: NAME as FORMAT         markup of a call that must not run: truncated, undeclared or malformed
//	note RULE                            a finding without text
//
// A line "call" has three optional parts. "by RULE" names the rule that resolved the tool name. "id ID" is the call's
// id. "mended:RULE" after the arguments names the rule of a repair; each repair has one.
//
// First write the expected items by hand, as a user would want them. Then run
//
//	go test ./dialect -run 'TestFormats/FORMAT'
//
// and compare. With -update the scanner's items replace the want sections: review the diff carefully. Each case is
// also split in two at every byte, which must not change the items. It is also embedded in a code block, a block
// quotation, a shell script, a code span and a tool result, where no call may be found.
package dialecttest
