package codeblock_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright/dialect/internal/codeblock"
)

// Calls that are written are read back, with any lines in their arguments.
func TestRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := codeblock.Call{Name: rapid.StringMatching(`[a-z_.-]{1,8}`).Draw(t, "name")}
		keys := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z_]{1,5}`), 0, 4, rapid.ID[string]).Draw(t, "keys")
		var b strings.Builder
		b.WriteString("TOOL_NAME: " + want.Name + "\n")
		for _, key := range keys {
			lines := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "", "```", "BEGIN_ARG: b", "TOOL_NAME: x", "{\"a\": 1}", " END_ARG.", "é"}), 0, 4).Draw(t, "lines")
			text := strings.TrimSpace(strings.Join(lines, "\n"))
			want.Args = append(want.Args, codeblock.Arg{Key: key, Text: text})
			b.WriteString("BEGIN_ARG: " + key + "\n" + text + "\nEND_ARG\n")
		}
		got, ok := codeblock.Read(b.String())
		if d := cmp.Diff(want, got); !ok || d != "" {
			t.Errorf("%q (%t): want (-) got (+)\n%s", b.String(), ok, d)
		}
		// A call that is cut behind a line is open where it is cut in an argument, in whatever pieces it was looked at.
		var whole, pieces codeblock.Tracker
		at := rapid.IntRange(0, b.Len()).Draw(t, "cut")
		at = strings.LastIndexByte(b.String()[:at], '\n') + 1
		for i := range at {
			pieces.IsOpen(b.String()[:i])
		}
		cut := b.String()[:at]
		if whole.IsOpen(cut) != pieces.IsOpen(cut) {
			t.Errorf("%q is open whole, or in pieces", cut)
		}
		if c, ok := codeblock.Read(cut); ok && c.IsCut != whole.IsOpen(cut) {
			t.Errorf("%q: cut %t", cut, c.IsCut)
		}
	})
}

func TestReadNothingElse(t *testing.T) {
	for _, text := range []string{
		"", "TOOL_NAME:", "tool f", "TOOL_NAME: f\nand words", "TOOL_NAME: f\nBEGIN_ARG:\na\nEND_ARG", "TOOL_NAME: f\nBEGIN_ARG: a\nx\nEND_ARG\nBEGIN_ARG: a\ny\nEND_ARG",
		"TOOL_NAME: f\nTOOL_NAME: g",
	} {
		if c, ok := codeblock.Read(text); ok {
			t.Errorf("%q: %v", text, c)
		}
	}
	if c, ok := codeblock.Read("tool_name: f\nbegin_arg: a\n\"x \\\"y\\\"\"\nend_arg"); !ok || len(c.Args) != 1 || c.Args[0].Text != `x "y"` {
		t.Errorf("lower case: %v", c)
	}
}
