package reliable_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// A scripted is a Model that plays answers in turn and keeps what it was asked. An answer is a list of events, an error, or
// a brokenOff.
type scripted struct {
	name    callwright.ModelID
	caps    caps.Caps
	answers []any
	asked   []*callwright.Request
}

func (s *scripted) ID() callwright.ModelID         { return s.name }
func (s *scripted) Caps(context.Context) caps.Caps { return s.caps }

func (s *scripted) next(req *callwright.Request) ([]callwright.Event, error) {
	s.asked = append(s.asked, req)
	if len(s.asked) > len(s.answers) {
		return nil, &callwright.Error{Kind: callwright.KindInternal, Message: "asked too often"}
	}
	switch a := s.answers[len(s.asked)-1].(type) {
	case *callwright.Error:
		return nil, a
	case []callwright.Event:
		return a, nil
	case brokenOff:
		return a.events, a.err
	}
	panic("an answer is events or an error")
}

// A brokenOff is an answer whose stream ends in an error.
type brokenOff struct {
	events []callwright.Event
	err    *callwright.Error
}

func (s *scripted) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	events, err := s.next(req)
	if err != nil {
		return nil, err
	}
	return callwright.Collect(func(yield func(callwright.Event, error) bool) {
		for _, ev := range events {
			if !yield(ev, nil) {
				return
			}
		}
	})
}

func (s *scripted) Stream(_ context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		events, err := s.next(req)
		for _, ev := range events {
			if !yield(ev, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

const oslo = `{"city":"Oslo"}`

var (
	goodCall    = native("get_weather", oslo, callwright.FinishCalls)
	badCall     = native("get_weather", `{"town":5}`, callwright.FinishCalls)
	inHermes    = text(`<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`)
	onlyThought = []callwright.Event{callwright.Begin{}, callwright.ReasoningDelta{Text: "Let me call it."}, callwright.ReasoningEnd{}, callwright.End{Finish: callwright.FinishStop}}
	pausing     = []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "Searching."}, callwright.End{Finish: callwright.FinishPause}}
	cutCall     = native("get_weather", `{"city":"Os`, callwright.FinishLength)
	noTools     = &callwright.Error{Kind: callwright.KindUnsupported, Feature: "tools", Status: 400, Message: "m does not support tools"}
	isDown      = &callwright.Error{Kind: callwright.KindUnavailable, Message: "no connection"}
	forcedOne   = callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"get_weather"}}
)

func ask(choice callwright.Choice) *callwright.Request {
	return &callwright.Request{
		Model:    "lab/m",
		Messages: []callwright.Message{{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: "Weather in Oslo?"}}}},
		Tools:    weather,
		Params:   callwright.Params{Choice: choice},
	}
}

// outcome is an answer or an error in one line a thing.
func outcome(resp *callwright.Response, err error) []string {
	if err != nil {
		return []string{"error " + string(callwright.KindOf(err))}
	}
	var out []string
	for _, c := range resp.Calls() {
		out = append(out, "call "+c.Name+" "+string(c.Arguments))
	}
	if t := resp.Text(); t != "" {
		out = append(out, "text "+t)
	}
	return append(out, "finish "+string(resp.Finish))
}

func attempts(rep *callwright.Report) []string {
	var out []string
	for _, a := range rep.Attempts {
		out = append(out, fmt.Sprintf("%s %s %s", a.Model, a.Mode, a.Why))
	}
	return out
}

func reportOf(resp *callwright.Response, err error) *callwright.Report {
	if err != nil {
		return err.(*callwright.Error).Report
	}
	return resp.Report
}

