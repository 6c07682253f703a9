package provider

import (
	"context"
	"fmt"
	"io"
	"math"
	"sync/atomic"
	"time"
)

// A watch is the idle timeout of one try: it ends the try when the provider is silent for too long. The clock runs while the provider is waited for, never
// while the reader of the answer takes its time. It costs one timer a try: a read only writes down when it began, and
// the timer looks there.
type watch struct {
	ctx   *tryContext
	start time.Time
	timer *time.Timer
	phase atomic.Pointer[phase]
	since atomic.Int64 // when the wait under way began, after start; 0 while nobody waits
}

// A phase is a part of a try with a timeout of its own, 0 for none.
type phase struct {
	name  string
	limit time.Duration
}

// silence is the cause of a try that its watch ended.
type silence struct{ *phase }

func (s silence) Error() string {
	if s.name == connecting {
		return fmt.Sprintf("no connection within %s (%s)", s.limit, s.name)
	}
	return fmt.Sprintf("nothing came within %s (%s)", s.limit, s.name)
}

// connecting is the name of the phase before a connection stands, which the transport bounds.
const connecting = "connect"

// newWatch begins a try that waits for the end of its first phase.
func newWatch(ctx context.Context, first *phase) *watch {
	w := &watch{ctx: newTryContext(ctx), start: time.Now()}
	w.since.Store(1)
	w.timer = time.AfterFunc(math.MaxInt64, w.look)
	w.enter(first)
	return w
}

// next turns to the phase in which only reads wait.
func (w *watch) next(p *phase) {
	w.since.Store(0)
	w.enter(p)
}

func (w *watch) enter(p *phase) {
	w.phase.Store(p)
	if p.limit > 0 {
		w.timer.Reset(p.limit)
	} else {
		w.timer.Stop()
	}
}

// begin says that a wait begins, which ends with a zero in since.
func (w *watch) begin() { w.since.Store(max(int64(time.Since(w.start)), 1)) }

// look ends the try when the wait under way is too long, and sets the timer to when it would be otherwise.
func (w *watch) look() {
	p := w.phase.Load()
	if p.limit <= 0 || w.ctx.Err() != nil {
		return
	}
	left := p.limit
	if since := w.since.Load(); since != 0 {
		left -= time.Since(w.start) - time.Duration(since)
	}
	// The first moment counts as a nanosecond after the start, so that 0 can mean that nobody waits.
	if left <= 1 {
		w.ctx.end(silence{p})
		return
	}
	w.timer.Reset(left)
}

// close ends the try and everything that hangs on its context.
func (w *watch) close() {
	w.ctx.end(context.Canceled)
	w.timer.Stop()
}

// watched is a body whose reads are watched.
type watched struct {
	body  io.Reader
	watch *watch
}

func (b *watched) Read(p []byte) (int, error) {
	b.watch.begin()
	n, err := b.body.Read(p)
	b.watch.since.Store(0)
	return n, err
}

// Wait waits until there is something to read, where the body can tell.
func (b *watched) Wait() {
	if body, ok := b.body.(interface{ Wait() }); ok {
		b.watch.begin()
		body.Wait()
		b.watch.since.Store(0)
	}
}
