package statetool_test

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/statetool"
)

// A step is a call of a model, and the code of what it is told, "" for a result.
type step struct{ name, arguments, code string }

// mistakes are the steps of a model that goes wrong in every way, and goes on after each. facts_commit is written as it is given.
func mistakes(commit string) []step {
	return []step{
		{statetool.Get, `{}`, ""},
		{statetool.Patch, `{"patch":[{"op":"replace","path":"/itens/0/price","value":1}]}`, "PATH_NOT_FOUND"},
		{statetool.Patch, `{"patch":[{"op":"add","path":"/note/price","value":1}]}`, "WRONG_TYPE"},
		{statetool.Patch, `{"patch":[{"op":"add","path":"/items/-","value":{"text":"` + strings.Repeat("x", 300) + `"}}]}`, "TOO_LARGE"},
		{statetool.Patch, `{"patch":[{"op":"replace","path":"/title","value":"Bill"}]}`, "LOCKED"},
		{statetool.Patch, `{"patch":{"title":null}}`, "LOCKED"},
		{statetool.Patch, `{"workspace_id":"ws_other","patch":[{"op":"replace","path":"/note","value":"x"}]}`, "INVALID_ARGUMENTS"},
		{commit, `{"proposal":"p1"}`, "NOT_ALLOWED"},
		{statetool.Propose, `{"patch":[{"op":"add","path":"/born","value":9007199254740993}],"why":"it says so"}`, ""},
		{commit, `{"proposal":"p3"}`, "NOT_ALLOWED"},
		{statetool.Patch, `{"workspace_id":"ws_letter","patch":[{"op":"replace","path":"/items/0/price","value":9007199254740995}]}`, ""},
		{statetool.Patch, `{"patch":{"note":null,"more":{"n":1}}}`, ""},
	}
}

// The loop goes on after every mistake, over every API, and in text whatever the format of its calls; facts_commit is refused however it is written. The
// workspace is as it should be afterwards.
func TestEveryWireAndDialect(t *testing.T) {
	srv := httptest.NewServer(simulate.New(func(seen simulate.Seen) simulate.Turn {
		format, commit, _ := strings.Cut(seen.Model, "|")
		steps := mistakes(commit)
		if seen.Turn >= len(steps) {
			return simulate.Turn{Text: "Done."}
		}
		s := steps[seen.Turn]
		if f, ok := dialect.Lookup(format); ok {
			return simulate.Turn{Text: f.RenderCalls([]dialect.RenderedCall{{Name: s.name, Arguments: []byte(s.arguments)}})}
		}
		return simulate.Turn{Calls: []simulate.Call{{Name: s.name, Arguments: s.arguments}}}
	}))
	defer srv.Close()
	type way struct {
		wire   callwright.WireName
		format string
		opts   []reliable.Option
	}
	ways := map[string]way{}
	for _, wire := range []callwright.WireName{callwright.WireOpenAI, callwright.WireResponses, callwright.WireAnthropic, callwright.WireGemini, callwright.WireOllama} {
		ways["over "+string(wire)] = way{wire: wire}
	}
	for _, f := range dialect.Formats() {
		if f.Families != "" {
			ways["in "+f.Name] = way{callwright.WireOpenAI, f.Name, []reliable.Option{reliable.WithModes(caps.Text), reliable.WithDialect(f.Name)}}
		}
	}
	for name, w := range ways {
		t.Run(name, func(t *testing.T) {
			below := map[callwright.WireName]string{callwright.WireOpenAI: "/v1", callwright.WireResponses: "/v1"}
			p, err := provider.New(provider.Config{Name: "simulated", Wire: w.wire, BaseURL: srv.URL + below[w.wire], APIKey: provider.NewSecret("any")})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			spellings := []string{"workspace.factsCommit", "facts_commit", "FACTS_COMMIT", "commit_facts"}
			if !longtest.IsEnabled() {
				spellings = spellings[:1]
			}
			for _, commit := range spellings {
				goWrong(t, reliable.New(p.Model(w.format+"|"+commit), w.opts...), mistakes(commit))
			}
		})
	}
}

// goWrong runs the steps of a model and holds what it is told, and the workspace, against them.
func goWrong(t *testing.T, m callwright.Model, steps []step) {
	t.Helper()
	e := letter(t, workspace.Limits{Patch: 300})
	a := agent.New(m, agent.Tools(statetool.Tools(e, id)...), agent.WithFailures(agent.FailuresTolerated))
	res, err := a.Run(t.Context(), callwright.UserText("Edit the letter."))
	if err != nil || res.Text != "Done." {
		t.Fatalf("%s: %v, %v", steps[7].name, res, err)
	}
	told := envelopes(t, res.Messages)
	if len(told) != len(steps) {
		t.Fatalf("%s: %d calls, and told %v", steps[7].name, len(steps), told)
	}
	for i, s := range steps {
		code := ""
		if len(told[i].Errors) > 0 {
			code = string(told[i].Errors[0].Code)
		}
		if code != s.code || told[i].OK != (code == "") {
			t.Errorf("%s %s: expected %q, told %+v", s.name, s.arguments, s.code, told[i])
		}
	}
	refused := 0
	for _, n := range res.Notes {
		if n.Rule == "loop.person_only" {
			refused++
		}
	}
	st := newest(t, e)
	want := `{"title":"Offer","items":[{"price":9007199254740995}],"more":{"n":1}} {"name":"Ada"} [/title]`
	if got := fmt.Sprintf("%s %s %s", st.Draft, st.Facts, st.Locks); refused != 2 || got != want || len(st.Proposals) != 1 || !strings.Contains(string(st.Proposals[0].Patch), `"value":9007199254740993`) {
		t.Errorf("%s: %d refusals, and the workspace is %s with %s", steps[7].name, refused, got, st.Proposals)
	}
}
