package reliable_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// What the cases of TestClient are made of.
var called = []string{"call get_weather " + oslo, "finish tool_calls"}

// clientCases are those of TestClient.
var clientCases = []struct {
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
	{name: "calls that the server cannot parse", caps: caps.Caps{JSONSchema: caps.Yes}, answers: []any{unparsed, inHermes}, want: called,
		attempts: []string{"lab/m native first", "lab/m text other mode"}},
	{name: "calls that it cannot parse in words either", caps: caps.Caps{JSONSchema: caps.Yes}, answers: []any{unparsed, unparsed, unparsed}, fallback: []any{goodCall}, want: called,
		attempts: []string{"lab/m native first", "lab/m text other mode", "lab/m json_schema other mode", "lab/spare native fallback"}},
	{name: "known not to be parsed", caps: caps.Caps{ParsesCalls: caps.No, JSONSchema: caps.Yes}, answers: []any{inHermes}, want: called,
		attempts: []string{"lab/m text first"}},
	{name: "calls that it cannot parse, in the modes that are wanted", caps: caps.Caps{JSONSchema: caps.Yes}, opts: []reliable.Option{reliable.WithModes(caps.Native, caps.JSONSchema)},
		answers: []any{unparsed, text(`{"toolCalls":[{"name":"get_weather","arguments":{"city":"Oslo"}}]}`)}, want: called,
		attempts: []string{"lab/m native first", "lab/m json_schema other mode"}},
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
	{name: "none and made", answers: []any{goodCall, text("Cold.")}, choice: callwright.Choice{Mode: callwright.ChoiceNone}, want: []string{"text Cold.", "finish stop"},
		attempts: []string{"lab/m native first", "lab/m native correction"}},
	{name: "none and always made", answers: []any{goodCall, goodCall, goodCall}, choice: callwright.Choice{Mode: callwright.ChoiceNone}, want: []string{"error bad_answer"},
		attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction"}, opts: []reliable.Option{reliable.WithOneMode()}},
	{name: "another than the allowed tools", answers: []any{goodCall, text("Cold.")}, choice: callwright.Choice{Mode: callwright.ChoiceAuto, Names: []string{"other"}},
		want: []string{"text Cold.", "finish stop"}, attempts: []string{"lab/m native first", "lab/m native correction"}},
	{name: "cut behind a call that the server closed", answers: []any{native("get_weather", oslo, callwright.FinishLength), goodCall}, want: called,
		attempts: []string{"lab/m native first", "lab/m native correction"}},
	{name: "cut in a text behind a call", answers: []any{append(append([]callwright.Event{}, native("get_weather", oslo, callwright.FinishLength)[:4]...), callwright.TextDelta{Text: "And n"}, callwright.End{Finish: callwright.FinishLength})},
		want: []string{"call get_weather " + oslo, "text And n", "finish tool_calls"}, attempts: []string{"lab/m native first"}},
	{name: "tokens and nothing else", answers: []any{spentOnNothing, inHermes}, want: called, attempts: []string{"lab/m native first", "lab/m text other mode"}},
	{name: "tokens and nothing else, and then no document: it would name a declared tool", caps: caps.Caps{JSONSchema: caps.Yes, JSONObject: caps.Yes}, want: called,
		answers: []any{spentOnNothing, inHermes}, attempts: []string{"lab/m native first", "lab/m text other mode"}},
	{name: "tokens and nothing else, where only a document is left", answers: []any{spentOnNothing, goodCall}, opts: []reliable.Option{reliable.WithModes(caps.Native, caps.JSONSchema)},
		want: called, attempts: []string{"lab/m native first", "lab/m native correction"}},
	{name: "tokens and nothing else for good, where only a document is left", answers: []any{spentOnNothing, spentOnNothing, spentOnNothing, goodCall}, want: []string{"error bad_answer"},
		opts: []reliable.Option{reliable.WithModes(caps.Native, caps.JSONSchema)}, attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction"}},
	{name: "the server's grammar breaks", answers: []any{refusing(feature.Grammar, "empty grammar stack"), inHermes}, want: called,
		attempts: []string{"lab/m native first", "lab/m text other mode"}},
	{name: "tokens and nothing else, in the only mode", answers: []any{spentOnNothing, goodCall}, opts: []reliable.Option{reliable.WithOneMode()}, want: called,
		attempts: []string{"lab/m native first", "lab/m native correction"}},
	{name: "an empty document", caps: caps.Caps{Tools: caps.No, JSONSchema: caps.Yes}, answers: []any{text("{ }"), text(`{"toolCalls":[],"answer":""}`), text(`{"toolCalls":[],"answer":"Cold."}`)},
		want: []string{"text Cold.", "finish stop"}, attempts: []string{"lab/m json_schema first", "lab/m json_schema correction", "lab/m json_schema correction"}},
	{name: "thoughts alone for good", caps: caps.Caps{Tools: caps.No, JSONSchema: caps.Yes}, opts: []reliable.Option{reliable.WithOneMode()}, want: []string{"error bad_answer"},
		answers:  []any{text(`{"scratchpad":"a"}`), text(`{"scratchpad":"b"}`), text(`{"scratchpad":"c"}`)},
		attempts: []string{"lab/m json_schema first", "lab/m json_schema correction", "lab/m json_schema correction"}},
	{name: "an envelope that ends the work", answers: []any{text(`{"content":"done","needsMoreWork":false}`)}, want: []string{"text done", "finish stop"}, attempts: []string{"lab/m native first"}},
	{name: "thoughts alone, natively", answers: []any{text(`{"scratchpad":"let me think"}`), text("Cold.")}, want: []string{"text Cold.", "finish stop"},
		attempts: []string{"lab/m native first", "lab/m native correction"}},
	{name: "white space alone", answers: []any{text("\n\n"), text(" "), text("\n")}, opts: []reliable.Option{reliable.WithOneMode()}, want: []string{"error bad_answer"},
		attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction"}},
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
	{name: "only thought", answers: []any{onlyThought, onlyThought, onlyThought}, opts: []reliable.Option{reliable.WithOneMode()}, want: []string{"error bad_answer"},
		attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction"}},
	{name: "only thought, natively for good", answers: []any{onlyThought, onlyThought, onlyThought, inHermes}, want: called,
		attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction", "lab/m text other mode"}},
	{name: "only thought in the text, for many tokens", answers: []any{usedMany(text("<think>Let me see.</think>")), text("Cold.")}, want: []string{"text Cold.", "finish stop"},
		attempts: []string{"lab/m native first", "lab/m native correction"}},
	{name: "thought, then nothing for many tokens", answers: []any{usedMany(text("<think>Let me see.</think>")), spentOnNothing, inHermes}, want: called,
		attempts: []string{"lab/m native first", "lab/m native correction", "lab/m text other mode"}},
	{name: "thought before each bad call", answers: []any{thinking(badCall), thinking(badCall), thinking(badCall), thinking(inHermes)}, want: called,
		attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction", "lab/m text other mode"}},
	{name: "thought before bad calls, and a fallback", answers: []any{thinking(badCall), thinking(badCall), thinking(badCall)}, opts: []reliable.Option{reliable.WithOneMode()}, fallback: []any{goodCall},
		want: called, attempts: []string{"lab/m native first", "lab/m native correction", "lab/m native correction", "lab/spare native fallback"}},
	{name: "cut before anything was said", answers: []any{[]callwright.Event{callwright.Begin{}, callwright.End{Finish: callwright.FinishLength}}},
		want: []string{"finish length"}, attempts: []string{"lab/m native first"}},
	{name: "strict", answers: []any{native("get_weather", `{"city":"Oslo",}`, callwright.FinishCalls)}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyStrict)},
		want: []string{"error change_needed"}, attempts: []string{"lab/m native first"}},
	{name: "strict and nothing to change", answers: []any{goodCall}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyStrict)}, want: called, attempts: []string{"lab/m native first"}},
	{name: "observe", answers: []any{native("get_weather", `{"city":"Oslo",}`, callwright.FinishCalls)}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyObserve)},
		want: []string{`call get_weather {"city":"Oslo",}`, "finish tool_calls"}, attempts: []string{"lab/m native first"}},
	{name: "off", answers: []any{native("nonsense", `{`, callwright.FinishStop)}, opts: []reliable.Option{reliable.WithPolicy(callwright.PolicyOff)},
		want: []string{"call nonsense {", "finish stop"}, attempts: []string{"lab/m native first"}},
}

