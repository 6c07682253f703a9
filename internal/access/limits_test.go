package access_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestRequestsAMinute(t *testing.T) {
	c := newClock()
	_, ci := limitedGate(t, c, access.Limits{Requests: 3})
	for range 3 {
		expectError(t, ci.CountRequest(t.Context()), "")
	}
	err := expectError(t, ci.CountRequest(t.Context()), callwright.KindRateLimited, `the key "ci" has used its limit of 3 requests`, "try again in 1m1s")
	if err.RetryAfter != 61*time.Second || err.NoRetry {
		t.Errorf("got %v", err.RetryAfter)
	}
	c.Add(err.RetryAfter)
	expectError(t, ci.CountRequest(t.Context()), "")
}

// However requests come, no 60 seconds have more of them than the limit, and 61 seconds of plenty have all of it.
func TestAnyMinute(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.Int64Range(1, 300).Draw(rt, "limit")
		c := newClock()
		_, ci := limitedGate(t, c, access.Limits{Requests: limit})
		var passed []time.Time
		for range rapid.IntRange(1, 200).Draw(rt, "steps") {
			for range rapid.Int64Range(0, limit).Draw(rt, "requests") {
				if ci.CountRequest(t.Context()) == nil {
					passed = append(passed, c.Now())
				}
			}
			c.Add(time.Duration(rapid.IntRange(0, 20_000).Draw(rt, "milliseconds")) * time.Millisecond)
		}
		for i := int64(0); i+limit < int64(len(passed)); i++ {
			if d := passed[i+limit].Sub(passed[i]); d < time.Minute {
				rt.Fatalf("%d requests passed within %v", limit+1, d)
			}
		}
		c.Add(61 * time.Second)
		for i := range limit {
			if err := ci.CountRequest(t.Context()); err != nil {
				rt.Fatalf("request %d of %d: %v", i+1, limit, err)
			}
		}
	})
}

// A thousand clients that ask on and on for some minutes, of one gateway or of two that share counts, never pass the limit in any of them, and get
// what it leaves: of two gateways all but a twentieth.
func TestThousandClients(t *testing.T) {
	const limit, seconds = 6000, 200
	for _, gateways := range []int{1, 2} {
		c := newClock()
		shared := access.NewMemoryCounters(c.Now)
		var callers []*access.Caller
		for range gateways {
			g := newGate(t, access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("secret"), Limits: access.Limits{Requests: limit}}}, Now: c.Now, Counters: shared})
			callers = append(callers, caller(t, g, "secret"))
		}
		var inSecond [seconds]int64
		var all, minute int64
		for second := range inSecond {
			var passed atomic.Int64
			together(1000, func(i int) {
				for range (i*second)%3 + 1 {
					if callers[i%5%gateways].CountRequest(t.Context()) == nil {
						passed.Add(1)
					}
				}
			})
			inSecond[second] = passed.Load()
			all, minute = all+inSecond[second], minute+inSecond[second]
			if second >= 60 {
				minute -= inSecond[second-60]
			}
			if minute > limit {
				t.Errorf("%d gateways: %d requests passed in the minute up to second %d", gateways, minute, second)
			}
			c.Add(time.Second)
		}
		if most := int64(4 * limit); all < most*95/100 { // 200 seconds begin four minutes
			t.Errorf("%d gateways: %d of %d requests passed", gateways, all, most)
		}
	}
}

// What answers took beyond what was left is paid off in the minutes that follow.
func TestDebt(t *testing.T) {
	c := newClock()
	_, ci := limitedGate(t, c, access.Limits{Tokens: 10_000})
	expectError(t, ask(t, ci, 100, 10, used("lab/m", 100, 24_900)), "")
	err := expectError(t, ask(t, ci, 100, 10, nil), callwright.KindRateLimited, "try again in 3m3s")
	if !err.NoRetry {
		t.Error("the client is to try again after minutes")
	}
	for _, want := range []float64{0, 0, 5000, 10_000} {
		if got := left(t, ci, "tokens"); got != want {
			t.Errorf("%v tokens left, want %v", got, want)
		}
		c.Add(61 * time.Second)
	}
}

// Clients at the same time get what the limit leaves, to the last request, whatever it is.
func TestManyClientsOnOneKey(t *testing.T) {
	for _, limit := range []int64{1, 7, 63, 64, 65, 1000, 12345} {
		c := newClock()
		_, ci := limitedGate(t, c, access.Limits{Requests: limit})
		var passed atomic.Int64
		together(100, func(int) {
			for range limit/50 + 2 {
				if ci.CountRequest(t.Context()) == nil {
					passed.Add(1)
				}
			}
		})
		if got := passed.Load(); got != limit {
			t.Errorf("%d of %d requests passed", got, limit)
		}
	}
}

