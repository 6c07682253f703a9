package store_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/access/counterstest"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/archive/archivetest"
	"github.com/callwright/callwright/internal/capsstoretest"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/queuetest"
	"github.com/callwright/callwright/internal/journaltest"
	"github.com/callwright/callwright/internal/keyring"
	keylogtest "github.com/callwright/callwright/internal/keyring/logtest"
	"github.com/callwright/callwright/internal/ledger"
	"github.com/callwright/callwright/internal/ledger/ledgertest"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/signaturetest"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/trace/logtest"
	"github.com/callwright/callwright/signature"
)

// spaces counts what tests need for themselves in a store that they share.
var spaces atomic.Int64

func fresh() string { return fmt.Sprint("fresh-", spaces.Add(1)) }

// places runs a test with a Store in the process and with one on a cluster.
func places(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Run("embedded", func(t *testing.T) { test(t, open(t, store.Config{Dir: folder(t)})) })
	t.Run("cluster", func(t *testing.T) { test(t, open(t, sharedCluster(t).config(""))) })
}

func TestJournal(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, s *store.Store) {
		journaltest.Run(t, func(*testing.T) agent.Journal { return s.Journal(fresh()) })
	})
}

func TestQueue(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, s *store.Store) {
		queuetest.Run(t, func(*testing.T) eval.Queue { return s.Queue("", fresh(), 0) })
	})
}

func TestKeys(t *testing.T) {
	t.Parallel()
	t.Run("embedded", func(t *testing.T) {
		opened := map[string]*store.Store{} // the folder is for one alone
		keylogtest.Run(t, func(t *testing.T, name string) keyring.Log {
			if opened[name] == nil {
				opened[name] = open(t, store.Config{Dir: folder(t)})
			}
			return opened[name].Keys()
		})
	})
	t.Run("cluster", func(t *testing.T) {
		spaces := map[string]string{}
		keylogtest.Run(t, func(t *testing.T, name string) keyring.Log {
			if spaces[name] == "" {
				spaces[name] = fresh()
			}
			return open(t, sharedCluster(t).config(spaces[name])).Keys()
		})
	})
}

func TestUsage(t *testing.T) {
	t.Parallel()
	t.Run("embedded", func(t *testing.T) {
		s := open(t, store.Config{Dir: folder(t)})
		ledgertest.Run(t, 0, func(*testing.T) ledger.Store { return s.Usage() })
	})
	t.Run("cluster", func(t *testing.T) { // its reads may reach a leader that lacks the last writes
		s := open(t, sharedCluster(t).config(""))
		ledgertest.Run(t, 10*time.Second, func(*testing.T) ledger.Store { return s.Usage() })
	})
}

// What an owner has is not there for another one.
func TestOwners(t *testing.T) {
	t.Parallel()
	places(t, func(t *testing.T, s *store.Store) {
		a, b := fresh(), fresh()
		if _, err := s.Journal(a).Append(t.Context(), "run_1", 0, agent.Entry{Kind: "test"}); err != nil {
			t.Fatal(err)
		}
		if runs, err := s.Journal(b).Runs(t.Context()); err != nil || len(runs) > 0 {
			t.Errorf("got %v, %v", runs, err)
		}
		if _, last, err := s.Journal(b).Load(t.Context(), "run_1"); err != nil || last != 0 {
			t.Errorf("got %d entries, %v", last, err)
		}
	})
}

// A timed opens a Store of its own by a clock.
type timed func(t *testing.T, now func() time.Time) *store.Store

// timedPlaces runs a suite with Stores in the process and with those on a cluster, where each has a space of its own.
func timedPlaces(t *testing.T, suite func(t *testing.T, open timed)) {
	t.Run("embedded", func(t *testing.T) {
		suite(t, func(t *testing.T, now func() time.Time) *store.Store {
			return open(t, store.Config{Dir: folder(t), Now: now})
		})
	})
	t.Run("cluster", func(t *testing.T) {
		sharedCluster(t) // or it is skipped
		suite(t, func(t *testing.T, now func() time.Time) *store.Store {
			c := sharedCluster(t).config(fresh())
			c.Now = now
			return open(t, c)
		})
	})
}

func TestCapsStore(t *testing.T) {
	t.Parallel()
	timedPlaces(t, func(t *testing.T, open timed) {
		capsstoretest.Run(t, func(t *testing.T, now func() time.Time) caps.Store { return open(t, now).CapsStore(t.Context()) })
	})
}

func TestSignatures(t *testing.T) {
	t.Parallel()
	timedPlaces(t, func(t *testing.T, open timed) {
		signaturetest.Run(t, func(t *testing.T, now func() time.Time, l signature.Limits) signature.Store {
			v := open(t, now).Signatures(l)
			if _, err := v.Find(t.Context(), signature.Call{}); err != nil { // until the stored entries were read
				t.Fatal(err)
			}
			return v
		})
	})
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	timedPlaces(t, func(t *testing.T, open timed) {
		archivetest.Answers(t, func(t *testing.T, now func() time.Time, l archive.Limits) archive.Answers {
			return open(t, now).Answers(l)
		})
	})
}

func TestReports(t *testing.T) {
	t.Parallel()
	timedPlaces(t, func(t *testing.T, open timed) {
		archivetest.Reports(t, func(t *testing.T, now func() time.Time, l archive.Limits) archive.Reports {
			r := open(t, now).Reports(l)
			if _, err := r.List(t.Context(), archive.Query{}); err != nil { // until the stored entries were read
				t.Fatal(err)
			}
			return r
		})
	})
}

func TestTraces(t *testing.T) {
	t.Parallel()
	timedPlaces(t, func(t *testing.T, open timed) {
		logtest.Run(t, func(t *testing.T, now func() time.Time, l trace.LogLimits) trace.Log {
			return open(t, now).Traces("", l)
		})
	})
}

func TestCounters(t *testing.T) {
	t.Parallel()
	timedPlaces(t, func(t *testing.T, open timed) {
		counterstest.Run(t, func(t *testing.T, now func() time.Time) access.Counters { return open(t, now).Counters() })
	})
	if !longtest.IsEnabled() {
		return
	}
	counterstest.RunShared(t, func(t *testing.T, now func() time.Time) func() access.Counters {
		c := sharedCluster(t).config(fresh())
		c.Now = now
		return func() access.Counters { return open(t, c).Counters() }
	})
}
