package store_test

import (
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/journaltest"
	"github.com/callwright/callwright/store"
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
