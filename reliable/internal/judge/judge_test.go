package judge_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/schema"
	"github.com/google/go-cmp/cmp"
)

var tools = []callwright.Tool{
	{Name: "get_weather", Schema: []byte(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}`)},
	{Name: "get_time", Schema: []byte(`{"type":"object","properties":{}}`)},
	{Name: "patch", Type: callwright.CustomTool},
}

func newJudge(t *testing.T, policy callwright.Policy) *judge.Judge {
	t.Helper()
	s, err := judge.NewToolset(tools, schema.NewCache(8))
	if err != nil {
		t.Fatal(err)
	}
	return &judge.Judge{Toolset: s, Ledger: &judge.Ledger{Policy: policy}, Mint: func(prefix string) string { return prefix + "minted" }}
}

func TestVerdict(t *testing.T) {
	for _, tc := range []struct {
		name   string
		call   judge.Candidate
		policy callwright.Policy
		args   string // of a call that is OK
		why    callwright.InvalidReason
		rules  []string
	}{
		{name: "nothing to change", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `{"city":"Oslo"}`}, args: `{"city":"Oslo"}`},
		{name: "repaired and coerced", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `{"city":"Oslo","days":"3",}`}, args: `{"city":"Oslo","days":3}`,
			rules: []string{"json.trailing_comma", "coerce.string_to_integer"}},
		{name: "resolved, without an id", call: judge.Candidate{Name: "functions.get_weather", Text: `{"city":"Oslo"}`}, args: `{"city":"Oslo"}`, rules: []string{"name.prefix", "id.missing"}},
		{name: "undeclared", call: judge.Candidate{ID: "a", Name: "get_tide", Text: `{}`}, why: callwright.InvalidUndeclared, rules: []string{"judge.undeclared"}},
		{name: "cut by the end of the answer", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `{"city":"Oslo"}`, Cut: true}, why: callwright.InvalidTruncated, rules: []string{"judge.truncated"}},
		{name: "cut inside a value", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `{"city":"Os`}, why: callwright.InvalidTruncated, rules: []string{"judge.truncated"}},
		{name: "no object", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `[1]`}, why: callwright.InvalidMalformed, rules: []string{"judge.malformed"}},
		{name: "a list of one", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `[{"city":"Oslo"}]`}, args: `{"city":"Oslo"}`, rules: []string{"json.list_of_one"}},
		{name: "Python's arguments", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `city="Oslo", days=3`}, args: `{"city":"Oslo","days":3}`, rules: []string{"json.python_arguments"}},
		{name: "Python's arguments in parentheses", call: judge.Candidate{ID: "a", Name: "get_weather", Text: ` (city='Oslo')`}, args: `{"city":"Oslo"}`, rules: []string{"json.python_arguments"}},
		{name: "Python's arguments without a name", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `city="Oslo", 3`}, why: callwright.InvalidMalformed, rules: []string{"judge.malformed"}},
		{name: "Python's arguments, one no literal", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `city=home, days=3`}, why: callwright.InvalidMalformed, rules: []string{"judge.malformed"}},
		{name: "Python's arguments, one twice", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `city="Oslo", city="Rome"`}, why: callwright.InvalidMalformed, rules: []string{"judge.malformed"}},
		{name: "Python's arguments, cut", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `city="Os`}, why: callwright.InvalidMalformed, rules: []string{"judge.malformed"}},
		{name: "a list of two", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `[{"city":"Oslo"},{"city":"Rome"}]`}, why: callwright.InvalidMalformed, rules: []string{"judge.malformed"}},
		{name: "a list that was cut", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `[{"city":"Oslo"}`}, why: callwright.InvalidMalformed, rules: []string{"judge.malformed"}},
		{name: "a fence inside a string", call: judge.Candidate{ID: "a", Name: "get_weather", Text: "\"```json\\n{\\\"city\\\":\\\"Oslo\\\"}\\n```\""}, args: `{"city":"Oslo"}`,
			rules: []string{"json.code_fence", "json.code_fence", "json.double_encoded"}},
		{name: "a cut text inside a string", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `"json{\"city\":\"Os"`}, why: callwright.InvalidTruncated, rules: []string{"judge.truncated"}},
		{name: "words inside a string", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `"Oslo"`}, why: callwright.InvalidMalformed, rules: []string{"judge.malformed"}},
		{name: "an empty list", call: judge.Candidate{ID: "a", Name: "get_time", Text: `[]`}, args: `{}`, rules: []string{"json.empty"}},
		{name: "Python's None", call: judge.Candidate{ID: "a", Name: "get_time", Text: ` None`}, args: `{}`, rules: []string{"json.empty"}},
		{name: "an empty string", call: judge.Candidate{ID: "a", Name: "get_time", Text: `"\n"`}, args: `{}`, rules: []string{"json.empty", "json.double_encoded"}},
		{name: "nothing where something is required", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `""`}, why: callwright.InvalidArguments, rules: []string{"json.empty", "json.double_encoded", "judge.invalid"}},
		{name: "against the schema", call: judge.Candidate{ID: "a", Name: "get_weather", Text: `{"days":3}`}, why: callwright.InvalidArguments, rules: []string{"judge.invalid"}},
		{name: "nothing may be changed", policy: callwright.PolicyOff, call: judge.Candidate{ID: "a", Name: "get_weather", Text: `{"city":"Oslo",}`}, why: callwright.InvalidMalformed, rules: []string{"judge.malformed"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.policy == "" {
				tc.policy = callwright.PolicyHeal
			}
			v := newJudge(t, tc.policy).Verdict(&tc.call)
			if v.OK != (tc.why == "") || v.Invalid.Why != tc.why || string(v.Call.Arguments) != tc.args {
				t.Errorf("got %+v", v)
			}
			if !v.OK && len(v.Invalid.Violations) == 0 {
				t.Error("there are no violations")
			}
			var rules []string
			for _, n := range v.Notes {
				rules = append(rules, n.Rule)
			}
			if d := cmp.Diff(tc.rules, rules); d != "" {
				t.Errorf("rules (-want +got)\n%s", d)
			}
		})
	}
}

