package reliable_test

import (
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable"
)

// A tool is called by those alone that it is for: a call of the model's own of a tool that only code at the provider may call, natively or
// in text, whole or in a stream, does not leave, and the model is told why; nor does one by code of a tool that is for the model.
func TestCallersOfTools(t *testing.T) {
	tool := func(callers string) callwright.Tool {
		x := callwright.Extra{Wire: callwright.WireAnthropic}
		if callers != "" {
			x.JSON = []byte(`{"allowed_callers":` + callers + `}`)
		}
		return callwright.Tool{Name: "query", Schema: []byte(`{"type":"object","properties":{"q":{"type":"string"}}}`), Extra: x}
	}
	by := func(caller string) []callwright.Event {
		begin := callwright.CallBegin{ID: "toolu_1", Name: "query"}
		if caller != "" {
			begin.Extra = callwright.Extra{Wire: callwright.WireAnthropic, JSON: []byte(`{"caller":{"type":"` + caller + `"}}`)}
		}
		return []callwright.Event{callwright.Begin{}, begin, callwright.CallDelta{Text: `{"q":"x"}`}, pause{}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}}
	}
	written := text(`<tool_call>{"name":"query","arguments":{"q":"x"}}</tool_call>`)
	const onlyCode, both, onlyModel, programs = `["code_execution_20250825"]`, `["direct","code_execution_20250825"]`, `["direct"]`, `["programmatic"]`
	for name, c := range map[string]struct {
		callers string
		answer  []callwright.Event
		leaves  bool
	}{
		"code's, by code": {onlyCode, by("code_execution_20250825"), true}, "code's, by the model": {onlyCode, by("direct"), false},
		"code's, by nobody": {onlyCode, by(""), false}, "code's, in text": {onlyCode, written, false},
		"the model's, by the model": {onlyModel, by("direct"), true}, "the model's, by nobody": {onlyModel, by(""), true},
		"the model's, by code": {onlyModel, by("code_execution_20250825"), false}, "a program's, by one": {programs, by("program"), true}, "a program's, by the model": {programs, by(""), false},
		"for both, by code": {both, by("code_execution_20250825"), true}, "for both, by the model": {both, by("direct"), true}, "for both, in text": {both, written, true},
		"for all, by the model": {"", by("direct"), true}, "for all, by nobody": {"", by(""), true}, "for none said": {"[]", by(""), true},
	} {
		for _, flow := range []callwright.StreamCalls{callwright.StreamHeld, callwright.StreamFlowing} {
			for way, deliver := range deliveries {
				t.Run(name+"/"+string(flow)+"/"+way, func(t *testing.T) {
					m := &scripted{name: "lab/m", answers: []any{c.answer, text("I cannot.")}}
					req := ask(callwright.Choice{})
					req.Tools = []callwright.Tool{tool(c.callers), weather[0]}
					resp, err := deliver(reliable.New(m, reliable.WithStreamCalls(flow), reliable.WithOneMode()), req)
					if err != nil {
						t.Fatal(err)
					}
					if left := len(resp.Calls()) == 1; left != c.leaves {
						t.Fatalf("got the calls %v", resp.Calls())
					}
					if invalid := resp.Report.Invalid; !c.leaves && (len(invalid) != 1 || invalid[0].Why != callwright.InvalidUndeclared || len(m.asked) != 2) {
						t.Errorf("invalid %+v, asked %d times", invalid, len(m.asked))
					}
				})
			}
		}
	}
}

// The calls of one that wraps several are calls of their own: what the provider's API says of the wrapper, such as the id of its item, is
// said of none of them.
func TestCallsOfAWrapperHaveNoMembersOfIt(t *testing.T) {
	wrapper := callwright.CallBegin{ID: "call_1", Name: "multi_tool_use.parallel", Extra: callwright.Extra{Wire: callwright.WireResponses, JSON: []byte(`{"id":"fc_1"}`)}}
	answer := []callwright.Event{callwright.Begin{}, wrapper, callwright.CallDelta{Text: `{"tool_uses":[{"recipient_name":"functions.get_weather","parameters":{"city":"Oslo"}},` +
		`{"recipient_name":"functions.get_weather","parameters":{"city":"Rome"}}]}`}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}}
	for way, deliver := range deliveries {
		req := ask(callwright.Choice{})
		req.Tools = weather
		resp, err := deliver(reliable.New(&scripted{name: "lab/m", answers: []any{answer}}, reliable.WithOneMode()), req)
		if err != nil || len(resp.Calls()) != 2 {
			t.Fatalf("%s: %v, calls %v", way, err, resp)
		}
		for _, c := range resp.Calls() {
			if c.Extra.JSON != nil {
				t.Errorf("%s: the call %s has %s", way, c.ID, c.Extra.JSON)
			}
		}
	}
}
