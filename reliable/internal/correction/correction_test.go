package correction_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/schema"
	"github.com/google/go-cmp/cmp"
)

var (
	declared = []callwright.Tool{
		{Name: "look", Schema: []byte(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)},
		{Name: "patch", Type: callwright.CustomTool},
	}
	good      = callwright.Call{ID: "g1", Name: "look", Arguments: []byte(`{"n":1}`)}
	wrong     = callwright.InvalidCall{Name: "look", Raw: `{"n":"x"}`, Violations: []callwright.Violation{{Path: "/n", Message: "expected integer"}}}
	broken    = callwright.InvalidCall{Name: "look", Raw: `{"n":`, Violations: []callwright.Violation{{Message: "cut"}}}
	unknown   = callwright.InvalidCall{Name: "leap", Raw: `{}`, Why: callwright.InvalidUndeclared, Violations: []callwright.Violation{{Message: `no tool is named "leap"`}}}
	unpatched = callwright.InvalidCall{Name: "patch", Raw: "*** Begin", Type: callwright.CustomTool, Violations: []callwright.Violation{{Message: "cut"}}}
)

// written is a wrong call of look with a raw text.
func written(raw string) callwright.InvalidCall {
	call := wrong
	call.Raw = raw
	return call
}

// answered is the outcome of an answer.
func answered(text string, finish callwright.Finish, goods []callwright.Call, invalid ...callwright.InvalidCall) *inbound.Outcome {
	out := &inbound.Outcome{Good: goods, Invalid: invalid, End: &callwright.End{Finish: finish}}
	out.Visible.WriteString(text)
	return out
}

// lines are messages in a line each.
func lines(msgs []callwright.Message) []string {
	var out []string
	for _, m := range msgs {
		line := string(m.Role)
		for _, p := range m.Parts {
			switch p := p.(type) {
			case callwright.Text:
				line += " text " + p.Text
			case callwright.Call:
				line += " call " + p.ID + " " + p.Name + " " + string(p.Arguments) + p.Input
			case callwright.Result:
				line += " result " + p.CallID + " " + p.Text()
			}
		}
		out = append(out, strings.ReplaceAll(line, "\n", "|"))
	}
	return out
}