// Two gateways on one store pass no limit, waste at most a twentieth of it, and ask the store for few of the requests.
func TestTwoGateways(t *testing.T) {
	const limit = 20_000
	c := newClock()
	shared := &lostCounters{Counters: access.NewMemoryCounters(c.Now)}
	var callers []*access.Caller
	for range 2 {
		g := newGate(t, access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("secret"), Limits: access.Limits{Requests: limit}}}, Now: c.Now, Counters: shared})
		callers = append(callers, caller(t, g, "secret"))
	}
	var passed atomic.Int64
	together(50, func(i int) {
		for range limit / 20 {
			if callers[(i*i)%5%2].CountRequest(t.Context()) == nil { // one has more to do than the other
				passed.Add(1)
			}
		}
	})
	if got := passed.Load(); got > limit || got < limit*95/100 {
		t.Errorf("%d of %d requests passed", got, limit)
	}
	if got := shared.asked.Load(); got > 200 {
		t.Errorf("the store was asked %d times", got)
	}
}

// While the counters do not answer, what a gateway holds is used and no more: a request that was not counted is refused as unavailable, and nothing of it
// counts. What answers took beyond that is told to the counters when they answer again.
func TestCountersAway(t *testing.T) {
	c := newClock()
	shared := &lostCounters{Counters: access.NewMemoryCounters(c.Now)}
	key := access.Key{Name: "ci", Hash: access.HashOf("secret"), Limits: access.Limits{Requests: 640, Tokens: 100_000}}
	one, two := newGate(t, access.Config{Keys: []access.Key{key}, Now: c.Now, Counters: shared}), newGate(t, access.Config{Keys: []access.Key{key}, Now: c.Now, Counters: shared})
	callers := []*access.Caller{caller(t, one, "secret"), caller(t, two, "secret")}
	passed := map[bool]int{}
	for i := range 60 {
		if callers[i%2].CountRequest(t.Context()) == nil {
			passed[false]++
		}
	}
	open, err := callers[0].Reserve(t.Context(), access.PlannedRequest{Models: []callwright.ModelID{"lab/m"}, Input: 100, MaxOutput: 100})
	expectError(t, err, "")
	shared.lost.Store(true)
	for i := range 200 {
		if err := callers[i%2].CountRequest(t.Context()); err == nil {
			passed[true]++
		} else if e := expectError(t, err, callwright.KindUnavailable, `the usage of the key "ci" cannot be read`); e.RetryAfter <= 0 || e.NoRetry {
			t.Errorf("it does not say when to try again: %v", e)
		}
	}
	if passed[false] != 60 || passed[true] > 2*640/64 {
		t.Errorf("%d requests passed before, and %d while the counters were away", passed[false], passed[true])
	}
	open.Settle(t.Context(), used("lab/m", 100, 9900), callwright.Usage{})
	shared.lost.Store(false)
	for i := range 2000 {
		if callers[i%2].CountRequest(t.Context()) == nil {
			passed[false]++
		}
	}
	if got := passed[false] + passed[true]; got > 640 || got < 640*95/100 {
		t.Errorf("%d requests passed of 640", got)
	}
	if got := left(t, callers[0], "tokens"); got > 90_000 || got < 90_000-2*100_000/64 {
		t.Errorf("%v tokens left", got)
	}
}

// ask asks for a request of lab/m, and says what it came to.
func ask(t *testing.T, c *access.Caller, input, maxOutput int, rep *callwright.Report) error {
	t.Helper()
	u, err := c.Reserve(t.Context(), access.PlannedRequest{Models: []callwright.ModelID{"lab/m"}, Input: input, MaxOutput: maxOutput})
	if err != nil {
		return err
	}
	if rep == nil {
		u.Cancel(t.Context())
	} else {
		u.Settle(t.Context(), rep, callwright.Usage{})
	}
	return nil
}

func left(t *testing.T, c *access.Caller, what string) float64 {
	t.Helper()
	for _, l := range c.Usage(t.Context()).Limits {
		if l.What == what {
			return l.Left
		}
	}
	t.Fatalf("no limit of %s", what)
	return 0
}

