// Package targetlist lists the API keys and hosts of providers that have several of either.
package targetlist

import (
	"cmp"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/provider"
)

// Add adds the states of a provider's targets to list and returns the list. The counts of a target that the list
// already contains are added up.
func Add(list []health.Target, name string, states []provider.TargetState) []health.Target {
	for i := range states {
		t := targetOf(name, &states[i])
		at := slices.IndexFunc(list, func(o health.Target) bool { return o.Provider == t.Provider && o.Key == t.Key && o.Host == t.Host })
		if at < 0 {
			list = append(list, t)
			continue
		}
		there := &list[at]
		there.Requests.Add(t.Requests)
		for _, l := range t.Limited {
			if !slices.ContainsFunc(there.Limited, func(o health.TargetLimit) bool { return o.Model == l.Model }) {
				there.Limited = append(there.Limited, l)
			}
		}
	}
	return list
}

// Sort sorts a list by provider, then API key, then host.
func Sort(list []health.Target) {
	slices.SortStableFunc(list, func(a, b health.Target) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Host, b.Host))
	})
}

func targetOf(name string, s *provider.TargetState) health.Target {
	t := health.Target{
		Provider: name, Key: s.Key, Host: s.Host, State: health.TargetReady, InFlight: s.InFlight,
		Requests: health.TargetCounts{Sent: s.Asked, Limited: s.Limited, Refused: s.Refused, Failed: s.Failed},
	}
	if s.Left > 0 {
		t.State, t.Kind, t.SecondsLeft, t.KeyCools = health.TargetCooling, s.Kind, health.Seconds(s.Left), s.KeyCools
	}
	for _, l := range s.Limits {
		if l.Model != "" {
			t.Limited = append(t.Limited, health.TargetLimit{Model: callwright.ModelID(name + "/" + l.Model), Kind: l.Kind,
				SecondsLeft: health.Seconds(l.Left)})
		}
	}
	return t
}
