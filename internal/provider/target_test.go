package provider_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/notice"
	"github.com/callwright/callwright/internal/provider"
)

// A fleet answers, in memory, for all keys and hosts of a provider, and counts the requests to each.
type fleet struct {
	mu     sync.Mutex
	asked  map[string]int                      // by "key@host"
	answer func(key, host string, n int) reply // the nth request to the key and the host, from 1
	stream bool
}

func (f *fleet) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
	}
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer secret-")
	f.mu.Lock()
	f.asked[key+"@"+r.URL.Host]++
	n := f.asked[key+"@"+r.URL.Host]
	f.mu.Unlock()
	answer := f.answer(key, r.URL.Host, n)
	switch {
	case answer.err != nil:
		return nil, answer.err
	case answer.body == "" && answer.status == 0 && f.stream:
		answer.body = chunks("Good", " day.")
	case answer.body == "" && answer.status == 0:
		answer.body = wholeAnswer
	}
	return answer.response(r), nil
}

// several returns a model behind a fleet, with keys "A B*2" and hosts likewise.
func several(t testing.TB, keys, hosts string, answer func(key, host string, n int) reply, change ...func(*provider.Config)) (*provider.Remote, *fleet) {
	t.Helper()
	f := &fleet{asked: map[string]int{}, answer: answer}
	cfg := provider.Config{Name: "lab", Transport: f, Discovery: provider.DiscoverOff, Env: func(name string) (string, bool) { return "secret-" + name, true }}
	for part := range strings.FieldsSeq(keys) {
		name, weight := weighted(part)
		cfg.Keys = append(cfg.Keys, provider.WeightedKey{Key: provider.NewSecret("env:" + name), Weight: weight})
	}
	for part := range strings.FieldsSeq(hosts) {
		name, weight := weighted(part)
		cfg.Hosts = append(cfg.Hosts, provider.WeightedURL{URL: "http://" + name + "/v1", Weight: weight})
	}
	for _, c := range change {
		c(&cfg)
	}
	p, err := provider.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p.Model("m"), f
}

func weighted(text string) (name string, weight int) {
	name, n, ok := strings.Cut(text, "*")
	if ok {
		fmt.Sscan(n, &weight)
	}
	return name, weight
}

func well(string, string, int) reply { return reply{} }

// TestTwoKeysOneLimited: a thousand requests succeed, and the limited key is asked again only after its time.
func TestTwoKeysOneLimited(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var limited time.Time // until when A is limited
			m, f := several(t, "A B", "lab.test", func(key, _ string, _ int) reply {
				if key == "A" && time.Now().Before(limited) {
					t.Error("A is asked before its time")
				}
				if key == "A" && limited.IsZero() {
					limited = time.Now().Add(30 * time.Second)
					return header(429, "Retry-After", "30")
				}
				return reply{}
			})
			f.stream = streamed
			for i := range 1000 {
				got := answerOf(t.Context(), m, ask(), streamed)
				if got.err != nil {
					t.Fatalf("request %d: %v", i, got.err)
				}
				time.Sleep(100 * time.Millisecond)
			}
			if f.asked["A@lab.test"] < 300 || f.asked["A@lab.test"]+f.asked["B@lab.test"] != 1001 {
				t.Errorf("asked %v", f.asked)
			}
			noneInFlight(t, m)
		})
	}
}

// An answered is how a request ended.
type answered struct {
	text      string
	err       error
	key, host string // of the last try
	rules     []string
}

// answerOf asks for a whole or a streamed answer.
func answerOf(ctx context.Context, m *provider.Remote, req *callwright.Request, streamed bool) (a answered) {
	var told companion.Target
	req = companion.With(req, func(c *companion.Companion) { c.Asked = &told })
	if streamed {
		for b, err := range m.Batches(ctx, req) {
			if err != nil {
				a.err = err
			}
			for _, n := range b.Notes {
				a.rules = append(a.rules, n.Rule)
			}
			for _, e := range b.Events {
				if d, ok := e.(callwright.TextDelta); ok {
					a.text += d.Text
				}
			}
		}
	} else {
		resp, err := m.Generate(ctx, req)
		if a.err = err; err == nil {
			a.text = "Good day."
			for _, n := range resp.Report.Notes {
				a.rules = append(a.rules, n.Rule)
			}
		}
	}
	a.key, a.host = told.Key, told.Host
	return a
}

