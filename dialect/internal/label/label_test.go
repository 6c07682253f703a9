package label_test

import (
	"testing"

	"github.com/callwright/callwright/dialect/internal/label"
)

// lines that announce a call, with the tool they name.
var lines = []struct{ above, line, tool string }{
	{"", "Tool Call:", ""}, {"", "Action:", ""}, {"", "functools", ""},
	{"Action: ping", "Action Input:", "ping"}, {"Tool Name: ping", "Arguments:", "ping"}, {"Action: ping", "Input:", "ping"},
	{"action: ping", "action input:", "ping"}, {"TOOL_NAME: ping", "ARGUMENTS:", "ping"}, {"[Tool Call: ping (ID: call_1)]", "Arguments:", "ping"}, {"", "@ping(call_1):", "ping"},
	{"", "[Calling tool: ping with arguments:", "ping"},
	{"", "to=functions.ping", "ping"}, {"", "assistantcommentary to=functions.ping json", "ping"}, {"", "-> tool/ping", "ping"},
}

func toolOf(line string) string {
	tool, _ := label.Tool("", line, nil)
	return tool
}

// A line announces a call from its first byte on, so that it can be held until it is whole.
func TestBegins(t *testing.T) {
	for _, c := range lines {
		for i := 0; i <= len(c.line); i++ {
			if begun := c.line[:i]; !label.MayBegin(begun, nil) || !label.Begins(begun, nil) && (c.above == "" || !label.BeginsInput(c.above, begun, nil)) {
				t.Errorf("%q below %q is not held", begun, c.above)
			}
		}
		got, _ := label.Tool(c.above, c.line, nil)
		if got == "" {
			got, _ = label.Recipient(c.line)
		}
		if got != c.tool {
			t.Errorf("%q below %q names %q, want %q", c.line, c.above, got, c.tool)
		}
		if label.Is(c.line) != (c.tool == "") {
			t.Errorf("%q is a label: %t", c.line, label.Is(c.line))
		}
	}
	for _, line := range []string{"The answer", "Actions:", "tools", "calling"} {
		if label.Begins(line, nil) || label.Is(line) || toolOf(line) != "" || label.IsStray(line) {
			t.Errorf("%q announces a call", line)
		}
	}
	if !label.IsStray("court") || label.IsStray("courts") {
		t.Error("stray words are not told")
	}
}

// A glued header begins at the same place from the first byte on that cannot be a word of the sentence, and is none where the
// words before it go on.
func TestGlued(t *testing.T) {
	for _, header := range []string{"assistant to=functions.ping", "+#+#+#assistant to=functions.ping json", "assistantcommentary to=functions.ping some words", "+#+# to=functions.ping"} {
		for _, text := range []string{"I look.", "So it is (done)", "Wie schön。", "x ... ", ""} {
			line := text + header
			at, tool, ok := label.FindGluedHeader('\n', line)
			isGlued := text != "" && text[len(text)-1] != ' ' || header[0] == '+'
			if ok != isGlued || ok && (at != len(text) || tool != "ping") {
				t.Errorf("%q: %d %q (%t), want %d", line, at, tool, ok, len(text))
			}
			for end := len(text) + 1; end < len(line) && ok; end++ {
				if at, _, held := label.FindGluedHeader('\n', line[:end]); !held || at != len(text) {
					t.Errorf("%q of %q: held from %d (%t), want %d", line[:end], line, at, held, len(text))
				}
			}
			if before := byte('.'); text == "" {
				if at, tool, ok := label.FindGluedHeader(before, line); !ok || at != 0 || tool != "ping" {
					t.Errorf("%q behind %c: %d %q (%t)", line, before, at, tool, ok)
				}
			}
		}
	}
	for _, line := range []string{"", "the assistant", "to=functions.ping", "The assistant to=functions.ping", "word", "C", "x.assistant said", "a = b", "x.assistant to=functions.ping json\nmore"} {
		if at, tool, ok := label.FindGluedHeader('\n', line); ok {
			t.Errorf("%q: %d %q", line, at, tool)
		}
	}
}
