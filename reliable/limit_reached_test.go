package reliable_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/internal/wire/wiretest"
	"github.com/callwright/callwright/reliable"
)

// wholeOf are the events of a whole response, as the client gets them.
func wholeOf(t *testing.T, c wire.Codec, body string) []callwright.Event {
	t.Helper()
	resp, err := c.DecodeResponse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return resp.Events()
}

// Free text that the output limit cut is not run, whatever API the provider has.
func TestCutFreeTextIsNotRun(t *testing.T) {
	tools := []callwright.Tool{{Name: "shell", Type: callwright.CustomTool}}
	const chat = `{"id":"x","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"length","message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"custom","custom":{"name":"shell","input":"rm -rf /srv/o"}}]}}]}`
	const resp = `{"id":"resp_1","object":"response","status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"model":"m","output":[{"id":"ctc_1","type":"custom_tool_call","status":"incomplete","call_id":"call_1","name":"shell","input":"rm -rf /srv/o"}]}`
	for name, events := range map[string][]callwright.Event{"chat": wholeOf(t, openai.Codec{}, chat), "responses": wholeOf(t, responses.Codec{}, resp)} {
		x, err := reliable.Extract(events, tools, reliable.ExtractOptions{})
		if err != nil || len(x.Calls) != 0 {
			t.Errorf("%s: %v, %+v", name, err, x.Calls)
		}
	}
	stream := `data: {"id":"x","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","tool_calls":[{"index":0,"id":"call_1","type":"custom","custom":{"name":"shell","input":"rm -rf /srv/o"}}]},"finish_reason":null}]}

data: {"id":"x","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}

data: [DONE]

`
	if got := wiretest.Decode(openai.Codec{}, strings.NewReader(stream)).Dump(); !strings.Contains(got, "end length") {
		t.Errorf("streamed: got %s", got)
	}
}

// A call that another event follows was not cut, and the last call of a wrapper may be.
func TestWhereTheLimitCame(t *testing.T) {
	wrapper := `{"tool_uses":[{"recipient_name":"functions.get_weather","parameters":{"city":"Os"}}]}`
	behind := func(answer []callwright.Event) []callwright.Event {
		return slices.Insert(slices.Clone(answer), len(answer)-1, callwright.Event(callwright.TextDelta{Text: "And n"}))
	}
	for name, c := range map[string]struct {
		events []callwright.Event
		calls  int
	}{
		"a wrapper":                  {native("multi_tool_use.parallel", wrapper, callwright.FinishLength), 0},
		"arguments in the name":      {native(`get_weather{"city":"Os"}`, "{}", callwright.FinishLength), 0},
		"text behind a mended call":  {behind(native("get_weather", `{'city':'Oslo'}`, callwright.FinishLength)), 1},
		"text behind a coerced call": {behind(native("get_weather", `{"city":"Oslo","days":"3"}`, callwright.FinishLength)), 1},
	} {
		x, err := reliable.Extract(c.events, weather, reliable.ExtractOptions{})
		if err != nil || len(x.Calls) != c.calls {
			t.Errorf("%s: %v, %+v, %+v", name, err, x.Calls, x.Invalid)
		}
	}
}

// What a provider could not parse is not shown in a stream either.
func TestUnparsedCallIsNotStreamed(t *testing.T) {
	for _, said := range []string{`print(default_api.get_wether(city="Os`, `call:default_api:get_wether{city:Os`} {
		unparsed := &callwright.Error{Kind: callwright.KindRefusedCall, Message: "the model's call could not be parsed", Finish: callwright.FinishMalformedCall, Recovered: said}
		for way, deliver := range deliveries {
			m := &scripted{name: "lab/m", answers: []any{unparsed, goodCall}}
			resp, err := deliver(reliable.New(m, reliable.WithOneMode()), ask(callwright.Choice{}))
			if err != nil || resp.Text() != "" || len(resp.Calls()) != 1 {
				t.Errorf("%s, %s: %v, %q", way, said, err, outcome(resp, err))
			}
		}
	}
}

// The usage of all attempts is reported, also where the last one reports none, with its details.
func TestUsageOfAllAttempts(t *testing.T) {
	used := func(answer []callwright.Event, cached int) []callwright.Event {
		u := callwright.Usage{Known: true, Input: 100, Output: 10, CacheRead: cached, Extra: callwright.Extra{Wire: callwright.WireOpenAI,
			JSON: fmt.Appendf(nil, `{"prompt_tokens":100,"prompt_tokens_details":{"cached_tokens":%d}}`, cached)}}
		return slices.Insert(slices.Clone(answer), 1, callwright.Event(callwright.UsageDelta{Usage: u}))
	}
	for way, deliver := range deliveries {
		resp, err := deliver(reliable.New(&scripted{name: "lab/m", answers: []any{used(badCall, 80), goodCall}}, reliable.WithOneMode()), ask(callwright.Choice{}))
		if err != nil || resp.Usage.Input != 100 {
			t.Errorf("%s, none in the last: %v, %+v", way, err, resp.Usage)
		}
		resp, err = deliver(reliable.New(&scripted{name: "lab/m", answers: []any{used(badCall, 80), used(goodCall, 5)}}, reliable.WithOneMode()), ask(callwright.Choice{}))
		if err != nil || resp.Usage.CacheRead != 85 || !strings.Contains(string(resp.Usage.Extra.JSON), `"cached_tokens":85`) {
			t.Errorf("%s, both: %v, %+v %s", way, err, resp.Usage, resp.Usage.Extra.JSON)
		}
	}
}

// A call that fails after a part of it was streamed is named in the report, and no change of it is.
func TestReportOfAFailedStream(t *testing.T) {
	events := []callwright.Event{callwright.Begin{}, callwright.CallBegin{ID: "call_1", Name: "get_weather"}, callwright.CallDelta{Text: `{"city":"Oslo",`}, pause{},
		callwright.CallDelta{Text: `"days":"3"}`}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}}
	m := &scripted{name: "lab/m", answers: []any{events}}
	_, err := deliveries["streamed"](reliable.New(m, reliable.WithOneMode(), reliable.WithStreamCalls(callwright.StreamFlowing)), ask(callwright.Choice{}))
	rep := reportOf(nil, err)
	if len(rep.Invalid) != 1 || rep.Invalid[0].Name != "get_weather" || slices.ContainsFunc(rep.Notes, func(n callwright.Note) bool { return strings.HasPrefix(n.Rule, "coerce.") }) {
		t.Errorf("got %+v, %+v", rep.Invalid, rep.Notes)
	}
}

// A custom call of a function becomes a call of the function.
func TestCustomCallOfAFunction(t *testing.T) {
	v, err := reliable.Validate(callwright.Call{ID: "c", Name: "get_weather", Type: callwright.CustomTool, Input: oslo}, weather, reliable.ValidateOptions{})
	if err != nil || !v.OK || v.Call.Type != callwright.FunctionTool || v.Call.Input != "" || string(v.Call.Arguments) != oslo {
		t.Errorf("%v, %+v", err, v)
	}
}
