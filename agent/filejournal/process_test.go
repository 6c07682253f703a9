package filejournal_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/filejournal"
	"go.uber.org/goleak"
)

// childJob and childDir make of the test binary a process that writes to a journal.
const (
	childJob = "CALLWRIGHT_TEST_JOB"
	childDir = "CALLWRIGHT_TEST_DIR"
)

var jobs = map[string]func(j *filejournal.Journal) error{
	"until-killed": untilKilled,
	"share-a":      func(j *filejournal.Journal) error { return share(j, "a") },
	"share-b":      func(j *filejournal.Journal) error { return share(j, "b") },
}

func TestMain(m *testing.M) {
	job, ok := jobs[os.Getenv(childJob)]
	if !ok {
		goleak.VerifyTestMain(m)
		return
	}
	j, err := filejournal.Open(os.Getenv(childDir))
	if err == nil {
		err = job(j)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// child is a process that does a job in a folder.
func child(ctx context.Context, job, dir string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), childJob+"="+job, childDir+"="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

// A numbered is the Data of a step that a child records.
type numbered struct {
	By   string `json:"by"`
	I    int    `json:"i"`
	Fill string `json:"fill"`
}

func (n numbered) step() (agent.Step, error) {
	data, err := json.Marshal(n)
	return agent.Step{Kind: "test", Time: time.Now(), Data: data}, err
}

// untilKilled appends steps of sizes from some bytes to 64 KiB, and says the number of each when it is recorded.
func untilKilled(j *filejournal.Journal) error {
	ctx := context.Background()
	_, last, err := j.Load(ctx, run)
	for err == nil {
		var s agent.Step
		s, err = numbered{I: int(last), Fill: strings.Repeat("x", rand.IntN(1<<rand.IntN(17)))}.step()
		if err == nil {
			last, err = j.Append(ctx, run, last, s)
		}
		if err == nil {
			_, err = fmt.Println(last)
		}
	}
	return err
}

// share appends a hundred steps to a run to which another one appends too.
func share(j *filejournal.Journal, by string) error {
	ctx := context.Background()
	var last uint64
	for i := 0; i < 100; {
		s, err := numbered{By: by, I: i}.step()
		if err != nil {
			return err
		}
		next, err := j.Append(ctx, run, last, s)
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

// numbers decodes the steps of the run.
func numbers(t *testing.T, dir string) []numbered {
	t.Helper()
	steps, _, err := open(t, dir).Load(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]numbered, len(steps))
	for i, s := range steps {
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
		cmd := child(t.Context(), "until-killed", dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(out)
		first, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err, cmd.Wait())
		}
		killed := time.AfterFunc(rand.N(20*time.Millisecond), func() { _ = cmd.Process.Kill() })
		rest, _ := io.ReadAll(lines)
		killed.Stop()
		_ = cmd.Wait()
		said := strings.Fields(first + string(rest))
		acknowledged, err = strconv.Atoi(said[len(said)-1])
		if err != nil {
			t.Fatal(err)
		}
		got := numbers(t, dir)
		if len(got) != acknowledged && len(got) != acknowledged+1 {
			t.Fatalf("round %d: %d steps are there of the %d that were acknowledged", round, len(got), acknowledged)
		}
		for i, n := range got {
			if n.I != i {
				t.Fatalf("round %d: step %d says %d", round, i, n.I)
			}
		}
	}
	t.Logf("%d steps were acknowledged", acknowledged)
}

// Two processes append to one run: no step of either is lost, or there twice, or out of order.
func TestTwoProcesses(t *testing.T) {
	dir := t.TempDir()
	a, b := child(t.Context(), "share-a", dir), child(t.Context(), "share-b", dir)
	for _, cmd := range []*exec.Cmd{a, b} {
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	for _, cmd := range []*exec.Cmd{a, b} {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	next, turns, before := map[string]int{}, 0, ""
	for i, n := range numbers(t, dir) {
		if n.I != next[n.By] {
			t.Fatalf("step %d: expected %d of %s, got %d", i, next[n.By], n.By, n.I)
		}
		next[n.By]++
		if n.By != before {
			turns++
		}
		before = n.By
	}
	if next["a"] != 100 || next["b"] != 100 {
		t.Errorf("expected a hundred steps of each, got %v", next)
	}
	t.Logf("they took turns %d times", turns)
}
