package dialect_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/longtest"
)

// allMarks are the marks of every format, and a call of ping in every format.
func allMarks() []string {
	var out []string
	seen := map[string]bool{"": true}
	add := func(mark string) {
		if !seen[mark] {
			seen[mark] = true
			out = append(out, mark)
		}
	}
	for _, f := range dialect.Formats() {
		for _, m := range f.Marks {
			add(m.Open)
			add(m.Close)
		}
		add(f.RenderCalls([]dialect.RenderedCall{{Name: "ping", Arguments: []byte(`{}`)}}))
	}
	return out
}

// quotesStrings reports whether a format has quotes, or tokens for them, around its strings.
func quotesStrings(f *dialect.Format) bool {
	text := f.RenderCalls([]dialect.RenderedCall{{Name: "note", Arguments: []byte(`{"text": "a\"b"}`)}})
	return strings.Contains(text, `\"`) || strings.Contains(text, `<|"|>a`) || strings.Contains(text, `<escape>a`)
}

// A mark of any format in a quoted string is text of the string: the call is read with it, and no other call is found.
func TestMarksInStrings(t *testing.T) {
	around := []string{"@", "before @ after", "@\n", "a }} @\nb", "a }}@</x>", `{"a": 1} @`, `it's "@" so`, "}]\n\n@ then @"}
	formats := 0
	for _, f := range dialect.Formats() {
		if !f.Renders() || !quotesStrings(&f) {
			continue
		}
		formats++
		for i, mark := range allMarks() {
			for k, a := range around {
				want := strings.ReplaceAll(a, "@", mark)
				args := jsonx.AppendQuote([]byte(`{"text": `), want)
				text := f.RenderCalls([]dialect.RenderedCall{{Name: "note", Arguments: append(args, '}')}, {Name: "ping", Arguments: []byte(`{}`)}})
				if strings.Count(text, `<|"|>`) > 2 || strings.Count(text, "<escape>") > 2 {
					continue // its quotes cannot be escaped
				}
				items := scan(dialect.Options{Tools: tools}, text)
				calls := callsIn(items)
				if len(calls) != 2 || calls[0].Name != "note" || textOf(calls[0]) != want || calls[1].Name != "ping" {
					t.Errorf("%s: %q gives %q", f.Name, text, joined(items))
				}
				if longtest.IsEnabled() && (i+formats)%64 == k {
					sameSplit(t, text, items)
				}
			}
		}
	}
	if formats < 30 {
		t.Errorf("%d formats have quotes", formats)
	}
}

// sameSplit checks that a text gives the same items in two pieces, wherever it is split.
func sameSplit(t *testing.T, text string, items []dialect.Item) {
	t.Helper()
	want := strings.Join(joined(items), "\n")
	for i := 1; i < len(text); i++ {
		if got := strings.Join(joined(scan(dialect.Options{Tools: tools}, text[:i], text[i:])), "\n"); got != want {
			t.Fatalf("%q split at %d gives %s, want %s", text, i, got, want)
		}
	}
}

// A string that lost its last quote ends at the mark that closes its call, whatever is said after it: the call behind it is found.
func TestUnclosedStringEndsAtMark(t *testing.T) {
	for _, between := range []string{"\n", "\nIt's \"so\", isn't it?\n", "\nShe said \"yes\".\n"} {
		text := `<tool_call>{"name": "note", "arguments": {"text": "a b}}</tool_call>` + between + `<tool_call>{"name": "ping", "arguments": {}}</tool_call>`
		items := scan(dialect.Options{Tools: tools}, text)
		sameSplit(t, text, items)
		found := false
		for _, c := range callsIn(items) {
			found = found || c.Name == "ping"
		}
		if !found {
			t.Errorf("%q gives %q", text, joined(items))
		}
	}
}

// Marks of calls that are named in reasoning do not hide its end.
func TestMarksNamedInReasoning(t *testing.T) {
	for _, f := range dialect.Formats() {
		for _, m := range f.Marks {
			if m.Role != dialect.Wrap && m.Role != dialect.Section || strings.Contains(m.Open, "%") {
				continue
			}
			for _, think := range [][2]string{{"<think>", "</think>"}, {"[THINK]", "[/THINK]"}, {"<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"}} {
				text := think[0] + "I use " + m.Open + " now." + think[1] + "The answer."
				items := scan(dialect.Options{Tools: tools}, text)
				sameSplit(t, text, items)
				said := ""
				for _, it := range items {
					if it.Kind == dialect.Text {
						said += it.Text
					}
				}
				if said != "The answer." || len(callsIn(items)) > 0 {
					t.Errorf("%s: %q gives %q", f.Name, text, joined(items))
				}
			}
		}
	}
}

// What stands in the final channel of a harmony message is an answer, in every format.
func TestFinalChannelHoldsNoCalls(t *testing.T) {
	for _, f := range dialect.Formats() {
		call := f.RenderCalls([]dialect.RenderedCall{{Name: "note", Arguments: []byte(`{"text": "a"}`)}})
		if call == "" || strings.Contains(call, "<|channel|>") || strings.Contains(call, "<|message|>") {
			continue
		}
		for _, body := range []string{call, "Here:\n" + call, "```\n" + call + "\n```"} {
			text := "<|channel|>analysis<|message|>So.<|end|><|start|>assistant<|channel|>final<|message|>" + body + "<|return|>"
			items := scan(dialect.Options{Tools: tools}, text)
			sameSplit(t, text, items)
			if len(callsIn(items)) > 0 {
				t.Errorf("%s: %q gives %q", f.Name, text, joined(items))
			}
		}
	}
}
