package health

import (
	"fmt"
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
)

// A Target is a pair of key and host of a provider that has several keys or hosts.
type Target struct {
	Provider string `json:"provider"`
	Key      string `json:"key,omitempty"`  // name of the key, "" if the provider has one key
	Host     string `json:"host,omitempty"` // "" if the provider has one host
	// State is TargetReady or TargetCooling. A cooling target gets no requests for SecondsLeft, because of a failure of
	// the kind Kind.
	State       string          `json:"state"`
	Kind        callwright.Kind `json:"kind,omitempty"`
	SecondsLeft int64           `json:"seconds_left,omitempty"`
	// Limited lists the models whose requests the target does not get, also if it is ready.
	Limited  []TargetLimit `json:"limited,omitempty"`
	InFlight int           `json:"in_flight"`
	Requests TargetCounts  `json:"requests"`
	// KeyCools reports whether the key causes the cooldown, not the host.
	KeyCools bool `json:"-"`
}

// A TargetLimit is a model whose requests a target does not get for SecondsLeft, because of a failure of the kind Kind.
type TargetLimit struct {
	Model       callwright.ModelID `json:"model"`
	Kind        callwright.Kind    `json:"kind"`
	SecondsLeft int64              `json:"seconds_left"`
}

// TargetCounts counts the requests to a target. Sent counts all requests, Limited those rejected by a rate limit,
// Refused those rejected because of the key, and Failed those without an answer of the host.
type TargetCounts struct {
	Sent    int64 `json:"sent"`
	Limited int64 `json:"limited"`
	Refused int64 `json:"refused"`
	Failed  int64 `json:"failed"`
}

// Add adds the counts of o to c.
func (c *TargetCounts) Add(o TargetCounts) {
	c.Sent, c.Limited, c.Refused, c.Failed = c.Sent+o.Sent, c.Limited+o.Limited, c.Refused+o.Refused, c.Failed+o.Failed
}

// The values of Target.State.
const (
	TargetReady   = "ready"
	TargetCooling = "cooling"
)

// Seconds returns d in seconds, rounded up.
func Seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// Name returns "key A at HOST". It omits the key or the host if the provider has only one.
func (t *Target) Name() string { return companion.Target{Key: t.Key, Host: t.Host}.String() }

// targetProblems returns a problem for each key and each host in a cooldown. A cooldown because of a rate limit is no
// problem.
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
		if !slices.ContainsFunc(out, same) { // several targets share the key or the host
			out = append(out, p)
		}
	}
	return out
}
