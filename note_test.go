package callwright_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
)

// A rule has its own row, else that of its family.
func TestRuleOf(t *testing.T) {
	for _, row := range callwright.Rules() {
		if got := callwright.RuleOf(row.ID); got != row {
			t.Errorf("%s: %+v", row.ID, got)
		}
		if family, ok := strings.CutSuffix(row.ID, "*"); ok {
			if got := callwright.RuleOf(family + "unheard_of"); got != row {
				t.Errorf("%sunheard_of: %+v, want the family's row", family, got)
			}
		}
	}
	for _, id := range []string{"", "unheard_of", "unheard_of.rule", ".", "*", "judge.unheard_of", "json"} {
		if got := callwright.RuleOf(id); got != (callwright.Rule{}) {
			t.Errorf("%q: %+v, want no row", id, got)
		}
	}
}

// The list of rules is the caller's own.
func TestRulesIsACopy(t *testing.T) {
	rows := callwright.Rules()
	id := rows[0].ID
	rows[0] = callwright.Rule{ID: "overwritten"}
	if got := callwright.Rules()[0].ID; got != id || callwright.RuleOf(id).ID != id {
		t.Errorf("the table says %q", got)
	}
}

func TestNoteGraded(t *testing.T) {
	for _, tc := range []struct {
		about    string
		in, want callwright.Note
	}{
		{"a row of its own", callwright.Note{Rule: "json.empty"}, callwright.Note{Rule: "json.empty", Fault: "F24", Risk: callwright.RiskImplied}},
		{"a row of its family", callwright.Note{Rule: "json.trailing_comma"}, callwright.Note{Rule: "json.trailing_comma", Fault: "F18", Risk: callwright.RiskLossless}},
		{"a finding", callwright.Note{Rule: "schema.unchecked"}, callwright.Note{Rule: "schema.unchecked"}},
		{"grades set by hand give way", callwright.Note{Rule: "finish.derived", Fault: "F01", Risk: callwright.RiskHeuristic}, callwright.Note{Rule: "finish.derived", Fault: "F30", Risk: callwright.RiskLossless}},
		{"an unknown rule has none", callwright.Note{Rule: "x.y", Fault: "F01", Risk: callwright.RiskHeuristic}, callwright.Note{Rule: "x.y"}},
		{
			"the rest stays",
			callwright.Note{Rule: "coerce.x", Stage: callwright.StageValidate, Call: "c1", Path: "/days", Was: `"3"`, Now: "3", Why: "a string", Observed: true},
			callwright.Note{Rule: "coerce.x", Fault: "F19", Risk: callwright.RiskImplied, Stage: callwright.StageValidate, Call: "c1", Path: "/days", Was: `"3"`, Now: "3", Why: "a string", Observed: true},
		},
	} {
		if d := cmp.Diff(tc.want, tc.in.Classify()); d != "" {
			t.Errorf("%s: want (-) got (+):\n%s", tc.about, d)
		}
		if d := cmp.Diff(tc.want, tc.in.Classify().Classify()); d != "" {
			t.Errorf("%s, graded twice: want (-) got (+):\n%s", tc.about, d)
		}
	}
}

// A graded note keeps what it quotes when the buffer that it was quoted from is used again.
func TestNoteGradedOutlivesItsSource(t *testing.T) {
	buf := []byte("what was read")
	quoted := unsafe.String(&buf[0], len(buf))
	n := callwright.Note{Rule: "json.empty", Was: quoted, Now: quoted, Call: quoted}.Classify()
	copy(buf, "what is newer")
	for _, s := range []string{n.Was, n.Now, n.Call} {
		if s != "what was read" {
			t.Errorf("the note quotes %q", s)
		}
	}
}

