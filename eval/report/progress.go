package report

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright/eval"
)

// Progress tells how far a run is. It is safe for concurrent use.
type Progress struct {
	now   func() time.Time
	began time.Time
	cells int

	mu      sync.Mutex
	done    int
	earlier int // of these, done when it began
	failing int
	refused int
	broken  int
}

// NewProgress is that of a run of so many cells, of which some may be done already. It takes the time from now.
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

// Line is one line for a terminal: what is done, what fails, and how long the rest takes at the pace of those that were done since it began.
func (p *Progress) Line() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	parts := []string{fmt.Sprintf("%s of %s done", thousands(p.done), thousands(p.cells)), thousands(p.failing) + " failing"}
	if p.refused > 0 {
		parts = append(parts, thousands(p.refused)+" refused")
	}
	if p.broken > 0 {
		parts = append(parts, thousands(p.broken)+" broken")
	}
	if left, paced := p.cells-p.done, p.done-p.earlier; left > 0 && paced > 0 {
		perCell := float64(p.now().Sub(p.began)) / float64(paced)
		parts = append(parts, "about "+roughly(time.Duration(perCell*float64(left)))+" left")
	}
	return strings.Join(parts, ", ")
}

// roughly is a duration as people say it.
func roughly(d time.Duration) string {
	switch d = d.Round(time.Second); {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}

// thousands writes a number with a comma between groups of three digits.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}
