package store_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/queuetest"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/internal/store/natstest"
)

func init() { jobs["work"] = work }

const workCells = 20_000

// work records entries and finishes cells, and says what was acknowledged. dir has the addresses of the servers.
func work(dir string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{URL: dir})
	if err != nil {
		return err
	}
	j, q := s.Journal(""), s.Queue("", "work", 2*time.Second)
	h, cells := queuetest.Plan(workCells)
	if _, err := q.Open(ctx, h, cells); err != nil {
		return err
	}
	_, last, err := j.Load(ctx, killedRun)
	for err == nil {
		if last, err = j.Append(ctx, killedRun, last, agent.Entry{Kind: "test", Data: json.RawMessage(fmt.Sprint(last))}); err != nil {
			break
		}
		fmt.Println("entry", last)
		var c eval.Cell
		if c, _, err = q.Take(ctx); err != nil {
			break
		}
		if err = q.Finish(ctx, queuetest.ResultOf(c, "")); err == nil {
			fmt.Println("cell", c.ID)
		}
	}
	return err
}

// A worker and a server are killed at the same moment, again and again: nothing that was acknowledged is lost, and no cell that is finished is run again. It takes
// real servers, see natstest.
func TestWorkerAndServerKilled(t *testing.T) {
	if natstest.Program() == "" {
		t.Skip("CALLWRIGHT_NATS_SERVER names no server")
	}
	c, err := natstest.Launch(natstest.Program(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	all, url := c.Nodes, c.URL()
	s := open(t, store.Config{URL: url})
	acknowledged, finished := uint64(0), map[string]int{}
	var longest time.Duration
	for round := range natstest.Kills(t, 3) {
		n := all[round%3]
		begun := time.Now()
		workUntilKilled(t, url, n, func(kind, what string) {
			if kind == "cell" {
				finished[what]++
			} else {
				_, _ = fmt.Sscan(what, &acknowledged)
			}
		})
		got, _, err := s.Journal("").Load(t.Context(), killedRun)
		if err != nil || uint64(len(got)) != acknowledged && uint64(len(got)) != acknowledged+1 {
			t.Fatalf("round %d: %d entries are there of the %d that were acknowledged, %v", round, len(got), acknowledged, err)
		}
		for i, e := range got {
			if string(e.Data) != fmt.Sprint(i) {
				t.Fatalf("round %d: entry %d is %s", round, i, e.Data)
			}
		}
		if err := n.Start(); err != nil {
			t.Fatal(err)
		}
		longest = max(longest, time.Since(begun))
	}
	h, cells := queuetest.Plan(workCells)
	done, err := s.Queue("", "work", 0).Open(t.Context(), h, cells)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, r := range done {
		there[string(r.ID)] = true
	}
	for id, n := range finished {
		if !there[id] || n != 1 {
			t.Errorf("cell %s was finished %d times, and is there: %t", id, n, there[id])
		}
	}
	t.Logf("%d entries and %d cells were acknowledged, %d cells are there; the longest round took %v", acknowledged, len(finished), len(done), longest)
}

// workUntilKilled has a worker work, and kills it together with a server some time after what it said first.
func workUntilKilled(t *testing.T, url string, n *natstest.Node, said func(kind, what string)) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), "CALLWRIGHT_TEST_JOB=work", "CALLWRIGHT_TEST_DIR="+url)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	var killed *time.Timer
	gone := make(chan struct{})
	for lines.Scan() {
		if killed == nil {
			killed = time.AfterFunc(rand.N(300*time.Millisecond), func() {
				_ = cmd.Process.Kill()
				n.Kill()
				close(gone)
			})
		}
		kind, what, _ := strings.Cut(lines.Text(), " ")
		said(kind, what)
	}
	if killed == nil {
		t.Fatal("the worker ended: ", cmd.Wait())
	}
	_ = cmd.Wait()
	<-gone
}
