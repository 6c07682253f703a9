package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/health"
)

// A crew is a provider with keys: it limits the ones that are told to it, and counts the requests with each.
type crew struct {
	*httptest.Server
	mu      sync.Mutex
	limited map[string]time.Duration // by key: how long the next request limits it, 0 for not
	until   map[string]time.Time
	asked   map[string]int
	early   int // requests with a limited key
}

func newCrew(t *testing.T, limited map[string]time.Duration) *crew {
	c := &crew{limited: limited, until: map[string]time.Time{}, asked: map[string]int{}}
	c.Server = httptest.NewServer(c)
	t.Cleanup(c.Close)
	return c
}

func (c *crew) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	if r.Method != http.MethodPost {
		_, _ = io.WriteString(w, `{"data":[]}`)
		return
	}
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[key]++
	if time.Now().Before(c.until[key]) {
		c.early++
	}
	if wait := c.limited[key]; wait > 0 {
		delete(c.limited, key)
		c.until[key] = time.Now().Add(wait)
		w.Header().Set("Retry-After-Ms", fmt.Sprint(wait.Milliseconds()))
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"error":{"message":"slow down","type":"rate_limit_error"}}`)
		return
	}
	_, _ = io.WriteString(w, `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Rain."}}],"usage":{"prompt_tokens":1,"completion_tokens":1,"total_tokens":2}}`)
}

// count returns how often a key was asked.
func (c *crew) count(key string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked[key]
}

// earlyCount returns how many requests had a limited key.
func (c *crew) earlyCount() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.early
}

// attempts asks for an answer, with the report in its body, and returns the status and the attempts.
func (p *process) attempts(t *testing.T, body string) (status int, list []struct{ Key, Host string }) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Callwright-Report", "body")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var out struct {
		Callwright struct{ Attempts []struct{ Key, Host string } }
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, out.Callwright.Attempts
}

func (p *process) targets(t *testing.T) []health.Target {
	t.Helper()
	var s health.Status
	if _, text := p.get(t, http.MethodGet, "/callwright/status", "", ""); json.Unmarshal([]byte(text), &s) != nil {
		t.Fatalf("got %s", text)
	}
	return s.Targets
}

// TestLimitedKey: of a provider with two keys, of which one is limited, no request fails, and the limited one rests for its time.
func TestLimitedKey(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	lab := newCrew(t, map[string]time.Duration{"secret-a": 2 * time.Second})
	p := startGateway(t, "export A=secret-a B=secret-b;", fmt.Sprintf("providers: {lab: {base_url: %q, api_key: [env:A, env:B], discover: off}}\n", lab.URL+"/v1"), "--log-level", "error")
	const all, atOnce = 1000, 8
	var wg sync.WaitGroup
	for range atOnce {
		wg.Go(func() {
			for range all / atOnce {
				if status, err := p.ask(http.DefaultClient, "lab/m"); err != nil || status != http.StatusOK {
					t.Errorf("got %d, %v", status, err)
					return
				}
			}
		})
	}
	ended := false
	for !slices.ContainsFunc(p.targets(t), func(s health.Target) bool { return len(s.Limited) > 0 }) {
		if t.Failed() || ended {
			t.Fatal("the gateway shows no limited key")
		}
		ended = lab.count("secret-a")+lab.count("secret-b") > all
	}
	early := lab.earlyCount() // after it, only requests arrive that were sent before the gateway had read of the limit
	wg.Wait()
	early = lab.earlyCount() - early
	time.Sleep(time.Until(lab.until["secret-a"]))
	for range 4 {
		if _, err := p.ask(http.DefaultClient, "lab/m"); err != nil {
			t.Fatal(err)
		}
	}
	if early > atOnce || lab.asked["secret-a"] < 2 {
		t.Errorf("asked %v, %d of them with a key that was known to be limited", lab.asked, early)
	}
	if _, text := p.get(t, http.MethodGet, "/metrics", "", ""); !strings.Contains(text, `callwright_target_requests_total{host="",key="B",provider="lab",what="sent"}`) || strings.Contains(text, "secret-") {
		t.Error("the figures have no targets, or a key")
	}
	for _, s := range p.targets(t) {
		if s.State != health.TargetReady || s.Requests.Sent != int64(lab.count("secret-"+strings.ToLower(s.Key))) {
			t.Errorf("got %+v", s)
		}
	}
}