// Sound reports true of exactly the native calls whose verdict has no notes.
func TestSound(t *testing.T) {
	for _, c := range []judge.Candidate{
		{ID: "a", Name: "get_weather", Text: `{"city":"Oslo"}`}, {Name: "get_weather", Text: `{"city":"Oslo"}`}, {ID: "a", Name: "get_weather", Text: `{"city":5}`},
		{ID: "a", Name: "get_weather", Text: `{"city":"Os\u0000lo"}`}, {ID: "a", Name: "Get_Weather", Text: `{"city":"Oslo"}`},
		{ID: "a", Name: "patch", Type: callwright.CustomTool, Text: "+1"},
	} {
		j := newJudge(t, callwright.PolicyHeal)
		call := callwright.Call{ID: c.ID, Name: c.Name, Type: c.Type, Arguments: []byte(c.Text), Input: c.Text}
		pass := j.Sound(&call)
		if v := j.Verdict(&c); pass != (v.OK && len(v.Notes) == 0) {
			t.Errorf("%+v: passes %t, the verdict is %+v", c, pass, v)
		}
	}
}

// A custom tool gets its free text, whichever form the call came in. Without a grammar that is the text of the parameter that was asked for,
// else the only text; a call without it is refused.
func TestCustomInput(t *testing.T) {
	for text, want := range map[string]string{
		`{"input":"+1"}`: "+1", `{"code":"+1"}`: "+1", `{"code":"a","input":"b"}`: "b", `+1`: "+1", `{"cmd":"ls"}`: "ls", `{"code":"a"`: "a",
		`{"":"+1"}`: "+1", `{"input":{"patch":"+1"}}`: "+1", `{"n":7,"list":["+1"]}`: "+1", `"+1"`: "+1", `["+1"]`: "+1", `{"cmd":["patch","+1"]}`: "",
		`{"code":7}`: "", `{}`: "", ``: "", `null`: "", `{"a":"b","c":"d"}`: "", `{"input":"a`: "",
	} {
		v := newJudge(t, callwright.PolicyHeal).Verdict(&judge.Candidate{ID: "a", Name: "patch", Text: text})
		if v.OK != (want != "") || v.OK && (v.Call.Input != want || v.Call.Type != callwright.CustomTool) {
			t.Errorf("%s: got %+v", text, v)
		}
		noted := slices.ContainsFunc(v.Notes, func(n callwright.Note) bool { return n.Rule == "normalise.custom_input" })
		if asDeclared := text == `{"input":"+1"}`; v.OK && noted == asDeclared {
			t.Errorf("%s: notes %+v", text, v.Notes)
		}
	}
}

