package reliable_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
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
	var all callwright.Collector
	for _, b := range batchesOf(events) {
		all.AddBatch(b)
	}
	return all.Response(), nil
}

func (s *scripted) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(s.Batches(ctx, req))
}

func (s *scripted) Batches(_ context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		events, err := s.next(req)
		for _, b := range batchesOf(events) {
			if !yield(b, nil) {
				return
			}
		}
		if err != nil {
			yield(callwright.Batch{}, err)
		}
	}
}

// The marks of scripts stand among events: rawOf has the bytes of the events that follow it, after pause the answer stops for a
// while, noted is a note.
type (
	rawOf struct {
		callwright.Event
		Wire   callwright.WireName
		Bytes  []byte
		Events int
	}
	pause struct{ callwright.Event }
	noted struct {
		callwright.Event
		Note callwright.Note
	}
)

// batchesOf returns the batches of a script: one for each event, but for those that a mark holds together.
func batchesOf(script []callwright.Event) []callwright.Batch {
	var out []callwright.Batch
	left := 0
	for _, ev := range script {
		switch ev := ev.(type) {
		case rawOf:
			out, left = append(out, callwright.Batch{Wire: ev.Wire, Raw: slices.Clone(ev.Bytes), More: true}), ev.Events
		case pause:
			if len(out) == 0 {
				out = append(out, callwright.Batch{})
			}
			out[len(out)-1].More = false
		case noted:
			out = append(out, callwright.Batch{Notes: []callwright.Note{ev.Note}, More: true})
		default:
			if left > 0 {
				last := &out[len(out)-1]
				last.Events, left = append(last.Events, ev), left-1
				continue
			}
			out = append(out, callwright.Batch{Events: []callwright.Event{ev}, More: true})
		}
	}
	return out
}

var weather = []callwright.Tool{{
	Name:   "get_weather",
	Schema: []byte(`{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"],"additionalProperties":false}`),
}}

func text(s string) []callwright.Event {
	return []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: s}, callwright.End{Finish: callwright.FinishStop}}
}

func native(name, args string, finish callwright.Finish) []callwright.Event {
	return []callwright.Event{
		callwright.Begin{}, callwright.CallBegin{ID: "call_1", Name: name}, callwright.CallDelta{Text: args}, callwright.CallEnd{},
		callwright.End{Finish: finish},
	}
}

// thinking is an answer with reasoning before it.
func thinking(answer []callwright.Event) []callwright.Event {
	return slices.Concat(answer[:1], onlyThought[1:3], answer[1:])
}

// usedMany is an answer that cost many tokens.
func usedMany(answer []callwright.Event) []callwright.Event {
	return slices.Insert(slices.Clone(answer), 1, spentOnNothing[1])
}

const oslo = `{"city":"Oslo"}`

var (
	goodCall    = native("get_weather", oslo, callwright.FinishCalls)
	badCall     = native("get_weather", `{"town":5}`, callwright.FinishCalls)
	inHermes    = text(`<tool_call>{"name":"get_weather","arguments":{"city":"Oslo"}}</tool_call>`)
	onlyThought = []callwright.Event{callwright.Begin{}, callwright.ReasoningDelta{Text: "Let me call it."}, callwright.ReasoningEnd{}, callwright.End{Finish: callwright.FinishStop}}
	pausing     = []callwright.Event{callwright.Begin{}, callwright.TextDelta{Text: "Searching."}, callwright.End{Finish: callwright.FinishPause}}
	// spentOnNothing is what is left of a call that the server's own parser could not read.
	spentOnNothing = []callwright.Event{callwright.Begin{}, callwright.UsageDelta{Usage: callwright.Usage{Known: true, Input: 90, Output: 21}}, callwright.End{Finish: callwright.FinishStop}}
	cutCall        = native("get_weather", `{"city":"Os`, callwright.FinishLength)
	noTools        = &callwright.Error{Kind: callwright.KindUnsupported, Feature: "tools", Status: 400, Message: "m does not support tools"}
	isDown         = &callwright.Error{Kind: callwright.KindUnavailable, Message: "no connection"}
	forcedOne      = callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"get_weather"}}
)

