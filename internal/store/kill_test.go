package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/internal/store/natstest"
)

func init() { jobs["until-killed"] = untilKilled }

const killedRun agent.RunID = "run_killed"

// killedModel is a model of which one thing was learned in a round.
func killedModel(n int) string { return fmt.Sprint("lab/m", n%100) }

// untilKilled learns facts and records entries at the same time, and says the numbers of what was acknowledged.
func untilKilled(dir string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{Dir: dir})
	if err != nil {
		return err
	}
	j, sh := s.Journal(""), s.CapsStore(ctx)
	_, last, err := j.Load(ctx, killedRun)
	if err == nil && last > 0 { // the last entry may have been recorded, and not its fact
		err = learnKilled(ctx, sh, int(last)-1)
	}
	for err == nil {
		n := int(last)
		data := json.RawMessage(fmt.Sprintf(`{"n":%d,"fill":%q}`, n, strings.Repeat("x", n*7919%20_000)))
		learned := make(chan error, 1)
		go func() { learned <- learnKilled(ctx, sh, n) }()
		last, err = j.Append(ctx, killedRun, last, agent.Entry{Kind: "test", Data: data})
		if wrong := <-learned; wrong != nil {
			err = wrong
		}
		if err == nil {
			_, err = fmt.Println(last)
		}
	}
	return err
}

func learnKilled(ctx context.Context, sh caps.Store, n int) error {
	return sh.Learn(ctx, killedModel(n), caps.Fact{Key: "max_tools", Value: strconv.Itoa(n + 1), Source: caps.Probed})
}

// What was acknowledged is there after the process was killed at any moment.
func TestKilled(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	acknowledged := 0
	for round := range natstest.Kills(t, 3) {
		var err error
		if acknowledged, err = strconv.Atoi(disktest.RunAndKill(t, "until-killed", dir)); err != nil {
			t.Fatal(err)
		}
		s, err := store.Open(t.Context(), store.Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		got, _, err := s.Journal("").Load(t.Context(), killedRun)
		if err != nil || len(got) != acknowledged && len(got) != acknowledged+1 {
			t.Fatalf("round %d: %d entries are there of the %d that were acknowledged, %v", round, len(got), acknowledged, err)
		}
		for i, e := range got {
			if !strings.HasPrefix(string(e.Data), fmt.Sprintf(`{"n":%d,`, i)) {
				t.Fatalf("round %d: entry %d is %.80s", round, i, e.Data)
			}
		}
		for n := max(0, acknowledged-100); n < acknowledged; n++ {
			facts := keys(t, s.CapsStore(t.Context()), killedModel(n))
			if len(facts) != 1 || facts[0] != fmt.Sprint("max_tools=", n+1) && facts[0] != fmt.Sprint("max_tools=", n+101) {
				t.Fatalf("round %d: %s has %v, expected what was learned %d", round, killedModel(n), facts, n+1)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d entries were acknowledged", acknowledged)
}

// Another process cannot have the folder.
func TestOneProcess(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	open(t, store.Config{Dir: dir})
	_, err := store.Open(t.Context(), store.Config{Dir: dir})
	if callwright.KindOf(err) != callwright.KindConflict || !strings.Contains(err.Error(), "state.nats") {
		t.Errorf("got %v", err)
	}
}
