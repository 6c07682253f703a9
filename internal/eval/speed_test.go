package eval_test

import (
	"context"
	"net/http"
	"runtime"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/simulate"
)

// configured opens sessions as the command does: each with a registry of its own, so that nothing that was learned of a model leaks.
func configured(mix simulate.Mix) func(context.Context, eval.Task) (*eval.Session, error) {
	return func(_ context.Context, t eval.Task) (*eval.Session, error) {
		c, err := config.Parse([]byte("providers: {lab: {wire: openai, base_url: 'http://simulator.invalid/v1'}}\n"), func(string) (string, bool) { return "", false })
		if err != nil {
			return nil, err
		}
		around := func(string, callwright.WireName, http.RoundTripper) http.RoundTripper {
			return eval.Offline(t.Cell, t.Scenario, mix)
		}
		reg, err := config.NewRegistry(c, config.WithTransport(around), config.WithoutKeys(), config.WithIDs(t.Cell.IDs()), config.WithEnv(func(string) (string, bool) { return "", false }))
		if err != nil {
			return nil, err
		}
		client, err := reg.Resolve("lab/model")
		if err != nil {
			reg.Close()
			return nil, err
		}
		return &eval.Session{Model: client, Close: reg.Close}, nil
	}
}

// BenchmarkCells plays the built-in scenarios with a family of models that misbehaves, as the command does. An operation is one cell.
func BenchmarkCells(b *testing.B) {
	f, _ := simulate.FamilyNamed("openai")
	p := eval.Plan{Models: []callwright.ModelID{"sim/openai"}, Scenarios: eval.BuiltIn(), Trials: 1}
	for b.Loop() {
		p.Seed++
		r := &eval.Runner{Plan: &p, Header: p.Header("test", false), Open: configured(f.Mix), Jobs: runtime.GOMAXPROCS(0)}
		out, err := r.Run(b.Context())
		if err != nil || len(out) != len(p.Scenarios) {
			b.Fatal(len(out), err)
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N*len(p.Scenarios)), "ms/cell")
	b.ReportMetric(float64(m.Sys)/(1<<20), "MiB")
}
