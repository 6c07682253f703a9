package filequeue_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/filequeue"
	"github.com/callwright/callwright/internal/eval/queuetest"
	"go.uber.org/goleak"
)

// cells is how many a run has that is killed again and again.
const cells = 400

var jobs = map[string]func(dir string) error{"until-killed": untilKilled, "runner": runner}

func TestMain(m *testing.M) {
	if !disktest.Work(jobs) {
		goleak.VerifyTestMain(m)
	}
}

// untilKilled finishes cells, and says each when it is kept.
func untilKilled(dir string) error {
	q, err := filequeue.Open(dir)
	if err != nil {
		return err
	}
	h, all := queuetest.Plan(cells)
	ctx := context.Background()
	if _, err := q.Open(ctx, h, all); err != nil {
		return err
	}
	for range 4 {
		go func() {
			for {
				c, ok, err := q.Take(ctx)
				if err != nil || !ok {
					return
				}
				if err := q.Finish(ctx, queuetest.ResultOf(c, string(c.ID))); err == nil {
					fmt.Println(c.ID)
				}
			}
		}()
	}
	select {}
}

func open(t *testing.T, dir string) *filequeue.Queue {
	t.Helper()
	q, err := filequeue.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	return q
}

func TestQueue(t *testing.T) {
	queuetest.Run(t, func(t *testing.T) eval.Queue { return open(t, t.TempDir()) })
}

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	q := open(t, dir)
	disktest.Private(t, dir, filepath.Join(dir, "results.jsonl"))
	disktest.NoFolder(t, func(dir string) error {
		_, err := filequeue.Open(dir)
		return err
	})
	if _, err := filequeue.Open(dir); callwright.KindOf(err) != callwright.KindConflict {
		t.Errorf("opened twice: %v", err)
	}
	if _, _, err := filequeue.Read(dir); callwright.KindOf(err) != callwright.KindNotFound {
		t.Errorf("read without a run: %v", err)
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	h, all := queuetest.Plan(1)
	_, opened := q.Open(t.Context(), h, all)
	_, _, taken := q.Take(t.Context())
	disktest.ExpectClosed(t, opened, taken, q.Finish(t.Context(), queuetest.ResultOf(all[0], "")))
}

// whole makes a run with three results and returns its file and what is in it, a line each.
func whole(t *testing.T, dir string) (path string, lines [][]byte) {
	t.Helper()
	q := open(t, dir)
	h, all := queuetest.Plan(4)
	if _, err := q.Open(t.Context(), h, all); err != nil {
		t.Fatal(err)
	}
	for _, c := range all[:3] {
		if err := q.Finish(t.Context(), queuetest.ResultOf(c, "")); err != nil {
			t.Fatal(err)
		}
	}
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "results.jsonl")
	return path, bytes.SplitAfter(bytes.TrimSuffix(disktest.Read(t, path), []byte("\n")), []byte("\n"))
}

// A result that is cut anywhere is not there, and is made again; the file then is as it was.
func TestTornTail(t *testing.T) {
	dir := t.TempDir()
	path, lines := whole(t, dir)
	text := disktest.Read(t, path)
	last := len(text) - len(lines[3]) - 1
	h, all := queuetest.Plan(4)
	for cut := last; cut < len(text); cut += 7 {
		disktest.Write(t, path, text[:cut])
		if _, got, err := filequeue.Read(dir); err != nil || len(got) != 2 {
			t.Fatalf("cut at byte %d: read %d, %v", cut, len(got), err)
		}
		q := open(t, dir)
		done, err := q.Open(t.Context(), h, all)
		if err != nil || len(done) != 2 {
			t.Fatalf("cut at byte %d: %d are there, %v", cut, len(done), err)
		}
		if err := errors.Join(q.Finish(t.Context(), queuetest.ResultOf(all[2], "")), q.Close()); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(disktest.Read(t, path), text) {
			t.Fatalf("cut at byte %d: the file has\n%s", cut, disktest.Read(t, path))
		}
	}
}

