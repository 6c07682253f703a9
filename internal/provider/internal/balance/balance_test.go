package balance_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider/internal/balance"
)

// entries returns entries that are written as "A, B*3": names with weights.
func entries(text string) (out []balance.Entry) {
	for part := range strings.SplitSeq(text, ", ") {
		e := balance.Entry{Name: part, Secret: part}
		if name, weight, ok := strings.Cut(part, "*"); ok {
			e.Name, e.Secret = name, name
			fmt.Sscan(weight, &e.Weight)
		}
		out = append(out, e)
	}
	return out
}

// set returns a Set of a table of its own.
func set(keys, hosts string) *balance.Set {
	return balance.New(&balance.Table{}, "lab", entries(keys), entries(hosts))
}

// name returns "key@host".
func name(s *balance.Set, t *balance.Target) string {
	if t == nil {
		return "none"
	}
	return s.KeyName(t) + "@" + s.HostName(t)
}

// TestShares: requests one after the other are shared by weight, in turn, and requests at the same time by weight, too.
func TestShares(t *testing.T) {
	for title, c := range map[string]struct {
		keys, hosts string
		atOnce      bool
		want        map[string]int // of 24 requests
	}{
		"keys in turn":       {"A, B, C", "h", false, map[string]int{"A@": 8, "B@": 8, "C@": 8}},
		"keys by weight":     {"A*3, B", "h", false, map[string]int{"A@": 18, "B@": 6}},
		"pairs":              {"A, B", "g, h", false, map[string]int{"A@g": 6, "A@h": 6, "B@g": 6, "B@h": 6}},
		"pairs by weight":    {"A*2, B", "g*3, h", false, map[string]int{"A@g": 12, "A@h": 4, "B@g": 6, "B@h": 2}},
		"at once":            {"A", "f, g, h", true, map[string]int{"@f": 8, "@g": 8, "@h": 8}},
		"at once, by weight": {"A", "g*5, h", true, map[string]int{"@g": 20, "@h": 4}},
	} {
		t.Run(title, func(t *testing.T) {
			s := set(c.keys, c.hosts)
			m, got := s.Model("m"), map[string]int{}
			for range 24 {
				w := s.Begin(m, 0)
				to, _ := w.Next(true)
				got[name(s, to)]++
				if !c.atOnce {
					w.NoteAnswer()
					w.End(balance.Result{})
				}
			}
			if !maps.Equal(got, c.want) {
				t.Errorf("got %v", got)
			}
		})
	}
}

