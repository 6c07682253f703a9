package eval_test

import (
	"context"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

var wires = []callwright.WireName{callwright.WireOpenAI, callwright.WireResponses, callwright.WireAnthropic, callwright.WireGemini, callwright.WireOllama}

// offline opens sessions with simulated models: that of a cell is called after the wire over which it is asked, in the cell's mode and policy.
func offline(mix simulate.Mix) func(context.Context, eval.Task) (*eval.Session, error) {
	return func(_ context.Context, t eval.Task) (*eval.Session, error) {
		wire := callwright.WireName(t.Cell.Model)
		base := "http://simulator.invalid"
		if wire == callwright.WireOpenAI || wire == callwright.WireResponses {
			base += "/v1"
		}
		p, err := provider.New(provider.Config{Name: string(wire), Wire: wire, BaseURL: base, APIKey: provider.NewSecret("any"), Transport: eval.Offline(t.Cell, t.Scenario, mix)})
		if err != nil {
			return nil, err
		}
		policy, err := callwright.ParsePolicy(t.Cell.Policy)
		if err != nil {
			return nil, err
		}
		opts := []reliable.Option{reliable.WithPolicy(policy), reliable.WithIDs(t.Cell.IDs())}
		if t.Cell.Mode != "auto" {
			opts = append(opts, reliable.WithModes(caps.Mode(t.Cell.Mode)))
		}
		return &eval.Session{Model: reliable.New(p.Model("native"), opts...), Close: p.Close}, nil
	}
}

// models are the wires as names of models.
func models(names ...callwright.WireName) []callwright.ModelID {
	var out []callwright.ModelID
	for _, w := range names {
		out = append(out, callwright.ModelID(w))
	}
	return out
}

// run plays a plan offline and returns its results.
func run(t *testing.T, p eval.Plan, mix simulate.Mix, change ...func(*eval.Runner)) []eval.Result {
	t.Helper()
	r := &eval.Runner{Plan: &p, Header: p.Header("test", false), Open: offline(mix), Jobs: 2, Total: 2}
	for _, f := range change {
		f(r)
	}
	out, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// streamed are scenarios with answers that are all streamed, or all whole.
func streamed(list []eval.Scenario, stream bool) []eval.Scenario {
	out := append([]eval.Scenario(nil), list...)
	for i := range out {
		out[i].Stream = stream
	}
	return out
}
