package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"strconv"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/trace"
)

// A scripted model gives events and then an error, if it has one. Whole answers are the response.
type scripted struct {
	resp    *callwright.Response
	batches []callwright.Batch // given before events
	events  []callwright.Event
	err     error
	caps    caps.Caps
	freed   int // streams that ended
}

func (s *scripted) ID() callwright.ModelID         { return "test/scripted" }
func (s *scripted) Caps(context.Context) caps.Caps { return s.caps }
func (s *scripted) send(req *callwright.Request) {
	if companion.Of(req).OnSend != nil {
		companion.Of(req).OnSend([]byte(`{"model":"scripted","n":1.0}`))
	}
}

func (s *scripted) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	s.send(req)
	if s.err != nil {
		return nil, s.err
	}
	return s.resp, nil
}

func (s *scripted) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(s.Batches(ctx, req))
}

func (s *scripted) Batches(_ context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		defer func() { s.freed++ }()
		s.send(req)
		for _, b := range s.batches {
			if !yield(b, nil) {
				return
			}
		}
		for _, ev := range s.events {
			if !yield(callwright.Batch{Events: []callwright.Event{ev}}, nil) {
				return
			}
		}
		if s.err != nil {
			yield(callwright.Batch{}, s.err)
		}
	}
}

// clock is a clock that goes a millisecond each time it is asked.
func clock() func() time.Time {
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	return func() time.Time {
		now = now.Add(time.Millisecond)
		return now
	}
}

// counted gives the ids 1, 2 and so on.
func counted() func() string {
	n := 0
	return func() string {
		n++
		return strconv.Itoa(n)
	}
}

// ask is a request about the weather.
func ask() *callwright.Request {
	return &callwright.Request{
		Model:    "test/scripted",
		Messages: []callwright.Message{callwright.SystemText("Be brief."), callwright.UserText("Weather in <Oslo>?")},
		Tools:    []callwright.Tool{{Name: "weather", Description: "Tells the weather", Schema: json.RawMessage("{\"type\": \"object\",\n\"properties\":{}}")}},
		Params:   callwright.Params{MaxTokens: "200", Temperature: "0.70"},
	}
}

// answer is an answer with two calls.
func answer() *callwright.Response {
	return &callwright.Response{
		ID: "a1", Model: "scripted-1", Finish: callwright.FinishCalls,
		Parts: []callwright.Part{
			callwright.Reasoning{Text: "Two calls.", Signature: "EqQB"},
			callwright.Text{Text: "Looking."},
			callwright.Call{ID: "c1", Name: "weather", Arguments: json.RawMessage(`{"city": "Oslo", "n":9007199254740993}`)},
			callwright.Call{ID: "c2", Name: "weather", Arguments: json.RawMessage(`{"city":`)},
		},
		Usage: callwright.Usage{Known: true, Input: 20, Output: 8},
		Raw:   &callwright.Raw{Wire: callwright.WireOpenAI, Bytes: []byte("{\n \"id\": \"a1\"\n}\n")},
	}
}

// player plays what was written.
func player(t interface {
	Helper()
	Fatal(...any)
}, b []byte) *trace.Player {
	t.Helper()
	return made(t, b, trace.NewPlayer)
}

// transport gives the bytes that were received.
func transport(t *testing.T, b []byte) *trace.Transport {
	t.Helper()
	return made(t, b, trace.NewTransport)
}

// made makes something of the entries that were written.
func made[T any](t interface {
	Helper()
	Fatal(...any)
}, b []byte, of func([]trace.Entry) (T, error)) T {
	t.Helper()
	entries, err := trace.ReadAll(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	x, err := of(entries)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// collect reads a stream to its end and expects no error.
func collect(t *testing.T, seq iter.Seq2[callwright.Event, error]) *callwright.Response {
	t.Helper()
	resp, err := callwright.Collect(seq)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// without is a copy without the raw bytes.
func without(resp *callwright.Response) *callwright.Response {
	r := *resp
	r.Raw = nil
	return &r
}

// events gives events as a stream.
func events(list []callwright.Event) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		for _, ev := range list {
			if !yield(ev, nil) {
				return
			}
		}
	}
}