func TestExcerpt(t *testing.T) {
	const most = 200
	for _, tc := range []struct{ in, want string }{
		{"", ""},
		{strings.Repeat("a", most), strings.Repeat("a", most)},
		{strings.Repeat("a", most+1), strings.Repeat("a", most) + "…"},
		{strings.Repeat("a", most-1) + "éa", strings.Repeat("a", most-1) + "…"},
	} {
		if got := callwright.Excerpt(tc.in); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.in, got, tc.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Repeat(rapid.StringN(1, 30, -1).Draw(t, "text"), rapid.IntRange(1, 40).Draw(t, "times"))
		got := callwright.Excerpt(s)
		if !utf8.ValidString(got) || len(got) > most+len("…") || !strings.HasPrefix(s, strings.TrimSuffix(got, "…")) {
			t.Fatalf("%q is no excerpt of %q", got, s)
		}
		if again := callwright.Excerpt(got); again != got {
			t.Fatalf("an excerpt of %q is %q", got, again)
		}
	})
}

// The names of a note's members are an interface: clients read them in the report. What is empty is left out.
func TestNoteJSON(t *testing.T) {
	for _, tc := range []struct {
		in   any
		want string
	}{
		{callwright.Note{Rule: "a.b"}, `{"rule":"a.b"}`},
		{
			callwright.Note{Rule: "a.b", Fault: "F01", Stage: callwright.StageValidate, Risk: callwright.RiskImplied, Call: "c", Path: "/p", Was: "x", Now: "y", Why: "z", Observed: true},
			`{"rule":"a.b","fault":"F01","stage":"judge","risk":"implied","call":"c","path":"/p","was":"x","now":"y","why":"z","observed":true}`,
		},
		{
			callwright.InvalidCall{Name: "ping", Raw: "r", Violations: []callwright.Violation{{Path: "/a", Keyword: "type", Message: "m"}}},
			`{"name":"ping","raw":"r","violations":[{"path":"/a","keyword":"type","message":"m"}]}`,
		},
	} {
		if got, err := json.Marshal(tc.in); err != nil || string(got) != tc.want {
			t.Errorf("%s, %v, want %s", got, err, tc.want)
		}
	}
}

// A verdict has either a call that is ready to be run or one that is not let through, with every violation; what was judged
// stays as it was, and notes have the grades of their rules.
func TestVerdict(t *testing.T) {
	tools := []callwright.Tool{{Name: "find_train", Schema: json.RawMessage(
		`{"type":"object","properties":{"from":{"type":"string"},"seats":{"type":"integer"}},"required":["from"]}`)}}
	for _, tc := range []struct {
		about, name, arguments string
		want                   string   // the arguments of a call that is OK
		keywords               []string // of the violations of one that is not
		notes                  bool
	}{
		{"sound", "find_train", `{"from":"Bonn","seats":2}`, `{"from":"Bonn","seats":2}`, nil, false},
		{"mended", "find_train", `{"from":"Bonn","seats":"2",}`, `{"from":"Bonn","seats":2}`, nil, true},
		{"two violations", "find_train", `{"seats":"many"}`, "", []string{"required", "type"}, true},
		{"undeclared", "drop_tables", `{}`, "", []string{"name"}, true},
	} {
		given := callwright.Call{ID: "c1", Name: tc.name, Arguments: json.RawMessage(tc.arguments)}
		v, err := reliable.Validate(given, tools, reliable.ValidateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if string(given.Arguments) != tc.arguments {
			t.Errorf("%s: the call that was judged became %s", tc.about, given.Arguments)
		}
		if ok := tc.want != ""; v.OK != ok || (v.Call.Name != "") != ok || (v.Invalid.Name == "") != ok || string(v.Call.Arguments) != tc.want {
			t.Errorf("%s: %+v", tc.about, v)
		}
		var keywords []string
		for _, broken := range v.Invalid.Violations {
			keywords = append(keywords, broken.Keyword)
		}
		slices.Sort(keywords)
		if !slices.Equal(keywords, tc.keywords) {
			t.Errorf("%s: violations %q, want %q", tc.about, keywords, tc.keywords)
		}
		if (len(v.Notes) > 0) != tc.notes {
			t.Errorf("%s: notes %+v", tc.about, v.Notes)
		}
		for _, n := range v.Notes {
			if row := callwright.RuleOf(n.Rule); row.ID == "" || n.Risk != row.Risk || n.Fault != row.Fault {
				t.Errorf("%s: the note %+v is not graded as %+v", tc.about, n, row)
			}
		}
	}
}