func noneInFlight(t *testing.T, m *provider.Remote) {
	t.Helper()
	for _, s := range m.Provider().Targets() {
		if s.InFlight != 0 {
			t.Errorf("%d requests are in flight with %s at %s", s.InFlight, s.Key, s.Host)
		}
	}
}

// TestBothKeysLimited: each key is asked once, the error has the shortest wait, and no key is asked before that.
func TestBothKeysLimited(t *testing.T) {
	for _, streamed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			waits := map[string]string{"A": "40", "B": "25"}
			m, f := several(t, "A B", "lab.test", func(key, _ string, _ int) reply { return header(429, "Retry-After", waits[key]) })
			for i := range 3 {
				e := errorOf(t, answerOf(t.Context(), m, ask(), streamed).err)
				if e.Kind != callwright.KindRateLimited || e.RetryAfter != 25*time.Second {
					t.Errorf("request %d: %v, retry after %s", i, e, e.RetryAfter)
				}
			}
			if want := map[string]int{"A@lab.test": 1, "B@lab.test": 1}; !maps.Equal(f.asked, want) {
				t.Errorf("asked %v", f.asked)
			}
			if why, left := m.Away(); why == "" || left != 25*time.Second {
				t.Errorf("the model is away as %q for %s", why, left)
			}
			time.Sleep(25 * time.Second)
			if why, left := m.Away(); why != "" {
				t.Errorf("the model is away as %q for %s", why, left)
			}
			answerOf(t.Context(), m, ask(), streamed)
			if want := map[string]int{"A@lab.test": 1, "B@lab.test": 2}; !maps.Equal(f.asked, want) {
				t.Errorf("after the time of B, asked %v", f.asked)
			}
		})
	}
}

// TestShortLimitIsWaitedFor: a request waits for a moment in which all keys are limited, as with one key.
func TestShortLimitIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, _ := several(t, "A B", "lab.test", func(_, _ string, n int) reply {
			if n == 1 {
				return header(429, "Retry-After", "4")
			}
			return reply{}
		})
		began := time.Now()
		if got := answerOf(t.Context(), m, ask(), false); got.err != nil || time.Since(began) != 4*time.Second {
			t.Errorf("%v after %s", got.err, time.Since(began))
		}
	})
}

