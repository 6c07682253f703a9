package runcmd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/config"
	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// A settled model gives prepared answers and keeps what it was asked. The last answer is given again and again.
type settled struct {
	name    callwright.ModelID
	caps    caps.Caps
	answers []any

	mu    sync.Mutex
	asked []string
}

func (s *settled) ID() callwright.ModelID         { return s.name }
func (s *settled) Caps(context.Context) caps.Caps { return s.caps }

func (s *settled) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	answer := s.answers[min(len(s.asked), len(s.answers)-1)]
	s.asked = append(s.asked, told(req))
	usage := callwright.Usage{Known: true, Input: 1000, Output: 100}
	switch a := answer.(type) {
	case error:
		return nil, a
	case string:
		return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: a}}, Confidence: 0.8, Usage: usage}, nil
	}
	return &callwright.Response{Parts: answer.([]callwright.Part), Finish: callwright.FinishCalls, Confidence: 1, Usage: usage}, nil
}

func (s *settled) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	panic("it is asked whole")
}

// told is what a request says: the tools, the choice, edits and the last message.
func told(req *callwright.Request) string {
	var tools []string
	for _, t := range req.Tools {
		tools = append(tools, t.Name)
	}
	var last []string
	for _, p := range req.Messages[len(req.Messages)-1].Parts {
		switch p := p.(type) {
		case callwright.Text:
			last = append(last, p.Text)
		case callwright.Result:
			last = append(last, p.Text())
		}
	}
	choice := req.Params.Choice
	if choice.Mode == callwright.ChoiceAuto {
		choice.Mode = ""
	}
	return fmt.Sprint(tools, choice, companion.Of(req).Edits, req.Messages[0].Role, last)
}

// calling is an answer that calls tools by their names, with the same arguments.
func calling(arguments string, names ...string) []callwright.Part {
	var out []callwright.Part
	for i, name := range names {
		out = append(out, callwright.Call{ID: fmt.Sprint("c", i), Name: name, Arguments: json.RawMessage(arguments)})
	}
	return out
}

// settingTools are a tool that looks, one that destroys, one that fails, one that never ends, and one that ends once two of it are running.
func settingTools() agent.Option {
	meeting := make(chan struct{})
	var mu sync.Mutex
	here := 0
	of := func(name string, effects agent.Effects, do func(ctx context.Context) error) agent.Tool {
		return agent.Tool{Name: name, Effects: effects, Schema: json.RawMessage(`{"type":"object"}`), Run: func(ctx context.Context, _ json.RawMessage) (agent.Output, error) {
			return agent.Output{Data: json.RawMessage(`"` + strings.Repeat("x", 300) + `"`)}, do(ctx)
		}}
	}
	return agent.Tools(
		of("look", agent.EffectsNone, func(context.Context) error { return nil }),
		of("drop", agent.EffectsDestructive, func(context.Context) error { return nil }),
		of("fail", agent.EffectsNone, func(context.Context) error { return errors.New("broken") }),
		of("wait", agent.EffectsNone, func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }),
		of("meet", agent.EffectsNone, func(ctx context.Context) error {
			mu.Lock()
			if here++; here == 2 {
				close(meeting)
			}
			mu.Unlock()
			select {
			case <-meeting:
			case <-ctx.Done():
			}
			return ctx.Err()
		}))
}

// What the cases of TestKeysAreOptionsAndFlags are made of.
var (
	look, yes = calling("{}", "look"), map[string]string{"verifier": "always"}
	second    = &settled{name: "lab/second", answers: []any{`{"ok":true,"wrong":""}`}}
	bad       = callwright.Errorf("x", callwright.KindInvalidCall, "", "bad")
	price     = func(u callwright.Usage) float64 { return float64(3*u.Input+15*u.Output) / 1e6 }
	always    = agent.Verifier{When: agent.VerifyAlways}
	with      = func(v agent.Verifier, m callwright.Model, above float64, when agent.VerifyWhen) agent.Option {
		v.Model, v.Above, v.When = m, above, when
		return agent.WithVerifier(v)
	}
	one = func(o agent.Option) []agent.Option { return []agent.Option{o} }
)

