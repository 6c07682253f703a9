package reliable_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callcheck"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A ruled is a scripted model with call rules.
type ruled struct {
	*scripted
	rules banned
}

func (m ruled) CallRules() callcheck.Rules { return m.rules }

// banned are rules about one tool: they find something where its arguments hold a text.
type banned struct {
	tool, holding string
	finding       callcheck.Finding
}

func (b banned) For(c callcheck.Caller) callcheck.Check {
	if c.Key == "trusted" || c.Asks && b.finding.Action == callcheck.Park {
		return nil
	}
	return b
}

func (b banned) Covers(tool string) bool { return tool == b.tool }
func (b banned) Bars(tool string) bool   { return tool == b.tool && b.holding == "" }
func (b banned) Find(c *callwright.Call) callcheck.Finding {
	if strings.Contains(string(c.Arguments), b.holding) {
		return b.finding
	}
	return callcheck.Finding{}
}

var (
	notHere  = callcheck.Finding{Rule: "no-oslo", Action: callcheck.Refuse, Message: "not here"}
	twoCalls = []callwright.Event{
		callwright.Begin{}, callwright.CallBegin{ID: "call_1", Name: "get_weather"}, callwright.CallDelta{Text: oslo}, callwright.CallEnd{},
		callwright.CallBegin{Index: 1, ID: "call_2", Name: "get_weather"}, callwright.CallDelta{Text: `{"city":"Rome"}`}, callwright.CallEnd{},
		callwright.End{Finish: callwright.FinishCalls},
	}
)

const (
	refusedText = "The call of get_weather was refused by the rule no-oslo: not here"
	aRefusal    = "call_rule.refused"
	toldOfIt    = "correct.refused"
)

