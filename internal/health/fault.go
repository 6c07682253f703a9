package health

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
)

// A Fault monitors a component of the gateway each use of which may fail, such as the store of reports. Make it with
// [Monitor.Fault]. It is safe for concurrent use.
type Fault struct {
	subject, effect, remedy string
	now                     func() time.Time
	open                    atomic.Bool // the last use failed

	mu    sync.Mutex
	count int64 // number of consecutive failures
	since time.Time
	last  time.Time
	err   error
}

// Fault adds a monitored component. subject names it, such as "reports". effect is the result of a failed use, such as
// "not kept", and remedy the advice. Fault must not be called concurrently with other methods of m.
func (m *Monitor) Fault(subject, effect, remedy string) *Fault {
	f := &Fault{subject: subject, effect: effect, remedy: remedy, now: m.cfg.Now}
	m.faults = append(m.faults, f)
	return f
}

// Note records the result of a use. An error starts or continues the problem; nil ends it.
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

// WithoutOp returns err without its Op if err is a [callwright.Error], since Op names a function for developers. It
// does not change err.
func WithoutOp(err error) error {
	if e, ok := err.(*callwright.Error); ok && e.Op != "" {
		told := *e
		told.Op = ""
		return &told
	}
	return err
}

// appendTo appends the problem to out if the last use failed less than 15 minutes ago.
func (f *Fault) appendTo(out []Problem, now time.Time) []Problem {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.count == 0 || now.Sub(f.last) > minutes*time.Minute {
		return out
	}
	return append(out, Problem{Severity: Degraded, Subject: f.subject, Remedy: f.remedy,
		Cause: fmt.Sprintf("%d %s since %s: %v", f.count, f.effect, f.since.UTC().Format(time.RFC3339), f.err)})
}
