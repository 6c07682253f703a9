package health

import (
	"fmt"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
)

// A Target is a key with a host of a provider that has several of either.
type Target struct {
	Provider string `json:"provider"`
	Key      string `json:"key,omitempty"`  // the name of the key, "" for the only one
	Host     string `json:"host,omitempty"` // "" for the only one
	// State is TargetReady, or TargetCooling where no request is sent to it for SecondsLeft. Kind is that of the
	// failure that is the reason.
	State       string          `json:"state"`
	Kind        callwright.Kind `json:"kind,omitempty"`
	SecondsLeft int64           `json:"seconds_left,omitempty"`
	// Limited are the models for which no request is sent to it, those of a ready one too.
	Limited  []TargetLimit `json:"limited,omitempty"`
	InFlight int           `json:"in_flight"`
	Requests TargetCounts  `json:"requests"`
	// KeyCools says that the key is the reason, and not the host.
	KeyCools bool `json:"-"`
}

// A TargetLimit is a model for which no request is sent to a target.
type TargetLimit struct {
	Model       callwright.ModelID `json:"model"`
	Kind        callwright.Kind    `json:"kind"`
	SecondsLeft int64              `json:"seconds_left"`
}

// TargetCounts are the requests that were sent to a target. Limited counts those that a limit refused, Refused those
// that were refused for the key, and Failed those that the host did not answer.
type TargetCounts struct {
	Sent    int64 `json:"sent"`
	Limited int64 `json:"limited"`
	Refused int64 `json:"refused"`
	Failed  int64 `json:"failed"`
}

// Add adds other counts.
func (c *TargetCounts) Add(o TargetCounts) {
	c.Sent, c.Limited, c.Refused, c.Failed = c.Sent+o.Sent, c.Limited+o.Limited, c.Refused+o.Refused, c.Failed+o.Failed
}

// The states of a Target.
const (
	TargetReady   = "ready"
	TargetCooling = "cooling"
)

// Seconds returns a time in whole seconds, rounded up.
func Seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// Name returns "key A at HOST", or the part of it that the provider has several of.
func (t *Target) Name() string { return companion.Target{Key: t.Key, Host: t.Host}.String() }

// targetProblems returns a problem for each key and each host that no request is sent to, but for limits.
func targetProblems(list []Target) (out []Problem) {
	for i := range list {
		t := &list[i]
		if t.State != TargetCooling || t.Kind == callwright.KindRateLimited {
			continue
		}
		k := &kinds[numberOf(t.Kind)]
		what := "host " + t.Host
		if t.KeyCools {
			what = companion.Target{Key: t.Key}.String()
		}
		p := Problem{Severity: Degraded, Subject: "provider " + t.Provider, Kind: t.Kind, Remedy: k.remedy,
			Cause: fmt.Sprintf("%s is not used for %d s: %s", what, t.SecondsLeft, k.cause)}
		same := func(o Problem) bool { return o.Subject == p.Subject && o.Cause == p.Cause }
		if !slices.ContainsFunc(out, same) { // a key has several hosts, and a host several keys
			out = append(out, p)
		}
	}
	return out
}