// TestCallRules has a rule about calls with Oslo in them, of each kind. The answers are played in turn.
func TestCallRules(t *testing.T) {
	inText := text(`{"name":"get_weather","arguments":{"city":"Oslo"}}`)
	fenced := text("```json\n{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Oslo\"}}\n```")
	for name, c := range map[string]struct {
		finding callcheck.Finding
		answers []any
		opts    []reliable.Option
		choice  callwright.Choice
		change  func(*callwright.Request)
		want    []string
		rules   []string // of the notes
	}{
		"another answer":      {answers: []any{goodCall, text("Cold.")}, want: []string{"text Cold.", "finish stop"}, rules: []string{aRefusal, toldOfIt}},
		"another call":        {answers: []any{goodCall, native("get_weather", `{"city":"Rome"}`, callwright.FinishCalls)}, want: []string{`call get_weather {"city":"Rome"}`, "finish tool_calls"}, rules: []string{aRefusal, toldOfIt}},
		"insists":             {answers: []any{goodCall, goodCall, goodCall}, want: []string{"text " + refusedText, "finish stop"}, rules: []string{aRefusal, toldOfIt}},
		"no corrections":      {answers: []any{goodCall}, opts: []reliable.Option{reliable.WithMaxCorrections(0)}, want: []string{"text " + refusedText, "finish stop"}, rules: []string{aRefusal}},
		"says something":      {answers: []any{slices.Insert(slices.Clone(goodCall), 1, callwright.Event(callwright.TextDelta{Text: "I look."}))}, opts: []reliable.Option{reliable.WithMaxCorrections(0)}, want: []string{"text I look.\n" + refusedText, "finish stop"}, rules: []string{aRefusal}},
		"in text":             {answers: []any{inHermes, text("Cold.")}, want: []string{"text Cold.", "finish stop"}, rules: []string{aRefusal, toldOfIt}},
		"in text, unmarked":   {answers: []any{inText}, opts: []reliable.Option{reliable.WithMaxCorrections(0)}, want: []string{"text " + refusedText, "finish stop"}, rules: []string{aRefusal}},
		"in text, fenced":     {answers: []any{fenced}, opts: []reliable.Option{reliable.WithMaxCorrections(0)}, want: []string{"text " + refusedText, "finish stop"}, rules: []string{aRefusal}},
		"needed a repair":     {answers: []any{native("get_weather", `{'city':'Oslo',}`, callwright.FinishCalls), text("Cold.")}, want: []string{"text Cold.", "finish stop"}, rules: []string{aRefusal, toldOfIt, "json.single_quotes", "json.trailing_comma"}},
		"one of two":          {answers: []any{twoCalls, text("Hot there.")}, want: []string{`call get_weather {"city":"Rome"}`, "text Hot there.", "finish tool_calls"}, rules: []string{aRefusal, toldOfIt, "finish.derived"}},
		"one of two, insists": {answers: []any{twoCalls}, opts: []reliable.Option{reliable.WithMaxCorrections(0)}, want: []string{`call get_weather {"city":"Rome"}`, "text " + refusedText, "finish tool_calls"}, rules: []string{aRefusal}},
		"forced":              {answers: []any{goodCall, goodCall, goodCall}, choice: forcedOne, opts: []reliable.Option{reliable.WithOneMode()}, want: []string{"error invalid_tool_call"}, rules: []string{aRefusal, toldOfIt}},
		"observe":             {answers: []any{goodCall}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyObserve)}, want: []string{"call get_weather " + oslo, "finish tool_calls"}, rules: []string{aRefusal}},
		"strict":              {answers: []any{goodCall, text("Cold.")}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyStrict)}, want: []string{"text Cold.", "finish stop"}, rules: []string{aRefusal, toldOfIt}},
		"not checked": {finding: callcheck.Finding{Rule: "no-oslo", Action: callcheck.Allow, Message: "no such key: country", Failed: true}, answers: []any{goodCall},
			want: []string{"call get_weather " + oslo, "finish tool_calls"}, rules: []string{"call_rule.failed"}},
		"not checked, refused": {finding: callcheck.Finding{Rule: "no-oslo", Action: callcheck.Refuse, Message: "no such key: country", Failed: true}, answers: []any{goodCall}, opts: []reliable.Option{reliable.WithMaxCorrections(0)},
			want: []string{"text The call of get_weather was refused by the rule no-oslo, which could not be checked: no such key: country", "finish stop"}, rules: []string{"call_rule.failed"}},
		"parked": {finding: callcheck.Finding{Rule: "no-oslo", Action: callcheck.Park, Message: "too far"}, answers: []any{goodCall}, opts: []reliable.Option{reliable.WithMaxCorrections(0)},
			want: []string{"text The call of get_weather needs the approval of a person by the rule no-oslo, and nobody can be asked here: too far", "finish stop"}, rules: []string{"call_rule.parked"}},
		"parked for an agent": {finding: callcheck.Finding{Rule: "no-oslo", Action: callcheck.Park}, answers: []any{goodCall}, change: func(req *callwright.Request) {
			companion.Change(req, func(c *companion.Companion) { c.CanAskPerson = true })
		}, want: []string{"call get_weather " + oslo, "finish tool_calls"}},
		"another key": {answers: []any{goodCall}, change: func(req *callwright.Request) {
			companion.Change(req, func(c *companion.Companion) { c.Key = "trusted" })
		}, want: []string{"call get_weather " + oslo, "finish tool_calls"}},
	} {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(name+"/"+way, func(t *testing.T) {
				if c.finding.Rule == "" {
					c.finding = notHere
				}
				m := ruled{&scripted{name: "lab/m", answers: c.answers}, banned{"get_weather", "Oslo", c.finding}}
				req := ask(c.choice)
				if c.change != nil {
					c.change(req)
				}
				client := reliable.New(m, c.opts...)
				var resp *callwright.Response
				var err error
				if way == "whole" {
					resp, err = client.Generate(t.Context(), req)
				} else {
					resp, err = callwright.Collect(client.Stream(t.Context(), req))
				}
				if d := cmp.Diff(c.want, outcome(resp, err)); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
				if len(m.asked) != len(c.answers) {
					t.Errorf("asked %d times, want %d", len(m.asked), len(c.answers))
				}
				rules := rulesIn(reportOf(resp, err))
				for _, rule := range c.rules {
					if !slices.Contains(rules, rule) && rule != "finish.derived" {
						t.Errorf("no note %s: %v", rule, rules)
					}
				}
				if len(c.rules) == 0 && slices.ContainsFunc(rules, func(rule string) bool { return strings.HasPrefix(rule, "call_rule.") }) {
					t.Errorf("unexpected notes %v", rules)
				}
			})
		}
	}
}

func rulesIn(rep *callwright.Report) []string {
	var out []string
	for _, n := range rep.Notes {
		out = append(out, n.Rule)
	}
	return out
}

// A model is told of a refusal as the result of its call, and the report names the rule.
func TestRefusalIsTold(t *testing.T) {
	m := ruled{&scripted{name: "lab/m", answers: []any{goodCall, text("Cold.")}}, banned{"get_weather", "Oslo", notHere}}
	resp, err := reliable.New(m).Generate(t.Context(), ask(callwright.Choice{}))
	if err != nil {
		t.Fatal(err)
	}
	msgs, err := m.asked[1].History()
	if err != nil {
		t.Fatal(err)
	}
	res, ok := msgs[len(msgs)-1].Parts[0].(callwright.Result)
	want := "The call of get_weather was not executed:\n- was refused by the rule no-oslo: not here\nDo not make this call again. Go on in another way, or answer in text and say that it was refused."
	if said := callwright.TextOf(res.Parts); !ok || !res.IsError || said != want {
		t.Errorf("told %q, want %q", said, want)
	}
	i := slices.IndexFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Rule == aRefusal })
	if n := resp.Report.Notes[i]; n.Call != "get_weather" || n.Now != "no-oslo" || n.Why != "not here" || n.Risk != "" || n.Fault != "" {
		t.Errorf("got %+v", n)
	}
	if len(resp.Report.Invalid) != 1 || resp.Report.Invalid[0].Why != callcheck.InvalidRefused || resp.Report.Untouched {
		t.Errorf("got %+v, untouched %t", resp.Report.Invalid, resp.Report.Untouched)
	}
}