func TestClient(t *testing.T) {
	for _, tc := range clientCases {
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
				if way == "streamed" && tc.choice.IsForced() {
					return
				}
				if d := cmp.Diff(tc.attempts, attempts(reportOf(resp, err))); d != "" {
					t.Errorf("attempts (-want +got)\n%s", d)
				}
			})
		}
	}
}

// White space is no answer: the model is asked again, and the client gets what it says then.
func TestWhiteSpaceIsNoAnswer(t *testing.T) {
	for _, space := range []string{" ", "\n\n", "\t\r\n"} {
		for _, way := range []string{"whole", "streamed"} {
			client := reliable.New(&scripted{name: "lab/m", answers: []any{text(space), goodCall}})
			var resp *callwright.Response
			var err error
			if way == "whole" {
				resp, err = client.Generate(t.Context(), ask(callwright.Choice{}))
			} else {
				resp, err = callwright.Collect(client.Stream(t.Context(), ask(callwright.Choice{})))
			}
			if err != nil || len(resp.Calls()) != 1 || resp.Finish != callwright.FinishCalls || strings.TrimSpace(resp.Text()) != "" {
				t.Errorf("%q, %s: %v, %v", space, way, resp, err)
			}
		}
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

// TestKnownModels: of each model that may be asked it is told what is known, with what was learned over what it says of itself.
func TestKnownModels(t *testing.T) {
	ctx := t.Context()
	capsStore := caps.NewMemory(nil)
	if err := capsStore.Learn(ctx, "lab/b", caps.Fact{Key: "tools", Value: "no", Source: caps.Learned}); err != nil {
		t.Fatal(err)
	}
	said := caps.Caps{Tools: caps.Yes}.From(caps.Shipped)
	client := reliable.New(&scripted{name: "lab/a", caps: said}, reliable.WithCapsStore(capsStore), reliable.WithFallback(&scripted{name: "lab/b", caps: said}))
	got := map[callwright.ModelID]string{}
	for id, known := range client.KnownCaps(ctx) {
		got[id] = known.KnownFacts()["tools"]
	}
	if diff := cmp.Diff(map[callwright.ModelID]string{"lab/a": "yes (shipped)", "lab/b": "no (learned)"}, got); diff != "" {
		t.Error(diff)
	}
}
