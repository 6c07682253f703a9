package telemetry_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/telemetry"
)

// The usage of keys is shown by key, that of keys beyond the bound together, and the part of each limit that is used. Names that share a label, as they are
// long or as they are like the label of the others, are counted together.
func TestKeyMetrics(t *testing.T) {
	long := strings.Repeat("k", 5000)
	m := telemetry.NewMetrics(telemetry.MetricsConfig{Keys: func(context.Context, int) ([]access.Usage, access.Total) {
		return []access.Usage{
			{Key: "ci", Total: access.Total{Requests: 3, InputTokens: 100, CachedTokens: 40, OutputTokens: 7, USD: 0.5}, Limits: []access.Limit{
				{What: "usd", Per: access.Day, Limit: 2, Used: 1.7}, {What: "usd", Per: access.Day, Models: "groq/*", Limit: 4, Used: 1}, {What: "tokens", Per: access.Minute, Limit: 0, Used: 9},
			}},
			{Key: long + "1", Total: access.Total{Requests: 1}, Limits: []access.Limit{{What: "usd", Per: access.Day, Limit: 2, Used: 1}}},
			{Key: long + "2", Total: access.Total{Requests: 1}, Limits: []access.Limit{{What: "usd", Per: access.Day, Limit: 2, Used: 2}}},
			{Key: "grouped", Group: &access.GroupUsage{Group: "team", Limits: []access.Limit{{What: "usd", Per: access.Month, Limit: 10, Used: 9}}}},
			{Key: "other", Total: access.Total{Requests: 1}},
		}, access.Total{Requests: 10}
	}, TotalLimits: func(context.Context) []access.Limit {
		return []access.Limit{{What: "usd", Per: access.Month, Limit: 100, Used: 30}}
	}})
	got := figures(t, m)
	for series, want := range map[string]float64{
		"callwright_key_requests_total{key=ci}":                                                                  3,
		"callwright_key_requests_total{key=other}":                                                               11,
		"callwright_key_tokens_total{key=ci,type=input}":                                                         100,
		"callwright_key_tokens_total{key=ci,type=cached}":                                                        40,
		"callwright_key_tokens_total{key=ci,type=output}":                                                        7,
		"callwright_key_limit_used_ratio{group=team,key=,limit=usd,models=,per=month}":                           0.9,
		"callwright_key_limit_used_ratio{group=,key=,limit=usd,models=,per=month}":                               0.3,
		"callwright_key_spend_usd_total{key=ci}":                                                                 0.5,
		"callwright_key_limit_used_ratio{group=,key=ci,limit=usd,models=,per=day}":                               0.85,
		"callwright_key_limit_used_ratio{group=,key=ci,limit=usd,models=groq/*,per=day}":                         0.25,
		"callwright_key_limit_used_ratio{group=,key=ci,limit=tokens,models=,per=minute}":                         0,
		"callwright_key_requests_total{key=" + callwright.Excerpt(long) + "}":                                    2,
		"callwright_key_limit_used_ratio{group=,key=" + callwright.Excerpt(long) + ",limit=usd,models=,per=day}": 1,
	} {
		if got[series] != want {
			t.Errorf("%s: got %v, want %v", series, got[series], want)
		}
	}
}

// Problems are counted by severity and topic. What there is none of is 0, so that an alert on it ends.
func TestProblemMetrics(t *testing.T) {
	var list []health.Problem
	m := telemetry.NewMetrics(telemetry.MetricsConfig{Problems: func() []health.Problem { return list }})
	count := func(severity, topic string) float64 {
		got, ok := figures(t, m)[fmt.Sprintf("callwright_problems{severity=%s,topic=%s}", severity, topic)]
		if !ok {
			t.Errorf("no series of %s %s", severity, topic)
		}
		return got
	}
	for _, topic := range []string{"breaker", "healing", "configuration", "state", "model", "other"} {
		if n := count("degraded", topic); n != 0 {
			t.Errorf("%s: %v without problems", topic, n)
		}
	}
	list = []health.Problem{
		{Severity: health.Degraded, Topic: health.TopicState}, {Severity: health.Broken, Model: "lab/m"}, {Severity: health.Broken, Model: "lab/n"},
		{Severity: health.Broken, Model: "lab/m", Topic: health.TopicBreaker}, {Severity: health.Degraded, Subject: "keys_file"},
	}
	if count("degraded", "state") != 1 || count("broken", "model") != 2 || count("broken", "breaker") != 1 || count("degraded", "other") != 1 || count("broken", "state") != 0 {
		t.Errorf("got %v", figures(t, m))
	}
}