// A tool that no rule names flows byte for byte, and so does a call that a rule looked at and says nothing of.
func TestRulesLeaveOtherCalls(t *testing.T) {
	events := []callwright.Event{
		rawOf{Wire: callwright.WireOpenAI, Bytes: []byte("one"), Events: 2}, callwright.Begin{}, callwright.TextDelta{Text: "I look."}, pause{},
		rawOf{Wire: callwright.WireOpenAI, Bytes: []byte("two"), Events: 2}, callwright.CallBegin{ID: "call_1", Name: "get_weather"}, callwright.CallDelta{Text: `{"city":"R`}, pause{},
		rawOf{Wire: callwright.WireOpenAI, Bytes: []byte("three"), Events: 1}, callwright.CallDelta{Text: `ome"}`}, pause{},
		rawOf{Wire: callwright.WireOpenAI, Bytes: []byte("four"), Events: 2}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls},
	}
	play := func(m callwright.Model) []string {
		return streamed(reliable.New(m, reliable.WithStreamCalls(callwright.StreamFlowing)).Batches(t.Context(), received(ask(callwright.Choice{}))))
	}
	plain := play(&scripted{name: "lab/m", answers: []any{events}})
	if got := play(ruled{&scripted{name: "lab/m", answers: []any{events}}, banned{"get_time", "", notHere}}); !slices.Equal(got, plain) {
		t.Errorf("a tool without a rule: (-want +got)\n%s", cmp.Diff(plain, got))
	}
	frames := func(lines []string) (out []string) {
		for _, line := range lines {
			if strings.HasPrefix(line, "frame ") {
				out = append(out, line)
			}
		}
		return out
	}
	if got := play(ruled{&scripted{name: "lab/m", answers: []any{events}}, banned{"get_weather", "Oslo", notHere}}); len(frames(plain)) != 4 || !slices.Equal(frames(got), frames(plain)) {
		t.Errorf("a tool with a rule: (-want +got)\n%s", cmp.Diff(plain, got))
	}
}

// The letters of arguments that a rule refuses stand nowhere else.
const refusedLetters = "жщюяфы"

// TestNothingOfARefusedCallLeaves draws answers with calls, some of which are refused, cuts them anywhere, and looks for letters of the refused ones
// in all that the client gets.
func TestNothingOfARefusedCallLeaves(t *testing.T) {
	words := rapid.StringOfN(rapid.RuneFrom([]rune(refusedLetters)), 1, 12, -1)
	rapid.Check(t, func(rt *rapid.T) {
		streaming := rapid.SampledFrom([]callwright.StreamCalls{callwright.StreamAuto, callwright.StreamFlowing, callwright.StreamHeld}).Draw(rt, "stream_calls")
		var answers []any
		corrections := rapid.IntRange(0, 2).Draw(rt, "corrections")
		for range corrections + 1 {
			answers = append(answers, ruledAnswer(rt, words))
		}
		m := ruled{&scripted{name: "lab/m", answers: answers}, banned{"get_weather", "", callcheck.Finding{Rule: "none", Action: callcheck.Refuse}}}
		req := ask(callwright.Choice{})
		req.Tools = append(slices.Clone(weather), callwright.Tool{Name: "get_time", Schema: []byte(`{"type":"object"}`)})
		client := reliable.New(m, reliable.WithStreamCalls(streaming), reliable.WithMaxCorrections(corrections))
		for b, err := range client.Batches(t.Context(), received(req)) {
			if err != nil {
				rt.Fatal(err)
			}
			got := string(b.Raw)
			for _, ev := range b.Events {
				switch ev := ev.(type) {
				case callwright.Done:
					continue // the report quotes what was refused
				case callwright.CallEnd:
					got += ev.Call.Name + string(ev.Call.Arguments)
				default:
					got += fmt.Sprintf("%+v", ev)
				}
			}
			if strings.ContainsAny(got, refusedLetters) || strings.Contains(got, "get_weather{") {
				rt.Fatalf("the client got %q", got)
			}
		}
	})
}

