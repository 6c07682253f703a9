package dialect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright/dialect"
)

// tools are the declared tools of the tests in this package.
var tools = []dialect.Tool{
	{Name: "find_train", Description: "Finds trains.", Schema: []byte(`{"type":"object","properties":{"from":{"type":"string"},"seats":{"type":"integer"},"stops":{"type":"array"}},"required":["from"]}`),
		Params: []dialect.Param{{Name: "from", Types: []string{"string"}, Required: true}, {Name: "seats", Types: []string{"integer"}}, {Name: "stops", Types: []string{"array"}}}},
	{Name: "note", Params: []dialect.Param{{Name: "text", Types: []string{"string"}, Required: true}}},
	{Name: "ledger.close_month", Params: []dialect.Param{{Name: "month", Types: []string{"integer"}}}},
	{Name: "ping"},
}

// joined is what a reader of items ends up with: neighbouring texts of one kind put together, calls and reports as lines.
func joined(items []dialect.Item) []string {
	var out []string
	last := dialect.Noted
	for _, it := range items {
		switch it.Kind {
		case dialect.Text, dialect.Reasoning:
			if len(out) > 0 && last == it.Kind {
				out[len(out)-1] += it.Text
			} else {
				out = append(out, it.Kind.String()+": "+it.Text)
			}
		case dialect.CallFound, dialect.CallRejected:
			c := *it.Call
			out = append(out, fmt.Sprintf("%v %s: %s|%s|%s|%s|%q|%v|%s|%d", it.Kind, it.Why, c.Name, c.Written, c.Format, c.JSON, c.Args, c.Fixes, c.Raw, c.Offset))
		case dialect.Noted:
			out = append(out, fmt.Sprintf("note: %s %d %q %s", it.Note.Rule, it.Note.Offset, it.Note.Was, it.Note.Now))
		}
		last = it.Kind
	}
	return out
}

// scan feeds the pieces of a text one by one.
func scan(o dialect.Options, pieces ...string) []dialect.Item {
	s := dialect.NewScanner(o)
	var items []dialect.Item
	for _, p := range pieces {
		items = s.Feed(p, items)
	}
	items = s.Close(items)
	if s.Stalled() {
		panic(fmt.Sprintf("a state did not move on in %q", pieces))
	}
	return items
}

func every(n int, text string) []string {
	var pieces []string
	for len(text) > n {
		pieces, text = append(pieces, text[:n]), text[n:]
	}
	return append(pieces, text)
}

// fragments are pieces of markup and of what stands around it; random sequences of them are hostile answers.
var fragments = []string{
	"<tool_call>", "</tool_call>", "\n", " ", "{\"name\": \"find_train\", \"arguments\": {\"from\": \"Bonn\"}}", "{\"name\":", "\"note\"", ", \"arguments\": {\"text\": \"a",
	"\"}}", "}", "{", "[", "]", "find_train(from=\"Ulm\", seats=2)", "find_train", "(", ")", "note(text='x')", "```", "```json\n", "\n```\n", "`", "> ", "| ", "Well: ", "For example:\n",
	"<function_calls>", "</function_calls>", "<invoke name=\"note\">", "</invoke>", "<parameter name=\"text\">", "</parameter>", "hello", "<function=note>", "<parameter=text>\n", "</function>",
	"<arg_key>text</arg_key>", "<arg_value>", "</arg_value>", "<|tool_calls_section_begin|>", "<|tool_call_begin|>", "functions.note:0", "<|tool_call_argument_begin|>", "<|tool_call_end|>",
	"<|tool_calls_section_end|>", "[TOOL_CALLS]", "[ARGS]", "[CALL_ID]", "<think>", "</think>", "<|channel|>", "commentary to=functions.note", "<|message|>", "<|call|>", "<|start|>", "<|end|>",
	"&lt;tool_call&gt;", "&lt;/tool_call&gt;", "<note>", "</note>", "<text>", "</text>", "<tool_use>", "<name>", "</name>", "<|im_end|>", "<tool_response>", "</tool_response>", "Action: note\n", "Action Input: ",
	"**Tool Call:**\n", "'", "\"", "\\", ":", ",", ";", "é", "｜", "<｜tool▁calls▁begin｜>", "<｜tool▁sep｜>", "<", "</", "<|", "ping", "\n\n", "or\n", "1. ", "{\"toolCalls\": [", "], \"content\": \"hi\"}", "ledger.", "close_month", "<|tool_call>call:note{text:", "<|\"|>", "<tool_call|>", "<escape>", "<|channel>", "<channel|>", "<start_function_call>", "call:ping{}", "<|tool_call>",
	"TOOL_NAME: ping\n", "ARGUMENTS: ", " to=functions.ping", "to=functions.", " json", "<tool_calls:x>", "<tool_call:x>", "</tool_call:x>", "<ifm|arg_key>", "~~~\n", "<|tool_call|>", "<|START_ACTION|>", "<|END_ACTION|>",
	"{\"ping\": {}}", "[Calling tool: ", "<note text=\"x\"/>", "<find_train from='x' ", "/>", "written as ", "Shall I go?", "\r\n", "[tool]", "[end]", "`ping()`", "functools", "-> tool/function_call\n", "  ", "=", "<function=", "note>", "<parameter=seats>", "\n<parameter=from>", "from\": ", "\"\"\"",
	" and ", "\n- ", " / ", "assistant", "call:note:\n", "\nEND_ARG\n", "“", "said \"",
}