// TestIsInTurn: the turn alternates, and does not give all requests of a weight at once.
func TestIsInTurn(t *testing.T) {
	s := set("A*2, B", "h")
	var got []string
	for range 6 {
		w := s.Begin(s.Model("m"), 0)
		to, _ := w.Next(true)
		got = append(got, name(s, to))
		w.End(balance.Result{})
	}
	if d := cmp.Diff([]string{"A@", "B@", "A@", "A@", "B@", "A@"}, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestCooldowns: what a failure cools down, for how long, and where its request goes then.
func TestCooldowns(t *testing.T) {
	const minute = time.Minute
	limited := balance.Result{FailedPart: balance.KeyModel, Kind: callwright.KindRateLimited, Wait: 30 * time.Second}
	refused := balance.Result{FailedPart: balance.Key, Kind: callwright.KindAuth}
	denied := balance.Result{FailedPart: balance.KeyModel, Kind: callwright.KindPermission}
	unknown := balance.Result{FailedPart: balance.WholeModel, Kind: callwright.KindNotFound}
	unstated := balance.Result{FailedPart: balance.KeyModel, Kind: callwright.KindRateLimited}
	down := balance.Result{FailedPart: balance.HostsLink, Kind: callwright.KindUnavailable}
	failed := balance.Result{FailedPart: balance.Host, Kind: callwright.KindServer}
	busy := balance.Result{FailedPart: balance.HostModel, Kind: callwright.KindOverloaded, Wait: 20 * time.Second}
	for title, c := range map[string]struct {
		keys, hosts string
		result      balance.Result // of the first target, which is that of the first key and the first host
		times       int            // in a row
		next        string         // where the request goes on
		free, later string         // the targets that are free after it, for the same model and for another one
		after       time.Duration  // when all are free again
	}{
		"a limit":             {"A, B", "h", limited, 1, "B@", "B@", "A@ B@", 30 * time.Second},
		"a limit at hosts":    {"A, B", "g, h", limited, 1, "B@g", "B@g B@h", "A@g A@h B@g B@h", 30 * time.Second},
		"a limit of one key":  {"A", "g, h", limited, 1, "@h", "@h", "@g @h", 30 * time.Second},
		"a key refused":       {"A, B", "h", refused, 1, "B@", "B@", "B@", minute},
		"one key refused":     {"A", "g, h", refused, 1, "@h", "@h", "@h", minute},
		"one key, again":      {"A", "g, h", refused, 3, "@h", "@h", "@h", 4 * minute},
		"no connection":       {"A", "g, h", down, 1, "@h", "@h", "@h", 5 * time.Second},
		"no connection again": {"A", "g, h", down, 3, "@h", "@h", "@h", 20 * time.Second},
		"the only host":       {"A, B", "h", down, 1, "B@", "A@ B@", "A@ B@", 0},
		"a failure":           {"A", "g, h", failed, 1, "@h", "@g @h", "@g @h", 0},
		"failures in a row":   {"A, B", "g, h", failed, 3, "A@h", "A@h B@h", "A@h B@h", 5 * time.Second},
		"a host's own time":   {"A", "g, h", busy, 1, "@h", "@h", "@g @h", 20 * time.Second},
		"several keys, busy":  {"A, B", "g, h", busy, 1, "A@h", "A@h B@h", "A@g A@h B@g B@h", 20 * time.Second},
		"the request's fault": {"A, B", "h", balance.Result{}, 1, "B@", "A@ B@", "A@ B@", 0},
		"no such model":       {"A, B", "g, h", unknown, 1, "none", "", "A@g A@h B@g B@h", minute},
		"a limit, no time":    {"A, B", "h", unstated, 1, "B@", "B@", "A@ B@", 5 * time.Second},
		"limits, no time":     {"A, B", "h", unstated, 3, "B@", "B@", "A@ B@", 20 * time.Second},
		"refused again":       {"A, B", "h", refused, 3, "B@", "B@", "B@", 4 * minute},
		"refused on and on":   {"A, B", "h", refused, 9, "B@", "B@", "B@", 15 * minute},
		"denied":              {"A, B", "h", denied, 1, "B@", "B@", "A@ B@", minute},
		"one limited":         {"A", "h", limited, 1, "none", "", "@", 30 * time.Second},
		"one, no time":        {"A", "h", unstated, 3, "none", "", "@", 20 * time.Second},
		"one refused":         {"A", "h", refused, 1, "none", "", "", minute},
		"one refused again":   {"A", "h", refused, 3, "none", "", "", 4 * minute},
		"one denied":          {"A", "h", denied, 1, "none", "", "@", minute},
		"one, no such model":  {"A", "h", unknown, 1, "none", "", "@", minute},
		"one, its own time":   {"A", "h", busy, 1, "none", "", "@", 20 * time.Second},
		"one, no connection":  {"A", "h", down, 5, "none", "@", "@", 0},
		"one fails":           {"A", "h", failed, 5, "none", "@", "@", 0},
		"one, a bad request":  {"A", "h", balance.Result{}, 1, "none", "@", "@", 0},
	} {
		t.Run(title, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := set(c.keys, c.hosts)
				m := s.Model("m")
				var w balance.TargetSequence
				for i := range c.times {
					w = s.Begin(m, 0)
					first := at(&w, 0, 0)
					if first == nil {
						t.Fatalf("no try %d", i)
					}
					w.End(c.result)
					if i+1 < c.times {
						time.Sleep(15 * time.Minute)
					}
				}
				next, _ := w.Next(true)
				if got := name(s, next); got != c.next {
					t.Errorf("it goes on to %s", got)
				}
				w.End(balance.Result{})
				if got := freeOf(s, m); got != c.free {
					t.Errorf("free are %s", got)
				}
				if got := freeOf(s, s.Model("other")); got != c.later {
					t.Errorf("for another model, free are %s", got)
				}
				if c.after > 0 {
					time.Sleep(c.after - time.Nanosecond)
					if got := freeOf(s, m); got != c.free {
						t.Errorf("just before the end, free are %s", got)
					}
					if got := freeOf(s, s.Model("other")); got != c.later {
						t.Errorf("for another model, just before the end, free are %s", got)
					}
					time.Sleep(time.Nanosecond)
				}
				if got := len(strings.Fields(freeOf(s, m))); got != s.Keys()*s.Hosts() {
					t.Errorf("after the end %d targets are free", got)
				}
			})
		})
	}
}

