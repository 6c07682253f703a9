package reliable_test

import (
	"context"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// pieces is a text in pieces of n bytes, as an answer with a finish.
func pieces(text string, n int, finish callwright.Finish) []callwright.Event {
	events := []callwright.Event{callwright.Begin{}}
	for part := range slices.Chunk([]byte(text), n) {
		events = append(events, callwright.TextDelta{Text: string(part)}, pause{})
	}
	return append(events, callwright.End{Finish: finish})
}

// told is an answer with its reasoning, in one line a thing, without white space around texts.
func told(resp *callwright.Response, err error) []string {
	out := outcome(resp, err)
	var thoughts string
	if err == nil {
		for _, p := range resp.Parts {
			if r, ok := p.(callwright.Reasoning); ok {
				thoughts += r.Text
			}
		}
	}
	if thoughts = strings.TrimSpace(thoughts); thoughts != "" {
		out = append(out, "reasoning "+thoughts)
	}
	for i, line := range out {
		if text, ok := strings.CutPrefix(line, "text "); ok {
			out[i] = "text " + strings.TrimSpace(text)
		}
	}
	slices.Sort(out)
	return out
}

// asking gives the answer of a client, streamed and collected or whole.
func asking(ctx context.Context, c *reliable.Client, req *callwright.Request, stream bool) []string {
	if stream {
		return told(callwright.Collect(c.Stream(ctx, req)))
	}
	return told(c.Generate(ctx, req))
}

const writtenOslo = "<tool_call>{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Oslo\"}}</tool_call>"

// primedCases are texts of which a model's prompt may have opened the reasoning.
var primedCases = []struct {
	name, text string
	finish     callwright.Finish
	tools      bool     // it calls one
	want       []string // where that is not certain
	primed     []string // where it is certain, nil for the same
}{
	{"reasoning and answer", "It is <2> °C.\n</think>\n\nTake a coat.", "stop", false,
		[]string{"finish stop", "reasoning It is <2> °C.", "text Take a coat."}, nil},
	{"reasoning and call", "I look.</think>" + writtenOslo, "stop", true, []string{"call get_weather " + oslo, "finish tool_calls", "reasoning I look."}, nil},
	{"another mark", "It is cold.[/THINK]Take a coat.", "stop", false, []string{"finish stop", "reasoning It is cold.", "text Take a coat."}, nil},
	{"broken off in reasoning", "It is cold and I", "length", false, []string{"finish length", "reasoning It is cold and I"}, nil},
	{"broken off behind a call", "I look.\n" + writtenOslo + "\n<tool_call>{\"name\":\"get_", "length", true,
		[]string{"call get_weather " + oslo, "finish tool_calls", "text I look."}, []string{"call get_weather " + oslo, "finish tool_calls", "reasoning I look.\n<tool_call>{\"name\":\"get_"}},
	{"no reasoning", "Take a coat.", "stop", false, []string{"finish stop", "text Take a coat."},
		[]string{"finish stop", "reasoning Take a coat.", "text Take a coat."}},
	{"a call without reasoning", "I look.\n" + writtenOslo, "stop", true,
		[]string{"call get_weather " + oslo, "finish tool_calls", "text I look."}, []string{"call get_weather " + oslo, "finish tool_calls", "reasoning I look."}},
}

// TestPrimedReasoning: a text that begins in reasoning gives the same answer, whole and in any pieces, with and without tools. Who says that it may
// begin so decides only about a text that does not tell.
func TestPrimedReasoning(t *testing.T) {
	for _, tc := range primedCases {
		for source, opts := range map[caps.Source][]reliable.Option{
			caps.Shipped: nil, caps.Discovered: nil, caps.Probed: nil,
			caps.Configured: {reliable.WithFacts(caps.Fact{Key: "reasoning", Value: "primed", Source: caps.Configured})},
		} {
			known := caps.Caps{}
			if source != caps.Configured {
				known = caps.Caps{ReasoningStart: "primed"}.From(source)
			}
			want := tc.want
			if source > caps.Discovered && tc.primed != nil {
				want = tc.primed
			}
			for _, n := range []int{1, 3, len(tc.text)} {
				for _, stream := range []bool{false, true} {
					for _, tools := range []bool{true, tc.tools} {
						m := &scripted{name: "lab/m", caps: known, answers: []any{pieces(tc.text, n, tc.finish)}}
						req := ask(callwright.Choice{})
						if !tools {
							req.Tools = nil
						}
						if d := cmp.Diff(want, asking(t.Context(), reliable.New(m, opts...), req, stream)); d != "" {
							t.Errorf("%s, %s, pieces of %d, stream %t, tools %t (-want +got)\n%s", tc.name, source, n, stream, tools, d)
						}
					}
				}
			}
		}
	}
}

// TestPrimedReasoningIsNotExpected: text of models that send their reasoning apart, and of requests that switch it off, is visible at once.
func TestPrimedReasoningIsNotExpected(t *testing.T) {
	primed := caps.Caps{ReasoningStart: "primed"}
	apart := primed
	apart.Reasoning = caps.ReasoningContent
	off, none := ask(callwright.Choice{}), ask(callwright.Choice{})
	off.Params.Thinking.Off, none.Params.Thinking.Effort = true, "none"
	for name, tc := range map[string]struct {
		known caps.Caps
		req   *callwright.Request
	}{
		"sent apart": {apart.From(caps.Shipped), ask(callwright.Choice{})}, "off": {primed.From(caps.Configured), off}, "effort none": {primed.From(caps.Configured), none},
		"marked": {caps.Caps{ReasoningStart: "marked"}.From(caps.Learned), ask(callwright.Choice{})}, "unknown": {caps.Caps{}, ask(callwright.Choice{})},
	} {
		if got := firstPiece(t, tc.known, tc.req); got != (callwright.TextDelta{Text: "Take"}) {
			t.Errorf("%s: got %#v", name, got)
		}
	}
	if got := firstPiece(t, primed.From(caps.Learned), ask(callwright.Choice{})); got != (callwright.ReasoningDelta{Text: "Take"}) {
		t.Errorf("learned: got %#v", got)
	}
	if got := firstPiece(t, primed.From(caps.Discovered), ask(callwright.Choice{})); got != nil {
		t.Errorf("discovered: got %#v before anybody knows", got)
	}
}

// firstPiece is what a client gets while the provider has sent only the first piece of its text, nil for nothing.
func firstPiece(t *testing.T, known caps.Caps, req *callwright.Request) (got callwright.Event) {
	t.Helper()
	m := &halting{scripted: scripted{name: "lab/m", caps: known}}
	for ev, err := range reliable.New(m).Stream(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		switch ev.(type) {
		case callwright.TextDelta, callwright.ReasoningDelta:
			if !m.more {
				got = ev
			}
			return got
		}
	}
	return got
}

// A halting model sends a piece of text, then notes that it sends more.
type halting struct {
	scripted
	more bool
}

func (m *halting) Batches(context.Context, *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		if yield(callwright.Batch{Events: []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "Take a"}}}, nil) {
			m.more = true
			yield(callwright.Batch{Events: []callwright.Event{callwright.TextDelta{Text: " coat."}, callwright.End{Finish: callwright.FinishStop}}}, nil)
		}
	}
}

