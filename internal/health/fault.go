package health

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
)

// A Fault is a part of the gateway that may fail at each use, such as a store of reports. Use [Monitor.Fault]. It is
// safe for concurrent use.
type Fault struct {
	subject, what, remedy string
	now                   func() time.Time
	open                  atomic.Bool // the last use failed

	mu    sync.Mutex
	count int64 // failures in a row
	since time.Time
	last  time.Time
	err   error
}

// Fault adds a monitored part of the gateway, with the effect of a failed use, such as "not kept", and the remedy. It
// is called before the Monitor is used by others.
func (m *Monitor) Fault(subject, what, remedy string) *Fault {
	f := &Fault{subject: subject, what: what, remedy: remedy, now: m.cfg.Now}
	m.faults = append(m.faults, f)
	return f
}

// Note records the outcome of a use. A nil error ends the problem.
func (f *Fault) Note(err error) {
	if err == nil && !f.open.Load() {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open.Store(err != nil)
	if err == nil {
		f.count = 0
		return
	}
	f.last, f.err = f.now(), WithoutOp(err)
	if f.count++; f.count == 1 {
		f.since = f.last
	}
}

// WithoutOp returns an error without the name of its operation, which is not for people.
func WithoutOp(err error) error {
	if e, ok := err.(*callwright.Error); ok && e.Op != "" {
		told := *e
		told.Op = ""
		return &told
	}
	return err
}

// appendTo appends the problem where the last use failed, and was recent.
func (f *Fault) appendTo(out []Problem, now time.Time) []Problem {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count == 0 || now.Sub(f.last) > minutes*time.Minute {
		return out
	}
	return append(out, Problem{Severity: Degraded, Subject: f.subject, Remedy: f.remedy,
		Cause: fmt.Sprintf("%d %s since %s: %v", f.count, f.what, f.since.UTC().Format(time.RFC3339), f.err)})
}