// TestNextTarget: which failures go on to another key or host, where they go, and what the report says.
func TestNextTarget(t *testing.T) {
	refused := syscall.ECONNREFUSED
	for title, c := range map[string]struct {
		keys, hosts string
		first       reply // of the first target; all others answer well
		tries       int
		next        string // what is another one at the last try: the key, the host, or nothing
		kind        callwright.Kind
	}{
		"a limit":            {"A B", "g", header(429, "Retry-After", "9"), 2, "key", ""},
		"no credit":          {"A B", "g", reply{status: 402, body: slowDown}, 2, "key", ""},
		"a refused key":      {"A B", "g", reply{status: 401, body: slowDown}, 2, "key", ""},
		"no permission":      {"A B", "g", reply{status: 403, body: slowDown}, 2, "key", ""},
		"a limit, told not":  {"A B", "g", header(429, "X-Should-Retry", "false"), 2, "key", ""},
		"no connection":      {"A", "g h", reply{err: refused}, 2, "host", ""},
		"a broken one":       {"A", "g h", reply{err: errors.New("connection reset")}, 2, "host", ""},
		"an error":           {"A", "g h", header(500), 2, "host", ""},
		"an error, told not": {"A", "g h", header(500, "X-Should-Retry", "false"), 1, "", callwright.KindServer},
		"busy":               {"A", "g h", header(503, "Retry-After", "30"), 2, "host", ""},
		"late":               {"A", "g h", reply{err: timeout{}}, 2, "host", ""},
		"a bad request":      {"A B", "g h", reply{status: 400, body: slowDown}, 1, "", callwright.KindInvalid},
		"an unknown model":   {"A B", "g h", reply{status: 404, body: slowDown}, 1, "", callwright.KindNotFound},
		"a limit at a host":  {"A", "g h", header(429, "Retry-After", "30"), 2, "host", ""},
		"the only host":      {"A B", "g", header(500), 2, "key", ""},
	} {
		for _, streamed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/%v", title, streamed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					tries, firstKey, firstHost, lastKey, lastHost := 0, "", "", "", ""
					m, f := several(t, c.keys, c.hosts, func(key, host string, _ int) reply {
						lastKey, lastHost = key, host
						if tries++; tries == 1 {
							firstKey, firstHost = key, host
							return c.first
						}
						return reply{}
					})
					f.stream = streamed
					got := answerOf(t.Context(), m, ask(), streamed)
					if callwright.KindOf(got.err) != c.kind || tries != c.tries || (lastKey != firstKey) != (c.next == "key") || (lastHost != firstHost) != (c.next == "host") {
						t.Errorf("%d tries, the last one with %q at %q: %v", tries, got.key, got.host, got.err)
					}
					if got.key != "" && got.key != lastKey || got.host != "" && got.host != lastHost || got.key+got.host == "" {
						t.Errorf("it is told that the last one was with %q at %q", got.key, got.host)
					}
					for pair, n := range f.asked {
						if n > 1 {
							t.Errorf("%s is asked %d times", pair, n)
						}
					}
					if n := len(got.rules); got.err == nil && n != tries-1 {
						t.Errorf("notes %v", got.rules)
					}
					noneInFlight(t, m)
				})
			})
		}
	}
}

// TestNoticeOfNextTarget: operators are told where a request goes on.
func TestNoticeOfNextTarget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, tries := "", 0
		m, _ := several(t, "A B", "g h", func(key, host string, _ int) reply {
			if tries++; tries == 1 {
				first = key + " at " + host
				return reply{status: 401, body: slowDown}
			}
			return reply{}
		})
		var got []notice.Notice
		ctx := notice.With(t.Context(), func(n notice.Notice) { got = append(got, n) })
		a := answerOf(ctx, m, ask(), false)
		if a.err != nil {
			t.Fatal(a.err)
		}
		want := []notice.Notice{{Event: notice.NextTarget, Model: "lab/m", Kind: callwright.KindAuth, Reason: "401 authentication of key " + first + ", key " + a.key + " at " + a.host + " is used"}}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	})
}

// TestAllFail: where nothing answers, each pair is asked once, then one of them after each pause, and the error is that of the last one, or of a limit.
func TestAllFail(t *testing.T) {
	for title, c := range map[string]struct {
		keys, hosts string
		answers     map[string]reply // by key or host
		tries       int
		kind        callwright.Kind
		wait        time.Duration
		says        string
	}{
		"refused":             {"A B", "g", map[string]reply{"A": {status: 401, body: slowDown}, "B": {status: 401, body: slowDown}}, 2, callwright.KindAuth, 0, "does not accept the key of "},
		"limited and refused": {"A B", "g", map[string]reply{"A": header(429, "Retry-After", "33"), "B": {status: 401, body: slowDown}}, 2, callwright.KindRateLimited, 33 * time.Second, "slow down"},
		"hosts":               {"A", "f g h", map[string]reply{"f": header(500), "g": header(502), "h": header(500)}, 5, callwright.KindServer, 0, ""},
		"no connection":       {"A B", "g h", map[string]reply{"g": {err: syscall.ECONNREFUSED}, "h": {err: syscall.ECONNREFUSED}}, 4, callwright.KindUnavailable, 0, ": nothing listens at its address"},
	} {
		t.Run(title, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tries := 0
				m, f := several(t, c.keys, c.hosts, func(key, host string, _ int) reply {
					tries++
					if r, ok := c.answers[key]; ok {
						return r
					}
					return c.answers[host]
				}, func(c *provider.Config) { c.Path = "providers.lab" })
				e := errorOf(t, answerOf(t.Context(), m, ask(), false).err)
				if e.Kind != c.kind || tries != c.tries || e.RetryAfter != c.wait || !strings.Contains(e.Error(), c.says) || strings.Contains(e.Error(), "secret") {
					t.Errorf("%d tries: %v, retry after %s", tries, e, e.RetryAfter)
				}
				if pairs := len(strings.Fields(c.keys)) * len(strings.Fields(c.hosts)); tries > pairs+2 {
					t.Errorf("asked %v", f.asked)
				}
				noneInFlight(t, m)
			})
		})
	}
}

