package filejournal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/filejournal"
	"github.com/callwright/callwright/internal/disktest"
	"go.uber.org/goleak"
)

var jobs = map[string]func(dir string) error{
	"until-killed": opened(untilKilled),
	"share-a":      opened(func(j *filejournal.Journal) error { return share(j, "a") }),
	"share-b":      opened(func(j *filejournal.Journal) error { return share(j, "b") }),
}

func TestMain(m *testing.M) {
	if !disktest.Work(jobs) {
		goleak.VerifyTestMain(m)
	}
}

// opened is a job with the journal of its folder.
func opened(job func(j *filejournal.Journal) error) func(dir string) error {
	return func(dir string) error {
		j, err := filejournal.Open(dir)
		if err != nil {
			return err
		}
		return job(j)
	}
}

// A numbered is the Data of an entry that a child records.
type numbered struct {
	By   string `json:"by"`
	I    int    `json:"i"`
	Fill string `json:"fill"`
}

func (n numbered) entry() (agent.Entry, error) {
	data, err := json.Marshal(n)
	return agent.Entry{Kind: "test", Time: time.Now(), Data: data}, err
}

// untilKilled appends entries of sizes from some bytes to 64 KiB, and says the number of each when it is recorded.
func untilKilled(j *filejournal.Journal) error {
	ctx := context.Background()
	_, last, err := j.Load(ctx, run)
	for err == nil {
		var e agent.Entry
		e, err = numbered{I: int(last), Fill: strings.Repeat("x", rand.IntN(1<<rand.IntN(17)))}.entry()
		if err == nil {
			last, err = j.Append(ctx, run, last, e)
		}
		if err == nil {
			_, err = fmt.Println(last)
		}
	}
	return err
}

// share appends a hundred entries to a run to which another one appends too.
func share(j *filejournal.Journal, by string) error {
	ctx := context.Background()
	var last uint64
	for i := 0; i < 100; {
		e, err := numbered{By: by, I: i}.entry()
		if err != nil {
			return err
		}
		next, err := j.Append(ctx, run, last, e)
		switch {
		case err == nil:
			last = next
			i++
			time.Sleep(rand.N(time.Millisecond)) // so that the other one has its turn
		case callwright.KindOf(err) != callwright.KindConflict:
			return err
		default:
			if _, last, err = j.Load(ctx, run); err != nil {
				return err
			}
		}
	}
	return nil
}

// numbers decodes the entries of the run.
func numbers(t *testing.T, dir string) []numbered {
	t.Helper()
	entries, _, err := open(t, dir).Load(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]numbered, len(entries))
	for i, s := range entries {
		if err := json.Unmarshal(s.Data, &out[i]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// What a process was told is recorded is there after it was killed at any moment, once and in its place.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	acknowledged := 0
	for round := range 30 {
		var err error
		if acknowledged, err = strconv.Atoi(disktest.RunAndKill(t, "until-killed", dir)); err != nil {
			t.Fatal(err)
		}
		got := numbers(t, dir)
		if len(got) != acknowledged && len(got) != acknowledged+1 {
			t.Fatalf("round %d: %d entries are there of the %d that were acknowledged", round, len(got), acknowledged)
		}
		for i, n := range got {
			if n.I != i {
				t.Fatalf("round %d: entry %d says %d", round, i, n.I)
			}
		}
	}
	t.Logf("%d entries were acknowledged", acknowledged)
}

// Two processes append to one run: no entry of either is lost, or there twice, or out of order.
func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	disktest.Together(t, dir, "share-a", "share-b")
	next, turns, before := map[string]int{}, 0, ""
	for i, n := range numbers(t, dir) {
		if n.I != next[n.By] {
			t.Fatalf("entry %d: expected %d of %s, got %d", i, next[n.By], n.By, n.I)
		}
		next[n.By]++
		if n.By != before {
			turns++
		}
		before = n.By
	}
	if next["a"] != 100 || next["b"] != 100 {
		t.Errorf("expected a hundred entries of each, got %v", next)
	}
	t.Logf("they took turns %d times", turns)
}
