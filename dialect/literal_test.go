package dialect_test

import (
	"testing"

	"github.com/callwright/callwright/dialect"
)

// A list in a call's literals that another bracket closes is malformed: the reader stops there.
func TestLiteralListClosedByAnotherBracket(t *testing.T) {
	o := dialect.Options{Tools: []dialect.Tool{{Name: "note", Params: []dialect.Param{{Name: "text", Types: []string{"array"}}}}}}
	for _, text := range []string{
		"<|tool_call>call:note{text:[}<tool_call|>",
		"<|tool_call>call:note{text:[)<tool_call|>",
		"<|tool_call>call:note{text:[a,}<tool_call|>",
		"<|tool_call>call:note{text:[{b:[}]}<tool_call|>",
	} {
		for _, it := range dialect.ScanAll(o, text) {
			if it.Kind == dialect.CallFound {
				t.Errorf("%s: want no call, got %+v", text, it.Call)
			}
		}
	}
}
