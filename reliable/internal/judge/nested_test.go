package judge_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/schema"
	"pgregory.net/rapid"
)

// nestings are ways in which models write a call into its own arguments: ARGS stands for the arguments, TEXT for them as a string.
var nestings = []string{
	`{"name":"bash","arguments":ARGS}`, `{"name": "bash", "arguments": TEXT}`, `{"arguments":ARGS,"name":"bash"}`, `{"name":"bash","parameters":ARGS}`,
	`{"name":"functions.bash","input":ARGS}`, `{"tool":"bash","args":ARGS}`, `{"bash":ARGS}`, `{"bash":TEXT}`, `{"arguments":ARGS}`, `{"arguments":TEXT}`,
	`{"parameters":ARGS}`, `{"input":ARGS}`, `{"function":{"name":"bash","arguments":ARGS}}`, `{"type":"function","function":{"name":"bash","arguments":TEXT}}`,
	`{"function":"bash","arguments":ARGS}`, `{"id":"call_1","type":"function","name":"bash","arguments":ARGS}`, `{"tool_calls":[{"name":"bash","arguments":ARGS}]}`,
}

// nest writes arguments into a nesting.
func nest(nesting, args string) string {
	text, _ := json.Marshal(args)
	return strings.NewReplacer("ARGS", args, "TEXT", string(text)).Replace(nesting)
}

// shells makes a judge of a tool bash with these properties beside the command, which is required, and of another tool.
func shells(t interface{ Fatal(...any) }, beside string) *judge.Judge {
	bash := `{"type":"object","properties":{"command":{"type":"string"},"timeout":{"type":"integer"}` + beside + `},"required":["command"]}`
	s, err := judge.NewToolset([]callwright.Tool{{Name: "bash", Schema: []byte(bash)}, {Name: "zsh", Schema: []byte(bash)}}, schema.NewCache(8))
	if err != nil {
		t.Fatal(err)
	}
	return &judge.Judge{Toolset: s, Ledger: &judge.Ledger{Policy: callwright.PolicyHeal}, Mint: func(prefix string) string { return prefix + "minted" }}
}

func nestedNoted(v callwright.Verdict) bool {
	return slices.ContainsFunc(v.Notes, func(n callwright.Note) bool {
		return n.Rule == "normalise.nested_call" || n.Rule == "coerce.unwrap_arguments"
	})
}

// A call inside its own arguments, however it is written and how often, comes to the arguments, and a note says so.
func TestNested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		command, _ := json.Marshal(rapid.OneOf(rapid.StringOf(rapid.RuneFrom([]rune("\"\\{}\n\t<>&"), unicode.L, unicode.P)), rapid.SampledFrom(nestings)).Draw(t, "command"))
		want, written := fmt.Sprintf(`{"command":%s,"timeout":%d}`, command, 5), ""
		if rapid.Bool().Draw(t, "as text") {
			written = fmt.Sprintf(`{"command":%s,"timeout":"%d"}`, command, 5)
		} else {
			written = want
		}
		for range rapid.IntRange(1, 3).Draw(t, "times") {
			written = nest(rapid.SampledFrom(nestings).Draw(t, "nesting"), written)
		}
		if rapid.Bool().Draw(t, "encoded twice") {
			text, _ := json.Marshal(written)
			written = string(text)
		}
		v := shells(t, "").Verdict(&judge.Candidate{ID: "a", Name: "bash", Text: written})
		if !v.OK || string(v.Call.Arguments) != want || !nestedNoted(v) {
			t.Fatalf("%s became %s: %+v", written, v.Call.Arguments, v)
		}
	})
}

// Arguments that may be meant as they stand are not taken for a call: where the schema declares a member around them, where the tool inside is
// another one, where what is inside breaks the schema too, and where the rules are off.
func TestNotNested(t *testing.T) {
	const args = `{"command":"ls"}`
	for name, tc := range map[string]struct{ beside, text string }{
		"a declared name":      {`,"name":{"type":"string"}`, `{"name":"bash","arguments":` + args + `}`},
		"declared arguments":   {`,"arguments":{"type":"object"}`, `{"name":"bash","arguments":` + args + `}`},
		"another tool":         {"", `{"name":"zsh","arguments":` + args + `}`},
		"an unknown tool":      {"", `{"name":"fish","arguments":` + args + `}`},
		"broken inside":        {"", `{"name":"bash","arguments":{"command":"ls","timeout":"soon"}}`},
		"nothing inside":       {"", `{"name":"bash","arguments":{}}`},
		"another one declared": {"", `{"timeout":3,"name":"bash","arguments":` + args + `}`},
		"two calls":            {"", `{"tool_calls":[{"name":"bash","arguments":` + args + `},{"name":"bash","arguments":` + args + `}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			v := shells(t, tc.beside).Verdict(&judge.Candidate{ID: "a", Name: "bash", Text: tc.text})
			if v.OK || v.Invalid.Why != callwright.InvalidArguments || len(v.Notes) != 1 {
				t.Errorf("got %+v", v)
			}
		})
	}
	t.Run("the rule is off", func(t *testing.T) {
		j := shells(t, "")
		j.Ledger.Rules = map[string]bool{"normalise.nested_call": false}
		if v := j.Verdict(&judge.Candidate{ID: "a", Name: "bash", Text: nest(nestings[0], args)}); v.OK {
			t.Errorf("got %+v", v)
		}
	})
	t.Run("it satisfies the schema as it stands", func(t *testing.T) {
		const text = `{"command":"ls","name":"bash","arguments":{"command":"rm"}}`
		if v := shells(t, "").Verdict(&judge.Candidate{ID: "a", Name: "bash", Text: text}); !v.OK || string(v.Call.Arguments) != text || len(v.Notes) > 0 {
			t.Errorf("got %+v", v)
		}
	})
}