func TestClient(t *testing.T) {
	called := []string{"call get_weather " + oslo, "finish tool_calls"}
	for _, tc := range []struct {
		name     string
		caps     caps.Caps
		answers  []any
		fallback []any
		choice   callwright.Choice
		opts     []reliable.Option
		want     []string
		attempts []string
	}{
		{name: "good at once", answers: []any{goodCall}, want: called, attempts: []string{"lab/m native first"}},
		{name: "corrected", answers: []any{badCall, goodCall}, want: called,
			attempts: []string{"lab/m native first", "lab/m native correction"}},
		{name: "corrections run out, then another mode", answers: []any{badCall, badCall, badCall, inHermes}, want: called,
			attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction", "lab/m text other mode"}},
		{name: "no corrections allowed", answers: []any{badCall, badCall}, opts: []reliable.Option{reliable.WithMaxCorrections(0)},
			want: []string{"error invalid_tool_call"}, attempts: []string{"lab/m native first", "lab/m text other mode"}},
		{name: "one mode only", answers: []any{badCall}, opts: []reliable.Option{reliable.WithMaxCorrections(0), reliable.WithOneMode()},
			want: []string{"error invalid_tool_call"}, attempts: []string{"lab/m native first"}},
		{name: "without tools of its own", answers: []any{noTools, inHermes}, want: called,
			attempts: []string{"lab/m native first", "lab/m text other mode"}},
		{name: "known to be without tools", caps: caps.Caps{Tools: caps.No}, answers: []any{inHermes}, want: called,
			attempts: []string{"lab/m text first"}},
		{name: "structured", caps: caps.Caps{Tools: caps.No, JSONSchema: caps.Yes}, want: called,
			answers: []any{text(`{"scratchpad":"hm","toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo"}}]}`)}, attempts: []string{"lab/m json_schema first"}},
		{name: "structured answer", caps: caps.Caps{Tools: caps.No, JSONSchema: caps.Yes},
			answers: []any{text(`{"answer":"It is cold."}`)}, want: []string{"text It is cold.", "finish stop"}, attempts: []string{"lab/m json_schema first"}},
		{name: "a scratchpad alone is no answer", caps: caps.Caps{Tools: caps.No, JSONSchema: caps.Yes}, want: []string{"text Cold.", "finish stop"},
			answers: []any{text(`{"scratchpad":"let me think"}`), text(`{"answer":"Cold."}`)}, attempts: []string{"lab/m json_schema first", "lab/m json_schema correction"}},
		{name: "the other model", answers: []any{isDown}, fallback: []any{goodCall}, want: called,
			attempts: []string{"lab/m native first", "lab/spare native fallback"}},
		{name: "the client's own mistake goes nowhere", answers: []any{&callwright.Error{Kind: callwright.KindInvalid}}, fallback: []any{goodCall},
			want: []string{"error invalid_request"}, attempts: []string{"lab/m native first"}},
		{name: "forced and made", answers: []any{text("Sure."), goodCall}, choice: forcedOne, want: called,
			attempts: []string{"lab/m native first", "lab/m native correction"}},
		{name: "forced in words and made", caps: caps.Caps{ChoiceForced: caps.No}, answers: []any{text("Sure."), goodCall}, choice: forcedOne, want: called,
			attempts: []string{"lab/m native first", "lab/m native correction"}},
		{name: "forced in words, and made as text", caps: caps.Caps{Tools: caps.No}, answers: []any{text("Sure."), inHermes}, choice: forcedOne, want: called,
			attempts: []string{"lab/m text first", "lab/m text correction"}},
		{name: "forced and never made", answers: []any{text("A."), text("B."), text("C."), text("D.")}, choice: forcedOne, want: []string{"error missing_tool_call"},
			attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction", "lab/m text other mode"}},
		{name: "none and made", answers: []any{goodCall}, choice: callwright.Choice{Mode: callwright.ChoiceNone}, want: []string{"finish stop"}, attempts: []string{"lab/m native first"}},
		{name: "plain text is left", answers: []any{append([]callwright.Event{callwright.TextDelta{Text: "Cold, I guess."}}, badCall...)},
			opts: []reliable.Option{reliable.WithMaxCorrections(0), reliable.WithOneMode()},
			want: []string{"text Cold, I guess.", "finish stop"}, attempts: []string{"lab/m native first"}},
		{name: "refused text is read", answers: []any{&callwright.Error{Kind: callwright.KindRefusedCall, Recovered: `<function=get_weather>{"city":"Oslo"}</function>`}},
			want: called, attempts: []string{"lab/m native first"}},
		{name: "the model refuses inside a call", answers: []any{endedInside(`{"city":"Os`, callwright.FinishContentFilter)},
			want: []string{"text Well.", "finish content_filter"}, attempts: []string{"lab/m native first"}},
		{name: "the model refuses between arguments", answers: []any{endedInside(`{"city":"Oslo"`, callwright.FinishContentFilter)},
			want: []string{"text Well.", "finish content_filter"}, attempts: []string{"lab/m native first"}},
		{name: "the model refuses although a call is required", answers: []any{[]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "I will not."}, callwright.End{Finish: callwright.FinishContentFilter}}},
			choice: callwright.Choice{Mode: callwright.ChoiceRequired}, want: []string{"text I will not.", "finish content_filter"}, attempts: []string{"lab/m native first"}},
		{name: "more work", answers: []any{text(`{"toolCalls":[],"content":"","needsMoreWork":true}`), goodCall}, want: called,
			attempts: []string{"lab/m native first", "lab/m native correction"}},
		{name: "empty, then good", answers: []any{text(""), text(""), goodCall}, want: called,
			attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction"}},
		{name: "empty for good", answers: []any{text(""), text(""), text("")}, opts: []reliable.Option{reliable.WithOneMode()}, want: []string{"error bad_answer"},
			attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction"}},
		{name: "paused", answers: []any{pausing, text(" Found.")}, want: []string{"text Searching. Found.", "finish stop"},
			attempts: []string{"lab/m native first", "lab/m native after a pause"}},
		{name: "cut inside a call", answers: []any{cutCall, cutCall, cutCall}, want: []string{"finish length"},
			attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction"}},
		{name: "cut inside a call that is required", answers: []any{cutCall, cutCall, cutCall}, choice: forcedOne, opts: []reliable.Option{reliable.WithOneMode()},
			want: []string{"error invalid_tool_call"}, attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction"}},
		{name: "only thought", answers: []any{onlyThought, onlyThought, onlyThought}, want: []string{"finish stop"},
			attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction"}},
		{name: "cut before anything was said", answers: []any{[]callwright.Event{callwright.Begin{}, callwright.End{Finish: callwright.FinishLength}}},
			want: []string{"finish length"}, attempts: []string{"lab/m native first"}},
		{name: "strict", answers: []any{native("get_weather", `{"city":"Oslo",}`, callwright.FinishCalls)}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyStrict)},
			want: []string{"error change_needed"}, attempts: []string{"lab/m native first"}},
		{name: "strict and nothing to change", answers: []any{goodCall}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyStrict)}, want: called, attempts: []string{"lab/m native first"}},
		{name: "observe", answers: []any{native("get_weather", `{"city":"Oslo",}`, callwright.FinishCalls)}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyObserve)},
			want: []string{`call get_weather {"city":"Oslo",}`, "finish tool_calls"}, attempts: []string{"lab/m native first"}},
		{name: "off", answers: []any{native("nonsense", `{`, callwright.FinishStop)}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyOff)},
			want: []string{"call nonsense {", "finish stop"}, attempts: []string{"lab/m native first"}},
	} {
		for _, way := range []string{"whole", "streamed"} {
			t.Run(tc.name+"/"+way, func(t *testing.T) {
				m := &scripted{name: "lab/m", caps: tc.caps, answers: tc.answers}
				opts := tc.opts
				if tc.fallback != nil {
					opts = append(opts, reliable.WithFallback(&scripted{name: "lab/spare", answers: tc.fallback}))
				}
				client := reliable.New(m, opts...)
				var resp *callwright.Response
				var err error
				if way == "whole" {
					resp, err = client.Generate(t.Context(), ask(tc.choice))
				} else {
					resp, err = callwright.Collect(client.Stream(t.Context(), ask(tc.choice)))
				}
				got := outcome(resp, err)
				if way == "streamed" && tc.name == "forced and made" {
					got = got[:0] // text that was seen stays: see TestStream
					tc.want = nil
				}
				if d := cmp.Diff(tc.want, got, cmpEmpty); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
				if way == "streamed" && tc.choice.Forced() {
					return
				}
				if d := cmp.Diff(tc.attempts, attempts(reportOf(resp, err))); d != "" {
					t.Errorf("attempts (-want +got)\n%s", d)
				}
			})
		}
	}
}

