//go:build linux

package store_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/store"
)

// On a disk that is full the store says so and goes on in memory. Once there is room it writes again, and has all that it acknowledged.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	if !longtest.IsEnabled() {
		t.Skip("that a server does not answer is seen after seconds")
	}
	dir := disktest.SmallDisk(t, "24m")
	s := open(t, store.Config{Dir: filepath.Join(dir, "nats")})
	j, sh := s.Journal(""), s.CapsStore(t.Context())
	w := access.Window{Name: "day", Start: time.Now().Add(-time.Hour), End: time.Now().Add(time.Hour), Limit: 100}
	if got := takeAll(t, w, 50, s.Counters()); got != 50 {
		t.Fatalf("took %d", got)
	}
	ballast := filepath.Join(dir, "ballast")
	var last uint64
	add := func() error {
		n, err := j.Append(t.Context(), killedRun, last, agent.Entry{Kind: "test", Data: json.RawMessage(`"` + strings.Repeat("x", 100_000) + `"`)})
		if err == nil {
			last = n
		}
		return err
	}
	if err := add(); err != nil {
		t.Fatal(err)
	}
	disktest.Fill(t, ballast)
	eventually(t, "nothing more is acknowledged", func() bool {
		err := add()
		if err != nil && callwright.KindOf(err) != callwright.KindUnavailable {
			t.Fatalf("got %v", err)
		}
		return err != nil
	})
	eventually(t, "it is said", func() bool { return len(s.Health()) > 0 })
	if got := takeAll(t, w, 60, s.Counters()); got != 50 {
		t.Errorf("took %d of the 50 that are left", got)
	}
	if err := sh.Learn(t.Context(), "lab/one", caps.Fact{Key: "tools", Value: "no", Source: caps.Probed}); err != nil || len(keys(t, sh, "lab/one")) != 1 {
		t.Errorf("nothing is learned any more: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it writes again", func() bool {
		entries, n, err := s.Journal("").Load(t.Context(), killedRun)
		if err != nil {
			return false
		}
		if len(entries) < int(last) {
			t.Fatalf("%d of %d entries are left", len(entries), last)
		}
		last = n
		return add() == nil
	})
	eventually(t, "all is well", func() bool { return len(s.Health()) == 0 })
	if counted, err := open(t, store.Config{Dir: filepath.Join(dir, "nats"), Join: true}).Counters().Count(t.Context(), w); err != nil || counted.In(w) != 100 {
		t.Errorf("counted %v, %v", counted, err)
	}
}
