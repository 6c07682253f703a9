package reliable_test

import (
	"context"
	"iter"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/reliable"
	"github.com/google/go-cmp/cmp"
)

// A streaming model keeps in which way it was asked.
type streaming struct {
	scripted
	ways []string
}

func (m *streaming) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	m.ways = append(m.ways, "whole")
	return m.scripted.Generate(ctx, req)
}

func (m *streaming) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	m.ways = append(m.ways, "stream")
	return m.scripted.Batches(ctx, req)
}

// A provider that refuses to stream answers with tools is asked for whole ones, at once and from then on: it has tools. Without tools it streams.
func TestRefusedStreamOfTools(t *testing.T) {
	refusal := &callwright.Error{Kind: callwright.KindUnsupported, Feature: feature.StreamTools, Status: 400}
	m := &streaming{scripted: scripted{name: "lab/m", answers: []any{refusal, goodCall, goodCall, text("Hello.")}}}
	client, plain := reliable.New(m), ask(callwright.Choice{})
	plain.Tools = nil
	for i, want := range [][]string{{"call get_weather " + oslo, "finish tool_calls"}, {"call get_weather " + oslo, "finish tool_calls"}, {"text Hello.", "finish stop"}} {
		req := ask(callwright.Choice{})
		if i == 2 {
			req = plain
		}
		resp, err := callwright.Collect(client.Stream(t.Context(), req))
		if d := cmp.Diff(want, outcome(resp, err)); d != "" {
			t.Errorf("request %d (-want +got)\n%s", i, d)
		}
	}
	if d := cmp.Diff([]string{"stream", "whole", "whole", "stream"}, m.ways); d != "" {
		t.Errorf("asked (-want +got)\n%s", d)
	}
}

// A rule for names that a refusal states holds for their first character, too.
func TestRefusedFirstCharacter(t *testing.T) {
	refusal := &callwright.Error{Kind: callwright.KindUnsupported, Feature: feature.ToolNames, Status: 400}
	called := native("t_2d_plot", `{"city":"Oslo"}`, callwright.FinishCalls)
	m := &scripted{name: "lab/m", answers: []any{refusal, called, called}}
	client, req := reliable.New(m), ask(callwright.Choice{})
	req.Tools = []callwright.Tool{{Name: "2d_plot", Schema: weather[0].Schema}}
	for range 2 {
		resp, err := client.Generate(t.Context(), req)
		if d := cmp.Diff([]string{"call 2d_plot " + oslo, "finish tool_calls"}, outcome(resp, err)); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	}
	for i, want := range []string{"2d_plot", "t_2d_plot", "t_2d_plot"} {
		if got := m.asked[i].Tools[0].Name; got != want {
			t.Errorf("request %d: sent %s, want %s", i, got, want)
		}
	}
}
