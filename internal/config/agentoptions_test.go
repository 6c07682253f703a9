package config_test

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/config"
	"github.com/google/go-cmp/cmp"
)

// played is a model that calls "look" so often and then answers, and the requests that it got.
type played struct {
	calls  int
	answer string
	asked  []*callwright.Request
}

func (p *played) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	p.asked = append(p.asked, req)
	usage := callwright.Usage{Known: true, Input: 1000, CacheRead: 400, Output: 100}
	if len(p.asked) <= p.calls {
		return &callwright.Response{Parts: []callwright.Part{callwright.Call{ID: "c", Name: "look", Arguments: json.RawMessage("{}")}}, Finish: callwright.FinishCalls, Usage: usage}, nil
	}
	return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: p.answer}}, Finish: callwright.FinishStop, Usage: usage, Confidence: 1}, nil
}

func (p *played) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	panic("it is asked whole")
}

// agentOf is an agent by its settings, with tools that give long texts.
func agentOf(t *testing.T, a *config.Agent, m callwright.Model) *agent.Agent {
	t.Helper()
	opts, err := a.Options()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"look", "files:read_all", "files:delete_all"} {
		opts = append(opts, agent.Tools(agent.Tool{Name: name, Schema: json.RawMessage(`{"type":"object"}`), Run: func(context.Context, json.RawMessage) (agent.Output, error) {
			return agent.Output{Data: json.RawMessage(`"` + strings.Repeat("x", 500) + `"`)}, nil
		}}))
	}
	return agent.New(m, opts...)
}

// Settings do what their names say.
func TestAgentOptions(t *testing.T) {
	const prices = ", cost: {input_per_million: 3, output_per_million: 15"
	for _, c := range []struct {
		settings, empty string
		calls           int
		offered         string // in the first request
		stop            agent.Stop
		asked           int
		cost            float64
		last            string // what the last request ends with has this text
	}{
		{settings: "", calls: 1, offered: "look files:read_all files:delete_all", stop: agent.StopAnswered, asked: 2, last: "xxx"},
		{settings: "tool_allowlist: 'files:*'", offered: "files:read_all files:delete_all", stop: agent.StopAnswered, asked: 1},
		{settings: "tool_profiles: {careful: {tool_denylist: '*delete*'}, r: 'files:*'}, tool_profile: 'careful, r'", offered: "files:read_all", stop: agent.StopAnswered, asked: 1},
		{settings: "tool_profiles: {careful: {tool_denylist: '*delete*'}}, tool_allowlist: look", offered: "look", stop: agent.StopAnswered, asked: 1},
		{settings: "tool_use_mode: disabled", stop: agent.StopAnswered, asked: 1},
		{settings: "tool_use_mode: enforced", offered: "look files:read_all files:delete_all", stop: agent.StopNoCall, asked: 3, last: "Call at least one"},
		{settings: "approve: {'*': never, 'l*': always}", calls: 1, offered: "look files:read_all files:delete_all", stop: agent.StopParked, asked: 1},
		{settings: "approve: {'l*': always, '*': never}", calls: 1, offered: "look files:read_all files:delete_all", stop: agent.StopAnswered, asked: 2},
		{settings: "max_steps: 2, tool_allowlist: look", calls: 9, offered: "look", stop: agent.StopSteps, asked: 2},
		{settings: "max_tokens: 1, tool_allowlist: look", calls: 9, offered: "look", stop: agent.StopTokens, asked: 1},
		{settings: "max_cost: 0.001, tool_allowlist: look" + prices + "}", calls: 9, offered: "look", stop: agent.StopCost, asked: 1, cost: 0.0045},
		{settings: "tool_allowlist: look" + prices + ", cached_per_million: 0.5}", offered: "look", stop: agent.StopAnswered, asked: 1, cost: 0.0035},
		{settings: "max_tool_output_bytes: 300, tool_allowlist: look", calls: 1, offered: "look", stop: agent.StopAnswered, asked: 2, last: "TOOL_OUTPUT_TOO_LARGE"},
		{settings: "max_tool_output_bytes: 300, cut_tool_output: true, tool_allowlist: look", calls: 1, offered: "look", stop: agent.StopAnswered, asked: 2, last: "xxx"},
		{settings: "max_tool_args_bytes: 1, tool_allowlist: look", calls: 1, offered: "look", stop: agent.StopAnswered, asked: 2, last: "ARGUMENTS_TOO_LARGE"},
		{settings: "fix_empty_final_user_text: Go on., tool_allowlist: look", empty: " ", offered: "look", stop: agent.StopModel, asked: 2, last: "Go on."},
		{settings: "fix_empty_final: false, tool_allowlist: look", empty: " ", offered: "look", stop: agent.StopModel, asked: 1},
	} {
		conf := parse(t, "agent: {"+c.settings+"}")
		m := &played{calls: c.calls, answer: "Done." + c.empty}
		if c.empty != "" {
			m.answer = ""
		}
		res, err := agentOf(t, &conf.Agent, m).Run(t.Context(), callwright.UserText("Look."))
		if failed, ok := errors.AsType[*agent.StopError](err); err != nil && !ok || ok && failed.Stop != c.stop || res == nil || res.Stop != c.stop || len(m.asked) != c.asked {
			t.Errorf("%s: %+v, %v after %d requests", c.settings, res, err, len(m.asked))
			continue
		}
		var offered []string
		for _, tool := range m.asked[0].Tools {
			offered = append(offered, tool.Name)
		}
		if got := strings.Join(offered, " "); got != c.offered {
			t.Errorf("%s: offered %s", c.settings, got)
		}
		if d := res.Usage.Cost - c.cost; d > 1e-9 || d < -1e-9 {
			t.Errorf("%s: it cost %g", c.settings, res.Usage.Cost)
		}
		if got := lastText(m.asked[len(m.asked)-1]); !strings.Contains(got, c.last) {
			t.Errorf("%s: the last message is %.200q", c.settings, got)
		}
	}
}

