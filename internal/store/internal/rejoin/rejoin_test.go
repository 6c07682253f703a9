package rejoin_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/callwright/callwright/internal/store/internal/rejoin"
	"pgregory.net/rapid"
)

// A server has a count, and passes on what gateways say, unless it is away.
type server struct {
	mu    sync.Mutex
	away  bool
	since time.Time // when it was there again
	count int
	all   []*member
}

// A member is a gateway that takes from the count. Its fields are under the lock of the server.
type member struct {
	*rejoin.Group
	s     *server
	name  string
	reach time.Duration // how long it takes to reach the server that is there again

	known, used int // the count that it knows, and what it used alone
	ended       bool
	stop        context.CancelFunc
}

var errAway = errors.New("the server is away")

func (s *server) set(away bool) {
	s.mu.Lock()
	s.away, s.since = away, time.Now()
	all := s.all
	s.mu.Unlock()
	for _, m := range all {
		if away {
			m.Doubt(errAway)
		}
	}
}

// reached reports whether the server is there for a member. The lock is held.
func (m *member) reached() bool { return !m.s.away && time.Since(m.s.since) >= m.reach }

// join adds a gateway, which runs until it is killed.
func (s *server) join(name string, reach time.Duration) *member {
	ctx, stop := context.WithCancel(context.Background())
	m := &member{s: s, name: name, reach: reach, stop: stop}
	m.Group = rejoin.New(rejoin.Config{
		ID: name, Logger: slog.New(slog.DiscardHandler), Broken: func() bool { return false }, Known: func() bool { return true },
		Say: func(data []byte) {
			s.mu.Lock()
			var to []*member
			if m.reached() {
				to = append(to, s.all...)
			}
			s.mu.Unlock()
			for _, other := range to {
				go func() {
					time.Sleep(time.Millisecond)
					s.mu.Lock()
					heard := other.reached()
					s.mu.Unlock()
					if heard {
						other.ApplyMessage(data)
					}
				}()
			}
		},
		Reached: func() (time.Time, bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.since.Add(m.reach), m.reached()
		},
		Prove: func(context.Context, time.Duration) error {
			s.mu.Lock()
			defer s.mu.Unlock()
			if !m.reached() {
				return errAway
			}
			return nil
		},
		Flush: func() error {
			s.mu.Lock()
			defer s.mu.Unlock()
			if !m.reached() {
				return errAway
			}
			s.add(m.used)
			m.used = 0
			return nil
		},
	})
	s.mu.Lock()
	s.all = append(s.all, m)
	s.mu.Unlock()
	go m.Run(ctx)
	return m
}

// kill ends a gateway, and returns what it used alone, of which nobody knows then.
func (m *member) kill() int {
	m.stop()
	m.s.mu.Lock()
	defer m.s.mu.Unlock()
	m.ended = true
	return m.used
}

// end ends all gateways.
func (s *server) end() {
	for _, m := range s.all {
		m.kill()
	}
	time.Sleep(time.Second) // what is on its way arrives
}

// take takes one of a limit, and reports whether it could.
func (m *member) take(limit int) bool {
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Second)
	defer cancel()
	mode, err := m.Await(ctx)
	if err != nil {
		return false
	}
	m.s.mu.Lock()
	defer m.s.mu.Unlock()
	now, parts := m.Mode()
	switch {
	case m.ended || now != mode:
		return false
	case mode.IsAlone():
		if m.used >= (limit-m.known)/parts {
			return false
		}
		m.used++
		return true
	case !m.reached():
		m.Doubt(errAway)
		return false
	case m.s.count >= limit:
		return false
	}
	m.s.add(1)
	return true
}

// add counts n, which every gateway hears that is reached. The lock is held.
func (s *server) add(n int) {
	s.count += n
	for _, m := range s.all {
		if m.reached() {
			m.known = s.count
		}
	}
}