func TestTokensAMinute(t *testing.T) {
	c := newClock()
	_, ci := limitedGate(t, c, access.Limits{Tokens: 10_000})
	steps := []struct {
		about             string
		input, maxOutput  int
		rep               *callwright.Report
		kind              callwright.Kind
		left              float64
		after             time.Duration // before the next step
		wantErr, wantErr2 string
	}{
		{about: "what was counted ahead and not used is given back", input: 100, maxOutput: 4000, rep: used("lab/m", 90, 210), left: 9700},
		{about: "a request that no model was asked costs nothing", input: 5000, maxOutput: 4000, left: 9700},
		{about: "all attempts count", input: 100, rep: &callwright.Report{Attempts: []callwright.Attempt{
			{Model: "lab/m", Usage: callwright.Usage{Known: true, Input: 100, Output: 50}}, {Model: "lab/m", Usage: callwright.Usage{Known: true, Input: 180, Output: 70}}}}, left: 9300},
		{about: "one that was not answered costs nothing", input: 100, rep: &callwright.Report{Attempts: []callwright.Attempt{
			{Model: "lab/m", Error: "refused", Kind: callwright.KindUnavailable}}}, left: 9300},
		{about: "more than was expected counts", input: 100, rep: used("lab/m", 100, 8000), left: 1200},
		{about: "what may not fit is refused", input: 1000, kind: callwright.KindRateLimited, left: 1200, wantErr: "has less left of its 10000 tokens a minute", wantErr2: "try again in"},
		{about: "more than the whole limit never fits", input: 10_001, kind: callwright.KindTooLarge, left: 1200, wantErr: "about 10001 tokens", wantErr2: "shorten the request"},
		{about: "they are all there again when a minute is over", after: 61 * time.Second, left: 10_000, input: 9000, maxOutput: 10},
	}
	for _, s := range steps {
		c.Add(s.after)
		err := ask(t, ci, s.input, s.maxOutput, s.rep)
		expectError(t, err, s.kind, s.wantErr, s.wantErr2)
		if got := left(t, ci, "tokens"); got != s.left {
			t.Errorf("%s: %v left, want %v", s.about, got, s.left)
		}
	}
}

func TestSpend(t *testing.T) {
	c := newClock()
	_, ci := limitedGate(t, c, access.Limits{Spend: access.Spend{USD: 10_000, Per: access.Day}})
	expectError(t, ask(t, ci, 100, 100, used("lab/m", 100, 100)), "")
	if got := left(t, ci, "usd"); got != 9700 {
		t.Errorf("%v USD left", got)
	}
	cached := used("lab/m", 1000, 0)
	cached.Attempts[0].Usage.CacheRead, cached.Attempts[0].Usage.CacheWrite = 600, 200
	expectError(t, ask(t, ci, 1000, 10, cached), "")
	if got := left(t, ci, "usd"); got != 9700-200-60-250 {
		t.Errorf("%v USD left", got)
	}
	err := expectError(t, ask(t, ci, 9500, 100, used("lab/m", 1, 1)), callwright.KindRateLimited, "has less left of its 10000 USD a day")
	if want := began.Truncate(24 * time.Hour).Add(24 * time.Hour).Sub(began); err.RetryAfter != want {
		t.Errorf("retry after %v, want %v", err.RetryAfter, want)
	}
	u, err2 := ci.Reserve(t.Context(), access.PlannedRequest{Models: []callwright.ModelID{"free/x"}, Input: 1_000_000})
	if u.Settle(t.Context(), used("free/x", 1_000_000, 1), callwright.Usage{}); err2 != nil {
		t.Errorf("a model that costs nothing: %v", err2)
	}
	c.Add(24 * time.Hour)
	expectError(t, ask(t, ci, 9000, 100, used("lab/m", 1, 1)), "")
}

// A key that may spend so much asks no model whose price is not known, unless it says so.
func TestUnknownPrice(t *testing.T) {
	c := newClock()
	unknown := access.PlannedRequest{Models: []callwright.ModelID{"lab/m", "other/x"}, Input: 10}
	_, ci := limitedGate(t, c, access.Limits{Spend: access.Spend{USD: 1e6, Per: access.Month}})
	_, err := ci.Reserve(t.Context(), unknown)
	expectError(t, err, callwright.KindPermission, "the price of other/x is not known", "prices_file", "unpriced: allow")

	_, ci = limitedGate(t, c, access.Limits{Spend: access.Spend{USD: 1e6, Per: access.Month, Unpriced: true}})
	u, err := ci.Reserve(t.Context(), unknown)
	expectError(t, err, "")
	u.Settle(t.Context(), used("other/x", 10, 20), callwright.Usage{})
	if got := ci.Usage(t.Context()); got.Total.Unknown != 30 || fmt.Sprint(got.Total.UnknownModels) != "[other/x]" || got.Limits[0].Used != 0 {
		t.Errorf("got %+v", got)
	}
}