// at chooses targets until it is that of a key and a host; others are given back as if the client had left. It returns nil where that one is not free.
func at(w *balance.TargetSequence, key, host int) *balance.Target {
	for range 100 {
		t, _ := w.Next(true)
		if t == nil || t.Key == key && t.Host == host {
			return t
		}
		w.End(balance.Result{FailedPart: balance.Unknown})
	}
	return nil
}

// freeOf lists the targets that requests get, by looking where a hundred go.
func freeOf(s *balance.Set, m *balance.Model) string {
	found := map[string]bool{}
	for range 100 {
		w := s.Begin(m, 0)
		if t, _ := w.Next(false); t != nil {
			found[name(s, t)] = true
		}
		w.End(balance.Result{FailedPart: balance.Unknown})
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), " ")
}

// TestAllCool: where all targets cool down, which one is asked all the same, or how long it takes.
func TestAllCool(t *testing.T) {
	limit := func(s int) balance.Result {
		return balance.Result{FailedPart: balance.KeyModel, Kind: callwright.KindRateLimited, Wait: time.Duration(s) * time.Second}
	}
	refused := balance.Result{FailedPart: balance.Key, Kind: callwright.KindAuth}
	unstated := balance.Result{FailedPart: balance.KeyModel, Kind: callwright.KindRateLimited}
	down := balance.Result{FailedPart: balance.HostsLink, Kind: callwright.KindUnavailable}
	for title, c := range map[string]struct {
		keys, hosts string
		results     []balance.Result // of the targets, in their order
		urgent      string
		skip        balance.Skip // of a request that another model can answer
		gap         time.Duration
	}{
		"limits":                {"A, B", "h", []balance.Result{limit(40), limit(20)}, "none", balance.Skip{Kind: callwright.KindRateLimited, Left: 20 * time.Second, Stated: true}, 10 * time.Second},
		"a refusal":             {"A, B", "h", []balance.Result{limit(40), refused}, "none", balance.Skip{Kind: callwright.KindRateLimited, Left: 30 * time.Second, Stated: true}, 10 * time.Second},
		"refusals":              {"A, B", "h", []balance.Result{refused, refused}, "A@", balance.Skip{Kind: callwright.KindAuth, Left: 50 * time.Second}, 10 * time.Second},
		"hosts":                 {"A", "g, h", []balance.Result{down, down}, "@g", balance.Skip{Kind: callwright.KindUnavailable, Left: 4 * time.Second}, time.Second},
		"a host and limits":     {"A", "g, h", []balance.Result{down, limit(2)}, "@g", balance.Skip{Kind: callwright.KindRateLimited, Left: 2 * time.Second, Stated: true}, time.Second},
		"limits of two sorts":   {"A, B", "h", []balance.Result{unstated, limit(3)}, "A@", balance.Skip{Kind: callwright.KindRateLimited, Left: 3 * time.Second, Stated: true}, time.Second},
		"a refusal ends first":  {"A, B", "h", []balance.Result{refused, limit(60)}, "none", balance.Skip{Kind: callwright.KindAuth, Left: 50 * time.Second}, 10 * time.Second},
		"limits without a time": {"A, B", "h", []balance.Result{unstated, refused}, "A@", balance.Skip{Kind: callwright.KindRateLimited, Left: 4 * time.Second}, time.Second},
		"one, a limit":          {"A", "h", []balance.Result{limit(40)}, "none", balance.Skip{Kind: callwright.KindRateLimited, Left: 40 * time.Second, Stated: true}, 0},
		"one, a refusal":        {"A", "h", []balance.Result{refused}, "@", balance.Skip{Kind: callwright.KindAuth, Left: time.Minute}, 0},
		"one, no connection":    {"A", "h", []balance.Result{down}, "@", balance.Skip{}, 0},
	} {
		t.Run(title, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := set(c.keys, c.hosts)
				m := s.Model("m")
				for i, r := range c.results {
					if i > 0 {
						time.Sleep(c.gap)
					}
					w := s.Begin(m, 0)
					if at(&w, i/s.Hosts(), i%s.Hosts()) == nil {
						t.Fatalf("target %d is not free", i)
					}
					w.End(r)
				}
				w := s.Begin(m, 0)
				if to, skip := w.Next(false); (to == nil) != (c.skip.Left > 0) || skip != c.skip {
					t.Errorf("got %s, %+v", name(s, to), skip)
				}
				if got := s.Away(m); got != c.skip {
					t.Errorf("the model is away: %+v", got)
				}
				w.End(balance.Result{FailedPart: balance.Unknown})
				w = s.Begin(m, 0)
				if to, _ := w.Next(true); name(s, to) != c.urgent {
					t.Errorf("the urgent one got %s", name(s, to))
				}
			})
		})
	}
}

