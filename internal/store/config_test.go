package store_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/store"
)

// A Config without sense is refused at once.
func TestConfigRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]store.Config{
		"nowhere":        {},
		"space":          {Dir: "x", Space: "a.b"},
		"kind":           {Dir: "x", Keep: map[store.Kind]store.Limits{"dreams": {}}},
		"negative bytes": {Dir: "x", Keep: map[store.Kind]store.Limits{store.Runs: {Bytes: -1}}},
		"negative age":   {Dir: "x", Keep: map[store.Kind]store.Limits{store.Runs: {Age: -time.Second}}},
		"credentials":    {URL: "nats://127.0.0.1:1", Credentials: filepath.Join(t.TempDir(), "none")},
		"authority":      {URL: "nats://127.0.0.1:1", TLS: store.TLS{CA: filepath.Join(t.TempDir(), "none")}},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := store.Open(t.Context(), c)
			if callwright.KindOf(err) != callwright.KindInvalid {
				t.Errorf("got %v", err)
			}
			if err == nil {
				_ = s.Close()
			}
		})
	}
}

// The files are for this user alone.
func TestPrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state", "nats")
	s := open(t, store.Config{Dir: dir})
	if _, err := s.Journal("").Append(t.Context(), "run_1", 0, agent.Entry{}); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err == nil {
			disktest.Private(t, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A folder that cannot be used opens all the same, says so, and is used once it can be.
func TestFolderComesBack(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := open(t, store.Config{Dir: filepath.Join(dir, "nats")})
	if h := s.Health(); len(h) == 0 || !strings.Contains(h[0].String(), dir) {
		t.Errorf("got %q", h)
	}
	_, err := s.Journal("").Append(t.Context(), "run_1", 0, agent.Entry{})
	if callwright.KindOf(err) != callwright.KindUnavailable {
		t.Errorf("got %v", err)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the store is well", func() bool {
		_, err := s.Journal("").Append(t.Context(), "run_1", 0, agent.Entry{})
		return err == nil && len(s.Health()) == 0
	})
}
