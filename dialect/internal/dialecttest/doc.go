// Package dialecttest is the suite that every format of package dialect passes. [Run] runs it for one format: the cases
// in the format's folder, the example of its row, and calls rendered in it and read back.
//
// # Adding a case
//
// A case is a file dialect/testdata/FORMAT/NAME.txtar. A format has at least three: one plain call; two calls, or a
// call with text around it, whose arguments are hard (quotes, nesting, a closing mark in a string); and one text for
// each thing that the Mends column of its row promises. For a bug, write the text that showed it.
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
// The text is the output of the model, without the last line end. It calls the tools of [Tools]. The options are words,
// and the section may be left out: "primed" means that the prompt already opened the reasoning, "hint" that the format
// was asked for by name; the findings name a format that shares its marks with another only with "hint". The wanted
// findings stand one a line, as [Say] writes them:
//
//	text "..."                           visible text, quoted as in Go
//	reasoning "..."                      reasoning
//	call TOOL as FORMAT ARGUMENTS        a call, with JSON, or with KEY=JSON or KEY="text as it stands" for each argument
//	rejected WHY: NAME as FORMAT         markup of a call that must not run: truncated, undeclared or malformed
//	note RULE                            a finding without text
//
// A call may carry "by RULE" (its name was resolved), "id ID" and, after the arguments, "mended:RULE" for each repair.
//
// Write the wanted findings by hand first, as a user would want them, and run
//
//	go test ./dialect -run 'TestFormats/FORMAT'
//
// Then compare. With -update the want sections are written from the findings of the scanner: read the diff, and keep no
// line that you would not have written. A case is also cut in two at every byte, where nothing may change, and shown in
// a fence, a block quotation, a shell script, a code span and a tool's result, where nothing may be called.
package dialecttest
