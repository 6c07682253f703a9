package reliable_test

import (
	"context"
	"iter"
	"slices"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable"
)

// A howAsked is a model that says how it was asked.
type howAsked struct {
	*scripted
	whole, streamed int
}

func (h *howAsked) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	h.whole++
	return h.scripted.Generate(ctx, req)
}

func (h *howAsked) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	h.streamed++
	return h.scripted.Stream(ctx, req)
}

// A model whose calls do not come in streams is asked for a whole answer, which becomes one, where it is given tools; with the rule off,
// or without tools, it is asked for a stream.
func TestStreamOfWholeAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		stream  caps.Truth
		tools   bool
		options []reliable.Option
		whole   bool
	}{
		"does not stream calls": {caps.No, true, nil, true}, "nothing is known": {caps.Unknown, true, nil, false}, "no tools": {caps.No, false, nil, false},
		"the rule is off": {caps.No, true, []reliable.Option{reliable.WithRules(map[string]bool{"params.stream": false})}, false},
	} {
		m := &howAsked{scripted: &scripted{name: "lab/m", caps: caps.Caps{StreamTools: c.stream}, answers: []any{goodCall}}}
		req := ask(callwright.Choice{})
		if !c.tools {
			m.answers, req.Tools = []any{[]callwright.Event{callwright.Begin{ID: "x"}, callwright.TextDelta{Text: "Hello."}, callwright.End{Finish: callwright.FinishStop}}}, nil
		}
		var all callwright.Collector
		var rules []string
		for ev, err := range reliable.New(m, c.options...).Stream(t.Context(), req) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			all.Add(ev)
			if d, ok := ev.(callwright.Done); ok {
				for _, n := range d.Report.Notes {
					rules = append(rules, n.Rule)
				}
			}
		}
		if (m.whole == 1) != c.whole || (m.streamed == 1) == c.whole || slices.Contains(rules, "params.stream") != c.whole {
			t.Errorf("%s: asked %d times whole and %d times for a stream, notes %v", name, m.whole, m.streamed, rules)
		}
		if got := len(callwright.CallsOf(all.Response().Parts)); (got == 1) != c.tools {
			t.Errorf("%s: got %d calls", name, got)
		}
	}
}

// The text of a model that is known to write no calls in it is not searched for them.
func TestTextCallsOfNone(t *testing.T) {
	for known, want := range map[caps.Truth]int{caps.No: 0, caps.Unknown: 1, caps.Yes: 1} {
		m := &scripted{name: "lab/m", caps: caps.Caps{TextCalls: known}, answers: []any{inHermes}}
		resp, err := reliable.New(m).Generate(t.Context(), ask(callwright.Choice{}))
		if err != nil {
			t.Fatal(err)
		}
		if got := len(callwright.CallsOf(resp.Parts)); got != want {
			t.Errorf("%s: expected %d calls, got %d", known, want, got)
		}
	}
}
