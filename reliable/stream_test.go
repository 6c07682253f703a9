package reliable_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

func TestStream(t *testing.T) {
	begin := callwright.CallBegin{ID: "c1", Name: "get_weather"}
	delta := func(s string) callwright.Event { return callwright.CallDelta{Text: s} }
	frame := func(s string, n int) callwright.Event {
		return rawOf{Wire: callwright.WireOpenAI, Bytes: []byte(s), Events: n}
	}
	end := callwright.End{Finish: callwright.FinishCalls}
	txt := func(s string) callwright.Event { return callwright.TextDelta{Text: s} }
	stop := callwright.End{Finish: callwright.FinishStop}
	flowing := []reliable.Option{reliable.WithStreamCalls(callwright.StreamFlowing)}
	for _, tc := range []struct {
		name   string
		events []callwright.Event
		opts   []reliable.Option
		want   []string
	}{
		{"native calls flow", []callwright.Event{begin, delta(`{"city":`), pause{}, delta(`"Oslo"}`), callwright.CallEnd{}, end}, flowing,
			[]string{"begin 0 get_weather", `delta {"city":`, "flush", `delta "Oslo"}`, "end " + oslo, "finish tool_calls"}},
		{"held until judged", []callwright.Event{begin, delta(`{"city":`), pause{}, delta(`"Oslo"}`), callwright.CallEnd{}, end},
			[]reliable.Option{reliable.WithStreamCalls(callwright.StreamHeld)},
			[]string{"begin 0 get_weather", `delta {"city":`, `delta "Oslo"}`, "end " + oslo, "finish tool_calls"}},
		{"held and mended", []callwright.Event{begin, delta(`{"city":"Oslo",`), pause{}, delta(`"days":"3"}`), callwright.CallEnd{}, end},
			[]reliable.Option{reliable.WithStreamCalls(callwright.StreamHeld)},
			[]string{"begin 0 get_weather", `delta {"city":"Oslo","days":3}`, `end {"city":"Oslo","days":3}`, "finish tool_calls"}},
		{"flowed and broken", []callwright.Event{begin, delta(`{"city":`), pause{}, delta(`nonsense`), callwright.CallEnd{}, end}, flowing,
			[]string{"begin 0 get_weather", `delta {"city":`, "flush", "error invalid_tool_call"}},
		{"a brace alone waits, and what breaks behind it is mended", []callwright.Event{begin, pause{}, delta(`{`), pause{}, delta(`'city': 'Oslo',}`), pause{}, callwright.CallEnd{}, end}, flowing,
			[]string{"begin 0 get_weather", `delta {"city": "Oslo"}`, `end {"city": "Oslo"}`, "finish tool_calls"}},
		{"whole before anything was sent: mended", []callwright.Event{begin, delta(`{"city":"Oslo","days":"3"}`), pause{}, callwright.CallEnd{}, end}, flowing,
			[]string{"begin 0 get_weather", `delta {"city":"Oslo","days":3}`, `end {"city":"Oslo","days":3}`, "finish tool_calls"}},
		{"a piece that ends in white space goes at once", []callwright.Event{callwright.Begin{}, txt("one "), pause{}, txt("two\n\n"), pause{}, txt(" \n"), pause{}, txt("three "), pause{}, stop}, nil,
			[]string{"text one", "flush", "text  ", "text two", "flush", "text \n\n", "text  \n", "text three", "flush", "text  ", "finish stop"}},
		{"and before a call only the white space goes", []callwright.Event{txt("one \n"), pause{}, txt("\n"), pause{}, txt(`<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`), stop}, nil,
			[]string{"text one", "flush", "begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}},
		{"a frame that ends in white space goes at once and whole", []callwright.Event{frame("A", 1), txt("one "), pause{}, frame("B", 1), txt("two\n"), pause{}, frame("C", 1), txt("\n"), pause{}, frame("D", 1), txt(" three"), frame("E", 1), stop}, nil,
			[]string{"frame A 1", "text one ", "flush", "frame B 1", "text two\n", "flush", "frame C 1", "text \n", "frame D 1", "text  three", "frame E 1", "finish stop"}},
		{"a frame of white space and then a call", []callwright.Event{frame("A", 1), txt("one\n"), pause{}, frame("B", 1), txt(`<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`), frame("C", 1), stop}, nil,
			[]string{"frame A 1", "text one\n", "flush", "begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}},
		{"frames stay", []callwright.Event{frame("A", 1), txt("a < b"), pause{}, frame("B", 1), txt("<tool"), pause{}, frame("C", 1), txt(" shed"), frame("D", 1), stop, frame("E", 0)}, nil,
			[]string{"frame A 1", "text a < b", "flush", "frame B 1", "text <tool", "frame C 1", "text  shed", "frame D 1", "finish stop", "frame E 0"}},
		{"a frame that changes goes", []callwright.Event{frame("A", 1), txt("hi "), frame("B", 1), txt(`<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}`), frame("C", 1), txt("</tool_call>"), frame("D", 1), stop}, nil,
			[]string{"text hi", "begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}},
		{"frames of a held call stay", []callwright.Event{frame("A", 2), begin, delta(oslo), frame("B", 2), callwright.CallEnd{}, end},
			[]reliable.Option{reliable.WithStreamCalls(callwright.StreamHeld)},
			[]string{"frame A 2", "begin 0 get_weather", "delta " + oslo, "frame B 2", "end " + oslo, "finish tool_calls"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := &scripted{name: "lab/m", answers: []any{tc.events}}
			got := streamed(reliable.New(m, tc.opts...).Batches(t.Context(), received(ask(callwright.Choice{}))))
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestBrokenFlowIsHeldNextTime(t *testing.T) {
	bad := []callwright.Event{callwright.CallBegin{ID: "c1", Name: "get_weather"}, callwright.CallDelta{Text: `{"city":"Oslo",`}, pause{},
		callwright.CallDelta{Text: `"days":"3"}`}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}}
	m := &scripted{name: "lab/m", caps: caps.Caps{ToolCallReliable: caps.Yes}.From(caps.Shipped), answers: []any{bad, bad}}
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

// endedInside is an answer with a text and a call that ends for another reason than that it is complete.
func endedInside(args string, finish callwright.Finish) []callwright.Event {
	return []callwright.Event{
		callwright.Begin{}, callwright.TextDelta{Text: "Well."}, callwright.CallBegin{ID: "call_1", Name: "get_weather"}, callwright.CallDelta{Text: args},
		callwright.CallEnd{}, callwright.End{Finish: finish},
	}
}

// What a stream comes to when its call goes wrong after a part of the answer was seen.
func TestStreamGoesWrong(t *testing.T) {
	refused := &callwright.Error{Kind: callwright.KindRefusedCall, Message: "Failed to call a function."}
	flowing := func(finish callwright.Finish) []callwright.Event {
		return []callwright.Event{callwright.Begin{}, callwright.CallBegin{ID: "call_1", Name: "get_weather"}, callwright.CallDelta{Text: `{"city":"Os`},
			pause{}, callwright.CallEnd{}, callwright.End{Finish: finish}}
	}
	begun := func(index int) []callwright.Event {
		return []callwright.Event{callwright.Begin{}, callwright.CallBegin{Index: index, ID: "call_7", Name: "get_weather"}, callwright.CallDelta{Index: index, Text: `{"city":`},
			pause{}, callwright.CallDelta{Index: index, Text: "nonsense"}, callwright.CallEnd{Index: index}, callwright.End{Finish: callwright.FinishCalls}}
	}
	told := append([]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "Let me see."}, pause{}}, badCall[1:]...)
	brokenCall := &callwright.Error{Kind: callwright.KindInvalidCall, Message: "the model's calls are not valid"}
	malformed := []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "Let me see."}, pause{}, callwright.End{Finish: callwright.FinishMalformedCall}}
	for _, tc := range []struct {
		name    string
		answers []any
		want    []string
		choice  callwright.ChoiceMode
	}{
		{"the refused text holds no call, and one is required", []any{&callwright.Error{Kind: callwright.KindRefusedCall, Recovered: "It is cold."}, goodCall},
			[]string{"text It is cold.", "begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}, callwright.ChoiceRequired},
		{"a call is refused after its text was sent", []any{brokenOff{[]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "Let me see."}, pause{}}, refused}, goodCall},
			[]string{"text Let me see.", "flush", "begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}, ""},
		{"a call is refused that the text held", []any{brokenOff{[]callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: `<function=get_weather>{"city":"Oslo"}</function>`}, pause{}}, refused}},
			[]string{"flush", "begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}, ""},
		{"a call is refused before anything came", []any{refused, inHermes}, []string{"begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}, ""},
		{"a call beside text was botched", []any{malformed, goodCall},
			[]string{"text Let me see.", "flush", "begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}, ""},
		{"the model refuses inside a call that flows", []any{flowing(callwright.FinishContentFilter)}, []string{"begin 0 get_weather", `delta {"city":"Os`, "flush", "error content_filter"}, ""},
		{"the correction breaks inside a call that flows, behind a text", []any{told, begun(0)},
			[]string{"text Let me see.", "flush", "begin 0 get_weather", `delta {"city":`, "flush", "error invalid_tool_call"}, ""},
		{"the correction breaks inside a call that flows, behind a good one", []any{calling(goodOne, badOne), begun(1)},
			[]string{"begin 0 get_weather", "delta " + oslo, "flush", "end " + oslo, "flush", "begin 1 get_weather", `delta {"city":`, "flush", "error invalid_tool_call"}, ""},
		{"the provider gives up on the correction behind a text", []any{told, brokenCall, brokenCall}, []string{"text Let me see.", "flush", "finish stop"}, ""},
		{"the server's grammar breaks before anything was said", []any{brokenOff{[]callwright.Event{callwright.Begin{}}, refusing(feature.Grammar, "empty grammar stack")}, inHermes},
			[]string{"begin 0 get_weather", "delta " + oslo, "end " + oslo, "finish tool_calls"}, ""},
		{"a call that flows is cut", []any{flowing(callwright.FinishLength)}, []string{"begin 0 get_weather", `delta {"city":"Os`, "flush", "error invalid_tool_call"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := &scripted{name: "lab/m", answers: tc.answers}
			got := streamed(reliable.New(m, reliable.WithStreamCalls(callwright.StreamFlowing)).Batches(t.Context(), received(ask(callwright.Choice{Mode: tc.choice}))))
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestStopEarly(t *testing.T) {
	m := &scripted{name: "lab/m", answers: []any{text("a long story")}}
	for range reliable.New(m).Stream(t.Context(), ask(callwright.Choice{})) {
		break
	}
}

// The events of a stream are those of its batches, of whatever form the request is.
func TestEventsAreThoseOfTheBatches(t *testing.T) {
	answer := []callwright.Event{rawOf{Wire: callwright.WireOpenAI, Bytes: []byte("A"), Events: 2}, callwright.Begin{}, callwright.TextDelta{Text: "Cold."}, pause{},
		callwright.End{Finish: callwright.FinishStop}}
	want := []string{"callwright.Begin", "callwright.TextDelta", "callwright.End", "callwright.Done"}
	for name, req := range map[string]*callwright.Request{"built": ask(callwright.Choice{}), "received": received(ask(callwright.Choice{}))} {
		var got []string
		for ev, err := range reliable.New(&scripted{name: "lab/m", answers: []any{answer}}).Stream(t.Context(), req) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%T", ev))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
		batches := streamed(reliable.New(&scripted{name: "lab/m", answers: []any{answer}}).Batches(t.Context(), req))
		if d := cmp.Diff([]string{"frame A 2", "text Cold.", "flush", "finish stop"}, batches); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
	}
}

// flows reports whether the pieces of a native call are handed on as they come.
func flows(t *testing.T, m *scripted, client *reliable.Client) bool {
	t.Helper()
	m.asked, m.answers = nil, []any{[]callwright.Event{callwright.Begin{}, callwright.CallBegin{ID: "c1", Name: "get_weather"}, callwright.CallDelta{Text: `{"city":`}, pause{},
		callwright.CallDelta{Text: `"Oslo"}`}, callwright.CallEnd{}, callwright.End{Finish: callwright.FinishCalls}}}
	pieces := streamed(client.Batches(t.Context(), received(ask(callwright.Choice{}))))
	for i, p := range pieces[1:] {
		if p == "flush" && strings.HasPrefix(pieces[i], "delta") {
			return true
		}
	}
	return false
}

// Native calls flow where the model has earned it, and are held for all others.
func TestCallsFlowWhereTheModelHasEarnedIt(t *testing.T) {
	earn := func(t *testing.T, m *scripted, client *reliable.Client, n int, answer []callwright.Event) {
		t.Helper()
		for range n {
			m.asked, m.answers = nil, []any{answer}
			if _, err := client.Generate(t.Context(), ask(callwright.Choice{})); err != nil {
				t.Fatal(err)
			}
		}
	}
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := reliable.WithClock(func() time.Time { return now })
	for n, want := range map[int]bool{0: false, 19: false, 20: true, 25: true} {
		t.Run(fmt.Sprintf("%d clean calls", n), func(t *testing.T) {
			m := &scripted{name: "lab/m"}
			client := reliable.New(m)
			earn(t, m, client, n, goodCall)
			if got := flows(t, m, client); got != want {
				t.Errorf("flows: %t, want %t", got, want)
			}
		})
	}
	t.Run("known to be reliable", func(t *testing.T) {
		m := &scripted{name: "lab/m", caps: caps.Caps{ToolCallReliable: caps.Yes}}
		if !flows(t, m, reliable.New(m)) {
			t.Error("held")
		}
	})
	t.Run("a call that had to be mended takes it away", func(t *testing.T) {
		m := &scripted{name: "lab/m"}
		client := reliable.New(m)
		earn(t, m, client, 20, goodCall)
		earn(t, m, client, 1, native("get_weather", `{"city":"Oslo",}`, callwright.FinishCalls))
		earn(t, m, client, 20, goodCall)
		if flows(t, m, client) {
			t.Error("flows within a day of a call that had to be mended")
		}
	})
	t.Run("it is earned for a day", func(t *testing.T) {
		m := &scripted{name: "lab/m"}
		client := reliable.New(m, clock)
		earn(t, m, client, 20, goodCall)
		now = now.Add(2 * time.Hour)
		earn(t, m, client, 1, goodCall) // which renews it
		now = now.Add(23 * time.Hour)
		if !flows(t, m, client) {
			t.Error("held within a day of a clean call")
		}
		now = now.Add(25 * time.Hour)
		if flows(t, m, client) {
			t.Error("flows a day later")
		}
	})
}
