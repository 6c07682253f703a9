package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/store/natstest"
)

// clusterLimit is how many requests a minute the keys of the test may make, and clusterSlack the twentieth by which that may be missed.
const (
	clusterLimit = 40
	clusterSlack = clusterLimit / 20
)

// launchCluster starts three servers of NATS, processes of their own.
func launchCluster(t *testing.T) *natstest.Cluster {
	t.Helper()
	program := natstest.Program()
	if program == "" {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		program = filepath.Join(t.TempDir(), "nats-server") // as which the tests' own binary is the server
		if err := os.Symlink(self, program); err != nil {
			t.Fatal(err)
		}
	}
	c, err := natstest.Launch(program, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	return c
}

// Two gateways and three servers that are killed, all at once, and come back, again and again. A limit holds for both gateways together from the first request after both
// are ready, also for a key that was used before and while the servers were away. An answer that was acknowledged is found at either gateway afterwards; one that
// says it is in memory alone is found at its own gateway at once, and at the other one later.
func TestClusterKilled(t *testing.T) {
	needsLong(t)
	defer http.DefaultClient.CloseIdleConnections()
	rounds := natstest.Kills(t, 1)
	keys := []string{"{name: free, key: free}"}
	for i := range 2*rounds + 1 {
		keys = append(keys, fmt.Sprintf("{name: k%d, key: k%d, requests_per_minute: %d}", i, i, clusterLimit))
	}
	c := launchCluster(t)
	conf := fmt.Sprintf("state: {nats: %q, answers: {bytes: 1073741824, count: 1000000}}\nkeys: [%s]\nproviders: {sim: {}}\n", c.URL(), strings.Join(keys, ", "))
	g := []*process{startGateway(t, "", conf), startGateway(t, "", conf)}
	for _, p := range g {
		p.drain()
	}
	begun := time.Now()
	awaitReady(t, g)
	t.Logf("ready after %v", time.Since(begun))
	expectPassed(t, "after the start", usedUp(t, g, "k0", 2*clusterLimit, 4))
	for round := range rounds {
		clusterRound(t, c, g, fmt.Sprint("k", 2*round+1), fmt.Sprint("k", 2*round+2))
	}
}

// drain reads the log of a gateway, which blocks when its pipe is full.
func (p *process) drain() {
	go func() {
		for p.said.Scan() {
			continue
		}
	}()
}

// clusterRound kills all servers while gateways are used, and has them come back. The first key is used before, meanwhile and afterwards, the second one afterwards.
func clusterRound(t *testing.T, c *natstest.Cluster, g []*process, throughout, fresh string) {
	t.Helper()
	begun := time.Now()
	var said saidAnswers
	stop := said.collect(t, g)
	said.await(50)
	passed := usedUp(t, g, throughout, clusterLimit/4, 4)
	c.Kill()
	away := usedUp(t, g, throughout, clusterLimit/4, 4)
	time.Sleep(time.Second)
	for _, n := range c.Nodes {
		if err := n.Start(); err != nil {
			t.Fatal(err)
		}
	}
	back := time.Now()
	awaitReady(t, g)
	t.Logf("ready again after %v", time.Since(back))
	expectPassed(t, "a key that was not used before", usedUp(t, g, fresh, 2*clusterLimit, 4))
	after := usedUp(t, g, throughout, 2*clusterLimit, 4)
	t.Logf("passed %d, then %d without servers, then %d", passed, away, after)
	if time.Since(begun) < time.Minute {
		expectPassed(t, "a key that was used before", passed+away+after)
	}
	stop()
	said.expectFound(t, g)
}

func expectPassed(t *testing.T, about string, passed int) {
	t.Helper()
	if passed < clusterLimit-clusterSlack || passed > clusterLimit+clusterSlack {
		t.Errorf("%s: %d requests passed of %d a minute", about, passed, clusterLimit)
	}
}

// awaitReady waits until each gateway says that it is ready.
func awaitReady(t *testing.T, gateways []*process) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		ready := true
		for _, g := range gateways {
			status, text := g.get(t, http.MethodGet, "/readyz", "", "")
			ready = ready && status == http.StatusOK && text == readyNow
		}
		if ready {
			return
		}
		if time.Since(begun) > 2*time.Minute {
			_, text := gateways[0].get(t, http.MethodGet, "/readyz", "", "")
			t.Fatalf("the gateways are not ready: %s", text)
		}
	}
}