var cmpEmpty = cmp.FilterValues(func(a, b []string) bool { return len(a) == 0 && len(b) == 0 }, cmp.Ignore())

func TestCorrectionCarriesViolations(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{badCall, goodCall}}
	if _, err := reliable.New(m).Generate(t.Context(), ask(callwright.Choice{})); err != nil {
		t.Fatal(err)
	}
	msgs, err := m.asked[1].History()
	if err != nil {
		t.Fatal(err)
	}
	last := msgs[len(msgs)-1]
	res, ok := last.Parts[0].(callwright.Result)
	if !ok || !res.IsError {
		t.Fatalf("expected a failed result, got %#v", last.Parts[0])
	}
	said := callwright.TextOf(res.Parts)
	for _, word := range []string{"city", "town"} {
		if !strings.Contains(said, word) {
			t.Errorf("the correction does not name %q: %s", word, said)
		}
	}
	if call := callwright.CallsOf(msgs[len(msgs)-2].Parts); len(call) != 1 || call[0].ID != res.CallID {
		t.Errorf("the result answers %q, the calls are %v", res.CallID, call)
	}
}

func TestLearning(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{noTools, inHermes, inHermes}}
	client := reliable.New(m)
	for i, want := range [][]string{{"lab/m native first", "lab/m text other mode"}, {"lab/m text first"}} {
		resp, err := client.Generate(t.Context(), ask(callwright.Choice{}))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, attempts(resp.Report)); d != "" {
			t.Errorf("request %d (-want +got)\n%s", i, d)
		}
	}
	tools, err := m.asked[2].DeclaredTools()
	if err != nil || len(tools) > 0 {
		t.Errorf("text mode sent %d tools", len(tools))
	}
	msgs, _ := m.asked[2].History()
	if msgs[0].Role != callwright.RoleSystem || !strings.Contains(callwright.TextOf(msgs[0].Parts), "get_weather") {
		t.Errorf("text mode does not describe the tools: %v", msgs[0])
	}
}