// TestWeights: requests are shared by weight.
func TestWeights(t *testing.T) {
	m, f := several(t, "A*3 B", "g h", well)
	for range 400 {
		if got := answerOf(t.Context(), m, ask(), false); got.err != nil {
			t.Fatal(got.err)
		}
	}
	if want := map[string]int{"A@g": 150, "A@h": 150, "B@g": 50, "B@h": 50}; !near(f.asked, want) {
		t.Errorf("asked %v", f.asked)
	}
}

// near reports whether counts differ by one at most: the first of equal requests goes where its conversation would.
func near(got, want map[string]int) bool {
	for k, n := range want {
		if got[k] < n-1 || got[k] > n+1 {
			return false
		}
	}
	return len(got) == len(want)
}

// conversation returns a request of a conversation with so many answers.
func conversation(name string, answers int) *callwright.Request {
	req := ask()
	req.Messages[0].Parts = []callwright.Part{callwright.Text{Text: "This is conversation " + name}}
	for i := range answers {
		req.Messages = append(req.Messages,
			callwright.Message{Role: callwright.RoleAssistant, Parts: []callwright.Part{callwright.Text{Text: fmt.Sprint("Answer ", i)}}},
			callwright.Message{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: fmt.Sprint("Question ", i)}}})
	}
	return req
}

// TestThreeHosts: when a server dies no request fails, and the requests of a conversation stay at one host, but for those of the dead one, which move to
// another one and stay there.
func TestThreeHosts(t *testing.T) {
	var servers []*httptest.Server
	var urls []provider.WeightedURL
	for range 3 {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, wholeAnswer)
		}))
		defer srv.Close()
		servers, urls = append(servers, srv), append(urls, provider.WeightedURL{URL: srv.URL + "/v1"})
	}
	p, err := provider.New(provider.Config{Name: "lab", Hosts: urls, Discovery: provider.DiscoverOff})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	m := p.Model("m")
	const conversations = 30
	at := map[string]string{}
	turn := func(n int, moved func(name, from, to string) bool) {
		t.Helper()
		for i := range conversations {
			name := fmt.Sprint(i)
			got := answerOf(t.Context(), m, conversation(name, n), false)
			if got.err != nil {
				t.Fatalf("turn %d of conversation %s: %v", n, name, got.err)
			}
			if from, ok := at[name]; ok && from != got.host && !moved(name, from, got.host) {
				t.Errorf("turn %d of conversation %s went from %s to %s", n, name, from, got.host)
			}
			at[name] = got.host
		}
	}
	stay := func(_, _, _ string) bool { return false }
	for n := range 3 {
		turn(n, stay)
	}
	used := slices.Compact(slices.Sorted(maps.Values(at)))
	if len(used) != 3 {
		t.Fatalf("%d conversations are at %v", conversations, used)
	}
	dead := strings.TrimPrefix(servers[1].URL, "http://")
	servers[1].Close()
	turn(3, func(_, from, to string) bool { return from == dead && to != dead })
	for n := 4; n < 8; n++ {
		turn(n, stay)
	}
	noneInFlight(t, m)
}

