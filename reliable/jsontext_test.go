package reliable_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable"
	"pgregory.net/rapid"
)

// drawJSON draws the text of a JSON object or array, with white space and numbers as people write them.
func drawJSON(t *rapid.T, depth int) string {
	space := func() string { return rapid.SampledFrom([]string{"", " ", "\n  ", "\t"}).Draw(t, "space") }
	list := func(one func(i int) string) string {
		var items []string
		for i := range rapid.IntRange(0, 3).Draw(t, "items") {
			items = append(items, space()+one(i)+space())
		}
		return strings.Join(items, ",")
	}
	value := func() string {
		if depth > 0 && rapid.Bool().Draw(t, "deeper") {
			return drawJSON(t, depth-1)
		}
		return rapid.SampledFrom([]string{`1.50`, `12345678901234567890`, `1e3`, `"a\u00e9\n"`, `"</content>"`, `true`, `null`}).Draw(t, "value")
	}
	if rapid.Bool().Draw(t, "array") {
		return "[" + list(func(int) string { return value() }) + "]"
	}
	return "{" + list(func(i int) string { return `"k` + string(rune('a'+i)) + `"` + space() + ":" + space() + value() }) + "}"
}

// An object or array where the schema wants a string becomes its text, byte for byte: native and written, whole and streamed. The model is
// asked once. A rule that is switched off leaves the call invalid.
func TestJSONAsText(t *testing.T) {
	const rule = "coerce.value_to_string"
	tools := []callwright.Tool{{Name: "write", Schema: []byte(`{"type":"object","properties":{"path":{"type":"string"},"content":{"type":["string","null"]}},"required":["path","content"]}`)}}
	rapid.Check(t, func(t *rapid.T) {
		doc := drawJSON(t, 2)
		args := `{"path":"a.json","content":` + doc + `}`
		answer := native("write", args, callwright.FinishCalls)
		if rapid.Bool().Draw(t, "written") {
			answer = text(`<tool_call>{"name":"write","arguments":` + args + `}</tool_call>`)
		}
		on := rapid.Bool().Draw(t, "on")
		m := &scripted{name: "lab/m", answers: []any{answer}}
		c := reliable.New(m, reliable.WithRules(map[string]bool{rule: on}), reliable.WithMaxCorrections(0), reliable.WithOneMode())
		req := ask(callwright.Choice{})
		req.Tools = tools
		resp, err := c.Generate(t.Context(), req)
		if rapid.Bool().Draw(t, "streamed") {
			m.asked = nil
			resp, err = callwright.Collect(c.Stream(t.Context(), req))
		}
		if !on {
			if err == nil && len(resp.Calls()) > 0 {
				t.Fatalf("%s: expected no call with the rule off, got %s", args, resp.Calls()[0].Arguments)
			}
			return
		}
		if err != nil || len(resp.Calls()) != 1 || len(m.asked) != 1 {
			t.Fatalf("%s: %v, %v", args, outcome(resp, err), resp)
		}
		content, _ := jsonx.Find(resp.Calls()[0].Arguments, "content")
		if got, ok := jsonx.String(content); !ok || got != doc {
			t.Fatalf("%s: got %s", args, content)
		}
		if !slices.ContainsFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Rule == rule && n.Risk == callwright.RiskImplied }) {
			t.Fatalf("%s: no note %s in %+v", args, rule, resp.Report.Notes)
		}
	})
}

// A rule that guesses is switched on by its id under heal, in native calls and in calls that stand in the text.
func TestGuessesByID(t *testing.T) {
	tools := []callwright.Tool{{Name: "f", Schema: []byte(`{"type":"object","properties":{"on":{"type":"boolean"},"n":{"type":["number","null"]}}}`)}}
	for rule, c := range map[string]struct{ args, want string }{
		"coerce.word_to_boolean": {`{"on":"yes"}`, `{"on":true}`},
		"coerce.array_to_value":  {`{"n":[1]}`, `{"n":1}`},
		"json.js_literal":        {`{"n":NaN}`, `{"n":null}`},
	} {
		for name, answer := range map[string][]callwright.Event{
			"native":  native("f", c.args, callwright.FinishCalls),
			"written": text(`<tool_call>{"name":"f","arguments":` + c.args + `}</tool_call>`),
		} {
			for _, on := range []bool{true, false} {
				m := &scripted{name: "lab/m", answers: []any{answer}}
				req := ask(callwright.Choice{})
				req.Tools = tools
				resp, err := reliable.New(m, reliable.WithRules(map[string]bool{rule: on}), reliable.WithMaxCorrections(0), reliable.WithOneMode()).Generate(t.Context(), req)
				ran := err == nil && len(resp.Calls()) == 1 && string(resp.Calls()[0].Arguments) == c.want
				if ran != on {
					t.Errorf("%s, %s, on: %t: got %v", rule, name, on, outcome(resp, err))
				}
			}
		}
	}
}
