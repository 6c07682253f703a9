package report

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report/internal/grid"
)

// maxLeft is the maximum remaining time that is shown.
const maxLeft = 10_000 * time.Hour

// Progress tracks how many cells of a run are finished. It is safe for concurrent use.
type Progress struct {
	now   func() time.Time
	began time.Time
	cells int

	mu      sync.Mutex
	done    int
	earlier int // of done: finished before the start
	failing int // number of cells with outcome Failed
	refused int
	broken  int
}

// NewProgress returns the Progress of a run with a number of cells and the results of earlier attempts. now returns the
// current time.
func NewProgress(cells int, done []eval.Result, now func() time.Time) *Progress {
	p := &Progress{now: now, began: now(), cells: cells}
	for i := range done {
		p.Add(&done[i])
	}
	p.earlier = p.done
	return p
}

// Add counts a result.
func (p *Progress) Add(r *eval.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	switch r.Outcome {
	case eval.Failed:
		p.failing++
	case eval.Refused:
		p.refused++
	case eval.Broken:
		p.broken++
	case eval.OK, eval.Skipped:
	}
}

// Line returns one line for a terminal: the numbers of finished and failed trials, and the estimated remaining time.
func (p *Progress) Line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	parts := []string{fmt.Sprintf("%s of %s done", grid.Thousands(p.done), grid.Thousands(p.cells)), grid.Thousands(p.failing) + " failing"}
	if p.refused > 0 {
		parts = append(parts, grid.Thousands(p.refused)+" refused")
	}
	if p.broken > 0 {
		parts = append(parts, grid.Thousands(p.broken)+" broken")
	}
	if left, paced := p.cells-p.done, p.done-p.earlier; left > 0 && paced > 0 {
		rest := float64(p.now().Sub(p.began)) / float64(paced) * float64(left)
		parts = append(parts, "about "+grid.Roughly(time.Duration(min(rest, float64(maxLeft))))+" left")
	}
	return strings.Join(parts, ", ")
}
