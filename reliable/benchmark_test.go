package reliable_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/repair"
)

// BenchmarkLinear prints, as the metric ratio, how much longer twice the input takes: 2 is linear, and more than 2.2 in a
// quiet run is a defect.
func BenchmarkLinear(b *testing.B) {
	call := `<tool_call>{"name":"save-note","arguments":{"title":"` // closed below
	for _, tc := range []struct {
		name string
		make func(n int) []callwright.Event
	}{
		{"prose whole", func(n int) []callwright.Event {
			return text(strings.Repeat("Some prose with a < and a [ in it. ", n/35))
		}},
		{"prose in pieces", func(n int) []callwright.Event {
			return inPieces(strings.Repeat("Some prose with a < and a [ in it. ", n/35), 8)
		}},
		{"call in text, in pieces", func(n int) []callwright.Event { return inPieces(call+strings.Repeat("x ", n/2)+`"}}</tool_call>`, 4) }},
		{"broken arguments", func(n int) []callwright.Event {
			return native("save-note", `{'title': 'a', 'tags': [`+strings.Repeat(`'x', `, n/5)+`]}`, callwright.FinishCalls)
		}},
		{"openers without end", func(n int) []callwright.Event { return text(strings.Repeat("<tool_call>{", n/12)) }},
		{"brackets", func(n int) []callwright.Event { return text(strings.Repeat("[", n)) }},
		{"many calls", func(n int) []callwright.Event {
			return text(strings.Repeat(`<tool_call>{"name":"get_time","arguments":{}}</tool_call>`, n/60))
		}},
	} {
		b.Run(tc.name, func(b *testing.B) {
			const size = 64 << 10
			small, large := tc.make(size), tc.make(2*size)
			x, err := reliable.NewExtractor(lawTools, reliable.ExtractOptions{})
			if err != nil {
				b.Fatal(err)
			}
			var once, twice time.Duration
			for b.Loop() {
				t0 := time.Now()
				x.Extract(small)
				t1 := time.Now()
				x.Extract(large)
				once, twice = once+t1.Sub(t0), twice+time.Since(t1)
			}
			b.ReportMetric(float64(twice)/float64(once), "ratio")
		})
	}
}

// inPieces is an answer of text in pieces of n bytes.
func inPieces(s string, n int) []callwright.Event {
	out := []callwright.Event{callwright.Begin{}}
	for len(s) > n {
		out, s = append(out, callwright.TextDelta{Text: s[:n]}, pause{}), s[n:]
	}
	return append(out, callwright.TextDelta{Text: s}, callwright.End{Finish: callwright.FinishStop})
}

// BenchmarkSpeedMend mends 1 MB of broken JSON with several kinds of damage on every line.
func BenchmarkSpeedMend(b *testing.B) {
	line := `{'path': "src/main.go", mode: 420, "tags": ['a', "b",], "body": "if x == 'y' {` + "\n\t" + `print(\"1\")\n}", done: True},` + "\n"
	text := `{"files": [` + strings.Repeat(line, (1<<20)/len(line)) + `]}`
	r, err := repair.JSON(text)
	if err != nil || !json.Valid([]byte(r.JSON)) {
		b.Fatalf("not mended: %v", err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	start := time.Now()
	n := 0
	for b.Loop() {
		_, _ = repair.JSON(text)
		n++
	}
	b.ReportMetric(float64(time.Since(start).Microseconds())/1000/float64(n), "ms/doc")
}

// BenchmarkSpeedJudge judges one typical call whose schema is known already: valid, and with three values to coerce.
func BenchmarkSpeedJudge(b *testing.B) {
	tools := []callwright.Tool{{Name: "search_files", Schema: []byte(`{"type": "object", "additionalProperties": false, "required": ["query", "paths", "limit"],
		"properties": {"query": {"type": "string", "minLength": 1}, "paths": {"type": "array", "items": {"type": "string"}, "minItems": 1},
		"limit": {"type": "integer", "minimum": 1, "maximum": 200}, "mode": {"type": "string", "enum": ["content", "files", "count"]},
		"case": {"type": "boolean"}, "since": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
		"edits": {"type": "array", "items": {"type": "object", "required": ["old", "new"], "properties": {"old": {"type": "string"}, "new": {"type": "string"}}}}}}`)}}
	for _, c := range []struct{ name, args string }{
		{"valid", `{"query": "where is it read", "paths": ["cmd", "config"], "limit": 20, "mode": "content", "since": null, "edits": [{"old": "a b", "new": "c"}]}`},
		{"coerced", `{"query": "where is it read", "paths": "[\"cmd\", \"config\"]", "limit": "20", "case": "true", "mode": "content", "since": null}`},
	} {
		b.Run(c.name, func(b *testing.B) {
			x, err := reliable.NewExtractor(tools, reliable.ExtractOptions{})
			if err != nil {
				b.Fatal(err)
			}
			events := native("search_files", c.args, callwright.FinishCalls)
			if got := x.Extract(events); len(got.Calls) != 1 {
				b.Fatal(got.Invalid)
			}
			b.ReportAllocs()
			for b.Loop() {
				x.Extract(events)
			}
		})
	}
}