// Limits of models hold beside those of the key, and what one of them refuses is counted nowhere.
func TestLimitsOfModels(t *testing.T) {
	c := newClock()
	g := newGate(t, access.Config{Now: c.Now, Prices: testPrices, Keys: []access.Key{{
		Name: "ci", Hash: access.HashOf("secret"), Limits: access.Limits{Tokens: 10_000, Spend: access.Spend{USD: 1e6}},
		PerModel: []access.ModelLimits{
			{Models: "fast", Limits: access.Limits{Requests: 1}}, {Models: "lab/*", Limits: access.Limits{Tokens: 5000, Spend: access.Spend{USD: 6000, Per: access.Day}}},
			{Models: "*", Limits: access.Limits{Requests: 1}},
		},
	}}})
	ci := caller(t, g, "secret")
	for _, s := range []struct {
		name  string
		model callwright.ModelID
		input int
		kind  callwright.Kind
		says  string
	}{
		{"fast", "lab/m", 100, "", ""},
		{"fast", "lab/m", 100, callwright.KindRateLimited, `the key "ci", for fast, has used its limit of 1 requests`},
		{"lab/m", "lab/m", 1000, "", ""},
		{"alias", "lab/m", 1000, "", ""},
		{"lab/m", "lab/m", 4999, callwright.KindRateLimited, `the key "ci", for lab/*, has less left of its`},
		{"lab/m", "lab/m", 5001, callwright.KindTooLarge, "but the key \"ci\", for lab/*, is limited to 5000 tokens a minute"},
		{"free/x", "free/x", 100, "", ""},
		{"free/x", "free/x", 100, callwright.KindRateLimited, `the key "ci", for *, has used its limit of 1 requests`},
	} {
		u, err := ci.Reserve(t.Context(), access.PlannedRequest{Name: s.name, Models: []callwright.ModelID{s.model}, Input: s.input, MaxOutput: 10})
		expectError(t, err, s.kind, s.says)
		if err == nil {
			u.Settle(t.Context(), used(s.model, s.input, 10), callwright.Usage{})
		}
	}
	got := map[string]float64{}
	for _, l := range ci.Usage(t.Context()).Limits {
		got[l.Models+" "+l.What] = l.Used
	}
	want := map[string]float64{" tokens": 2240, " usd": 2160, "fast requests": 1, "lab/* tokens": 2020, "lab/* usd": 2040, "* requests": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Whatever clients ask at the same time, models use no more than the limit where clients bound their answers.
func TestTokensNeverPassTheLimit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.Int64Range(10_000, 1_000_000).Draw(rt, "limit")
		output := rapid.IntRange(1, 4000).Draw(rt, "output")
		c := newClock()
		_, ci := limitedGate(t, c, access.Limits{Tokens: limit})
		var total atomic.Int64
		together(20, func(i int) {
			for range 20 {
				input := 100 + 10*i
				u, err := ci.Reserve(t.Context(), access.PlannedRequest{Models: []callwright.ModelID{"lab/m"}, Input: input, MaxOutput: output})
				if err != nil {
					continue
				}
				u.Settle(t.Context(), used("lab/m", input, output-output*i/40), callwright.Usage{})
				total.Add(int64(input + output - output*i/40))
			}
		})
		if got := total.Load(); got > limit {
			rt.Errorf("used %d of %d", got, limit)
		}
		if got := left(t, ci, "tokens"); got != float64(limit-total.Load()) {
			rt.Errorf("%v left, and %d of %d were used", got, total.Load(), limit)
		}
	})
}