// streamed gives every event of a stream as a line.
func streamed(seq iter.Seq2[callwright.Event, error]) []string {
	var out []string
	for ev, err := range seq {
		if err != nil {
			return append(out, "error "+string(callwright.KindOf(err)))
		}
		switch ev := ev.(type) {
		case callwright.Frame:
			out = append(out, fmt.Sprintf("frame %s %d", ev.Bytes, ev.Events))
		case callwright.Flush:
			out = append(out, "flush")
		case callwright.TextDelta:
			out = append(out, "text "+ev.Text)
		case callwright.CallBegin:
			out = append(out, fmt.Sprintf("begin %d %s", ev.Index, ev.Name))
		case callwright.CallDelta:
			out = append(out, "delta "+ev.Text)
		case callwright.CallEnd:
			out = append(out, "end "+string(ev.Call.Arguments))
		case callwright.End:
			out = append(out, "finish "+string(ev.Finish))
		}
	}
	return out
}

func TestStream(t *testing.T) {
	begin := callwright.CallBegin{ID: "c1", Name: "get_weather"}
	delta := func(s string) callwright.Event { return callwright.CallDelta{Text: s} }
	frame := func(s string, n int) callwright.Event {
		return callwright.Frame{Wire: callwright.WireOpenAI, Bytes: []byte(s), Events: n}
	}
	end := callwright.End{Finish: callwright.FinishCalls}
	txt := func(s string) callwright.Event { return callwright.TextDelta{Text: s} }
	stop := callwright.End{Finish: callwright.FinishStop}
	for _, tc := range []struct {
		name   string
		events []callwright.Event
		opts   []reliable.Option
		want   []string
	}{
		{"native calls flow", []callwright.Event{begin, delta(`{"city":`), callwright.Flush{}, delta(`"Oslo"}`), callwright.CallEnd{}, end}, nil,
			[]string{"begin 0 get_weather", `delta {"city":`, "flush", `delta "Oslo"}`, "end " + oslo, "finish tool_calls"}},
		{"held until judged", []callwright.Event{begin, delta(`{"city":`), callwright.Flush{}, delta(`"Oslo"}`), callwright.CallEnd{}, end},
			[]reliable.Option{reliable.WithStreamCalls(callwright.StreamHeld)},
			[]string{"begin 0 get_weather", `delta {"city":`, `delta "Oslo"}`, "end " + oslo, "finish tool_calls"}},
		{"held and mended", []callwright.Event{begin, delta(`{"city":"Oslo",`), callwright.Flush{}, delta(`"days":"3"}`), callwright.CallEnd{}, end},
			[]reliable.Option{reliable.WithStreamCalls(callwright.StreamHeld)},
			[]string{"begin 0 get_weather", `delta {"city":"Oslo","days":3}`, `end {"city":"Oslo","days":3}`, "finish tool_calls"}},
		{"flowed and broken", []callwright.Event{begin, delta(`{"city":`), callwright.Flush{}, delta(`nonsense`), callwright.CallEnd{}, end}, nil,
			[]string{"begin 0 get_weather", `delta {"city":`, "flush", "error invalid_tool_call"}},
		{"a brace alone waits, and what breaks behind it is mended", []callwright.Event{begin, callwright.Flush{}, delta(`{`), callwright.Flush{}, delta(`'city': 'Oslo',}`), callwright.Flush{}, callwright.CallEnd{}, end}, nil,
			[]string{"begin 0 get_weather", `delta {"city": "Oslo"}`, `end {"city": "Oslo"}`, "finish tool_calls"}},
		{"whole before anything was sent: mended", []callwright.Event{begin, delta(`{"city":"Oslo","days":"3"}`), callwright.Flush{}, callwright.CallEnd{}, end}, nil,
			[]string{"begin 0 get_weather", `delta {"city":"Oslo","days":3}`, `end {"city":"Oslo","days":3}`, "finish tool_calls"}},
		{"frames stay", []callwright.Event{frame("A", 1), txt("a < b"), callwright.Flush{}, frame("B", 1), txt("<tool"), callwright.Flush{}, frame("C", 1), txt(" shed"), frame("D", 1), stop, frame("E", 0)}, nil,
			[]string{"frame A 1", "text a < b", "flush", "frame B 1", "text <tool", "frame C 1", "text  shed", "frame D 1", "finish stop", "frame E 0"}},
		{"a frame that changes goes", []callwright.Event{frame("A", 1), txt("hi "), frame("B", 1), txt(`<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}`), frame("C", 1), txt("</tool_call>"), frame("D", 1), stop}, nil,
			[]string{"text hi", "begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}},
		{"frames of a held call stay", []callwright.Event{frame("A", 2), begin, delta(oslo), frame("B", 2), callwright.CallEnd{}, end},
			[]reliable.Option{reliable.WithStreamCalls(callwright.StreamHeld)},
			[]string{"frame A 2", "begin 0 get_weather", "delta " + oslo, "frame B 2", "end " + oslo, "finish tool_calls"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := &scripted{name: "lab/m", answers: []any{tc.events}}
			got := streamed(reliable.New(m, tc.opts...).Stream(t.Context(), ask(callwright.Choice{})))
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestBrokenFlowIsHeldNextTime(t *testing.T) {
	bad := []callwright.Event{callwright.CallBegin{ID: "c1", Name: "get_weather"}, callwright.CallDelta{Text: `{"city":"Oslo",`}, callwright.Flush{},
		callwright.CallDelta{Text: `"days":"3"}`}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}}
	m := &scripted{name: "lab/m", answers: []any{bad, bad}}
	client := reliable.New(m)
	if _, err := callwright.Collect(client.Stream(t.Context(), ask(callwright.Choice{}))); callwright.KindOf(err) != callwright.KindInvalidCall {
		t.Fatalf("expected %s, got %v", callwright.KindInvalidCall, err)
	}
	resp, err := callwright.Collect(client.Stream(t.Context(), ask(callwright.Choice{})))
	if d := cmp.Diff([]string{`call get_weather {"city":"Oslo","days":3}`, "finish tool_calls"}, outcome(resp, err)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// A refusal in the middle of a native call leaves only what its text says.
func TestRefusalInsideACall(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{brokenOff{
		events: []callwright.Event{callwright.Begin{}, callwright.CallBegin{ID: "c1", Name: "get_weather"}, callwright.CallDelta{Text: `{"ci`}},
		err:    &callwright.Error{Kind: callwright.KindRefusedCall, Recovered: `{"name":"get_weather","arguments":{"city":"Oslo"}}`},
	}}}
	client := reliable.New(m, reliable.WithStreamCalls(callwright.StreamHeld))
	resp, err := callwright.Collect(client.Stream(t.Context(), ask(callwright.Choice{})))
	if d := cmp.Diff([]string{"call get_weather " + oslo, "finish tool_calls"}, outcome(resp, err)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// An answer that needs no change keeps its bytes although the request was mended.
func TestAnswerToAMendedRequestStaysExact(t *testing.T) {
	raw := callwright.Frame{Wire: callwright.WireOpenAI, Bytes: []byte("as it came"), Events: 3}
	m := &scripted{name: "lab/m", answers: []any{[]callwright.Event{raw, callwright.Begin{}, callwright.TextDelta{Text: "Hi."}, callwright.End{Finish: callwright.FinishStop}}}}
	req := ask(callwright.Choice{})
	req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "lost", Name: "get_weather", Arguments: []byte("{}")}}})
	resp, err := reliable.New(m).Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if resp.Report.Untouched || resp.Raw == nil || string(resp.Raw.Bytes) != "as it came" {
		t.Errorf("untouched %t, raw %v", resp.Report.Untouched, resp.Raw)
	}
}

func TestStopEarly(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{text("a long story")}}
	for range reliable.New(m).Stream(t.Context(), ask(callwright.Choice{})) {
		break
	}
}

func TestBadTools(t *testing.T) {
	for _, tc := range []struct {
		name  string
		tools []callwright.Tool
		kind  callwright.Kind
		says  []string
	}{
		{"schema does not compile", []callwright.Tool{{Name: "f", Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":7}}}`)}},
			callwright.KindSchema, []string{`"f"`, "/properties/a/type"}},
		{"same name twice", []callwright.Tool{{Name: "f"}, {Name: "f"}}, callwright.KindInvalid, []string{`"f"`, "/tools/1"}},
		{"no name", []callwright.Tool{{}}, callwright.KindInvalid, []string{"/tools/0"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req := ask(callwright.Choice{})
			req.Tools = tc.tools
			_, err := reliable.New(&scripted{}).Generate(t.Context(), req)
			if callwright.KindOf(err) != tc.kind {
				t.Fatalf("expected %s, got %v", tc.kind, err)
			}
			for _, s := range tc.says {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("the error does not say %s: %v", s, err)
				}
			}
		})
	}
}

func TestPausedAnswerReturnsUnchanged(t *testing.T) {
	own := callwright.Extra{Wire: callwright.WireAnthropic, JSON: json.RawMessage(`{"type":"server_tool_use","id":"s1"}`)}
	m := &scripted{name: "lab/m", answers: []any{[]callwright.Event{
		callwright.Begin{}, callwright.ReasoningDelta{Text: "hm"}, callwright.ReasoningEnd{Signature: "c2ln"}, callwright.TextDelta{Text: "Searching."},
		callwright.OpaquePart{Extra: own}, callwright.End{Finish: callwright.FinishPause},
	}, text("Done.")}}
	if _, err := reliable.New(m).Generate(t.Context(), ask(callwright.Choice{})); err != nil {
		t.Fatal(err)
	}
	msgs, err := m.asked[1].History()
	if err != nil {
		t.Fatal(err)
	}
	want := []callwright.Part{callwright.Reasoning{Text: "hm", Signature: "c2ln", Origin: callwright.Origin{Model: "lab/m"}}, callwright.Text{Text: "Searching."}, callwright.Opaque{Extra: own}}
	if last := msgs[len(msgs)-1]; last.Role != callwright.RoleAssistant || cmp.Diff(want, last.Parts) != "" {
		t.Errorf("unexpected turn (-want +got):\n%s", cmp.Diff(want, last.Parts))
	}
}