// What no crash leaves behind is an error, and the file stays as it is.
func TestDamage(t *testing.T) {
	dir := t.TempDir()
	path, l := whole(t, dir)
	end := append(bytes.Clone(l[3]), '\n')
	flipped := bytes.Clone(l[1])
	flipped[len(flipped)/2] ^= 1
	for name, lines := range map[string][][]byte{
		"a flipped bit": {l[0], flipped, l[2], end}, "a line is gone": {l[0], l[2], end}, "no header": {l[1], l[2], end}, "another order": {l[0], l[2], l[1], end},
	} {
		text := bytes.Join(lines, nil)
		disktest.Write(t, path, text)
		_, err := filequeue.Open(dir)
		_, _, read := filequeue.Read(dir)
		if callwright.KindOf(err) != callwright.KindInternal || callwright.KindOf(read) != callwright.KindInternal || !bytes.Equal(disktest.Read(t, path), text) {
			t.Errorf("%s: got %v and %v", name, err, read)
		}
	}
}

// A file that only has the name of that of a run is left as it is; what a crash left of the first line of a run is not in the way.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	path, lines := whole(t, dir)
	for _, text := range []string{"hello", "hello\n", `{"score":1}`, `{"n":1,"score":2}` + "\n", " \n"} {
		disktest.Write(t, path, []byte(text))
		if q, err := filequeue.Open(dir); err == nil || string(disktest.Read(t, path)) != text {
			t.Errorf("%q: got %v, %v", text, q, err)
		}
	}
	for _, text := range [][]byte{nil, lines[0][:1], lines[0][:40], lines[0][:len(lines[0])-1], make([]byte, 30)} {
		disktest.Write(t, path, text)
		q, err := filequeue.Open(dir)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Nothing that was told to be kept is lost or there twice, however often the process is killed.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	h, all := queuetest.Plan(cells)
	for range 4 {
		last := disktest.RunAndKill(t, "until-killed", dir)
		header, got, err := filequeue.Read(dir)
		if err != nil || header != h {
			t.Fatal(header, err)
		}
		seen := map[eval.CellID]bool{}
		for _, r := range got {
			if seen[r.ID] {
				t.Errorf("%s is there twice", r.ID)
			}
			seen[r.ID] = true
		}
		if !seen[eval.CellID(last)] {
			t.Errorf("%s was kept, and is not there", last)
		}
		if len(got) == len(all) {
			return
		}
	}
}

// plan is what the runner plays that is killed.
func plan() *eval.Plan {
	list, err := eval.SelectScenarios([]string{"chat"}, nil)
	if err != nil {
		panic(err)
	}
	return &eval.Plan{Models: []callwright.ModelID{"a", "b"}, Scenarios: list, Trials: 60, Seed: 7}
}

// play runs the plan with models that answer nothing, and tells each result.
func play(ctx context.Context, q eval.Queue, tell func(eval.Result)) ([]eval.Result, error) {
	p := plan()
	r := &eval.Runner{Plan: p, Header: p.Header("test", false), Queue: q, Jobs: 2, OnResult: tell, Open: func(context.Context, eval.Task) (*eval.Session, error) {
		return &eval.Session{Skip: "there is no model"}, nil
	}}
	return r.Run(ctx)
}

// runner plays the plan and says each cell when its result is kept; it stays when it is done.
func runner(dir string) error {
	q, err := filequeue.Open(dir)
	if err != nil {
		return err
	}
	if _, err = play(context.Background(), q, func(r eval.Result) { fmt.Println(r.ID) }); err != nil {
		return err
	}
	fmt.Println("done")
	select {}
}

// A run that is killed again and again comes to the same results as one that is not.
func TestKilledRunner(t *testing.T) {
	dir := t.TempDir()
	for range 3 {
		if disktest.RunAndKill(t, "runner", dir) == "done" {
			break
		}
	}
	_, before, err := filequeue.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	again := 0
	got, err := play(t.Context(), open(t, dir), func(eval.Result) { again++ })
	if err != nil {
		t.Fatal(err)
	}
	if again != len(got)-len(before) {
		t.Errorf("%d were there, %d were made, and there are %d", len(before), again, len(got))
	}
	want, err := play(t.Context(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := timeless(t, got), timeless(t, want); a != b {
		t.Errorf("got %s\nexpected %s", a, b)
	}
}

// timeless are results without what goes by the clock.
func timeless(t *testing.T, list []eval.Result) string {
	t.Helper()
	for i := range list {
		list[i].Started, list[i].Duration, list[i].Latency = time.Time{}, 0, nil
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