// TestTrial: after a refusal one request tries the key, and others do not until it is answered.
func TestTrial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := set("A, B", "h")
		m := s.Model("m")
		w := s.Begin(m, 0)
		at(&w, 0, 0)
		w.End(balance.Result{FailedPart: balance.Key, Kind: callwright.KindAuth, Wait: time.Minute})
		time.Sleep(time.Minute)
		one := s.Begin(m, 0)
		if at(&one, 0, 0) == nil {
			t.Fatal("nobody tries the key")
		}
		if got := freeOf(s, m); got != "B@" {
			t.Errorf("while one tries, free are %s", got)
		}
		one.NoteAnswer()
		one.End(balance.Result{})
		if got := freeOf(s, m); got != "A@ B@" {
			t.Errorf("after the answer, free are %s", got)
		}
	})
}

// TestTrialAfterLimit: after a limit one request asks, and the others when it is answered, of one target as of several.
func TestTrialAfterLimit(t *testing.T) {
	for _, keys := range []string{"A", "A, B"} {
		synctest.Test(t, func(t *testing.T) {
			s := set(keys, "h")
			m := s.Model("m")
			for k := range s.Keys() {
				w := s.Begin(m, 0)
				at(&w, k, 0)
				w.End(balance.Result{FailedPart: balance.KeyModel, Kind: callwright.KindRateLimited, Wait: time.Minute})
			}
			time.Sleep(time.Minute)
			var asked []balance.TargetSequence
			for range 50 {
				w := s.Begin(m, 0)
				if to, _ := w.Next(false); to != nil {
					asked = append(asked, w)
				}
			}
			if len(asked) != s.Keys() {
				t.Errorf("of %d keys, %d requests ask", s.Keys(), len(asked))
			}
			asked[0].End(balance.Result{FailedPart: balance.Unknown})
			again := s.Begin(m, 0)
			if to, _ := again.Next(false); to == nil {
				t.Error("no request asks in place of one whose client left")
			}
			again.NoteAnswer()
			again.End(balance.Result{})
			if got := freeOf(s, m); len(strings.Fields(got)) != 1 {
				t.Errorf("after the answer, free are %s", got)
			}
		})
	}
}