// TestLearnsHowReasoningStarts: answers teach how the text of the next begins.
func TestLearnsHowReasoningStarts(t *testing.T) {
	const opened, plain = "It is cold.</think>Take a coat.", "Take a coat."
	for name, tc := range map[string]struct {
		known   caps.Caps
		said    string // by the user
		answers []string
		want    []string // what is known after each
	}{
		"unknown":     {caps.Caps{}, "Weather?", []string{plain, opened, opened, plain, opened}, []string{"", "primed", "primed", "mixed", "mixed"}},
		"shipped":     {caps.Caps{ReasoningStart: "primed"}.From(caps.Shipped), "Weather?", []string{opened, plain}, []string{"primed", "mixed"}},
		"discovered":  {caps.Caps{ReasoningStart: "primed"}.From(caps.Discovered), "Weather?", []string{plain, plain}, []string{"marked", "marked"}},
		"marked":      {caps.Caps{ReasoningStart: "marked"}.From(caps.Learned), "Weather?", []string{opened, opened}, []string{"mixed", "mixed"}},
		"configured":  {caps.Caps{ReasoningStart: "primed"}.From(caps.Configured), "Weather?", []string{plain, opened}, []string{"", ""}},
		"asked for":   {caps.Caps{}, "Repeat: a</think>b", []string{opened}, []string{""}},
		"a lone mark": {caps.Caps{}, "Weather?", []string{"</think>Take a coat."}, []string{""}},
		"own mark":    {caps.Caps{}, "Weather?", []string{"<think>It is cold.</think>Take a coat."}, []string{""}},
	} {
		for _, stream := range []bool{false, true} {
			for _, tools := range []bool{true, false} {
				if !tools && tc.known.ReasoningStart != "primed" {
					continue // nobody reads the text of such a request
				}
				m, capsStore := &scripted{name: "lab/m", caps: tc.known}, caps.NewMemory(nil)
				client := reliable.New(m, reliable.WithCapsStore(capsStore))
				for i, answer := range tc.answers {
					m.answers = append(m.answers, pieces(answer, 3, callwright.FinishStop))
					req := ask(callwright.Choice{})
					req.Messages = []callwright.Message{callwright.UserText(tc.said)}
					if !tools {
						req.Tools = nil
					}
					asking(t.Context(), client, req, stream)
					facts, _ := capsStore.Facts(t.Context(), "lab/m")
					got := caps.Caps{}.WithFacts(facts).ReasoningStart
					if got != tc.want[i] {
						t.Errorf("%s, stream %t, tools %t, answer %d: learned %q, want %q", name, stream, tools, i, got, tc.want[i])
					}
				}
			}
		}
	}
}

// TestPrimedChunking: where the prompt has opened the reasoning, any chunking of any text gives what the text gives whole.
func TestPrimedChunking(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, finish := answerText().Draw(t, "text"), rapid.SampledFrom([]callwright.Finish{callwright.FinishStop, callwright.FinishLength}).Draw(t, "finish")
		known := caps.Caps{ReasoningStart: "primed"}.From(rapid.SampledFrom([]caps.Source{caps.Shipped, caps.Learned}).Draw(t, "source"))
		req := ask(callwright.Choice{})
		req.Tools = lawTools
		if rapid.Bool().Draw(t, "no tools") {
			req.Tools = nil
		}
		opts := []reliable.Option{reliable.WithOneMode(), reliable.WithMaxCorrections(0)}
		n := rapid.IntRange(1, 9).Draw(t, "piece")
		whole := asking(t.Context(), reliable.New(&scripted{name: "lab/m", caps: known, answers: []any{pieces(s, len(s), finish)}}, opts...), req, false)
		inPieces := asking(t.Context(), reliable.New(&scripted{name: "lab/m", caps: known, answers: []any{pieces(s, n, finish)}}, opts...), req, true)
		if slices.ContainsFunc(whole, func(line string) bool { return strings.HasPrefix(line, "error") }) {
			return
		}
		if d := cmp.Diff(whole, inPieces); d != "" {
			t.Fatalf("%q, %s (-whole +pieces)\n%s", s, finish, d)
		}
	})
}