// lastText is the text of the last message, or of the result there.
func lastText(req *callwright.Request) string {
	switch p := req.Messages[len(req.Messages)-1].Parts[0].(type) {
	case callwright.Result:
		return p.Text()
	case callwright.Text:
		return p.Text
	}
	return ""
}

// The first request has the instructions, the choice and the members, and further ones have the members.
func TestAgentRequests(t *testing.T) {
	conf := parse(t, "agent: {system: Be short., tool_choice: required, request_overrides: {temperature: 0.5}}")
	m := &played{calls: 1, answer: "Done."}
	if _, err := agentOf(t, &conf.Agent, m).Run(t.Context(), callwright.UserText("Look.")); err != nil {
		t.Fatal(err)
	}
	first, next := m.asked[0], m.asked[1]
	if first.Messages[0].Role != callwright.RoleSystem || !cmp.Equal(first.Messages[0].Parts, []callwright.Part{callwright.Text{Text: "Be short."}}) || first.Params.Choice.Mode != callwright.ChoiceRequired || next.Params.Choice.Mode != "" {
		t.Errorf("the first request is %+v", first)
	}
	for _, req := range m.asked {
		if diff := cmp.Diff([]callwright.Edit{{Path: []string{"temperature"}, Value: json.RawMessage("0.5")}}, companion.Of(req).Edits); diff != "" {
			t.Error(diff)
		}
	}
}

// Members of a run stand above those of its model.
func TestOverridesStandAboveRequest(t *testing.T) {
	conf := parse(t, `
providers: {lab: {base_url: "http://127.0.0.1:9/v1", request: {a: 1, b: 1, c: {x: 1}, d: {}}}}
agent: {request_overrides: {a: 2, c: {x: 2, y: 2}, d: {z: 2}, max_tokens: null}}`)
	m, err := registry(t, conf).Direct("lab/m")
	if err != nil {
		t.Fatal(err)
	}
	pre, err := m.(callwright.Previewer).Preview(t.Context(), &callwright.Request{
		Model: "lab/m", Messages: []callwright.Message{callwright.UserText("x")}, Params: callwright.Params{MaxTokens: "5"}, Attached: &companion.Companion{Edits: conf.Agent.Request},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"a":2`, `"b":1`, `"c":{"x":2,"y":2}`, `"d":{"z":2}`} {
		if !strings.Contains(string(pre.Body), want) {
			t.Errorf("%s is not in %s", want, pre.Body)
		}
	}
	if strings.Contains(string(pre.Body), "max_tokens") {
		t.Errorf("what is removed is there: %s", pre.Body)
	}
}