// TestReplacedKey: another text of a key ends the cooldowns of the refused one, at every host, and not those of a limit or of a host that fails. A request that was
// sent with the text before says nothing of the one that follows. No text is looked at while the lock is held.
func TestReplacedKey(t *testing.T) {
	refused := balance.Result{FailedPart: balance.Key, Kind: callwright.KindAuth}
	denied := balance.Result{FailedPart: balance.KeyModel, Kind: callwright.KindPermission}
	limited := balance.Result{FailedPart: balance.KeyModel, Kind: callwright.KindRateLimited, Wait: time.Hour}
	down := balance.Result{FailedPart: balance.HostsLink, Kind: callwright.KindUnavailable}
	for title, c := range map[string]struct {
		keys   int
		hosts  string
		result balance.Result // of every target
		free   int            // so many with the second text
		others int            // for another model
	}{
		"refused":                    {1, "h", refused, 1, 1},
		"denied":                     {1, "h", denied, 1, 1},
		"limited":                    {1, "h", limited, 0, 1},
		"refused at two hosts":       {1, "h, i", refused, 2, 2},
		"denied at two hosts":        {1, "h, i", denied, 2, 2},
		"limited at two hosts":       {1, "h, i", limited, 0, 2},
		"hosts that fail":            {1, "h, i", down, 0, 0},
		"two keys refused":           {2, "h", refused, 2, 2},
		"two keys at two hosts":      {2, "h, i", refused, 4, 4},
		"two keys denied, two hosts": {2, "h, i", denied, 4, 4},
	} {
		for _, inFlight := range []bool{false, true} {
			t.Run(fmt.Sprint(title, ", in flight ", inFlight), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var table balance.Table
					text := "first"
					var keys []balance.Entry
					for k := range c.keys {
						keys = append(keys, balance.Entry{Name: fmt.Sprint(k), Secret: fmt.Sprint("file:key", k), Text: func() string {
							if table.IsLocked() {
								t.Error("the text is looked at while the lock is held")
							}
							return text
						}})
					}
					s := balance.New(&table, "lab", keys, entries(c.hosts))
					m, other := s.Model("m"), s.Model("other")
					var ways []balance.TargetSequence
					for i := range s.Keys() * s.Hosts() {
						w := s.Begin(m, 0)
						if at(&w, i/s.Hosts(), i%s.Hosts()) == nil {
							t.Fatalf("target %d is not free", i)
						}
						ways = append(ways, w)
					}
					if inFlight {
						text = "second"
					}
					for i := range ways {
						ways[i].End(c.result)
					}
					if !inFlight && s.Away(m).Left == 0 {
						t.Error("nothing cools down")
					}
					text = "second"
					if got := len(strings.Fields(freeOf(s, m))); got != c.free {
						t.Errorf("with the new key %d are free", got)
					}
					if got := len(strings.Fields(freeOf(s, other))); got != c.others {
						t.Errorf("with the new key %d are free for another model", got)
					}
				})
			})
		}
	}
}

// TestAside: requests that are none for an answer of the model say of hosts alone whether they answer.
func TestAside(t *testing.T) {
	failed := balance.Result{FailedPart: balance.Host, Kind: callwright.KindServer}
	refused := balance.Result{FailedPart: balance.Key, Kind: callwright.KindAuth}
	down := balance.Result{FailedPart: balance.HostsLink, Kind: callwright.KindUnavailable}
	aside := func(r balance.Result) balance.Result { r.NotForModel = true; return r }
	good := aside(balance.Result{})
	for title, c := range map[string]struct {
		keys    string
		results []balance.Result // of the first key and the first of two hosts
		gap     time.Duration
		free    string
	}{
		"failures in a row":         {"A", []balance.Result{aside(failed), aside(failed), aside(failed)}, 0, "@h"},
		"good ones between":         {"A", []balance.Result{aside(failed), good, aside(failed), good, aside(failed)}, 0, "@g @h"},
		"no connection, then good":  {"A", []balance.Result{down, good}, 5 * time.Second, "@g @h"},
		"no connection, again":      {"A", []balance.Result{down, good, down}, 5 * time.Second, "@g @h"},
		"a refusal":                 {"A", []balance.Result{aside(refused)}, 0, "@g @h"},
		"a refused key, then good":  {"A", []balance.Result{refused, good, refused}, time.Minute, "@h"},
		"a refused one of two keys": {"A, B", []balance.Result{refused, good, refused}, time.Minute, "B@g B@h"},
	} {
		t.Run(title, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := set(c.keys, "g, h")
				m := s.Model("m")
				for i, r := range c.results {
					w := s.Begin(m, 0)
					if at(&w, 0, 0) == nil {
						t.Fatalf("no try %d", i)
					}
					w.End(r)
					time.Sleep(c.gap)
				}
				if got := freeOf(s, m); got != c.free {
					t.Errorf("free are %s", got)
				}
			})
		})
	}
}