// edits is the definition of a tool whose free text is made of lines that begin with a plus sign, as the Responses API has it.
const edits = `{"format":{"type":"grammar","syntax":"lark","definition":"start: (\"+\" /.+/ LF?)+\n%import common.LF"}}`

// Free text leaves if it satisfies the grammar of its tool, in whichever form the call came, and is refused in the words of the grammar.
// A grammar that cannot be checked is named in a note, and all free text satisfies it.
func TestInputUnderAGrammar(t *testing.T) {
	recursive := strings.Replace(edits, `start: `, `start: \"(\" start \")\" | `, 1)
	args := func(list ...dialect.Arg) *dialect.Call { return &dialect.Call{Args: list, Raw: "raw"} }
	for _, c := range []struct {
		definition string
		call       judge.Candidate
		want       string // the input
		message    string // of the violation
		notes      int    // of the verdict
	}{
		{edits, judge.Candidate{Type: callwright.CustomTool, Text: "+1\n+2"}, "+1\n+2", "", 0},
		{edits, judge.Candidate{Type: callwright.CustomTool, Text: "-1"}, "", `the input breaks the tool's lark grammar at line 1, column 1: expected "+", found "-1"`, 1},
		{edits, judge.Candidate{Type: callwright.CustomTool, Text: `{"input":"+1"}`}, "+1", "", 1},
		{edits, judge.Candidate{Text: `{"input":"+1"}`}, "+1", "", 0},
		{edits, judge.Candidate{Text: `{"input":"-1"}`}, "", `the input breaks the tool's lark grammar at line 1, column 1: expected "+", found "-1"`, 1},
		{edits, judge.Candidate{Text: `{"cmd":["patch","+1"],}`}, "+1", "", 2},
		{edits, judge.Candidate{Text: `{"n":1}`}, "", `the arguments are not of the form {"input": "..."}`, 1},
		{edits, judge.Candidate{Text: `{"input":"+1`}, "", "the arguments were cut inside a value", 1},
		{edits, judge.Candidate{Found: args(dialect.Arg{Key: "input", Text: "+1"})}, "+1", "", 0},
		{edits, judge.Candidate{Found: args(dialect.Arg{Text: "+1"})}, "+1", "", 0},
		{edits, judge.Candidate{Found: args(dialect.Arg{Key: "path", Text: "a"}, dialect.Arg{Key: "patch", Text: "+1"})}, "+1", "", 1},
		{edits, judge.Candidate{Found: args(dialect.Arg{Key: "input", Text: "7", Kind: dialect.JSON})}, "", `the input breaks the tool's lark grammar at line 1, column 1: expected "+", found "7"`, 1},
		{recursive, judge.Candidate{Type: callwright.CustomTool, Text: "-1"}, "-1", "", 0},
	} {
		s, err := judge.NewToolset([]callwright.Tool{{Name: "patch", Type: callwright.CustomTool, Extra: callwright.Extra{Wire: callwright.WireResponses, JSON: []byte(c.definition)}}}, schema.NewCache(1))
		if err != nil {
			t.Fatal(err)
		}
		if unchecked := len(s.Notes) == 1 && s.Notes[0].Rule == "schema.unchecked"; unchecked != (c.definition == recursive) {
			t.Fatalf("notes %+v", s.Notes)
		}
		j := &judge.Judge{Toolset: s, Ledger: &judge.Ledger{Policy: callwright.PolicyHeal}}
		c.call.ID, c.call.Name = "a", "patch"
		if c.call.Found != nil {
			c.call.Args = c.call.Found.Args
		}
		v := j.Verdict(&c.call)
		message := ""
		if !v.OK {
			message = v.Invalid.Violations[0].Message
		}
		if v.Call.Input != c.want || message != c.message || len(v.Notes) != c.notes {
			t.Errorf("%+v: got %+v", c.call, v)
		}
	}
}
