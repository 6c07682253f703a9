package provider

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/notice"
)

// A watch is the idle timeout of one try: it ends the try when the provider is silent for too long. The clock runs
// while the provider is waited for, never while the reader of the answer takes its time. It costs one timer a try: a
// read only writes down when it began, and the timer looks there. A wait that lasts for slowAfter is noticed, once a
// try.
type watch struct {
	model callwright.ModelID
	host  int         // the place of the host that is asked
	told  atomic.Bool // that the provider is slow
	ctx   *tryContext
	start time.Time
	timer *time.Timer
	phase atomic.Pointer[phase]
	since atomic.Int64 // when the wait under way began, after start; 0 while nobody waits
}

// slowAfter is how long a provider is silent before it is noticed.
const slowAfter = 30 * time.Second

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
func newWatch(ctx context.Context, model callwright.ModelID, first *phase) *watch {
	w := &watch{model: model, ctx: newTryContext(ctx), start: time.Now()}
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
	w.timer.Reset(min(p.waitLimit(), slowAfter))
}

// waitLimit is how long a wait may last at most.
func (p *phase) waitLimit() time.Duration {
	if p.limit <= 0 {
		return math.MaxInt64
	}
	return p.limit
}

// begin says that a wait begins, which ends with a zero in since.
func (w *watch) begin() { w.since.Store(max(int64(time.Since(w.start)), 1)) }

// look ends the try when the wait under way is too long, and sets the timer to when it would be otherwise.
func (w *watch) look() {
	p := w.phase.Load()
	if w.ctx.Err() != nil {
		return
	}
	var waited time.Duration
	if since := w.since.Load(); since != 0 {
		waited = time.Since(w.start) - time.Duration(since)
	}
	// The first moment counts as a nanosecond after the start, so that 0 can mean that nobody waits.
	left, untilSlow := p.waitLimit()-waited, slowAfter-waited
	if left <= 1 {
		w.ctx.end(silence{p})
		return
	}
	if untilSlow <= 1 {
		if !w.told.Swap(true) {
			notice.Send(w.ctx, notice.Notice{Event: notice.Slow, Model: w.model, Kind: callwright.KindTimeout,
				Reason: p.patience(), Wait: slowAfter})
		}
		untilSlow = math.MaxInt64
	}
	w.timer.Reset(min(left, untilSlow))
}

// patience says how long the phase may go on.
func (p *phase) patience() string {
	if p.limit <= 0 {
		return "nothing has come yet"
	}
	return fmt.Sprintf("nothing has come yet: timeouts.%s ends it after %s", strings.ReplaceAll(p.name, " ", "_"), p.limit)
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