// flagCases are those of TestKeysAreOptionsAndFlags.
var flagCases = map[string]struct {
	value   string // as a flag has it, and a configuration
	is      string // the default as it is written, "" where it cannot be
	option  []agent.Option
	with    map[string]string // further keys
	answers []any
}{
	"system":               {"Be short.", "", one(agent.WithSystem("Be short.")), nil, []any{"Hi."}},
	"tool_use_mode":        {"enforced", "relaxed", one(agent.WithMode(agent.ModeEnforced)), nil, []any{"Hi.", look, "Hi."}},
	"allow_unreliable":     {"true", "false", one(agent.WithUnreliable()), map[string]string{"tool_use_mode": "enforced"}, []any{look, "Hi."}},
	"fallback_retry_count": {"1", "0", one(agent.WithFallbackRetries(1)), nil, []any{bad, look, "Hi."}},
	"tool_failure_policy":  {"tolerated", "fatal", one(agent.WithFailures(agent.FailuresTolerated)), nil, []any{calling("{}", "look", "fail"), "Hi."}},
	"tool_choice":          {"required", "auto", one(agent.WithChoice(callwright.Choice{Mode: callwright.ChoiceRequired})), nil, []any{look, "Hi."}},
	"request_overrides": {`{"a":{"b":1}}`, "{}", one(agent.WithRequest(func(r *callwright.Request) {
		companion.Change(r, func(c *companion.Companion) {
			c.Edits = []callwright.Edit{{Path: []string{"a", "b"}, Value: json.RawMessage("1")}}
		})
	})), nil, []any{"Hi."}},
	"fix_empty_final":               {"false", "true", one(agent.WithEmptyFinal(agent.EmptyFinal{Off: true})), nil, []any{look, "", "Hi."}},
	"fix_empty_final_user_text":     {"Well?", "", one(agent.WithEmptyFinal(agent.EmptyFinal{Text: "Well?"})), nil, []any{look, "", "Hi."}},
	"fix_empty_final_disable_tools": {"false", "true", one(agent.WithEmptyFinal(agent.EmptyFinal{KeepTools: true})), nil, []any{look, "", "Hi."}},
	"ask_about_claims":              {"true", "false", one(agent.WithClaimQuestion()), nil, []any{"I have sent the email to Ann.", "I did not."}},
	"verifier":                      {"always", "never", one(agent.WithVerifier(always)), nil, []any{"Hi.", `{"ok":true,"wrong":""}`}},
	"verifier_model":                {"lab/second", "", one(with(always, second, 0, agent.VerifyAlways)), yes, []any{"Hi.", `{"ok":false,"wrong":"No."}`, "Ho.", `{"ok":true,"wrong":""}`}},
	"verifier_confidence":           {"0.7", "0.9", one(with(always, nil, 0.7, agent.VerifyAuto)), map[string]string{"verifier": "auto"}, []any{"Hi.", `{"ok":true,"wrong":""}`}},
	"next_models":                   {"lab/second", "", one(agent.WithStrongerModels(0, second)), nil, []any{calling("{}", "a"), calling("{}", "b"), calling("{}", "c"), "Hi."}},
	"next_model_after":              {"2", "3", one(agent.WithStrongerModels(2, second)), map[string]string{"next_models": "lab/second"}, []any{calling("{}", "a"), calling("{}", "b"), "Hi."}},
	"move_to_next_model":            {"true", "false", []agent.Option{agent.WithStrongerModels(0, second), agent.WithModelSwitch()}, map[string]string{"next_models": "lab/second"}, []any{calling("{}", "a"), calling("{}", "b"), calling("{}", "c"), "Hi."}},
	"tool_allowlist":                {"lo*,meet", "*", one(agent.WithAllowed("lo*", "meet")), nil, []any{"Hi."}},
	"tool_denylist":                 {"lo*", "", one(agent.WithDenied("lo*")), nil, []any{"Hi."}},
	"tool_profiles":                 {`{"r":{"tool_allowlist":"look"}}`, "", one(agent.WithAllowed("look")), map[string]string{"tool_profile": "r", "tool_profiles": `{"r":{"tool_allowlist":"drop"}}`}, []any{"Hi."}},
	"tool_profile":                  {"r", "", one(agent.WithAllowed("look")), map[string]string{"tool_profiles": `{"r":{"tool_allowlist":"look"}}`}, []any{"Hi."}},
	"approve":                       {`{"look":"always"}`, "{}", one(agent.WithApprovalRules(agent.ApprovalRule{Pattern: "look", Approval: agent.ApproveAlways})), nil, []any{look, "Hi."}},
	"max_steps":                     {"1", "50", one(agent.WithMaxSteps(1)), nil, []any{look, "Hi."}},
	"max_tokens":                    {"1000", "0", one(agent.WithMaxTokens(1000)), nil, []any{look, "Hi."}},
	"max_time":                      {"1m", "", one(agent.WithMaxTime(time.Minute)), nil, []any{calling("{}", "wait"), "Hi."}},
	"max_cost":                      {"0.001", "0", one(agent.WithMaxCost(0.001, price)), map[string]string{"cost": `{"input_per_million":3,"output_per_million":15}`}, []any{look, "Hi."}},
	"cost":                          {`{"input_per_million":3,"output_per_million":15}`, "", one(agent.WithMaxCost(0, price)), nil, []any{"Hi."}},
	"max_tool_args_bytes":           {"5", "200000", one(agent.WithMaxArguments(5)), nil, []any{calling(`{"a":1}`, "look"), "Hi."}},
	"max_tool_output_bytes":         {"100", "200000", one(agent.WithMaxOutput(100)), nil, []any{look, "Hi."}},
	"cut_tool_output":               {"true", "false", []agent.Option{agent.WithCutOutput(), agent.WithMaxOutput(100)}, map[string]string{"max_tool_output_bytes": "100"}, []any{look, "Hi."}},
	"parallel":                      {"1", "8", one(agent.WithParallel(1)), nil, []any{calling("{}", "meet", "meet"), "Hi."}},
	"tool_timeout":                  {"30s", "2m", one(agent.WithToolTimeout(30 * time.Second)), nil, []any{calling("{}", "wait"), "Hi."}},
}