// Whatever gateways take before, while and after the server is away, however late each of them reaches it again, and whoever starts meanwhile: all of them
// take as much as the limit and no more, but for what one used alone that is killed.
func TestLimitHolds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.IntRange(1, 200).Draw(rt, "limit")
		n := rapid.IntRange(1, 4).Draw(rt, "gateways")
		reach := rapid.SliceOfN(rapid.IntRange(0, 4000), n+1, n+1).Draw(rt, "milliseconds until a server is reached")
		before := rapid.IntRange(0, limit).Draw(rt, "taken before")
		away := rapid.IntRange(0, 20_000).Draw(rt, "milliseconds away")
		meanwhile := rapid.SliceOfN(rapid.IntRange(0, 2*limit), n, n).Draw(rt, "asked for meanwhile")
		ends, starts, twice := rapid.Bool().Draw(rt, "one ends"), rapid.Bool().Draw(rt, "one starts"), rapid.Bool().Draw(rt, "away twice")
		var failure string
		synctest.Test(t, func(*testing.T) {
			s := &server{since: time.Now().Add(-time.Hour)}
			for i := range n {
				s.join(fmt.Sprint("g", i), time.Duration(reach[i])*time.Millisecond)
			}
			time.Sleep(10 * time.Second)
			taken, unknown := 0, 0
			for i := range before {
				if !s.all[i%n].take(limit) {
					failure = "nothing is taken before"
				}
				taken++
			}
			time.Sleep(time.Second)
			for range map[bool]int{true: 2, false: 1}[twice] {
				s.set(true)
				time.Sleep(time.Duration(away) * time.Millisecond)
				if starts && len(s.all) == n {
					s.join("new", time.Duration(reach[n])*time.Millisecond)
				}
				got := make([]int, n)
				var all sync.WaitGroup
				for i, m := range s.all[:n] {
					all.Go(func() {
						for range meanwhile[i] {
							if m.take(limit) {
								got[i]++
							}
							time.Sleep(time.Millisecond)
						}
					})
				}
				time.Sleep(time.Duration(away) * time.Millisecond / 2)
				if ends && n > 1 && !s.all[n-1].ended {
					unknown += s.all[n-1].kill()
				}
				s.set(false)
				all.Wait()
				for _, g := range got {
					taken += g
				}
			}
			time.Sleep(40 * time.Second)
			alive := s.all
			if ends && n > 1 {
				alive = append(append([]*member(nil), s.all[:n-1]...), s.all[n:]...)
			}
			for i := range alive {
				if mode, _ := alive[i].Mode(); mode != rejoin.Shared {
					failure = fmt.Sprintf("%s is at %d", alive[i].name, mode)
				}
			}
			for i := range limit {
				if alive[i%len(alive)].take(limit) {
					taken++
				}
			}
			if taken > limit+unknown || taken < limit {
				failure = fmt.Sprintf("%d were taken of %d", taken, limit)
			}
			s.end()
		})
		if failure != "" {
			rt.Fatal(failure)
		}
	})
}

// A gateway says how it counts, and while it starts without a server nothing is taken, at once after a while.
func TestStages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{away: true, since: time.Now()}
		g := s.join("g", 0)
		defer s.end()
		time.Sleep(10 * time.Second)
		begun := time.Now()
		if g.take(10) || time.Since(begun) > 0 {
			t.Error("something is taken, or who takes waits")
		}
		expectHealth(t, g, "not shared with other gateways yet: the server is away", false)
		s.set(false)
		time.Sleep(2 * time.Second)
		expectHealth(t, g, "", true)
		s.set(true)
		time.Sleep(time.Second)
		expectHealth(t, g, "possibly not shared", true)
		begun = time.Now()
		if !g.take(10) || time.Since(begun) > 3*time.Second {
			t.Errorf("nothing is taken for %v", time.Since(begun))
		}
		expectHealth(t, g, "counted by this gateway alone", true)
		s.set(false)
		time.Sleep(2 * time.Second)
		expectHealth(t, g, "", true)
	})
}

func expectHealth(t *testing.T, m *member, want string, wantOnce bool) {
	t.Helper()
	if got, once := m.Health(); !strings.Contains(got, want) || want == "" && got != "" || once != wantOnce {
		t.Errorf("got %q, shared once: %t; want %q and %t", got, once, want, wantOnce)
	}
}