// TestForgive: cooldowns whose time nobody stated end, and others do not.
func TestForgive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var table balance.Table
		s := balance.New(&table, "lab", entries("A, B"), entries("h"))
		m := s.Model("m")
		for k, r := range []balance.Result{{FailedPart: balance.Key, Kind: callwright.KindAuth}, {FailedPart: balance.KeyModel, Kind: callwright.KindRateLimited, Wait: time.Minute}} {
			w := s.Begin(m, 0)
			at(&w, k, 0)
			w.End(r)
		}
		table.Forgive()
		if got := freeOf(s, m); got != "A@" {
			t.Errorf("free are %q", got)
		}
	})
}

// TestFailuresAtOnce: failures of requests that were sent before the cooldown do not lengthen it, for no model, and are not told again.
func TestFailuresAtOnce(t *testing.T) {
	for _, hosts := range []string{"h", "h, i"} {
		t.Run(hosts, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var table balance.Table
				told := 0
				table.Share(func(func(balance.Cooldown)) func(balance.Cooldown) { return func(balance.Cooldown) { told++ } })
				s := balance.New(&table, "lab", entries("A"), entries(hosts))
				m := s.Model("m")
				ways := make([]balance.TargetSequence, 20)
				for i := range ways {
					ways[i] = s.Begin(m, 0)
					ways[i].Next(true)
				}
				for i := range ways {
					ways[i].End(balance.Result{FailedPart: balance.Key, Kind: callwright.KindAuth})
					time.Sleep(time.Second)
				}
				for _, name := range []string{"m", "other"} {
					if got := s.Away(s.Model(name)).Left; got != 40*time.Second {
						t.Errorf("%s is away for %s", name, got)
					}
				}
				if told != s.Hosts() {
					t.Errorf("others are told %d times", told)
				}
			})
		})
	}
}

// TestSticky: a conversation stays where it is while that is free and not overloaded, and those of many spread by weight.
func TestSticky(t *testing.T) {
	s := set("A, B", "f, g, h")
	m := s.Model("m")
	ask := func(affinity uint64) (string, func()) {
		w := s.Begin(m, affinity)
		to, _ := w.Next(true)
		return name(s, to), func() { w.End(balance.Result{}) }
	}
	hosts := map[string]int{}
	for i := range 600 {
		a := balance.Affinity(fmt.Sprint("conversation ", i))
		first, end := ask(a)
		end()
		for range 5 {
			again, end := ask(a)
			if end(); again != first {
				t.Fatalf("conversation %d went from %s to %s", i, first, again)
			}
		}
		_, host, _ := strings.Cut(first, "@")
		hosts[host]++
	}
	for _, h := range []string{"f", "g", "h"} {
		if hosts[h] < 120 || hosts[h] > 280 {
			t.Errorf("of 600 conversations %s has %d", h, hosts[h])
		}
	}
	a := balance.Affinity("busy")
	first, _ := ask(a)
	_, host, _ := strings.Cut(first, "@")
	var elsewhere int
	for n := 2; n <= 12; n++ {
		to, _ := ask(a)
		_, at, _ := strings.Cut(to, "@")
		if at != host {
			elsewhere++
		}
		if n <= balance.StickyRequests && to != first {
			t.Errorf("request %d at once went to %s", n, to)
		}
	}
	if elsewhere == 0 {
		t.Error("12 requests at once of one conversation were all sent to one host")
	}
}

// TestStickyAcrossProcesses: another Set of the same keys and hosts, in any order, ranks them alike.
func TestStickyAcrossProcesses(t *testing.T) {
	one, other := set("A, B*3", "f, g*2, h"), set("B*3, A", "h, g*2, f")
	for i := range 100 {
		a := balance.Affinity(fmt.Sprint(i))
		w, v := one.Begin(one.Model("m"), a), other.Begin(other.Model("m"), a)
		x, _ := w.Next(true)
		y, _ := v.Next(true)
		if name(one, x) != name(other, y) {
			t.Fatalf("%d: %s and %s", i, name(one, x), name(other, y))
		}
		w.End(balance.Result{})
		v.End(balance.Result{})
	}
}