func TestRequest(t *testing.T) {
	const taken = "This call was accepted. Its result follows later: do not make it again."
	for name, tc := range map[string]struct {
		c      correction.Correction
		choice callwright.Choice
		out    *inbound.Outcome
		want   []string
	}{
		"a native call that breaks its schema": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Native}, callwright.Choice{},
			answered("Looking.", callwright.FinishCalls, nil, wrong),
			[]string{`assistant text Looking. call call_1 look {"n":"x"}`, "tool result call_1 The call of look was not executed:|- /n: expected integer|Write the call again, complete and corrected."}},
		"arguments with the name of the tool": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Native, Next: caps.Native}, callwright.Choice{},
			answered("", callwright.FinishCalls, nil, written(`{"action":"look","data":{"n":"x"}}`)),
			[]string{`assistant call call_1 look {"action":"look","data":{"n":"x"}}`, "tool result call_1 The call of look was not executed:|- /n: expected integer|Write the call again, complete and corrected."}},
		"a call in the text of a native answer": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Native, Next: caps.Native}, callwright.Choice{},
			answered("", callwright.FinishCalls, nil, written(`{"arguments":{"n":"x"},"name":"look"}`)),
			[]string{`assistant call call_1 look {"n":"x"}`, "tool result call_1 The call of look was not executed:|- /n: expected integer|Write the call again, complete and corrected."}},
		"a call with other names of its members": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Native, Next: caps.Native}, callwright.Choice{},
			answered("", callwright.FinishCalls, nil, written(`{"action":"look","action_input":{"n":"x"}}`)),
			[]string{`assistant call call_1 look {"n":"x"}`, "tool result call_1 The call of look was not executed:|- /n: expected integer|Write the call again, complete and corrected."}},
		"a call in a document, before a native request": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.JSONSchema, Next: caps.Native}, callwright.Choice{},
			answered("", callwright.FinishStop, nil, written(`{"name":"look","arguments":{"n":"x"}}`)),
			[]string{`assistant call call_1 look {"n":"x"}`, "tool result call_1 The call of look was not executed:|- /n: expected integer|Write the call again, complete and corrected."}},
		"a call in a document without an object": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.JSONSchema, Next: caps.Native}, callwright.Choice{},
			answered("", callwright.FinishStop, nil, written(`{"name":"look","arguments":"x"}`)),
			[]string{`assistant call call_1 look {}`, `tool result call_1 The call of look was not executed:|- /n: expected integer|Write the call again, complete and corrected.|You wrote: {"name":"look","arguments":"x"}`}},
		"beside a good one": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Native}, callwright.Choice{},
			answered("", callwright.FinishCalls, []callwright.Call{good}, wrong),
			[]string{`assistant call g1 look {"n":1} call call_1 look {"n":"x"}`, "tool result g1 " + taken + " result call_1 The call of look was not executed:|- /n: expected integer|Write the call again, complete and corrected."}},
		"arguments that are no object": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Native}, callwright.Choice{},
			answered("", callwright.FinishCalls, nil, broken),
			[]string{`assistant call call_1 look {}`, `tool result call_1 The call of look was not executed:|- cut|Write the call again, complete and corrected.|You wrote: {"n":`}},
		"a custom tool": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Native}, callwright.Choice{},
			answered("", callwright.FinishCalls, nil, unpatched),
			[]string{`assistant call call_1 patch *** Begin`, `tool result call_1 The call of patch was not executed:|- cut|Write the call again, complete and corrected.`}},
		"a custom tool as a function": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Native}, callwright.Choice{},
			answered("", callwright.FinishCalls, nil, callwright.InvalidCall{Name: "patch", Raw: `{"input":"*** Begin"}`, Violations: unpatched.Violations}),
			[]string{`assistant call call_1 patch *** Begin`, `tool result call_1 The call of patch was not executed:|- cut|Write the call again, complete and corrected.`}},
		"a custom tool as a function of another form": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Native}, callwright.Choice{},
			answered("", callwright.FinishCalls, nil, callwright.InvalidCall{Name: "patch", Raw: `{"patch":"*** Begin"}`, Violations: unpatched.Violations}),
			[]string{`assistant call call_1 patch `, `tool result call_1 The call of patch was not executed:|- cut|Write the call again, complete and corrected.|You wrote: {"patch":"*** Begin"}`}},
		"free text that looks like arguments": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Native}, callwright.Choice{},
			answered("", callwright.FinishCalls, nil, callwright.InvalidCall{Name: "patch", Raw: `{"input":"x"}`, Type: callwright.CustomTool, Violations: unpatched.Violations}),
			[]string{`assistant call call_1 patch {"input":"x"}`, `tool result call_1 The call of patch was not executed:|- cut|Write the call again, complete and corrected.`}},
		"an undeclared name": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Native}, callwright.Choice{},
			answered("", callwright.FinishCalls, []callwright.Call{good}, unknown),
			[]string{`assistant text {} call g1 look {"n":1}`, "tool result g1 " + taken, `user text The call of leap was not executed:|- no tool is named "leap"|Call one of these tools, or answer in text if none of them fits.`}},
		"an undeclared name where a call is required": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Text}, callwright.Choice{Mode: callwright.ChoiceRequired},
			answered("", callwright.FinishStop, nil, unknown),
			[]string{`assistant text {}`, `user text The call of leap was not executed:|- no tool is named "leap"|Call one of these tools.`}},
		"an undeclared name beside a broken call": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Text}, callwright.Choice{},
			answered("So:", callwright.FinishStop, nil, unknown, wrong),
			[]string{`assistant text So:|{}|{"n":"x"}`, `user text The call of leap was not executed:|- no tool is named "leap"|The call of look was not executed:|- /n: expected integer|Write the call again, complete and corrected.`}},
		"in text mode": {correction.Correction{Rule: correction.RuleInvalid, Mode: caps.Text}, callwright.Choice{},
			answered("So:", callwright.FinishStop, nil, wrong),
			[]string{`assistant text So:|{"n":"x"}`, "user text The call of look was not executed:|- /n: expected integer|Write the call again, complete and corrected."}},
		"no call where one is required": {correction.Correction{Rule: correction.RuleInvalid}, callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"look"}},
			answered("Hm.", callwright.FinishStop, nil), []string{"assistant text Hm.", "user text No tool was called. You must call the tool look."}},
		"nothing": {correction.Correction{Rule: correction.RuleEmpty}, callwright.Choice{}, answered("", callwright.FinishStop, nil),
			[]string{"assistant text (no answer)", "user text Go on. Give your answer, or call a tool."}},
		"nothing, where no tool may be called": {correction.Correction{Rule: correction.RuleEmpty}, callwright.Choice{Mode: callwright.ChoiceNone}, answered("", callwright.FinishStop, nil),
			[]string{"assistant text (no answer)", "user text Go on. Give your answer."}},
		"a call that could not be read": {correction.Correction{Rule: correction.RuleInvalid}, callwright.Choice{}, answered("", callwright.FinishMalformedCall, nil),
			[]string{"assistant text (no answer)", "user text Your tool call could not be read. Write the call again, or answer in text."}},
		"another form than was asked for": {correction.Correction{Rule: correction.RuleWrongForm}, callwright.Choice{}, answered("Four.", callwright.FinishStop, nil),
			[]string{"assistant text Four.", "user text Give this answer as the JSON object that was asked for."}},
	} {
		t.Run(name, func(t *testing.T) {
			tools, err := judge.NewToolset(declared, schema.NewCache(4))
			if err != nil {
				t.Fatal(err)
			}
			req := &callwright.Request{Messages: []callwright.Message{callwright.UserText("q")}, Tools: declared, Params: callwright.Params{Choice: tc.choice}}
			tc.c.Toolset, tc.c.Mint = tools, func(prefix string) string { return prefix + "1" }
			next, err := tc.c.Request(req, tc.out)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tc.want, lines(next.Messages[1:])); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if len(req.Messages) != 1 || len(req.Tools) != 2 {
				t.Error("the request that was answered has changed")
			}
		})
	}
}

// A correction that lists what is wrong is bounded, however much is.
func TestManyViolations(t *testing.T) {
	many := wrong
	many.Violations = make([]callwright.Violation, 500)
	tools, err := judge.NewToolset(declared, schema.NewCache(4))
	if err != nil {
		t.Fatal(err)
	}
	c := correction.Correction{Toolset: tools, Mode: caps.Text, Rule: correction.RuleInvalid}
	next, err := c.Request(&callwright.Request{Messages: []callwright.Message{callwright.UserText("q")}}, answered("", callwright.FinishStop, nil, many))
	if err != nil {
		t.Fatal(err)
	}
	said := lines(next.Messages)
	if last := said[len(said)-1]; !strings.Contains(last, "and 490 more") || strings.Count(last, "|") > 12 {
		t.Errorf("the model is told %s", last)
	}
}
