package reliable_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// piecewise is an answer whose text comes in pieces of n bytes.
func piecewise(s string, n int) []callwright.Event {
	events := []callwright.Event{callwright.Begin{}}
	for ; s != ""; s = s[min(n, len(s)):] {
		events = append(events, callwright.TextDelta{Text: s[:min(n, len(s))]}, pause{})
	}
	return append(events, callwright.End{Finish: callwright.FinishStop})
}

// Where calls were asked for in text, an answer that is nothing but a fence with the arguments of the only tool is its call, and so are the other forms
// in which small models copy the prompt. Everything else is text, whole and in pieces.
func TestLoneArguments(t *testing.T) {
	call := []string{"call get_weather " + oslo, "finish tool_calls"}
	two := append([]callwright.Tool{{Name: "other", Schema: weather[0].Schema}}, weather...)
	loose := []callwright.Tool{{Name: "get_weather", Schema: []byte(`{"type":"object","properties":{"city":{"type":"string"}}}`)}}
	for _, c := range []struct {
		text  string
		tools []callwright.Tool
		calls bool
	}{
		{"```json\n{\"city\":\"Oslo\"}\n```", weather, true},
		{"```\n  {\"city\":\"Oslo\"}```\n", weather, true},
		{"```tool_call\n{\"city\":\"Oslo\"}\n```", weather, true},
		{"```json\n{\"get_weather\":{\"city\":\"Oslo\"}}\n```", two, true},
		{"```json\n{\"TOOL_NAME\":\"get_weather\",\"arguments\":{\"city\":\"Oslo\"}}\n```", two, true},
		{"{\"TOOL_NAME\":\"get_weather\",\"arguments\":{\"city\":\"Oslo\"}}", two, true},
		{"```json\n{\"city\":\"Oslo\"}\n```", two, false},
		{"```json\n{\"city\":\"Oslo\"}\n```", loose, false},
		{"```json\n{\"city\":\"Oslo\",\"population\":700000}\n```", weather, false},
		{"```json\n{\"city\":[\"Oslo\"],\"days\":\"x\"}\n```", weather, false},
		{"```json\n{\"days\":3}\n```", weather, false},
		{"```json\n{\"city\":\"Oslo\"}\n```\nis what I would send.", weather, false},
		{"For example:\n```json\n{\"city\":\"Oslo\"}\n```", weather, false},
		{"```json\n{\"city\":\"Oslo\"}\n```\n```json\n{\"city\":\"Rome\"}\n```", weather, false},
		{"```go\nfunc main() {}\n```", weather, false},
		{"``` and more", weather, false},
	} {
		for _, mode := range []caps.Mode{caps.Text, caps.Parsed, caps.JSONSchema, caps.JSONObject, caps.Native} {
			want := []string{"text " + c.text, "finish stop"}
			if c.calls && (mode != caps.Native || strings.Contains(c.text, "get_weather")) {
				want = call
			}
			for _, n := range []int{1, 7, len(c.text)} {
				m := &scripted{name: "lab/m", answers: []any{piecewise(c.text, n)}}
				req := ask(callwright.Choice{})
				req.Tools = c.tools
				resp, err := callwright.Collect(reliable.New(m, reliable.WithModes(mode), reliable.WithOneMode(), reliable.WithMaxCorrections(0)).Stream(t.Context(), req))
				if got := outcome(resp, err); strings.TrimSpace(strings.Join(got, "|")) != strings.TrimSpace(strings.Join(want, "|")) {
					t.Errorf("%s: %q in pieces of %d\nexpected %q\ngot      %q", mode, c.text, n, want, got)
				}
			}
		}
	}
}