// usedUp sends n requests with a key to each gateway, so many at a time, and returns how many passed.
func usedUp(t *testing.T, gateways []*process, key string, n, atOnce int) int {
	t.Helper()
	var passed atomic.Int64
	var all sync.WaitGroup
	for _, g := range gateways {
		for worker := range atOnce {
			all.Go(func() {
				for i := worker; i < n; i += atOnce {
					status, text := g.get(t, http.MethodPost, "/v1/chat/completions", key, `{"model":"sim/native","messages":[{"role":"user","content":"Hello"}]}`)
					if status == http.StatusOK {
						passed.Add(1)
					} else if status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
						t.Errorf("got %d %s", status, text)
					}
				}
			})
		}
	}
	all.Wait()
	return int(passed.Load())
}

// A saidAnswer is an answer that a gateway gave.
type saidAnswer struct {
	id string
	at int // the gateway
}

// saidAnswers are the answers that gateways said are kept, and those that they said are in memory alone.
type saidAnswers struct {
	mu            sync.Mutex
	kept, pending []saidAnswer
}

// collect has answers asked for at all gateways until stop is called.
func (s *saidAnswers) collect(t *testing.T, gateways []*process) (stop func()) {
	var ended atomic.Bool
	var all sync.WaitGroup
	for i := range gateways {
		for range 4 {
			all.Go(func() {
				for !ended.Load() {
					s.ask(t, gateways[i], i)
					time.Sleep(5 * time.Millisecond)
				}
			})
		}
	}
	return func() {
		ended.Store(true)
		all.Wait()
	}
}

// await waits until so many answers are kept.
func (s *saidAnswers) await(n int) {
	for {
		s.mu.Lock()
		got := len(s.kept)
		s.mu.Unlock()
		if got >= n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (s *saidAnswers) ask(t *testing.T, g *process, at int) {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, g.url+"/v1/responses", strings.NewReader(`{"model":"sim/native","input":"Hello"}`))
	if err != nil {
		t.Error(err)
		return
	}
	r.Header = http.Header{"Authorization": {"Bearer free"}, "Callwright-Report": {"body"}}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Error(err)
		return
	}
	defer resp.Body.Close()
	var out struct {
		ID         string
		Callwright struct{ Notes []struct{ Rule string } }
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("got %d %v", resp.StatusCode, err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range out.Callwright.Notes {
		if n.Rule == "response.not_kept" {
			s.pending = append(s.pending, saidAnswer{out.ID, at})
			return
		}
	}
	s.kept = append(s.kept, saidAnswer{out.ID, at})
}

// expectFound looks for all answers at the gateway that did not give them.
func (s *saidAnswers) expectFound(t *testing.T, gateways []*process) {
	t.Helper()
	late := time.Now().Add(20 * time.Second)
	for about, list := range map[string][]saidAnswer{"kept": s.kept, "in memory": s.pending} {
		lost := 0
		for _, a := range list {
			status, text := gateways[1-a.at].get(t, http.MethodGet, "/v1/responses/"+a.id, "free", "")
			for about != "kept" && status != http.StatusOK && time.Now().Before(late) {
				time.Sleep(50 * time.Millisecond)
				status, text = gateways[1-a.at].get(t, http.MethodGet, "/v1/responses/"+a.id, "free", "")
			}
			if status != http.StatusOK {
				if lost++; lost == 1 {
					t.Errorf("%s: got %d %s", about, status, text)
				}
			}
		}
		t.Logf("%s: %d of %d are lost", about, lost, len(list))
	}
}