// allFragments are the fragments, and the marks and rendered calls of every row of the table.
var allFragments = func() []string {
	out := fragments
	for _, f := range dialect.Formats() {
		for _, m := range f.Marks {
			out = append(out, m.Open, m.Close)
		}
		out = append(out, f.RenderCalls([]dialect.RenderedCall{{Name: "note", Arguments: []byte(`{"text": "a"}`)}}))
	}
	return out
}()

// Any chunking of a text gives the same items, joined.
func TestAnyChunking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(allFragments), 1, 14).Draw(t, "fragments"), "")
		o := dialect.Options{Tools: tools, ReasoningPrimed: rapid.Bool().Draw(t, "primed")}
		want := joined(scan(o, text))
		for _, n := range []int{1, 2, 3, 7} {
			if d := cmp.Diff(want, joined(scan(o, every(n, text)...))); d != "" {
				t.Fatalf("%q in pieces of %d:\n%s", text, n, d)
			}
		}
		cut := rapid.IntRange(0, len(text)).Draw(t, "cut")
		if d := cmp.Diff(want, joined(scan(o, text[:cut], text[cut:]))); d != "" {
			t.Fatalf("%q cut at %d:\n%s", text, cut, d)
		}
	})
}

// entities are the characters of marks, and the entities that stand for them.
var entities = map[rune]string{'<': "&lt;", '>': "&gt;", '"': "&quot;", '&': "&amp;", '\'': "&#39;"}

// splitEntities draws a text whose marks are written as entities, all or some of them, and scans it whole and in pieces.
func splitEntities(t *rapid.T) {
	some := rapid.Bool().Draw(t, "some")
	var b strings.Builder
	for _, r := range strings.Join(rapid.SliceOfN(rapid.SampledFrom(allFragments), 1, 6).Draw(t, "fragments"), "") {
		if entity, ok := entities[r]; ok && !(some && rapid.Bool().Draw(t, "plain")) {
			b.WriteString(entity)
		} else {
			b.WriteRune(r)
		}
	}
	o := dialect.Options{Tools: tools}
	size := rapid.IntRange(1, 9).Draw(t, "size")
	if d := cmp.Diff(joined(scan(o, b.String())), joined(scan(o, every(size, b.String())...))); d != "" {
		t.Fatalf("%q in pieces of %d (-whole +pieces)\n%s", b.String(), size, d)
	}
}

// A call whose marks are written as entities is the same call whole and in pieces.
func TestEntitiesSplit(t *testing.T) { rapid.Check(t, splitEntities) }

func FuzzEntities(f *testing.F) { f.Fuzz(rapid.MakeFuzz(splitEntities)) }
