package access_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
)

// A groupSource has groups and no keys.
type groupSource []access.Group

func (s groupSource) Version() uint64 { return 1 }

func (s groupSource) Keys() (keys []access.Key, groups []access.Group, version uint64) {
	return nil, s, 1
}

// TestGroupsOfConfiguration: keys of the configuration share the limits of a group there. Of a group that the source has too, that of the configuration holds, and one
// that the source alone has is there beside it.
func TestGroupsOfConfiguration(t *testing.T) {
	src := groupSource{{Name: "team", Limits: access.Limits{Requests: 100}}, {Name: "made", Limits: access.Limits{Requests: 1}}}
	g := newGate(t, access.Config{
		Groups: []access.Group{{Name: "team", Limits: access.Limits{Requests: 3}}}, Source: src,
		Keys: []access.Key{
			{Name: "a", Hash: access.HashOf("a"), Group: "team"}, {Name: "b", Hash: access.HashOf("b"), Group: "team"},
			{Name: "c", Hash: access.HashOf("c"), Group: "made"}, {Name: "d", Hash: access.HashOf("d"), Group: "none"},
		},
	})
	var passed []string
	for _, key := range []string{"a", "b", "a", "b", "a", "c", "c"} {
		if caller(t, g, key).CountRequest(t.Context()) == nil {
			passed = append(passed, key)
		}
	}
	if got := fmt.Sprint(passed); got != "[a b a c]" {
		t.Errorf("passed %s", got)
	}
	if _, err := g.Find([][]byte{[]byte("d")}); callwright.KindOf(err) != callwright.KindAuth {
		t.Errorf("a key in a group that there is not: %v", err)
	}
	if !g.ConfiguredGroup("team") || g.ConfiguredGroup("made") {
		t.Errorf("configured are %+v", g.ConfiguredGroups())
	}
}

// TestCountedByBothOrNone: a request that the group of a key refuses, or another limit, counts for none of them.
func TestCountedByBothOrNone(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limit := func(what string) int64 { return int64(rapid.IntRange(1, 6).Draw(rt, what)) }
		own, shared, ofModel, groupModel := limit("own"), limit("shared"), limit("of model"), limit("group of model")
		c := newClock()
		g := newGate(t, access.Config{
			Now: c.Now, Counters: access.NewMemoryCounters(c.Now),
			Groups: []access.Group{{Name: "team", Limits: access.Limits{Requests: shared}, PerModel: []access.ModelLimits{{Models: "lab/*", Limits: access.Limits{Requests: groupModel}}}}},
			Keys: []access.Key{{Name: "a", Hash: access.HashOf("a"), Group: "team", Limits: access.Limits{Requests: own},
				PerModel: []access.ModelLimits{{Models: "*", Limits: access.Limits{Requests: ofModel}}}}},
		})
		a := caller(t, g, "a")
		var counted, reserved int64
		for range 10 {
			if a.CountRequest(t.Context()) != nil {
				continue
			}
			counted++
			if _, err := a.Reserve(t.Context(), access.PlannedRequest{Name: "lab/m", Models: []callwright.ModelID{"lab/m"}, Input: 1}); err == nil {
				reserved++
			}
		}
		group, _ := g.GroupUsage(t.Context(), "team")
		for _, l := range append(a.Usage(t.Context()).Limits, group.Limits...) {
			want := float64(counted)
			if l.Models != "" {
				want = float64(reserved)
			}
			if l.Used != want {
				rt.Errorf("of %v requests for %q, %v are counted, expected %v", l.Limit, l.Models, l.Used, want)
			}
		}
		if counted != min(own, shared) || reserved != min(counted, ofModel, groupModel) {
			rt.Errorf("%d passed, and %d of them the limits of the model", counted, reserved)
		}
	})
}