// Each key of an agent is an option and a flag too, of the same meaning and with the default that is documented: what a run comes to shows it.
func TestKeysAreOptionsAndFlags(t *testing.T) {
	rows := flagCases
	for _, key := range config.AgentKeys() {
		row, ok := rows[key.Name]
		if key.Name == "model" {
			continue // of the command itself: nothing runs without
		}
		if !ok {
			t.Errorf("%s is in no row", key.Name)
			continue
		}
		t.Run(key.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				come := func(opts []agent.Option) string { return outcomeOf(t, opts, row.answers) }
				byKey := func(value string) string { return come(settingsBy(t, second, row.with, key, value)) }
				byFlag := func(value string) string {
					return come(settingsBy(t, second, row.with, key, value, "--"+flagOf(key.Name)+"="+value))
				}
				usual := come(settingsBy(t, second, row.with, key, ""))
				want := come(row.option)
				if row.with["tool_use_mode"] != "" {
					want = come(append(row.option, agent.WithMode(agent.ModeEnforced)))
				}
				if want == usual {
					t.Fatalf("the option does nothing:\n%s", want)
				}
				if d := cmp.Diff(want, byKey(row.value)); d != "" {
					t.Errorf("the key is not the option (-option +key)\n%s", d)
				}
				if d := cmp.Diff(want, byFlag(row.value)); d != "" {
					t.Errorf("the flag is not the option (-option +flag)\n%s", d)
				}
				if row.is == "" {
					return
				}
				if key.Default != row.is && key.Default != "none" && key.Default != "all" && key.Default != "no limit" && key.Default != "set by each tool" {
					t.Errorf("the default is said to be %s, not %s", key.Default, row.is)
				}
				if d := cmp.Diff(usual, byKey(row.is)); d != "" {
					t.Errorf("%s is not the default of the key (-without +with)\n%s", row.is, d)
				}
				if d := cmp.Diff(usual, byFlag(row.is)); d != "" {
					t.Errorf("%s is not the default of the flag (-without +with)\n%s", row.is, d)
				}
			})
		})
	}
}

// settingsBy are the options of a configuration with some keys. A further one has a value, "" for none, by flags where there are such.
func settingsBy(t *testing.T, second callwright.Model, with map[string]string, key config.AgentKey, value string, flags ...string) []agent.Option {
	t.Helper()
	var text []string
	for k, v := range with {
		if k != key.Name || value == "" || flags != nil { // else another value takes its place
			text = append(text, k+": "+v)
		}
	}
	if value != "" && flags == nil {
		if key.Value != "JSON" {
			value = fmt.Sprintf("%q", value)
			if slices.Contains([]string{"", "N", "NUMBER"}, key.Value) {
				value = strings.Trim(value, `"`)
			}
		}
		text = append(text, key.Name+": "+value)
	}
	conf, err := config.Parse([]byte("providers: {lab: {base_url: 'http://127.0.0.1:9/v1'}}\nagent: {"+strings.Join(text, ", ")+"}"), noEnv)
	if err != nil {
		t.Fatal(err)
	}
	var s settings
	c := &cobra.Command{}
	s.add(c)
	if err := c.ParseFlags(flags); err != nil {
		t.Fatal(err)
	}
	if err := s.over(&conf.Agent); err != nil {
		t.Fatal(err)
	}
	opts, err := conf.Agent.Options()
	if err != nil {
		t.Fatal(err)
	}
	further, err := conf.Agent.Models(func(string) (callwright.Model, error) { return second, nil })
	if err != nil {
		t.Fatal(err)
	}
	return append(opts, further...)
}

// outcomeOf is what a run with these options comes to, in words.
func outcomeOf(t *testing.T, opts []agent.Option, answers []any) string {
	t.Helper()
	m := &settled{name: "lab/m", answers: answers, caps: caps.Caps{ToolCallReliable: caps.No}}
	began := time.Now()
	a := agent.New(m, append([]agent.Option{settingTools(), agent.WithRunID(func() agent.RunID { return "run_1" })}, opts...)...)
	res, err := a.Run(t.Context(), callwright.UserText("Go."))
	out := fmt.Sprintln(strings.Join(m.asked, "\n"), err, time.Since(began).Round(time.Second))
	if res != nil {
		out += fmt.Sprintln(res.Stop, res.Text, res.Steps, res.Usage, res.Suggested, len(res.Waiting))
	}
	return out
}
