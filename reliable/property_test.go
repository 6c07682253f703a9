package reliable_test

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/schema"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var lawTools = []callwright.Tool{
	weather[0],
	{Name: "save-note", Schema: json.RawMessage(`{"type":"object","properties":{"title":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},` +
		`"meta":{"type":"object","properties":{"id":{"type":"integer"},"score":{"type":"number"}}},"draft":{"type":"boolean"},"at":{"type":["string","null"]}},"required":["title"]}`)},
	{Name: "get_time"},
}

// scraps are pieces of what models write; answers are made of them.
var scraps = []string{
	"Hello. ", "Let me look.\n", "<tool_call>", "</tool_call>", "\n", " ", "<", "[", "{", "}", "]", "`", "```json\n", "```\n", "```",
	`{"name":"get_weather","arguments":{"city":"Oslo"}}`, `{"name": "save-note", "arguments": {"title": "a \"b\" </tool_call> c", "tags": ["x"]}}`,
	`{"name":"get_weather","arguments":{"city":"Os`, `{'name': 'get_weather', 'arguments': {'city': 'Rome',}}`,
	"<think>", "</think>", "I should call it. ", `<invoke name="get_weather">`, `<parameter name="city">Bergen</parameter>`, "</invoke>",
	"<function_calls>", "</function_calls>", `[get_weather(city="Oslo", days=3)]`, "get_time()", `<function=get_time>{}</function>`,
	"<|tool_calls_section_begin|>", "<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>", "<|tool_call_end|>", "<|tool_calls_section_end|>",
	`{"toolCalls":[{"name":"get_time","arguments":{}}],"content":"x"}`, "ünï😀", "For example: ", "[TOOL_CALLS]", `{"answer":"done"}`,
}

func answerText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom(scraps), 1, 12).Draw(t, "scraps"), "")
	})
}

func extraction(t interface{ Fatal(...any) }, events []callwright.Event) *reliable.Extraction {
	x, err := reliable.Extract(events, lawTools, reliable.ExtractOptions{MintID: func(p string) string { return p + "x" }})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Any chunking of a text gives what the text gives whole.
func TestChunkingChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := answerText().Draw(t, "text")
		whole := extraction(t, text(s))
		events := []callwright.Event{callwright.Begin{}}
		for rest := s; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			events = append(events, callwright.TextDelta{Text: rest[:n]}, pause{})
			rest = rest[n:]
		}
		pieces := extraction(t, append(events, callwright.End{Finish: callwright.FinishStop}))
		if d := cmp.Diff(said(whole), said(pieces)); d != "" {
			t.Fatalf("%q (-whole +pieces)\n%s", s, d)
		}
	})
}

// No call leaves as valid that does not satisfy the client's schema or names no declared tool.
func checkValid(t interface{ Fatalf(string, ...any) }, x *reliable.Extraction) {
	for _, c := range x.Calls {
		var tool *callwright.Tool
		for i := range lawTools {
			if lawTools[i].Name == c.Name {
				tool = &lawTools[i]
			}
		}
		if tool == nil {
			t.Fatalf("a call of the undeclared tool %q left", c.Name)
		}
		s, err := schema.Compile(tool.Schema)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if v := s.Validate(c.Arguments); v != nil {
			t.Fatalf("%s left with %s: %v", c.Name, c.Arguments, v)
		}
	}
}

func TestOnlyValidCallsLeave(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkValid(t, extraction(t, text(answerText().Draw(t, "text")))) })
}

func FuzzExtract(f *testing.F) {
	for _, s := range scraps {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, s, args string) {
		checkValid(t, extraction(t, text(s)))
		checkValid(t, extraction(t, native("save-note", args, callwright.FinishCalls)))
	})
}

// Numbers come out as they went in.
func TestNumbersStayText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "digits")).String()
		score := n + "." + rapid.StringMatching(`[0-9]{1,30}`).Draw(t, "fraction")
		want := `{"title":"t","meta":{"id":` + n + `,"score":` + score + `}}`
		for _, written := range []string{want, strings.TrimSuffix(want, "}") + ",}", `{"title":"t","meta":"{\"id\":` + n + `,\"score\":` + score + `}"}`} {
			x := extraction(t, native("save-note", written, callwright.FinishCalls))
			if len(x.Calls) != 1 || string(x.Calls[0].Arguments) != want {
				t.Fatalf("%s became %v", written, said(x))
			}
		}
	})
}

// Text that only quotes markup yields no call and stays as it is.
func TestQuotedMarkupYieldsNothing(t *testing.T) {
	const call = `<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`
	for _, tc := range []struct{ name, text string }{
		{"inline code", "Models write `" + call + "` when they call a tool."},
		{"a fence in an explanation", "The format looks like this, for example:\n\n```xml\n" + call + "\n```\n\nEach call stands in its own tag."},
		{"a quotation", "> " + call + "\n\nThat is what the log says."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			x := extraction(t, text(tc.text))
			if len(x.Calls)+len(x.Invalid) > 0 || x.Content != tc.text {
				t.Errorf("got %v", said(x))
			}
		})
	}
	x, err := reliable.Extract(text("It says: "+call), lawTools, reliable.ExtractOptions{Quoted: []string{"log: " + call + " end"}})
	if err != nil || len(x.Calls) > 0 {
		t.Errorf("an echo of a tool result was taken for a call: %v %v", x, err)
	}
}
