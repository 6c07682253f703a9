package trace_test

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestUnderClient: a client that corrects a model gives the same answers with the player in the model's place.
func TestUnderClient(t *testing.T) {
	// The first call lacks its city, and the model is asked again.
	first := &callwright.Response{Finish: callwright.FinishCalls, Parts: []callwright.Part{callwright.Call{ID: "c1", Name: "weather", Arguments: json.RawMessage(`{"town":1}`)}}}
	second := &callwright.Response{Finish: callwright.FinishCalls, Parts: []callwright.Part{callwright.Call{ID: "c2", Name: "weather", Arguments: json.RawMessage(`{"city":"Oslo"}`)}}}
	req := ask()
	req.Tools[0].Schema = json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)
	ctx := context.Background()

	var inner, outer bytes.Buffer
	model := &turns{answers: []*callwright.Response{first, second}, scripted: scripted{caps: caps.Caps{Tools: caps.Yes}.From(caps.Probed)}}
	client := reliable.New(trace.Record(model, trace.NewWriter(&inner)))
	want, err := trace.Record(client, trace.NewWriter(&outer)).Generate(ctx, req)
	if err != nil || len(want.Report.Attempts) != 2 {
		t.Fatal(want, err)
	}
	got, err := reliable.New(player(t, inner.Bytes())).Generate(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Parts, got.Parts); diff != "" {
		t.Errorf("under the client: %s", diff)
	}
	if got := collect(t, reliable.New(player(t, inner.Bytes())).Stream(ctx, req)); !cmp.Equal(want.Parts, got.Parts) {
		t.Errorf("streamed under the client: %v", got.Parts)
	}
	got = collect(t, player(t, outer.Bytes()).Stream(ctx, req))
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(callwright.Attempt{}, "Began")); diff != "" { // which no trace has
		t.Errorf("in place of the client: %s", diff)
	}
}

// turns gives one answer after the other.
type turns struct {
	scripted
	answers []*callwright.Response
}

func (m *turns) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	m.resp, m.answers = m.answers[0], m.answers[1:]
	return m.scripted.Generate(ctx, req)
}
