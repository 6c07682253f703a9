package telemetry_test

import (
	"context"
	"io"
	"net/http"
	"runtime"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/telemetry"
)

// swallow is a collector without a network.
type swallow struct{}

func (swallow) RoundTrip(r *http.Request) (*http.Response, error) {
	_, err := io.Copy(io.Discard, r.Body)
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Header: http.Header{}, Request: r}, err
}

// passed is a request that was passed through, as observers are told of it.
func passed() gateway.Observation {
	now := time.Now()
	return gateway.Observation{
		Method: http.MethodPost, Path: "/v1/chat/completions", Header: http.Header{"Content-Type": {"application/json"}}, Began: now, Wire: callwright.WireOpenAI,
		Model: "mine", Status: http.StatusOK, FirstByte: now, Ended: now.Add(time.Second), Written: 2000,
		Report: &callwright.Report{ID: "rep_1", Model: "lab/m", Mode: "native", Untouched: true, Attempts: []callwright.Attempt{{
			Model: "lab/m", Mode: "native", Began: now, Duration: time.Second, Tries: 1, Usage: callwright.Usage{Known: true, Input: 3000, Output: 120},
		}}},
	}
}

// BenchmarkObserve is what one more request costs those that observe it: figures, and spans until a collector has them.
func BenchmarkObserve(b *testing.B) {
	observe := func(b *testing.B, to gateway.Observer) {
		o := passed()
		b.ReportAllocs()
		for i := range b.N {
			ctx := to.Begin(context.Background(), o)
			to.End(ctx, o)
			if i%100 == 99 {
				runtime.Gosched() // else more come than can wait
			}
		}
	}
	b.Run("metrics", func(b *testing.B) {
		observe(b, telemetry.NewMetrics(telemetry.MetricsConfig{Models: []string{"mine"}, Price: priced}))
	})
	b.Run("spans", func(b *testing.B) {
		s, err := telemetry.NewSpans(telemetry.SpansConfig{Endpoint: "http://collector/v1/traces", Client: swallow{}})
		if err != nil {
			b.Fatal(err)
		}
		observe(b, s)
		if err := s.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
		if s.DroppedCount() > 0 {
			b.Errorf("%d of %d spans were dropped", s.DroppedCount(), 2*b.N)
		}
	})
}
