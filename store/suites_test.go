package store_test

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/journaltest"
	"github.com/callwright/callwright/eval"
	"github.com/callwright/callwright/eval/queuetest"
	"github.com/callwright/callwright/store"
	"github.com/callwright/callwright/workspace"
	"github.com/callwright/callwright/workspace/workspacetest"
)

// spaces counts what tests need for themselves in a store that they share.
var spaces atomic.Int64

func fresh() string { return fmt.Sprint("fresh-", spaces.Add(1)) }

// tempDir is a folder that stays until the process of the test has ended.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp(os.TempDir(), "store")
	if err != nil {
		t.Fatal(err)
	}
	kept = append(kept, dir)
	return dir
}

// places runs a test with a Store in the process and with one on a cluster.
func places(t *testing.T, test func(t *testing.T, s *store.Store)) {
	t.Run("embedded", func(t *testing.T) { test(t, open(t, store.Config{Dir: t.TempDir()})) })
	t.Run("cluster", func(t *testing.T) { test(t, open(t, sharedCluster(t).config(""))) })
}

func TestJournal(t *testing.T) {
	places(t, func(t *testing.T, s *store.Store) {
		journaltest.Run(t, func(*testing.T) agent.Journal { return s.Journal(fresh()) })
	})
}

func TestQueue(t *testing.T) {
	places(t, func(t *testing.T, s *store.Store) {
		queuetest.Run(t, func(*testing.T) eval.Queue { return s.Queue("", fresh(), 0) })
	})
}

func TestWorkspaces(t *testing.T) {
	places(t, func(t *testing.T, s *store.Store) {
		workspacetest.Run(t, func(*testing.T) workspace.Store { return s.Workspaces(fresh()) })
	})
}

// What an owner has is not there for another one.
func TestOwners(t *testing.T) {
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
		if err := s.Journal(a).Remove(t.Context(), "run_1"); err != nil {
			t.Fatal(err)
		}
		if runs, err := s.Journal(a).Runs(t.Context()); err != nil || len(runs) > 0 {
			t.Errorf("got %v, %v", runs, err)
		}
		if _, err := s.Journal(a).Append(t.Context(), "run_1", 0, agent.Entry{Kind: "test"}); err != nil {
			t.Fatal(err)
		}
	})
}
