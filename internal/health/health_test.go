package health_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/errorkind"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/outcome"
)

// A clock is what time it is for a Monitor.
type clock struct{ now time.Time }

func newClock() *clock { return &clock{time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)} }

// request is one whose attempts are written as "model kind, model kind"; a model without a kind answered, unless failed names a kind.
func request(asked, attempts string, failed callwright.Kind) *health.Request {
	rep := &callwright.Report{Model: callwright.ModelID(asked)}
	for part := range strings.SplitSeq(attempts, ", ") {
		model, kind, _ := strings.Cut(part, " ")
		rep.Attempts = append(rep.Attempts, callwright.Attempt{Model: callwright.ModelID(model), Kind: callwright.Kind(kind)})
	}
	o := outcome.Passed
	if failed != "" {
		o = outcome.Failed
	}
	return &health.Request{Report: rep, Outcome: o, Kind: failed}
}

func TestModels(t *testing.T) {
	type step struct {
		n               int
		asked, attempts string
		failed          callwright.Kind
		after           time.Duration
	}
	const (
		auth    = callwright.KindAuth
		timeout = callwright.KindTimeout
		invalid = callwright.KindInvalid
	)
	for name, tt := range map[string]struct {
		steps []step
		want  []string
	}{
		"nothing":               {},
		"all answers":           {[]step{{n: 9, asked: "a/m", attempts: "a/m"}}, nil},
		"key refused":           {[]step{{n: 18, asked: "a/m", attempts: "a/m authentication", failed: auth}}, []string{"broken a/m: 18 of 18 refused: key not accepted"}},
		"key refused, then set": {[]step{{n: 18, asked: "a/m", attempts: "a/m authentication", failed: auth}, {n: 1, asked: "a/m", attempts: "a/m"}}, nil},
		"key refused once more": {[]step{{n: 1, asked: "a/m", attempts: "a/m"}, {n: 2, asked: "a/m", attempts: "a/m authentication", failed: auth}},
			[]string{"degraded a/m: 2 of 3 refused: key not accepted"}},
		"long ago": {[]step{{n: 18, asked: "a/m", attempts: "a/m authentication", failed: auth}, {after: 16 * time.Minute}}, nil},
		"one in eight": {[]step{{7, "a/m", "a/m", "", 0}, {1, "a/m", "a/m timeout", timeout, 0}, {7, "a/m", "a/m", "", 0}, {1, "a/m", "a/m timeout", timeout, 0}, {7, "a/m", "a/m", "", 0}},
			[]string{"degraded a/m: 2 of 23 failed: no answer in time"}},
		"one in eight, over": {[]step{{7, "a/m", "a/m", "", 0}, {1, "a/m", "a/m timeout", timeout, 0}, {7, "a/m", "a/m", "", 0}, {1, "a/m", "a/m timeout", timeout, 0}, {38, "a/m", "a/m", "", 0}}, nil},
		"one of many":        {[]step{{50, "a/m", "a/m", "", 0}, {2, "a/m", "a/m timeout", timeout, 0}}, nil},
		"always replaced": {[]step{{n: 18, asked: "fast", attempts: "a/m authentication, b/n"}},
			[]string{"degraded a/m: asked 18 times, answered 0, b/n answers instead: 18 refused: key not accepted"}},
		"always replaced for two reasons": {[]step{{n: 2, asked: "fast", attempts: "a/m timeout, b/n"}, {n: 3, asked: "fast", attempts: "a/m, b/n"}},
			[]string{"degraded a/m: asked 5 times, answered 0, b/n answers instead: 2 failed: no answer in time, 3 failed: no usable answer after all corrections"}},
		"replaced for some": {[]step{{n: 2, asked: "fast", attempts: "a/m authentication, b/n"}, {n: 8, asked: "a/m", attempts: "a/m authentication", failed: auth}},
			[]string{"broken a/m: 10 of 10 refused: key not accepted"}},
		"both fail": {[]step{{n: 2, asked: "fast", attempts: "a/m authentication, b/n timeout", failed: timeout}},
			[]string{"broken a/m: 2 of 2 refused: key not accepted", "broken b/n: 2 of 2 failed: no answer in time"}},
		"another mode answers":       {[]step{{n: 5, asked: "a/m", attempts: "a/m unsupported, a/m"}}, nil},
		"no valid call":              {[]step{{n: 2, asked: "a/m", attempts: "a/m, a/m", failed: callwright.KindInvalidCall}}, []string{"broken a/m: 2 of 2 failed: no usable answer after all corrections"}},
		"two bad requests":           {[]step{{n: 2, asked: "a/m", attempts: "a/m invalid_request", failed: invalid}}, nil},
		"only bad requests":          {[]step{{n: 3, asked: "a/m", attempts: "a/m invalid_request", failed: invalid}}, []string{"degraded a/m: 3 of 3 refused: invalid request"}},
		"bad requests beside good":   {[]step{{n: 1, asked: "a/m", attempts: "a/m"}, {n: 3, asked: "a/m", attempts: "a/m invalid_request", failed: invalid}}, nil},
		"clients that leave":         {[]step{{n: 9, asked: "a/m", attempts: "a/m canceled", failed: callwright.KindCanceled}}, nil},
		"a name that does not exist": {[]step{{n: 2, asked: "a/typo", attempts: "a/typo not_found", failed: callwright.KindNotFound}}, nil},
		"an alias of no model":       {[]step{{n: 1, asked: "fast", attempts: "a/typo not_found", failed: callwright.KindNotFound}}, []string{"broken a/typo: 1 of 1 refused: no such model"}},
		"a kind of its own":          {[]step{{n: 1, asked: "a/m", attempts: "a/m strange", failed: "strange"}}, []string{"broken a/m: 1 of 1 failed: failure of an unknown kind"}},
		"worst first": {[]step{{n: 1, asked: "a/m", attempts: "a/m timeout", failed: timeout}, {n: 5, asked: "b/m", attempts: "b/m timeout", failed: timeout}, {n: 9, asked: "fast", attempts: "c/m timeout, d/m"}},
			[]string{"broken b/m: 5 of 5 failed: no answer in time", "broken a/m: 1 of 1 failed: no answer in time",
				"degraded c/m: asked 9 times, answered 0, d/m answers instead: 9 failed: no answer in time"}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newClock()
			m := health.New(health.Config{Now: func() time.Time { return c.now }})
			for _, s := range tt.steps {
				for range s.n {
					m.Count(request(s.asked, s.attempts, s.failed))
				}
				c.now = c.now.Add(s.after)
			}
			var got []string
			for _, p := range m.Problems() {
				got = append(got, string(p.Severity)+" "+p.String())
				if p.Remedy == "" {
					t.Errorf("%s: no remedy", p)
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// Every kind of the vocabulary has words of its own.
func TestKinds(t *testing.T) {
	for _, k := range errorkind.All() {
		if k == callwright.KindCanceled || k == callwright.KindDraining { // they tell of nobody
			continue
		}
		m := health.New(health.Config{})
		for range 3 {
			m.Count(request("a/m", "a/m "+string(k), k))
		}
		got := m.Problems()
		if len(got) != 1 || got[0].Kind != k || got[0].Count != 3 || got[0].Total != 3 {
			t.Errorf("%s: got %v", k, got)
		}
	}
}

// A failure is one for want of credentials where they were missing when it was counted.
func TestCredentials(t *testing.T) {
	lacks := false
	m := health.New(health.Config{WithoutCredentials: func(provider string) bool { return lacks && provider == "a" }})
	count := func(kind callwright.Kind) { m.Count(request("a/m", "a/m "+string(kind), kind)) }
	count(callwright.KindTimeout)
	lacks = true
	count(callwright.KindUnavailable)
	count(callwright.KindAuth)
	count(callwright.KindServer)
	lacks = false
	var got []string
	for _, p := range m.Problems() {
		got = append(got, p.Cause)
	}
	slices.Sort(got)
	want := []string{"1 of 4 failed: error of the provider", "1 of 4 failed: no answer in time", "2 of 4 not sent: credentials missing"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSkips(t *testing.T) {
	var skips []health.Skip
	m := health.New(health.Config{Skips: func() []health.Skip { return skips }})
	m.Count(request("a/m", "a/m authentication", callwright.KindAuth))
	skips = []health.Skip{
		{Model: "a/m", Kind: callwright.KindAuth, Left: 49500 * time.Millisecond},
		{Model: "b/m", Kind: callwright.KindRateLimited, Left: 7 * time.Second},
		{Model: "c/m", Kind: callwright.KindUnavailable, Left: 29 * time.Second, Breaker: true, Last: "status 500"},
	}
	want := []string{
		"a/m: 1 of 1 refused: key not accepted; skipped for 50 s",
		"c/m: the circuit breaker is open: at least half of the last tries failed, the last one with status 500; 29 s left",
		"b/m: skipped for 7 s: rate limit reached",
	}
	if d := cmp.Diff(want, health.Lines(m.Problems())); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestTargets: a key or a host that rests is one problem, however many targets it is a part of. One that is limited is none.
func TestTargets(t *testing.T) {
	cooling := func(key, host string, kind callwright.Kind, ofKey bool) health.Target {
		return health.Target{Provider: "lab", Key: key, Host: host, State: health.TargetCooling, Kind: kind, SecondsLeft: 7, KeyCools: ofKey}
	}
	list := []health.Target{
		cooling("A", "g", callwright.KindAuth, true), cooling("A", "h", callwright.KindAuth, true), cooling("key 2", "h", callwright.KindBilling, true),
		cooling("B", "g", callwright.KindUnavailable, false), cooling("C", "g", callwright.KindUnavailable, false), cooling("D", "h", callwright.KindRateLimited, true),
		{Provider: "lab", Key: "E", Host: "i", State: health.TargetReady},
	}
	m := health.New(health.Config{Targets: func() []health.Target { return list }})
	want := []string{
		"provider lab: host g is not used for 7 s: provider not reachable or not available",
		"provider lab: key 2 is not used for 7 s: no credit left",
		"provider lab: key A is not used for 7 s: key not accepted",
	}
	s := m.Status()
	if d := cmp.Diff(want, health.Lines(s.Problems)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if s.State != health.DegradedNow || len(s.Targets) != len(list) {
		t.Errorf("got %s with %d targets", s.State, len(s.Targets))
	}
}

func TestFaults(t *testing.T) {
	c := newClock()
	m := health.New(health.Config{Now: func() time.Time { return c.now }, Sources: []func() []health.Problem{
		func() []health.Problem {
			return []health.Problem{{Severity: health.Broken, Subject: "state", Cause: "away", Remedy: "start it"}}
		},
	}})
	f := m.Fault("reports", "not kept", "look at the store")
	f.Note(nil)
	want := func(want ...string) {
		t.Helper()
		if d := cmp.Diff(want, health.Lines(m.Problems())); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	}
	want("state: away")
	f.Note(errors.New("disk full"))
	c.now = c.now.Add(time.Minute)
	f.Note(errors.New("disk full"))
	want("state: away", "reports: 2 not kept since 2026-03-04T12:00:00Z: disk full")
	f.Note(nil)
	want("state: away")
	f.Note(errors.New("disk full"))
	c.now = c.now.Add(16 * time.Minute)
	want("state: away")
	m.Count(&health.Request{Outcome: outcome.Failed, Kind: callwright.KindInternal})
	m.Count(&health.Request{Outcome: outcome.Passed, Passed: "a/embed"})
	want("state: away", "gateway: 1 of 2 requests failed: internal error")
	s := m.Status()
	if s.State != health.DegradedNow || s.Requests.Recent != (health.Requests{Passed: 1, Failed: 1}) || s.Requests.All != s.Requests.Recent || s.UptimeSeconds != 17*60 {
		t.Errorf("got %+v", s)
	}
}

// An event is a request to one model at a time.
type event struct {
	minute int
	model  int
	kind   callwright.Kind
}

// TestAny: whatever comes, the counts of a problem are those of the events of the window, a model that answered none of its requests has a
// problem, one without a recent failure has none, and neither has one that answered after its key was refused.
func TestAny(t *testing.T) {
	kinds := []callwright.Kind{"", "", callwright.KindAuth, callwright.KindTimeout, callwright.KindServer}
	rapid.Check(t, func(t *rapid.T) {
		c := newClock()
		begun := c.now
		m := health.New(health.Config{Now: func() time.Time { return c.now }})
		var all []event
		for range rapid.IntRange(1, 60).Draw(t, "events") {
			c.now = c.now.Add(time.Duration(rapid.SampledFrom([]int{0, 0, 0, 1, 5, 14, 15, 16}).Draw(t, "minutes")) * time.Minute)
			e := event{int(c.now.Sub(begun) / time.Minute), rapid.IntRange(0, 2).Draw(t, "model"), rapid.SampledFrom(kinds).Draw(t, "kind")}
			all = append(all, e)
			name := fmt.Sprint("a/", e.model)
			m.Count(request(name, name+" "+string(e.kind), e.kind))
		}
		now := int(c.now.Sub(begun) / time.Minute)
		got := m.Problems()
		for model := range 3 {
			recent := slices.DeleteFunc(slices.Clone(all), func(e event) bool { return e.model != model || now-e.minute >= 15 })
			failed := map[callwright.Kind]int64{}
			for _, e := range recent {
				if e.kind != "" {
					failed[e.kind]++
				}
			}
			var mine []callwright.Kind
			for _, p := range got {
				if p.Subject != fmt.Sprint("a/", model) {
					continue
				}
				mine = append(mine, p.Kind)
				if p.Count != failed[p.Kind] || p.Total != int64(len(recent)) || p.Count == 0 {
					t.Fatalf("%+v: expected %d of %d", p, failed[p.Kind], len(recent))
				}
				all := p.Count == p.Total
				if all && p.Severity != health.Broken {
					t.Fatalf("%+v: expected it to be broken", p)
				}
			}
			n := int64(0)
			for _, c := range failed {
				n += c
			}
			if n == int64(len(recent)) && len(mine) != len(failed) {
				t.Fatalf("a/%d answered nothing: expected a problem of each of %v, got %v", model, failed, mine)
			}
			if len(recent) > 0 && recent[len(recent)-1].kind == "" && slices.Contains(mine, callwright.KindAuth) {
				t.Fatalf("a/%d answered after its key was refused", model)
			}
		}
	})
}

// TestBounded: made-up names do not push out the models that are asked.
func TestBounded(t *testing.T) {
	m := health.New(health.Config{})
	for i := range 3000 {
		if i%100 == 0 {
			m.Count(request("a/m", "a/m timeout", callwright.KindTimeout))
		}
		name := fmt.Sprint("a/", i)
		m.Count(request(name, name+" timeout", callwright.KindTimeout))
	}
	got := m.Problems()
	if len(got) != 256 || got[0].String() != "a/m: 30 of 30 failed: no answer in time" {
		t.Errorf("got %d problems, the first one %s", len(got), got[0])
	}
}

// A request allocates nothing where its models and kinds are known.
func TestNoAllocation(t *testing.T) {
	m := health.New(health.Config{})
	list := []*health.Request{request("a/m", "a/m", ""), request("a/m", "a/m timeout, b/m", ""), request("a/m", "a/m server_error, b/m timeout", callwright.KindTimeout)}
	for _, r := range list {
		m.Count(r)
	}
	if n := testing.AllocsPerRun(100, func() {
		for _, r := range list {
			m.Count(r)
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkCount(b *testing.B) {
	for name, r := range map[string]*health.Request{"answered": request("a/m", "a/m", ""), "fallback": request("a/m", "a/m timeout, b/m", "")} {
		b.Run(name, func(b *testing.B) {
			m := health.New(health.Config{})
			b.ReportAllocs()
			for b.Loop() {
				m.Count(r)
			}
		})
	}
}