const asked = "user Weather in Oslo?"

func ask(choice callwright.Choice) *callwright.Request {
	return &callwright.Request{
		Model:    "lab/m",
		Messages: []callwright.Message{callwright.UserText("Weather in Oslo?")},
		Tools:    weather,
		Params:   callwright.Params{Choice: choice},
	}
}

func says(role callwright.Role, text string) callwright.Message {
	return callwright.Message{Role: role, Parts: []callwright.Part{callwright.Text{Text: text}}}
}

// received is a request as it comes over a wire: its messages and tools are in a Body.
func received(req *callwright.Request) *callwright.Request {
	out := *req
	out.Messages, out.Tools = nil, nil
	companion.Change(&out, func(c *companion.Companion) { c.Body = wireBody{req} })
	return &out
}

type wireBody struct{ req *callwright.Request }

func (b wireBody) Wire() callwright.WireName               { return callwright.WireOpenAI }
func (b wireBody) Bytes() []byte                           { return nil }
func (b wireBody) Summaries() []callwright.Summary         { return b.req.Summaries() }
func (b wireBody) Messages() ([]callwright.Message, error) { return b.req.Messages, nil }
func (b wireBody) Tools() ([]callwright.Tool, error)       { return b.req.Tools, nil }

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

var cmpEmpty = cmp.FilterValues(func(a, b []string) bool { return len(a) == 0 && len(b) == 0 }, cmp.Ignore())

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

// streamed gives the bytes of each batch of a stream, its events, and whether more follows at once, as a line each.
func streamed(seq iter.Seq2[callwright.Batch, error]) []string {
	var out []string
	for b, err := range seq {
		if err != nil {
			return append(out, "error "+string(callwright.KindOf(err)))
		}
		if b.Raw != nil {
			out = append(out, fmt.Sprintf("frame %s %d", b.Raw, len(b.Events)))
		}
		for _, ev := range b.Events {
			switch ev := ev.(type) {
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
			case callwright.Done:
				return out
			}
		}
		if !b.More {
			out = append(out, "flush")
		}
	}
	return out
}

// sent is a request in one line a thing: what is said, then what is asked for.
func sent(t *testing.T, req *callwright.Request) []string {
	t.Helper()
	msgs, err := req.History()
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range msgs {
		line := string(m.Role)
		for _, p := range m.Parts {
			switch p := p.(type) {
			case callwright.Text:
				line += " " + p.Text
			case callwright.Call:
				line += " call " + p.Name
			case callwright.Result:
				line += " result " + callwright.TextOf(p.Parts)
			case callwright.Opaque:
				line += " opaque"
			case callwright.Image:
				line += " image " + p.URL
			}
		}
		out = append(out, line)
	}
	tools, err := req.DeclaredTools()
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools {
		out = append(out, "tool "+tool.Name+map[bool]string{true: " without a schema"}[tool.Schema == nil])
	}
	p := req.Params
	if p.Choice.Mode != "" {
		out = append(out, "choice "+string(p.Choice.Mode))
	}
	if p.Parallel != nil {
		out = append(out, fmt.Sprintf("parallel %t", *p.Parallel))
	}
	if p.Format != nil {
		out = append(out, "format")
	}
	if p.Thinking.Effort != "" || p.Thinking.Off {
		out = append(out, fmt.Sprintf("effort %s off %t", p.Thinking.Effort, p.Thinking.Off))
	}
	for _, e := range companion.Of(req).Edits {
		out = append(out, "without "+strings.Join(e.Path, "."))
	}
	return out
}

// said is an extraction in one line a thing.
func said(x *reliable.Extraction) []string {
	var out []string
	for _, c := range x.Calls {
		out = append(out, "call "+c.Name+" "+string(c.Arguments))
	}
	for _, c := range x.Invalid {
		out = append(out, "invalid "+c.Name+" "+c.Violations[0].Keyword)
	}
	if x.Content != "" {
		out = append(out, "text "+x.Content)
	}
	if x.Reasoning != "" {
		out = append(out, "reasoning "+x.Reasoning)
	}
	return append(out, "finish "+string(x.Finish))
}