// TestShared: Sets of one Table share what cools down, and so do those of two Tables that tell each other. What they tell names neither key nor host.
func TestShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var here, there balance.Table
		var told []balance.Cooldown
		here.Share(func(func(balance.Cooldown)) func(balance.Cooldown) {
			return func(c balance.Cooldown) { told = append(told, c) }
		})
		var hear func(balance.Cooldown)
		there.Share(func(h func(balance.Cooldown)) func(balance.Cooldown) {
			hear = h
			return func(balance.Cooldown) {}
		})
		keys, hosts := entries("secret-a, secret-b"), entries("h")
		s, variant, other := balance.New(&here, "lab", keys, hosts), balance.New(&here, "lab", keys, hosts), balance.New(&there, "lab", keys, hosts)
		atOnce := make([]balance.TargetSequence, 3)
		for i := range atOnce {
			atOnce[i] = s.Begin(s.Model("m"), 0)
			at(&atOnce[i], 0, 0)
		}
		for i := range atOnce {
			atOnce[i].End(balance.Result{FailedPart: balance.KeyModel, Kind: callwright.KindRateLimited, Wait: time.Minute})
		}
		if got := freeOf(variant, variant.Model("m")); got != "secret-b@" {
			t.Errorf("another Set of the Table has %s", got)
		}
		if len(told) != 1 || strings.Contains(fmt.Sprint(told), "secret") {
			t.Fatalf("told %v", told)
		}
		hear(told[0])
		if got := freeOf(other, other.Model("m")); got != "secret-b@" {
			t.Errorf("another Table has %s", got)
		}
		time.Sleep(time.Minute)
		if got := freeOf(other, other.Model("m")); got != "secret-a@ secret-b@" {
			t.Errorf("after a minute another Table has %s", got)
		}
		hear(balance.Cooldown{Part: told[0].Part, Kind: callwright.KindRateLimited, Until: time.Now().Add(-time.Second)})
		hear(balance.Cooldown{})
		if got := freeOf(other, other.Model("m")); got != "secret-a@ secret-b@" {
			t.Errorf("after a cooldown of the past another Table has %s", got)
		}
	})
}

// TestAny: whatever becomes of requests, no target is asked that cools down while another one is free that was not tried, none is asked twice by one request, a
// limit is never asked before its time, and in the end nothing is in flight.
func TestAny(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		draw := func(title string) string {
			var out []string
			for i := range rapid.IntRange(1, 4).Draw(rt, title) {
				out = append(out, fmt.Sprintf("%s%d*%d", title[:1], i, rapid.IntRange(1, 3).Draw(rt, "weight")))
			}
			return strings.Join(out, ", ")
		}
		keys, hosts := draw("keys"), draw("hosts")
		synctest.Test(t, func(*testing.T) { anySequence(rt, set(keys, hosts)) })
	})
}

// A running is a request of TestAny.
type running struct {
	balance.TargetSequence
	tried map[string]bool
}