// ruledAnswer is an answer of one to three calls in a form that is drawn, in pieces.
func ruledAnswer(rt *rapid.T, words *rapid.Generator[string]) []callwright.Event {
	out := []callwright.Event{callwright.Begin{}}
	form := rapid.SampledFrom([]string{"native", "hermes", "bare", "fence", "tags"}).Draw(rt, "form")
	for i := range rapid.IntRange(1, 3).Draw(rt, "calls") {
		name, arguments := "get_time", `{"at":"noon"}`
		if rapid.Bool().Draw(rt, "refused") {
			name, arguments = "get_weather", `{"city":"`+words.Draw(rt, "city")+`"}`
		}
		if form == "native" {
			out = append(out, withBytes(rt, callwright.CallBegin{Index: i, ID: fmt.Sprint("call_", i), Name: name})...)
			for _, p := range cuts(rt, arguments) {
				out = append(out, withBytes(rt, callwright.CallDelta{Index: i, Text: p})...)
			}
			out = append(out, withBytes(rt, callwright.CallEnd{Index: i})...)
			continue
		}
		for _, p := range cuts(rt, writtenAs(form, name, arguments)) {
			out = append(out, withBytes(rt, callwright.TextDelta{Text: p})...)
		}
	}
	finish := callwright.FinishStop
	if form == "native" {
		finish = callwright.FinishCalls
	}
	return append(out, withBytes(rt, callwright.End{Finish: finish})...)
}

// writtenAs is a call as text.
func writtenAs(form, name, arguments string) string {
	call := `{"name":"` + name + `","arguments":` + arguments + `}`
	switch form {
	case "hermes":
		return "<tool_call>\n" + call + "\n</tool_call>\n"
	case "fence":
		return "```json\n" + call + "\n```\n"
	case "tags":
		out := "<tool_call>\n<function=" + name + ">\n"
		var args map[string]string
		_ = json.Unmarshal([]byte(arguments), &args)
		for key, value := range args {
			out += "<parameter=" + key + ">\n" + value + "\n</parameter>\n"
		}
		return out + "</function>\n</tool_call>\n"
	}
	return call + "\n"
}

// withBytes is an event with bytes of its own, or without, after which the answer may stop for a while.
func withBytes(rt *rapid.T, ev callwright.Event) []callwright.Event {
	out := []callwright.Event{ev}
	if rapid.Bool().Draw(rt, "bytes") {
		out = []callwright.Event{rawOf{Wire: callwright.WireOpenAI, Bytes: fmt.Appendf(nil, "%+v", ev), Events: 1}, ev}
	}
	if rapid.Bool().Draw(rt, "pause") {
		out = append(out, pause{})
	}
	return out
}

// cuts are the pieces of a text, cut between characters.
func cuts(rt *rapid.T, s string) (out []string) {
	for rest := []rune(s); len(rest) > 0; {
		n := rapid.IntRange(1, len(rest)).Draw(rt, "cut")
		out, rest = append(out, string(rest[:n])), rest[n:]
	}
	return out
}

// A tool that the provider runs itself is left out where a rule refuses each of its calls, and only noted where it may refuse some.
func TestBarredTools(t *testing.T) {
	search := callwright.Tool{Name: "web_search", Type: callwright.HostedTool, Extra: callwright.Extra{Wire: callwright.WireAnthropic, JSON: []byte(`{"type":"web_search_20250305","name":"web_search"}`)}}
	for name, c := range map[string]struct {
		rules banned
		opts  []reliable.Option
		tools int
		note  string
	}{
		"each call":       {rules: banned{"web_search", "", notHere}, tools: 1, note: callcheck.RuleBarred},
		"some calls":      {rules: banned{"web_search", "x", notHere}, tools: 2, note: callcheck.RuleUnchecked},
		"another tool":    {rules: banned{"get_weather", "", notHere}, tools: 2},
		"policy observe":  {rules: banned{"web_search", "", notHere}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyObserve)}, tools: 2, note: callcheck.RuleBarred},
		"without a check": {rules: banned{"web_search", "", notHere}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyOff)}, tools: 2},
	} {
		m := ruled{&scripted{name: "lab/m", answers: []any{text("Cold.")}}, c.rules}
		req := ask(callwright.Choice{})
		req.Tools = append(slices.Clone(weather), search)
		resp, err := reliable.New(m, c.opts...).Generate(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		tools, err := m.asked[0].DeclaredTools()
		if err != nil || len(tools) != c.tools {
			t.Errorf("%s: %d tools were sent, want %d: %v", name, len(tools), c.tools, err)
		}
		for _, rule := range []string{callcheck.RuleBarred, callcheck.RuleUnchecked} {
			if slices.Contains(rulesIn(resp.Report), rule) != (rule == c.note) {
				t.Errorf("%s: notes %v", name, rulesIn(resp.Report))
			}
		}
	}
}
