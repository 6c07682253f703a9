package bfcl_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/bfcl"
)

const (
	areaSchema = `{"type": "object", "required": ["base"], "properties": {"base": {"type": "number"}, "times": {"type": "integer"}, "unit": {"type": "string"},
		"exact": {"type": "boolean"}, "sides": {"type": "array", "items": {"type": "number"}}, "tags": {"type": "array", "items": {"type": "string"}},
		"at": {"type": "object"}, "corners": {"type": "array", "items": {"type": "object"}}, "free": {}}}`
	areaAnswer = `{"math.area": {"base": [10.0], "times": [2, ""], "unit": ["Square-Meters", ""], "exact": [true, ""], "sides": [[1.0, 2.0], ""], "tags": [["a b"], ""],
		"at": [{"x": [1], "name": ["home", ""], "in": {"city": ["Oslo"]}}, ""], "corners": [[{"x": [1]}, {"x": [2]}], ""], "free": ["any", ""]}}`
)

// question makes a question about one tool.
func question(t *testing.T, tool, schema string, truth ...string) *bfcl.Question {
	t.Helper()
	text := `{"id": "1", "expect": "calls", "tools": [{"type": "function", "function": {"name": "` + tool + `", "parameters": ` + schema + `}}], "ground_truth": [` +
		strings.Join(truth, ", ") + `]}`
	q := new(bfcl.Question)
	if err := json.Unmarshal([]byte(text), q); err != nil {
		t.Fatal(err)
	}
	return q
}

// Calls are accepted by the leaderboard's rules.
func TestAccepts(t *testing.T) {
	q := question(t, "math.area", areaSchema, areaAnswer)
	for args, want := range map[string]bool{
		`{"base": 10}`: true, `{"base": 10.0}`: true, `{"base": 11}`: false, `{"base": "10"}`: false, `{"base": true}`: false, `{}`: false, `[]`: false, `{`: false,
		`{"base": 10, "times": 2.0}`: true, `{"base": 10, "times": 2.5}`: false, `{"base": 10, "times": 3}`: false, `{"base": 10, "times": null}`: false,
		`{"base": 10, "unit": "square meters"}`: true, `{"base": 10, "unit": ""}`: true, `{"base": 10, "unit": "feet"}`: false,
		`{"base": 10, "exact": true}`: true, `{"base": 10, "exact": false}`: false, `{"base": 10, "exact": 1}`: false,
		`{"base": 10, "sides": [1, 2.0]}`: true, `{"base": 10, "sides": [2, 1]}`: false, `{"base": 10, "sides": [1, "2"]}`: false, `{"base": 10, "sides": []}`: true,
		`{"base": 10, "tags": ["A-B"]}`: true, `{"base": 10, "tags": ["a", "b"]}`: false, `{"base": 10, "tags": "a b"}`: false,
		`{"base": 10, "at": {"x": 1, "name": "HOME", "in": {"city": "oslo"}}}`: true, `{"base": 10, "at": {"x": 1, "name": "home", "in": {"city": "Rome"}}}`: false,
		`{"base": 10, "at": {"x": 1, "name": "home"}}`:                  false,
		`{"base": 10, "corners": [{"x": 1}, {"x": 2}]}`:                 true,
		`{"base": 10, "corners": [{"x": 2}, {"x": 1}]}`:                 false,
		`{"base": 10, "corners": [{"x": 1}]}`:                           false,
		`{"base": 10, "free": "any"}`:                                   true,
		`{"base": 10, "other": 1}`:                                      false,
		`{"base": 1e999}`:                                               false,
		`{"base": 10, "times": 123456789012345678901234567890}`:         false,
		`{"base": 10, "at": {"x": 1, "name": "home", "in": "Oslo"}}`:    false,
		`{"base": 10, "sides": [1, 2], "unit": "square_meters", "x":1}`: false,
	} {
		if got := q.Accepts([]bfcl.Call{{Name: "math.area", Arguments: json.RawMessage(args)}}, false); got != want {
			t.Errorf("%s: accepted: %t, want %t", args, got, want)
		}
	}
}

// As many calls are accepted as answers, each once, under the names that the model was shown.
func TestAcceptsCalls(t *testing.T) {
	q := question(t, "a.b", `{"type": "object", "properties": {"n": {"type": "integer"}}}`, `{"a.b": {"n": [1]}}`, `{"a.b": {"n": [2]}}`)
	one, two, under := bfcl.Call{Name: "a.b", Arguments: json.RawMessage(`{"n": 1}`)}, bfcl.Call{Name: "a.b", Arguments: json.RawMessage(`{"n": 2}`)},
		bfcl.Call{Name: "a_b", Arguments: json.RawMessage(`{"n": 2}`)}
	for _, c := range []struct {
		what        string
		q           *bfcl.Question
		calls       []bfcl.Call
		underscores bool
		want        bool
	}{
		{"in another order", q, []bfcl.Call{two, one}, false, true},
		{"one twice", q, []bfcl.Call{one, one}, false, false},
		{"one too few", q, []bfcl.Call{one}, false, false},
		{"one too many", q, []bfcl.Call{one, two, two}, false, false},
		{"a name with an underscore that was shown", q, []bfcl.Call{one, under}, true, true},
		{"a name with an underscore that was not shown", q, []bfcl.Call{one, under}, false, false},
		{"a call where none is wanted", &bfcl.Question{Expect: "none"}, []bfcl.Call{one}, false, false},
		{"none where none is wanted", &bfcl.Question{Expect: "none"}, nil, false, true},
		{"a question without an answer", &bfcl.Question{Expect: "calls", Unwinnable: true}, nil, false, false},
	} {
		if got := c.q.Accepts(c.calls, c.underscores); got != c.want {
			t.Errorf("%s: accepted: %t", c.what, got)
		}
	}
}
