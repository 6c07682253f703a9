package config_test

import (
	"errors"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/simulate"
)

// errorRow is a row of the table of errors in docs/call-rules.md: a rule, and what config check says of it.
var errorRow = regexp.MustCompile("(?m)^\\| `(\\{.*\\})` \\| `(.*)` \\|$")

// TestCallRuleErrors holds the table of errors of the page to what is said, with the line and a column inside the rule.
func TestCallRuleErrors(t *testing.T) {
	page, err := os.ReadFile("../../docs/call-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := errorRow.FindAllStringSubmatch(string(page), -1)
	if len(rows) < 10 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		_, err := config.Parse([]byte("models: {}\ncall_rules:\n  - "+row[1]+"\n"), env())
		var list config.Errors
		if !errors.As(err, &list) || len(list) != 1 || !strings.Contains(list[0].Message, row[2]) || list[0].Line != 3 || list[0].Column < 5 || !strings.HasPrefix(list[0].Path, "call_rules[0]") {
			t.Errorf("%s: got %v, want %s", row[1], err, row[2])
		}
	}
}

// TestCallRuleColumns gives the place of what is wrong inside an expression.
func TestCallRuleColumns(t *testing.T) {
	for _, c := range []struct {
		text         string
		line, column int
	}{
		{"call_rules:\n  - {name: a, tools: [b], when: tool == 5}", 2, 38},
		{"call_rules:\n  - {name: a, tools: [b], when: 'tool == 5'}", 2, 39},
		{"call_rules:\n  - name: a\n    tools: [b]\n    when: tool == \"x\" && argz.y", 4, 26},
	} {
		_, err := config.Parse([]byte(c.text), env())
		var list config.Errors
		if !errors.As(err, &list) || list[0].Line != c.line || list[0].Column != c.column {
			t.Errorf("%s: got %v", c.text, err)
		}
	}
	_, err := config.Parse([]byte("call_rules:\n  - name: a\n    tools: [b]\n    when: |\n      tool == \"x\" &&\n      argz.y\n"), env())
	if err == nil || !strings.Contains(err.Error(), "line 2, column 1 of the expression: undeclared reference to 'argz'") {
		t.Errorf("over several lines: got %v", err)
	}
}

// TestCallRulePlaces puts rules everywhere that they may stand, and asks a model by each name: which calls of the tools that begin with the letters are refused.
func TestCallRulePlaces(t *testing.T) {
	const text = `
keys: [{name: ci, key: 0123456789abcdef}]
providers:
  lab: {base_url: SRV/v1, discover: off, call_rules: [{name: of-provider, tools: [p]}]}
models:
  lab/one: {call_rules: [{name: of-model, tools: [m]}]}
  "lab/*": {call_rules: [{name: of-pattern, tools: [w]}]}
  fast: {model: lab/one, call_rules: [{name: of-alias, tools: [a]}]}
call_rules:
  - {name: of-all, tools: [t]}
  - {name: of-key, tools: [k], keys: [ci]}
  - {name: some, tools: [s], when: args.n > 5}
`
	for _, c := range []struct{ model, key, refused string }{
		{"lab/one", "", "p m w t"},
		{"fast", "", "p m w a t"},
		{"fast", "ci", "p m w a t k"},
		{"lab/other", "ci", "p w t k"},
	} {
		var refused []string
		for _, tool := range strings.Fields("p m w a t k s x") {
			if calls := callOf(t, text, c.model, c.key, tool, `{"n":5}`); len(calls) == 0 {
				refused = append(refused, tool)
			}
		}
		if want := strings.Fields(c.refused); !slices.Equal(refused, want) {
			t.Errorf("%s with key %q: refused %v, want %v", c.model, c.key, refused, want)
		}
	}
	if calls := callOf(t, text, "fast", "", "s", `{"n":6}`); len(calls) != 0 {
		t.Errorf("got %v", calls)
	}
}

// callOf are the calls that a client gets of a model that makes one call and never another.
func callOf(t *testing.T, text, model, key, tool, arguments string) []callwright.Call {
	t.Helper()
	srv := httptest.NewServer(simulate.New(func(simulate.Seen) simulate.Turn {
		return simulate.Turn{Calls: []simulate.Call{{Name: tool, Arguments: arguments}}}
	}))
	defer srv.Close()
	r := registry(t, parse(t, strings.ReplaceAll(text, "SRV", srv.URL)))
	client, err := r.Resolve(model)
	if err != nil {
		t.Fatal(err)
	}
	req := weather(model)
	req.Tools = []callwright.Tool{{Name: tool, Schema: []byte(`{"type":"object"}`)}}
	companion.Change(req, func(c *companion.Companion) { c.Key = key })
	resp, err := client.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return resp.Calls()
}

// TestCallCheck is what an agent asks: the rules of its models and of their fallbacks together.
func TestCallCheck(t *testing.T) {
	r := registry(t, parse(t, `
providers: {sim: {}}
models:
  fast: {model: sim/native, fallbacks: [sim/other], call_rules: [{name: park, tools: [pay], action: park, message: it is dear}]}
  sim/other: {call_rules: [{name: refuse, tools: [drop], when: client == "agent"}, {name: for-keys, tools: [look], keys: [ci]}]}
`))
	check, err := r.CallCheck("fast")
	if err != nil || check == nil {
		t.Fatalf("no check: %v", err)
	}
	for tool, want := range map[string][2]string{
		"pay": {"the rule park requires an approval: it is dear", ""}, "drop": {"", "the call of drop was refused by the rule refuse"}, "look": {}, "see": {},
	} {
		ask, refused := check(callwright.Call{Name: tool, Arguments: []byte("{}")})
		said := ""
		if refused != nil {
			said = refused.Error()
		}
		if ask != want[0] || said != want[1] {
			t.Errorf("%s: asks %q, refuses %q", tool, ask, said)
		}
	}
	if check, err := r.CallCheck("sim/plain"); check != nil || err != nil {
		t.Errorf("a model without rules: %v", err)
	}
	if _, err := r.CallCheck("no-such-model"); callwright.KindOf(err) != callwright.KindNotFound {
		t.Errorf("got %v", err)
	}
}
