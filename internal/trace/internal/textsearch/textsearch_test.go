package textsearch_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/trace/internal/textsearch"
	"pgregory.net/rapid"
)

func TestLine(t *testing.T) {
	const request = `{"trace":1,"seq":7,"kind":"request","id":"rep_1","model":"lab/one","data":{"messages":[{"role":"user","parts":[{"type":"text","text":"Weather \"now\" in \u004fslo?"}]},` +
		`{"role":"assistant","parts":[{"type":"call","id":"c1","name":"get_weather","arguments":{"city":"Bergen","more":{"type":"fine"},"text":["deep"]}}]},` +
		`{"role":"tool","parts":[{"type":"result","call_id":"c1","parts":[{"type":"text","text":"3 degrees"}]}]}],"tools":[{"name":"declared","parameters":{"description":"hidden"}}]},"body":{"text":"asbody"}}`
	const failed = `{"kind":"error","error":{"kind":"timeout","message":"no answer came","cause":"dial: refused","report":{"attempts":[{"error":"slow host"}],"notes":[{"rule":"json.quotes","was":"{'a'}"}],"invalid":[{"name":"lookup","raw":"<call>"}]}}}`
	tests := []struct {
		line, text string
		want       bool
	}{
		{request, "weather", true}, {request, `"now" in oslo`, true}, {request, "bergen", true}, {request, "fine", true}, {request, "deep", true},
		{request, "get_weather", true}, {request, "3 degrees", true}, {request, "3  degrees", false}, {request, "oslo bergen", false},
		{request, "user", false}, {request, "call", false}, {request, "lab/one", false}, {request, "rep_1", false}, {request, "declared", false}, {request, "hidden", false},
		{request, "asbody", false}, {request, "city", false}, {request, "messages", false},
		{failed, "no answer", true}, {failed, "refused", true}, {failed, "slow host", true}, {failed, "{'a'}", true}, {failed, "lookup", true}, {failed, "<call>", true},
		{failed, "json.quotes", false}, {failed, "timeout", false},
		{`{"data":{"parts":[{"type":"text","text":"GRÜSSE ÅS"}]}}`, "grüsse ås", true},
		{`{"data":{"parts":[{"type":"call","arguments_text":"{\"city\": \"Oslo\""}]}}`, `city": "oslo`, true},
		{`{"data":{"parts":[{"type":"call","arguments":{},"x":"y"},{"type":"text","text":"behind"}]}}`, "behind", true},
		{`{"text":"cut`, "cut", false}, {`{"text`, "text", false}, {``, "x", false}, {`]]}`, "x", false}, {`{"text":`, "x", false},
	}
	for _, tt := range tests {
		s := textsearch.New([]string{tt.text})
		s.Line([]byte(tt.line))
		if s.HasFoundAll() != tt.want {
			t.Errorf("%q: expected %t in %s", tt.text, tt.want, tt.line)
		}
	}
}

func TestSeveral(t *testing.T) {
	s := textsearch.New([]string{"oslo", "", "3 degrees"})
	for range 2 {
		if s.Reset(); s.HasFoundAll() {
			t.Error("nothing was looked at")
		}
		if s.Line([]byte(`{"text":"Oslo"}`)); s.HasFoundAll() {
			t.Error("one of two was found")
		}
		if s.Text("3 Degrees"); !s.HasFoundAll() {
			t.Error("both were there")
		}
	}
	if !textsearch.New(nil).HasFoundAll() {
		t.Error("no text is always found")
	}
}

// Whatever a text is and however JSON writes it, it is found as a whole and in each of its parts.
func TestAnyText(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.String().Draw(rt, "text")
		line, err := json.Marshal(map[string]any{"data": map[string]any{"parts": []any{map[string]any{"type": "call", "arguments": map[string]any{"a": []string{text}}}}}})
		if err != nil {
			rt.Fatal(err)
		}
		runes := []rune(text)
		from := rapid.IntRange(0, len(runes)).Draw(rt, "from")
		part := string(runes[from:rapid.IntRange(from, len(runes)).Draw(rt, "to")])
		s := textsearch.New([]string{text, part})
		if s.Line(line); !s.HasFoundAll() {
			rt.Fatalf("%q and %q are not found in %s", text, part, line)
		}
	})
}

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "  ": "", "a b": "a|b", ` a  "b c" d`: "a|b c|d", `"open end`: "open end", `""`: "", `a"b"c`: "a|b|c",
	} {
		if got := strings.Join(textsearch.Words(text), "|"); got != want {
			t.Errorf("%q: expected %q, got %q", text, want, got)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add([]byte(`{"data":{"parts":[{"type":"text","text":"Oslo \u00e9"}]},"tools":[`), "oslo")
	f.Add([]byte(`{"arguments":{"a":["b"]}}`), "b")
	f.Fuzz(func(t *testing.T, line []byte, text string) {
		s := textsearch.New([]string{text})
		before := slices.Clone(line)
		s.Line(line)
		if !slices.Equal(before, line) {
			t.Error("the line was written to")
		}
	})
}

func BenchmarkLine(b *testing.B) {
	line := []byte(`{"data":{"messages":[` + strings.Repeat(`{"role":"user","parts":[{"type":"text","text":"`+strings.Repeat("some words that are said, ", 40)+`\n"}]},`, 100) + `{}]}}`)
	s := textsearch.New([]string{"missing"})
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		s.Reset()
		s.Line(line)
	}
}
