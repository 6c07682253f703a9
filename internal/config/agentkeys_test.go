package config_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
)

// setAgentCases are those of TestSetAgent.
var setAgentCases = []struct {
	key    string
	values []string
	same   string // as it is written in a configuration
	err    string
}{
	{key: "model", values: []string{"groq/a"}, same: "groq/a"},
	{key: "system", values: []string{"yes: no, ${HOME} $${x} \"'\n# [a] {b"}, same: `"yes: no, $${HOME} $$${x} \"'\n# [a] {b"`},
	{key: "system", values: []string{"12"}, same: `"12"`},
	{key: "tool_use_mode", values: []string{"enforced"}, same: "enforced"},
	{key: "tool_use_mode", values: []string{"enforcd"}, err: `unknown tool_use_mode "enforcd": did you mean enforced?`},
	{key: "allow_unreliable", values: []string{"true"}, same: "true"},
	{key: "allow_unreliable", values: []string{"yes"}, err: "expected true or false, got yes"},
	{key: "fix_empty_final", values: []string{"false"}, same: "false"},
	{key: "ask_about_claims", values: []string{"true"}, same: "true"},
	{key: "max_steps", values: []string{"0"}, same: "0"},
	{key: "max_steps", values: []string{"-1"}, err: "expected a whole number from 0, got -1"},
	{key: "max_steps", values: []string{"1.5"}, err: "expected a whole number from 0, got 1.5"},
	{key: "max_steps", values: []string{""}, err: "expected a whole number from 0, got "},
	{key: "max_steps", values: []string{"1", "2"}, err: "expected one value, got 2"},
	{key: "parallel", values: []string{"0"}, err: "expected a whole number from 1, got 0"},
	{key: "max_tool_args_bytes", values: []string{"99999999999999999999"}, err: "expected a whole number, got 99999999999999999999, which is too large"},
	{key: "max_time", values: []string{"1m30s"}, same: "1m30s"},
	{key: "max_time", values: []string{"90"}, err: "expected a duration such as 10s or 5m, got 90 without a unit"},
	{key: "max_cost", values: []string{"0.0"}, same: "0.0"},
	{key: "max_cost", values: []string{"NaN"}, err: `expected a number, got NaN`},
	{key: "verifier_confidence", values: []string{"1"}, same: "1"},
	{key: "verifier_confidence", values: []string{"1.1"}, err: "expected a number above 0 and up to 1, got 1.1"},
	{key: "verifier", values: []string{"auto"}, same: "auto"},
	{key: "tool_choice", values: []string{"required"}, same: "required"},
	{key: "tool_choice", values: []string{"look"}, same: "look"},
	{key: "tool_allowlist", values: []string{"a, b*", "c:d"}, same: `[a, "b*", "c:d"]`},
	{key: "tool_allowlist", values: nil, err: "expected a pattern, got none: leave the list out to allow all tools, or set tool_use_mode: disabled to allow none"},
	{key: "tool_denylist", values: []string{"[a"}, err: `"[a" is no pattern for names of tools`},
	{key: "next_models", values: []string{"groq/a", "groq/b"}, same: "[groq/a, groq/b]"},
	{key: "approve", values: []string{`{"*": "never", "drop": "always"}`}, same: `{"*": never, drop: always}`},
	{key: "approve", values: []string{`{"*": "nevr"}`}, err: `unknown approval "nevr": did you mean never?`},
	{key: "cost", values: []string{`{"input_per_million": 3, "output_per_million": 15.5}`}, same: "{input_per_million: 3, output_per_million: 15.5}"},
	{key: "request_overrides", values: []string{` {"temperature": 0.10, "a": {"b": null, "c": ["${x}", 12345678901234567890.10]}}`}, same: `{temperature: 0.10, a: {b: null, c: ["$${x}", 12345678901234567890.10]}}`},
	{key: "request_overrides", values: []string{`{"tools": []}`}, err: "tools cannot be set in request_overrides: only the client may set it"},
	{key: "request_overrides", values: []string{`{"a": 1, "a": 2}`}, err: `"a" is already in line 1`},
	{key: "request_overrides", values: []string{"temperature: 1"}, err: `expected an object as JSON, got "temperature: 1"`},
	{key: "tool_profiles", values: []string{`{"r": {"tool_allowlist": "a,b"}, "s": ["c"]}`}, same: `{r: {tool_allowlist: "a,b"}, s: [c]}`},
	{key: "max_stps", values: []string{"1"}, err: `unknown key "max_stps": did you mean max_steps?`},
}

// A key that is set is read as in a configuration, alone and in a list.
func TestSetAgent(t *testing.T) {
	for _, c := range setAgentCases {
		a := config.Agent{System: "before", AgentTools: config.AgentTools{Deny: config.ToolPatterns{"before"}}}
		was := a
		if err := a.Set(c.key, c.values...); err != nil || c.err != "" {
			if err == nil || err.Error() != c.err || !cmp.Equal(a, was) {
				t.Errorf("%s %q: got %v, want %s", c.key, c.values, err, c.err)
			}
			continue
		}
		settings := map[string]string{"system": "before", "tool_denylist": "before"}
		settings[c.key] = c.same
		var text []string
		for k, v := range settings {
			text = append(text, k+": "+v)
		}
		want := parse(t, "agent: {"+strings.Join(text, ", ")+"}")
		if d := cmp.Diff(want.Agent, a); d != "" {
			t.Errorf("%s %q (-configuration +set)\n%s", c.key, c.values, d)
		}
	}
}

// Any text is set as it stands, also in lists and in objects.
func TestSetAnyText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.StringN(0, 40, -1), rapid.SampledFrom([]string{"${X", "\u2028", "😀", "a\tb\r\n", "\x00\x7f", "---", "- a", "!!int 1", "&a", "null", "\\u00e9", "\ufeff"})).Draw(t, "text")
		if !utf8.ValidString(text) {
			t.Skip()
		}
		var a config.Agent
		if err := a.Set("system", text); err != nil || a.System != text {
			t.Fatalf("%q became %q, %v", text, a.System, err)
		}
		if err := a.Set("next_models", text, "x"); err != nil || !slices.Equal(a.NextModels, config.ModelNames{callwright.ModelID(text), "x"}) {
			t.Fatalf("%q became %q, %v", text, a.NextModels, err)
		}
		object, err := json.Marshal(map[string]any{"a": []string{text}})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Set("request_overrides", string(object)); err != nil || len(a.Request) != 1 {
			t.Fatalf("%s: %v", object, err)
		}
		var back []string
		if err := json.Unmarshal(a.Request[0].Value, &back); err != nil || !slices.Equal(back, []string{text}) {
			t.Fatalf("%s became %s", object, a.Request[0].Value)
		}
	})
}