// TestLimitedKeys: where both keys are limited the client gets one 429, with the shortest wait.
func TestLimitedKeys(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	lab := newCrew(t, map[string]time.Duration{"secret-a": 60 * time.Second, "secret-b": 30 * time.Second})
	p := startGateway(t, "export A=secret-a;", fmt.Sprintf("providers: {lab: {base_url: %q, api_key: [env:A, secret-b], discover: off}}\n", lab.URL+"/v1"))
	for range 2 {
		resp, err := http.Post(p.url+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"lab/m","messages":[{"role":"user","content":"hi"}]}`))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if wait := resp.Header.Get("Retry-After"); resp.StatusCode != http.StatusTooManyRequests || wait != "30" && wait != "29" || strings.Contains(string(text), "secret") {
			t.Errorf("got %d, retry after %s: %s", resp.StatusCode, wait, text)
		}
	}
	if lab.asked["secret-a"] != 1 || lab.asked["secret-b"] != 1 {
		t.Errorf("asked %v", lab.asked)
	}
	for _, s := range p.targets(t) {
		if len(s.Limited) != 1 || s.Limited[0].Model != "lab/m" || s.Key != "A" && s.Key != "key 2" {
			t.Errorf("got %+v", s)
		}
	}
}

// TestKilledHost: of three hosts one is killed. No request fails, and each conversation stays at one host, but for those that leave the dead one.
func TestKilledHost(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	hosts := []*crew{newCrew(t, nil), newCrew(t, nil), newCrew(t, nil)}
	p := startGateway(t, "", fmt.Sprintf("providers: {lab: {base_url: [%q, %q, %q], discover: off}}\n", hosts[0].URL+"/v1", hosts[1].URL+"/v1", hosts[2].URL+"/v1"))
	at := map[int]string{}
	dead := strings.TrimPrefix(hosts[1].URL, "http://")
	turn := func(n int) {
		for c := range 12 {
			history := ""
			for i := range n {
				history += fmt.Sprintf(`,{"role":"assistant","content":"Answer %d"},{"role":"user","content":"Question %d"}`, i, i)
			}
			status, attempts := p.attempts(t, fmt.Sprintf(`{"model":"lab/m","messages":[{"role":"user","content":"Conversation %d"}%s]}`, c, history))
			if status != http.StatusOK || len(attempts) != 1 {
				t.Fatalf("turn %d of conversation %d: got %d, %v", n, c, status, attempts)
			}
			if from, to := at[c], attempts[0].Host; from != "" && from != to && from != dead {
				t.Errorf("turn %d of conversation %d went from %s to %s", n, c, from, to)
			}
			at[c] = attempts[0].Host
		}
	}
	for n := range 3 {
		turn(n)
	}
	hosts[1].Close()
	for n := 3; n < 6; n++ {
		turn(n)
	}
	if hosts[0].count("") == 0 || hosts[2].count("") == 0 {
		t.Error("one host has all conversations")
	}
}

// TestSharedCooldown: a key that is limited at one gateway is not asked by another one on the same NATS.
func TestSharedCooldown(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	lab := newCrew(t, map[string]time.Duration{"secret-a": time.Minute})
	_, nats := startNATS(t)
	conf := fmt.Sprintf("state: {nats: %q}\nproviders: {lab: {base_url: %q, api_key: [env:A, env:B], discover: off}}\n", nats, lab.URL+"/v1")
	const setup = "export A=secret-a B=secret-b;"
	one, other := startGateway(t, setup, conf), startGateway(t, setup, conf)
	knows := func(p *process) bool {
		for _, s := range p.targets(t) {
			if s.Key == "A" && len(s.Limited) == 1 {
				return true
			}
		}
		return false
	}
	for i := range 2 {
		if status, err := one.ask(http.DefaultClient, "lab/m"); err != nil || status != http.StatusOK {
			t.Fatalf("request %d: got %d, %v", i, status, err)
		}
	}
	if !knows(one) {
		t.Fatal("the gateway that was told does not know it")
	}
	// The keys of a provider are in the status once it was used.
	if status, _ := other.get(t, http.MethodPost, "/callwright/explain", "", `{"model":"lab/m","messages":[{"role":"user","content":"hi"}]}`); status != http.StatusOK {
		t.Fatalf("explain: got %d", status)
	}
	for begun := time.Now(); !knows(other); time.Sleep(20 * time.Millisecond) {
		if time.Since(begun) > time.Minute {
			t.Fatal("nothing is shared")
		}
	}
	for range 10 {
		if status, err := other.ask(http.DefaultClient, "lab/m"); err != nil || status != http.StatusOK {
			t.Fatalf("got %d, %v", status, err)
		}
	}
	if lab.count("secret-a") != 1 {
		t.Errorf("asked %v", lab.asked)
	}
}

// TestCheckTargets: check asks by each key, and at each host, and says which one cannot be used.
func TestCheckTargets(t *testing.T) {
	lab := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer secret-a" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_, _ = io.WriteString(w, `{"data":[{"id":"m"}]}`)
	}))
	defer lab.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	s := scene{T: t, dir: t.TempDir(), conf: fmt.Sprintf("providers: {lab: {base_url: [%q, %q], api_key: [secret-a, secret-b], discover: off}}\n", lab.URL+"/v1", gone.URL+"/v1")}
	status, out, _ := command(t, "", "check", "--config", s.file())
	for _, want := range []string{"ok       lab  " + lab.URL + "/v1, key 1: 1 model\n", "problem  lab  key 2: providers.lab.api_key: the provider does not accept the key", "problem  lab  host 2: providers.lab.base_url: nothing listens at " + gone.URL} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if status != exitMisused || strings.Contains(out, "secret") {
		t.Errorf("exit status %d:\n%s", status, out)
	}
}
