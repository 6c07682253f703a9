package telemetry_test

import (
	"net/http/httptest"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/telemetry"
)

// TestTargets: each key with each host has its own figures.
func TestTargets(t *testing.T) {
	list := []health.Target{
		{Provider: "lab", Key: "A", Host: "g", State: health.TargetReady, InFlight: 2, Requests: health.TargetCounts{Sent: 9, Limited: 3, Failed: 1},
			Limited: []health.TargetLimit{{Model: "lab/m", Kind: callwright.KindRateLimited, SecondsLeft: 5}}},
		{Provider: "lab", Key: "key 2", Host: "g", State: health.TargetCooling, Kind: callwright.KindAuth, SecondsLeft: 5, Requests: health.TargetCounts{Sent: 4, Refused: 1}},
	}
	m := telemetry.NewMetrics(telemetry.MetricsConfig{Targets: func() []health.Target { return list }})
	srv := httptest.NewServer(m.Handler())
	defer srv.Close()
	got := scrape(t, srv)
	for series, want := range map[string]float64{
		"callwright_target_requests_total{host=g,key=A,provider=lab,what=sent}":        9,
		"callwright_target_requests_total{host=g,key=A,provider=lab,what=limited}":     3,
		"callwright_target_requests_total{host=g,key=A,provider=lab,what=failed}":      1,
		"callwright_target_requests_total{host=g,key=key 2,provider=lab,what=refused}": 1,
		"callwright_target_in_flight{host=g,key=A,provider=lab}":                       2,
		"callwright_target_cooling{host=g,key=A,provider=lab}":                         0,
		"callwright_target_cooling{host=g,key=key 2,provider=lab}":                     1,
		"callwright_target_limited_models{host=g,key=A,provider=lab}":                  1,
	} {
		if n, ok := got[series]; !ok || n != want {
			t.Errorf("%s: got %v, %v", series, n, ok)
		}
	}
}