// TestSharedTargets: Providers of one Targets share what is limited, as variants of one provider do.
func TestSharedTargets(t *testing.T) {
	var shared provider.Targets
	share := func(c *provider.Config) { c.Targets = &shared }
	one, _ := several(t, "A B", "g", func(key, _ string, _ int) reply {
		if key == "A" {
			return header(429, "Retry-After", "60")
		}
		return reply{}
	}, share)
	other, f := several(t, "A B", "g", well, share)
	for range 2 {
		answerOf(t.Context(), one, ask(), false)
	}
	for range 10 {
		answerOf(t.Context(), other, ask(), false)
	}
	if f.asked["A@g"] != 0 {
		t.Errorf("the other provider asked %v", f.asked)
	}
}

// TestMissingKeys: keys that are not there are left out, and a provider without any cannot be used.
func TestMissingKeys(t *testing.T) {
	env := func(there ...string) func(*provider.Config) {
		return func(c *provider.Config) {
			c.Env = func(name string) (string, bool) { return "secret-" + name, slices.Contains(there, name) }
		}
	}
	m, f := several(t, "A B C", "g", well, env("A", "C"))
	for range 4 {
		answerOf(t.Context(), m, ask(), false)
	}
	if want := map[string]int{"A@g": 2, "C@g": 2}; !near(f.asked, want) {
		t.Errorf("asked %v", f.asked)
	}
	cfg := provider.Config{Name: "lab", BaseURL: "http://g/v1", Path: "providers.lab", Keys: []provider.WeightedKey{{Key: provider.NewSecret("env:A")}, {Key: provider.NewSecret("env:B")}}}
	env()(&cfg)
	if _, err := provider.New(cfg); callwright.KindOf(err) != callwright.KindAuth || !strings.Contains(err.Error(), "A is not set") {
		t.Errorf("without keys: %v", err)
	}
	if cfg.HasKey() {
		t.Error("it has a key")
	}
}

// TestOtherRequests: lists, counts and requests that pass go to a host that answers, below its own path.
func TestOtherRequests(t *testing.T) {
	var paths []string
	f := tripper(func(r *http.Request) (*http.Response, error) {
		if r.Body != nil {
			_, _ = io.Copy(io.Discard, r.Body)
		}
		if r.URL.Host == "dead" {
			return nil, syscall.ECONNREFUSED
		}
		paths = append(paths, r.URL.Host+r.URL.RequestURI())
		return reply{body: `{"data":[{"id":"m"}]}`}.response(r), nil
	})
	p, err := provider.New(provider.Config{Name: "lab", Transport: f, Discovery: provider.DiscoverOff,
		Hosts: []provider.WeightedURL{{URL: "http://dead/v1?api-version=1"}, {URL: "http://live/openai/v1?api-version=2"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if list, err := p.Models(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("listed %v, %v", list, err)
	}
	passed, err := p.Model("m").Pass(t.Context(), &provider.Passages()[0], "application/json", []byte(`{"model":"x","input":"a"}`))
	if err != nil {
		t.Fatal(err)
	}
	if p.Targets()[1].InFlight != 1 {
		t.Error("a body that is read is not in flight")
	}
	_ = passed.Body.Close()
	want := []string{"live/openai/v1/models?api-version=2", "live/openai/v1/embeddings?api-version=2"}
	if d := cmp.Diff(want, paths); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	noneInFlight(t, p.Model("m"))
}

// TestLimitedPool: a model is limited where each key is.
func TestLimitedPool(t *testing.T) {
	m, _ := several(t, "A B", "g", func(string, string, int) reply { return header(429, "Retry-After", "60") })
	if m.IsLimited() {
		t.Error("it is limited before the first request")
	}
	answerOf(t.Context(), m, ask(), false)
	if !m.IsLimited() {
		t.Error("it is not limited")
	}
}

func BenchmarkTargets(b *testing.B) {
	for name, c := range map[string][2]string{"one": {"A", "g"}, "ten": {"A B C D E", "g h"}} {
		b.Run(name, func(b *testing.B) {
			m, _ := several(b, c[0], c[1], well, func(c *provider.Config) { c.Transport = canned(wholeAnswer) })
			req := long()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Generate(context.Background(), req); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
