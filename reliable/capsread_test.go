package reliable_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
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

func (h *howAsked) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	h.streamed++
	return h.scripted.Batches(ctx, req)
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

// A request that is longer than a model's context by any count goes to the next model, or back to the client, without being sent. A
// limit that is only shipped, or a text of which a tokenizer may make less, keeps nothing from being sent.
func TestRequestsLongerThanTheContext(t *testing.T) {
	words := strings.Repeat("word and more. ", 1000) // 12,000 bytes without white space, about 4,000 tokens
	picture := callwright.Image{MediaType: "image/png", Data: strings.Repeat("QUJD", 10_000)}
	said := func(parts ...callwright.Part) []callwright.Message {
		return []callwright.Message{{Role: callwright.RoleUser, Parts: parts}}
	}
	long := said(callwright.Text{Text: words})
	result := callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{callwright.Result{CallID: "c", Name: "get_weather", Parts: []callwright.Part{callwright.Text{Text: words}}}}}
	called := callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Call{ID: "c", Name: "get_weather", Arguments: []byte(oslo)}}}
	thought := callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Reasoning{Text: words}, callwright.Text{Text: "Hm."}}}
	for name, c := range map[string]struct {
		messages []callwright.Message
		limit    int
		source   caps.Source
		options  []reliable.Option
		sent     bool
	}{
		"longer":              {messages: long, limit: 1000, source: caps.Configured},
		"longer, as listed":   {messages: long, limit: 1000, source: caps.Discovered},
		"in a result":         {messages: append(said(callwright.Text{Text: "Go."}), called, result), limit: 1000, source: caps.Configured},
		"shipped":             {messages: long, limit: 1000, source: caps.Shipped, sent: true},
		"it may be shorter":   {messages: long, limit: 3000, source: caps.Configured, sent: true},
		"no limit":            {messages: long, source: caps.Configured, sent: true},
		"white space":         {messages: said(callwright.Text{Text: strings.Repeat(" \n\t", 10_000)}, callwright.Text{Text: "Go."}), limit: 1000, source: caps.Configured, sent: true},
		"lines":               {messages: said(callwright.Text{Text: strings.Repeat("-", 30_000)}), limit: 1000, source: caps.Configured, sent: true},
		"a picture":           {messages: said(callwright.Text{Text: "What is it?"}, picture), limit: 1000, source: caps.Configured, sent: true},
		"reasoning":           {messages: append(said(callwright.Text{Text: "Go."}), thought, callwright.UserText("On.")), limit: 1000, source: caps.Configured, sent: true},
		"nothing may change":  {messages: long, limit: 1000, source: caps.Configured, options: []reliable.Option{reliable.WithPolicy(callwright.PolicyOff)}, sent: true},
		"nothing but observe": {messages: long, limit: 1000, source: caps.Configured, options: []reliable.Option{reliable.WithPolicy(callwright.PolicyObserve)}, sent: true},
	} {
		for way, deliver := range deliveries {
			t.Run(name+"/"+way, func(t *testing.T) {
				known := caps.Caps{MaxContext: c.limit}.From(c.source)
				first, second := &scripted{name: "lab/m", caps: known, answers: []any{goodCall}}, &scripted{name: "lab/large", answers: []any{goodCall}}
				req := ask(callwright.Choice{})
				req.Messages = c.messages
				resp, err := deliver(reliable.New(first, append(c.options, reliable.WithFallback(second))...), req)
				if err != nil {
					t.Fatal(err)
				}
				noted := slices.ContainsFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Rule == "plan.too_long" })
				if sent := len(first.asked) == 1; sent != c.sent || (len(second.asked) == 0) != c.sent || noted == c.sent {
					t.Errorf("asked %d and %d times, notes %+v", len(first.asked), len(second.asked), resp.Report.Notes)
				}
				if c.sent {
					return
				}
				_, err = deliver(reliable.New(first), req)
				if e, ok := errors.AsType[*callwright.Error](err); !ok || e.Kind != callwright.KindContextLength || !strings.Contains(e.Message, "prompt is too long") || len(first.asked) > 0 {
					t.Errorf("got %v, asked %d times", err, len(first.asked))
				}
			})
		}
	}
}
