package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/disktest"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/queuetest"
	"github.com/callwright/callwright/internal/store"
)

func init() { jobs["take-and-die"] = takeAndDie }

const dyingCells = 4

// takeAndDie takes two cells of a run and finishes one of them. dir is the address of a server.
func takeAndDie(dir string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Config{URL: dir, Space: "dying"})
	if err != nil {
		return err
	}
	q := s.Queue("", "run", time.Second)
	h, cells := queuetest.Plan(dyingCells)
	if _, err := q.Open(ctx, h, cells); err != nil {
		return err
	}
	a, _, err := q.Take(ctx)
	if err != nil {
		return err
	}
	if _, _, err := q.Take(ctx); err != nil {
		return err
	}
	if err := q.Finish(ctx, queuetest.ResultOf(a, "before")); err != nil {
		return err
	}
	fmt.Println("ready")
	select {}
}

// A worker that dies gives its cell back, and what it finished stays: the others wait for the cell, and run it once.
func TestWorkerDies(t *testing.T) {
	t.Parallel()
	c := sharedCluster(t).config("dying")
	q := open(t, c).Queue("", "run", time.Second)
	h, cells := queuetest.Plan(dyingCells)
	disktest.RunAndKill(t, "take-and-die", c.URL)
	done, err := q.Open(t.Context(), h, cells)
	if err != nil || len(done) != 1 || done[0].Text != "before" {
		t.Fatalf("got %d results, %v", len(done), err)
	}
	ran := map[eval.CellID]int{}
	for {
		c, ok, err := q.Take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			break
		}
		ran[c.ID]++
		if err := q.Finish(t.Context(), queuetest.ResultOf(c, "after")); err != nil {
			t.Fatal(err)
		}
	}
	if ran[cells[0].ID] != 0 || len(ran) != dyingCells-1 {
		t.Errorf("ran %v", ran)
	}
}

// A lease holds for as long as its holder lives: two workers share a run, and no cell is run twice.
func TestWorkersShare(t *testing.T) {
	t.Parallel()
	c := sharedCluster(t).config("")
	name := fresh()
	h, cells := queuetest.Plan(30)
	type took struct {
		by int
		id eval.CellID
	}
	all := make(chan took, 100)
	ended := make(chan error, 2)
	for by := range 2 {
		q := open(t, c).Queue("", name, 0)
		if _, err := q.Open(t.Context(), h, cells); err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				c, ok, err := q.Take(t.Context())
				if err == nil && ok {
					all <- took{by, c.ID}
					err = q.Finish(t.Context(), queuetest.ResultOf(c, fmt.Sprint(by)))
				}
				if err != nil || !ok {
					ended <- err
					return
				}
			}
		}()
	}
	for range 2 {
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
	}
	close(all)
	ran, shares := map[eval.CellID]int{}, [2]int{}
	for t := range all {
		ran[t.id]++
		shares[t.by]++
	}
	for _, c := range cells {
		if ran[c.ID] != 1 {
			t.Errorf("%s was run %d times", c.ID, ran[c.ID])
		}
	}
	t.Logf("they ran %v", shares)
}

// A worker that ends gives back what it holds: others need not wait for its leases. A run is listed by its name.
func TestWorkerEnds(t *testing.T) {
	t.Parallel()
	s := open(t, store.Config{Dir: folder(t)})
	h, cells := queuetest.Plan(2)
	a, b := s.Queue("", "run", time.Hour), s.Queue("", "run", time.Hour)
	for _, q := range []*store.Queue{a, b} {
		if _, err := q.Open(t.Context(), h, cells); err != nil {
			t.Fatal(err)
		}
	}
	for range cells {
		if _, ok, err := a.Take(t.Context()); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if err := a.Finish(t.Context(), queuetest.ResultOf(cells[0], "kept")); err != nil {
		t.Fatal(err)
	}
	if list, err := s.Measurements(t.Context(), ""); err != nil || len(list) != 1 || list[0].Name != "run" || list[0].Results != 1 || time.Since(list[0].Changed) > time.Hour {
		t.Errorf("got %+v, %v", list, err)
	}
	for range cells[1:] {
		if _, ok, err := b.Take(t.Context()); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}
}