// Requests at the same time of a key without history, at one gateway or at two that share counts, pass a limit by at most what one of them comes to: where the
// request, the model or firstMost bounds the output, and the input has at least a byte a token.
func TestFirstRequestsAtOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := newClock()
		shared := access.NewMemoryCounters(c.Now)
		limits := access.Limits{Tokens: rapid.Int64Range(500, 200_000).Draw(rt, "tokens")}
		if rapid.Bool().Draw(rt, "of money") {
			limits = access.Limits{Spend: access.Spend{USD: float64(rapid.IntRange(500, 200_000).Draw(rt, "usd")), Per: access.Day}}
		}
		ask := access.PlannedRequest{Models: []callwright.ModelID{"lab/m"}, Input: rapid.IntRange(1, 100).Draw(rt, "input"),
			MaxOutput: rapid.SampledFrom([]int{0, 0, 1, 100, 5000, 20_000}).Draw(rt, "max_tokens"), MostOutput: rapid.SampledFrom([]int{0, 0, 2000, 30_000}).Draw(rt, "of the model")}
		bound := 8192
		for _, n := range []int{ask.MostOutput, ask.MaxOutput} {
			if n > 0 {
				bound = n
			}
		}
		var callers []*access.Caller
		for range rapid.IntRange(1, 2).Draw(rt, "gateways") {
			g := newGate(t, access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("secret"), Limits: limits}}, Now: c.Now, Prices: testPrices, Counters: shared})
			callers = append(callers, caller(t, g, "secret"))
		}
		var uses []access.Use
		for i := range 300 {
			if u, err := callers[i%len(callers)].Reserve(t.Context(), ask); err == nil {
				uses = append(uses, u)
			}
		}
		if len(uses) == 0 {
			if int64(ask.Input) <= limits.Tokens || limits.Tokens == 0 {
				rt.Fatal("no request passed")
			}
			return
		}
		most := 0.0
		for i := range uses {
			input, output := rapid.IntRange(0, 4*ask.Input).Draw(rt, "used input"), rapid.IntRange(bound/2, bound).Draw(rt, "used output")
			uses[i].Settle(t.Context(), used("lab/m", input, output), callwright.Usage{})
			one := float64(input + output)
			if limits.Tokens == 0 {
				one += float64(output)
			}
			most = max(most, one)
		}
		for _, ci := range callers {
			l := ci.Usage(t.Context()).Limits[0]
			if l.Used > l.Limit+most {
				rt.Errorf("%v used of %v, and one request came to %v", l.Used, l.Limit, most)
			}
		}
	})
}

// Where less is left than a first request may come to at most, the request passes by its estimate: a key is never kept from the rest of its limit.
func TestFirstRequestTakesTheRest(t *testing.T) {
	c := newClock()
	shared := access.NewMemoryCounters(c.Now)
	keys := []access.Key{{Name: "ci", Hash: access.HashOf("secret"), Limits: access.Limits{Tokens: 10_000}}}
	one := caller(t, newGate(t, access.Config{Keys: keys, Now: c.Now, Counters: shared}), "secret")
	expectError(t, ask(t, one, 100, 8000, used("lab/m", 100, 7000)), "")
	two := caller(t, newGate(t, access.Config{Keys: keys, Now: c.Now, Counters: shared}), "secret")
	expectError(t, ask(t, two, 100, 0, used("lab/m", 100, 200)), "")
	if got := left(t, two, "tokens"); got > 2600 || got < 2600-10_000/64 { // the first gateway holds a share
		t.Errorf("%v left", got)
	}
}

// A gate that ends gives back what it took and did not use.
func TestCloseGivesBack(t *testing.T) {
	c := newClock()
	shared := access.NewMemoryCounters(c.Now)
	keys := []access.Key{{Name: "ci", Hash: access.HashOf("secret"), Limits: access.Limits{Requests: 1000}}}
	one := newGate(t, access.Config{Keys: keys, Now: c.Now, Counters: shared})
	for range 5 {
		expectError(t, caller(t, one, "secret").CountRequest(t.Context()), "")
	}
	two := caller(t, newGate(t, access.Config{Keys: keys, Now: c.Now, Counters: shared}), "secret")
	if got := left(t, two, "requests"); got >= 995 {
		t.Errorf("%v left while another gateway holds some", got)
	}
	one.Close(t.Context())
	if got := left(t, two, "requests"); got != 995 {
		t.Errorf("%v left", got)
	}
}

func TestStreamsAtATime(t *testing.T) {
	g := newGate(t, access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("secret")}}, Streams: 2})
	ci := caller(t, g, "secret")
	for range 2 {
		expectError(t, ci.OpenStream(), "")
	}
	err := expectError(t, ci.OpenStream(), callwright.KindRateLimited, "limit of 2 concurrent streams", "server.streams_per_key")
	if err.RetryAfter <= 0 {
		t.Error("nothing says when to try again")
	}
	ci.CloseStream()
	expectError(t, ci.OpenStream(), "")
	open := newGate(t, access.Config{Streams: 1})
	for range 3 {
		expectError(t, open.Anybody().OpenStream(), "")
	}
}
