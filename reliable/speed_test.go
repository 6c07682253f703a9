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
			x, err := reliable.NewExtractor(tools)
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
