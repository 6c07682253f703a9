package background_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/probe"
	"github.com/callwright/callwright/internal/probe/background"
	"github.com/callwright/callwright/internal/probe/bymode"
)

// slow is a model that takes a second for an answer, and says how many requests ran at once.
type slow struct {
	mu sync.Mutex
	counts
}

type counts struct {
	asked   int
	broken  int
	clients int // requests of clients that run
	beside  int // requests that ran while one of a client did
	tokens  int
}

// seen returns the counts so far.
func (m *slow) seen() counts {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.counts
}

func (m *slow) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	m.mu.Lock()
	m.asked++
	m.beside += m.clients
	n, _ := req.Params.MaxTokens.Int64()
	m.tokens = max(m.tokens, int(n))
	m.mu.Unlock()
	select {
	case <-ctx.Done():
		m.mu.Lock()
		m.broken++
		m.mu.Unlock()
		return nil, ctx.Err()
	case <-time.After(time.Second):
	}
	return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "Hello."}}, Finish: callwright.FinishStop}, nil
}

func (m *slow) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		resp, err := m.Generate(ctx, req)
		if err != nil {
			yield(nil, err)
			return
		}
		_ = yield(callwright.TextDelta{Text: resp.Text()}, nil) && yield(callwright.End{Finish: callwright.FinishStop}, nil)
	}
}

// capability store keeps what is learned.
type capsStore struct {
	mu     sync.Mutex
	models []string
	facts  map[string]string
}

func (s *capsStore) learn(_ context.Context, model callwright.ModelID, facts []caps.Fact) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = append(s.models, string(model))
	s.facts = map[string]string{}
	for _, f := range facts {
		s.facts[f.Key] = f.Value
	}
	return nil
}

// use is a request of a client that takes some time.
func use(p *background.Prober, m *slow, id string, takes time.Duration, outcome error) {
	end := p.Begin(callwright.ModelID(id), m)
	m.mu.Lock()
	m.clients++
	m.mu.Unlock()
	time.Sleep(takes)
	m.mu.Lock()
	m.clients--
	m.mu.Unlock()
	end(outcome)
}

// A model is probed after it was used, once a day, however often it is used and whatever its provider is asked meanwhile; what it costs is said first.
func TestProbes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		s, m := &capsStore{}, &slow{}
		var cards []string
		keep := func(c *probe.Card) error {
			cards = append(cards, string(c.Model))
			return errors.New("the disk is full")
		}
		p := background.New(background.Config{Learn: s.learn, Keep: keep, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		defer p.Close()
		for range 3 {
			use(p, m, "lab/one", time.Second, nil)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if strings.Join(s.models, " ") != "lab/one" || s.facts["tools"] != "no" {
			t.Fatalf("%v %v", s.models, s.facts)
		}
		if m.seen().asked > probe.MaxRequests()+bymode.MaxRequests(bymode.Questions) || m.seen().tokens > 1024 || m.seen().beside > 0 {
			t.Errorf("%d requests of %d tokens, %d beside those of clients", m.seen().asked, m.seen().tokens, m.seen().beside)
		}
		if strings.Join(cards, " ") != "lab/one" || !strings.Contains(log.String(), "the disk is full") {
			t.Errorf("the cards of %q are kept: %s", cards, log.String())
		}
		first, _, _ := strings.Cut(log.String(), "\n")
		if !strings.Contains(first, "model=lab/one") || !strings.Contains(first, "most_requests=") || !strings.Contains(first, "most_tokens_each=1024") {
			t.Errorf("%s", log.String())
		}
		asked := m.seen().asked
		use(p, m, "lab/one", time.Second, nil)
		time.Sleep(time.Hour)
		if m.seen().asked != asked {
			t.Errorf("it is probed twice a day")
		}
		time.Sleep(24 * time.Hour)
		use(p, m, "lab/one", time.Second, nil)
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(s.models) != 2 {
			t.Errorf("it is not probed on another day: %v", s.models)
		}
	})
}

// A request of a client breaks off that of a probe, which is made again when the provider is idle; a provider that is never idle is not probed.
func TestClientsGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := &capsStore{}, &slow{}
		p := background.New(background.Config{Learn: s.learn})
		defer p.Close()
		use(p, m, "lab/one", time.Second, nil)
		time.Sleep(2500 * time.Millisecond) // the first request of the probe runs
		use(p, m, "lab/two", time.Second, errors.New("this one failed, and says nothing of its model"))
		if m.seen().broken != 1 || m.seen().beside != 0 {
			t.Errorf("%d requests were broken off, %d ran beside", m.seen().broken, m.seen().beside)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if strings.Join(s.models, " ") != "lab/one" {
			t.Errorf("%v", s.models)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s, m := &capsStore{}, &slow{}
		p := background.New(background.Config{Learn: s.learn})
		defer p.Close()
		for range 200 {
			use(p, m, "lab/one", 500*time.Millisecond, nil)
			time.Sleep(2300 * time.Millisecond)
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if m.seen().beside > 0 || m.seen().broken > 15 {
			t.Errorf("%d requests were broken off, %d ran beside", m.seen().broken, m.seen().beside)
		}
	})
}

// What is known is not probed, nor what fails, nor what another program has probed today.
func TestNotProbed(t *testing.T) {
	for name, c := range map[string]struct {
		known   bool
		failure error
		other   bool
	}{"known": {known: true}, "failed": {failure: errors.New("no such model")}, "another program": {other: true}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				s, m := &capsStore{}, &slow{}
				conf := background.Config{Learn: s.learn, Dir: dir, IsKnown: func(context.Context, callwright.ModelID) bool { return c.known }}
				if c.other {
					before := background.New(conf)
					use(before, &slow{}, "lab/one", time.Second, nil)
					time.Sleep(time.Hour)
					synctest.Wait()
					before.Close()
					s.models = nil
				}
				p := background.New(conf)
				defer p.Close()
				use(p, m, "lab/one", time.Second, c.failure)
				time.Sleep(time.Hour)
				synctest.Wait()
				if m.seen().asked > 0 || len(s.models) > 0 {
					t.Errorf("%d requests, %v", m.seen().asked, s.models)
				}
				if c.other { // another day is another matter
					time.Sleep(24 * time.Hour)
					use(p, m, "lab/one", time.Second, nil)
					time.Sleep(time.Hour)
					synctest.Wait()
					if len(s.models) != 1 {
						t.Errorf("%v", s.models)
					}
				}
			})
		})
	}
}

// Names that come from outside cost no more than the bound, and closing ends a probe at once.
func TestBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, m := &capsStore{}, &slow{}
		p := background.New(background.Config{Learn: s.learn})
		for i := range 100 {
			use(p, m, fmt.Sprintf("lab/%d", i), 0, nil)
		}
		time.Sleep(3 * time.Second)
		began := time.Now()
		p.Close()
		if took := time.Since(began); took > 0 {
			t.Errorf("closing took %s", took)
		}
		asked := m.seen().asked
		use(p, m, "lab/more", 0, nil)
		time.Sleep(time.Hour)
		if m.seen().asked != asked || asked > 2 {
			t.Errorf("%d requests, then %d", asked, m.seen().asked)
		}
	})
}
