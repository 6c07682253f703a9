package queuetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
)

// Run tests an implementation of eval.Queue. open must return a new queue without a run and close it at the end of the
// test.
func Run(t *testing.T, open func(t *testing.T) eval.Queue) {
	for name, law := range map[string]func(*testing.T, eval.Queue){
		"order": order, "resumed": testResumption, "first result stays": firstStays, "conflict": conflict, "canceled": testCancellation,
		"not open": notOpen, "together": together,
	} {
		t.Run(name, func(t *testing.T) { law(t, open(t)) })
	}
}

// Plan returns the header and the cells of a plan with n cells.
func Plan(n int) (eval.Header, []eval.Cell) {
	p := eval.Plan{Models: []callwright.ModelID{"a/x", "b|y%"}, Scenarios: []eval.Scenario{{ID: "one"}}, Trials: (n + 1) / 2, Seed: 1}
	h := p.Header("test", false)
	return h, p.Cells()[:n]
}

// ResultOf returns a failed result of the cell c, for tests. Most of its fields are set; text is the model's answer.
func ResultOf(c eval.Cell, text string) eval.Result {
	return eval.Result{
		Cell: c, Outcome: eval.Failed, Reason: "a < b & \"c\" \u2028 \x01", Class: "wrong_text",
		Checks:  []eval.Check{{Assertion: "/expect/text", Want: "a", Got: "b"}},
		Started: time.Date(2026, 3, 29, 1, 59, 59, 1, time.UTC), Duration: time.Second, Latency: []time.Duration{1, 2},
		Requests: 2, Faults: map[string]int{"F01": 1},
		Usage: eval.Tokens{Known: true, Input: 3}, Text: text,
	}
}

func begin(t *testing.T, q eval.Queue, h eval.Header, cells []eval.Cell) []eval.Result {
	t.Helper()
	done, err := q.Open(t.Context(), h, cells)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func take(t *testing.T, q eval.Queue) (eval.Cell, bool) {
	t.Helper()
	c, ok, err := q.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c, ok
}

func finish(t *testing.T, q eval.Queue, r eval.Result) {
	t.Helper()
	if err := q.Finish(t.Context(), r); err != nil {
		t.Fatal(err)
	}
}

func expectKind(t *testing.T, err error, want callwright.Kind) {
	t.Helper()
	if e, ok := errors.AsType[*callwright.Error](err); !ok || e.Kind != want {
		t.Errorf("expected %s, got %v", want, err)
	}
}

// expect fails the test unless got and want are equal as JSON.
func expect(t *testing.T, got, want []eval.Result) {
	t.Helper()
	a, errA := json.Marshal(got)
	b, errB := json.Marshal(want)
	if err := errors.Join(errA, errB); err != nil || len(got) != len(want) || len(got) > 0 && string(a) != string(b) {
		t.Errorf("got %s\nexpected %s (%v)", a, b, err)
	}
}

func order(t *testing.T, q eval.Queue) {
	h, cells := Plan(7)
	expect(t, begin(t, q, h, cells), nil)
	for _, want := range cells {
		if c, ok := take(t, q); !ok || c != want {
			t.Errorf("got %v %t, expected %v", c, ok, want)
		}
	}
	if c, ok := take(t, q); ok {
		t.Errorf("one more: %v", c)
	}
}

func testResumption(t *testing.T, q eval.Queue) {
	h, cells := Plan(6)
	begin(t, q, h, cells)
	for range 5 {
		take(t, q)
	}
	for _, i := range []int{3, 0, 4} {
		finish(t, q, ResultOf(cells[i], fmt.Sprint(i)))
	}
	want := []eval.Result{ResultOf(cells[0], "0"), ResultOf(cells[3], "3"), ResultOf(cells[4], "4")}
	expect(t, begin(t, q, h, cells), want)
	for _, i := range []int{1, 2, 5} {
		if c, ok := take(t, q); !ok || c != cells[i] {
			t.Errorf("got %v %t, expected %v", c, ok, cells[i])
		}
	}
	if c, ok := take(t, q); ok {
		t.Errorf("one more: %v", c)
	}
}

func firstStays(t *testing.T, q eval.Queue) {
	h, cells := Plan(2)
	begin(t, q, h, cells)
	c, _ := take(t, q)
	finish(t, q, ResultOf(c, "first"))
	finish(t, q, ResultOf(c, "second"))
	finish(t, q, ResultOf(cells[1], "never taken"))
	stranger := cells[0]
	stranger.ID = "stranger"
	expectKind(t, q.Finish(t.Context(), ResultOf(stranger, "")), callwright.KindNotFound)
	expect(t, begin(t, q, h, cells), []eval.Result{ResultOf(c, "first"), ResultOf(cells[1], "never taken")})
}

func conflict(t *testing.T, q eval.Queue) {
	h, cells := Plan(3)
	begin(t, q, h, cells)
	take(t, q)
	finish(t, q, ResultOf(cells[0], "kept"))
	for _, change := range []func(*eval.Header){
		func(h *eval.Header) { h.Version++ }, func(h *eval.Header) { h.Build += "x" }, func(h *eval.Header) { h.Seed++ },
		func(h *eval.Header) { h.Plan += "x" },
		func(h *eval.Header) { h.Cells++ }, func(h *eval.Header) { h.Live = !h.Live },
	} {
		other := h
		change(&other)
		_, err := q.Open(t.Context(), other, cells)
		expectKind(t, err, callwright.KindConflict)
	}
	if c, ok := take(t, q); !ok || c != cells[1] {
		t.Errorf("after conflicts: %v %t", c, ok)
	}
	expect(t, begin(t, q, h, cells), []eval.Result{ResultOf(cells[0], "kept")})
}

func testCancellation(t *testing.T, q eval.Queue) {
	h, cells := Plan(2)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := q.Open(ended, h, cells)
	expectKind(t, err, callwright.KindCanceled)
	begin(t, q, h, cells)
	_, _, err = q.Take(ended)
	expectKind(t, err, callwright.KindCanceled)
	err = q.Finish(ended, ResultOf(cells[0], ""))
	expectKind(t, err, callwright.KindCanceled)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the context's error is not in %v", err)
	}
	expect(t, begin(t, q, h, cells), nil)
}

func notOpen(t *testing.T, q eval.Queue) {
	_, cells := Plan(1)
	if c, ok := take(t, q); ok {
		t.Errorf("took %v", c)
	}
	expectKind(t, q.Finish(t.Context(), ResultOf(cells[0], "")), callwright.KindNotFound)
}

// together tests concurrent calls of Take and Finish.
func together(t *testing.T, q eval.Queue) {
	h, cells := Plan(60)
	begin(t, q, h, cells)
	var mu sync.Mutex
	taken := map[eval.CellID]int{}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for {
				c, ok, err := q.Take(t.Context())
				if err != nil || !ok {
					if err != nil {
						t.Error(err)
					}
					return
				}
				mu.Lock()
				taken[c.ID]++
				mu.Unlock()
				if err := q.Finish(t.Context(), ResultOf(c, string(c.ID))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	var want []eval.Result
	for _, c := range cells {
		if taken[c.ID] != 1 {
			t.Errorf("%s was taken %d times", c.ID, taken[c.ID])
		}
		want = append(want, ResultOf(c, string(c.ID)))
	}
	expect(t, begin(t, q, h, cells), want)
}
