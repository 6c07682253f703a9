package gemini

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/jsonx"
	"pgregory.net/rapid"
)

// drawObject draws an object of members with these names, some of them twice.
func drawObject(t *rapid.T, label string, names []string, value func(name string) string) string {
	var members []string
	for _, name := range rapid.SliceOfN(rapid.SampledFrom(names), 0, 5).Draw(t, label) {
		members = append(members, `"`+name+`":`+value(name))
	}
	return "{" + strings.Join(members, ", ") + "}"
}

// What is found in one walk is what looking for each member finds: of candidates and contents that come twice the last, of parts and
// indexes the first.
func TestPiece(t *testing.T) {
	odd := rapid.SampledFrom([]string{"null", "[]", "{}", `"x"`, "1"})
	rapid.Check(t, func(t *rapid.T) {
		content := func(string) string {
			return drawObject(t, "content", []string{"parts", "role"}, func(name string) string {
				return rapid.SampledFrom([]string{`[{"text":"a"}, {"text":"b"}]`, `[{"text":"c"}]`, `[1]`, odd.Draw(t, name)}).Draw(t, name)
			})
		}
		one := func(string) string {
			return drawObject(t, "candidate", []string{"content", "index", "finishReason", "finish_reason", "finishMessage", "logprobs"}, func(name string) string {
				switch name {
				case "content":
					return rapid.SampledFrom([]string{content(""), odd.Draw(t, "odd")}).Draw(t, "content or not")
				case "index":
					return rapid.SampledFrom([]string{"0", "1", "null"}).Draw(t, "index")
				}
				return rapid.SampledFrom([]string{`"a"`, `"b"`, "null"}).Draw(t, "text")
			})
		}
		v := []byte(drawObject(t, "piece", []string{"candidates", "usageMetadata", "usage_metadata", "responseId", "modelVersion", "promptFeedback", "error"}, func(name string) string {
			if name == "candidates" {
				return rapid.SampledFrom([]string{"[" + one("") + ", " + one("") + "]", "[" + odd.Draw(t, "odd") + "]", odd.Draw(t, "odd")}).Draw(t, "candidates")
			}
			return odd.Draw(t, name)
		}))
		var p piece
		p.read(v)
		last := func(obj []byte, names ...string) (value []byte) {
			for k, m := range jsonx.Members(obj) {
				if slices.ContainsFunc(names, k.Is) {
					value = m
				}
			}
			return value
		}
		var raw []byte
		for c := range jsonx.Elements(last(v, "candidates")) {
			if index, _ := jsonx.Find(c, "index"); raw == nil && (index == nil || string(index) == "0") {
				raw = c
			}
		}
		parts, _ := jsonx.Find(last(raw, "content"), "parts")
		for _, m := range []struct {
			what      string
			got, want []byte
		}{
			{"usage", p.usage, last(v, "usageMetadata", "usage_metadata")}, {"id", p.id, last(v, "responseId")}, {"model", p.model, last(v, "modelVersion")},
			{"feedback", p.feedback, last(v, "promptFeedback")}, {"error", p.failure, last(v, "error")}, {"candidate", p.raw, raw},
			{"reason", p.reason, last(raw, "finishReason", "finish_reason")}, {"message", p.message, last(raw, "finishMessage")},
		} {
			if string(m.got) != string(m.want) || (m.got == nil) != (m.want == nil) {
				t.Fatalf("%s\n%s: %s, expected %s", v, m.what, m.got, m.want)
			}
		}
		if !slices.EqualFunc(p.parts, slices.Collect(jsonx.Elements(parts)), func(a, b []byte) bool { return string(a) == string(b) }) {
			t.Fatalf("%s\nparts: %s, expected those of %s", v, p.parts, parts)
		}
		if other := last(raw, "logprobs") != nil; p.other != other {
			t.Fatalf("%s\nother: %v", v, p.other)
		}
	})
}