func anySequence(rt *rapid.T, s *balance.Set) {
	cool := map[string]time.Time{} // what is not to be asked, by "key" or "@host", as the results say
	m := s.Model("m")
	var open []*running
	label := func(t *balance.Target) (key, host, pair string) {
		return fmt.Sprint("k", t.Key), fmt.Sprint("h", t.Host), fmt.Sprint(t.Key, "@", t.Host)
	}
	next := func(r *running) {
		to, _ := r.Next(rapid.Bool().Draw(rt, "urgent"))
		if to == nil {
			return
		}
		key, _, pair := label(to)
		if r.tried[pair] {
			rt.Fatalf("%s is asked twice", pair)
		}
		r.tried[pair] = true
		limit := key
		if s.Keys() == 1 {
			limit = pair
		}
		if time.Now().Before(cool[limit]) {
			rt.Fatalf("%s is asked %s before its time", pair, time.Until(cool[limit]))
		}
	}
	for range rapid.IntRange(1, 60).Draw(rt, "steps") {
		switch rapid.IntRange(0, 3).Draw(rt, "step") {
		case 0:
			r := &running{TargetSequence: s.Begin(m, uint64(rapid.IntRange(0, 3).Draw(rt, "conversation"))), tried: map[string]bool{}}
			open = append(open, r)
			checkChoice(rt, s, m, func() { next(r) }, r)
		case 1:
			time.Sleep(time.Duration(rapid.IntRange(0, 20).Draw(rt, "seconds")) * time.Second)
		default:
			if len(open) == 0 {
				continue
			}
			i := rapid.IntRange(0, len(open)-1).Draw(rt, "request")
			r := open[i]
			to := r.Target()
			if to == nil {
				open = slices.Delete(open, i, i+1)
				continue
			}
			result := anyResult(rt)
			if result.FailedPart == balance.Nothing {
				r.NoteAnswer()
			}
			if result.Kind == callwright.KindRateLimited {
				key, _, pair := label(to)
				if s.Keys() == 1 {
					key = pair
				}
				if until := time.Now().Add(result.Wait); until.After(cool[key]) {
					cool[key] = until
				}
			}
			r.End(result)
			if result.FailedPart > balance.Unknown && rapid.Bool().Draw(rt, "on") {
				checkChoice(rt, s, m, func() { next(r) }, r)
			} else {
				open = slices.Delete(open, i, i+1)
			}
		}
	}
	for _, r := range open {
		r.End(balance.Result{FailedPart: balance.Unknown})
	}
	for _, st := range s.States() {
		if st.InFlight != 0 {
			rt.Fatalf("%d are in flight at %s@%s", st.InFlight, st.Key, st.Host)
		}
	}
}

// checkChoice fails where a request gets a target that cools down although one is free that it did not try.
func checkChoice(rt *rapid.T, s *balance.Set, m *balance.Model, next func(), r *running) {
	before := s.States()
	cools := func(i int) bool { return before[i].Left > 0 || len(before[i].Limits) > 0 }
	free := ""
	for i := range before {
		pair := fmt.Sprint(i/s.Hosts(), "@", i%s.Hosts())
		if !cools(i) && !r.IsTried(i) {
			free = pair
		}
	}
	next()
	switch to := r.Target(); {
	case to == nil && free != "":
		rt.Fatalf("none is asked, and %s is free", free)
	case to != nil && free != "" && cools(to.Key*s.Hosts()+to.Host):
		rt.Fatalf("%d@%d is asked while it cools down, and %s is free", to.Key, to.Host, free)
	}
}

func anyResult(rt *rapid.T) balance.Result {
	wait := time.Duration(rapid.IntRange(1, 40).Draw(rt, "wait")) * time.Second
	return rapid.SampledFrom([]balance.Result{
		{}, {}, {FailedPart: balance.Unknown}, {FailedPart: balance.KeyModel, Kind: callwright.KindRateLimited, Wait: wait},
		{FailedPart: balance.Key, Kind: callwright.KindAuth, Wait: wait}, {FailedPart: balance.Host, Kind: callwright.KindServer},
		{FailedPart: balance.Host, Kind: callwright.KindOverloaded, Wait: wait}, {FailedPart: balance.HostsLink, Kind: callwright.KindUnavailable},
	}).Draw(rt, "result")
}

func BenchmarkChoice(b *testing.B) {
	for _, c := range []struct {
		name        string
		keys, hosts string
		affinity    uint64
		cool        bool
	}{
		{"10 keys", "A, B, C, D, E, F, G, H, I, J", "h", 0, false},
		{"10 keys, conversation", "A, B, C, D, E, F, G, H, I, J", "h", 7, false},
		{"5 keys 2 hosts by weight, conversation", "A*2, B, C, D, E", "g, h", 7, false},
		{"10 keys, one limited", "A, B, C, D, E, F, G, H, I, J", "h", 0, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := set(c.keys, c.hosts)
			m := s.Model("m")
			if c.cool {
				w := s.Begin(m, 0)
				w.Next(true)
				w.End(balance.Result{FailedPart: balance.KeyModel, Kind: callwright.KindRateLimited, Wait: time.Hour})
			}
			b.ReportAllocs()
			for b.Loop() { // the choice, and the end of the request
				w := s.Begin(m, c.affinity)
				w.Next(true)
				w.End(balance.Result{})
			}
		})
	}
}
