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

// A watch is the idle timeout of one try. It ends the try if the provider sends nothing for too long. The time in which
// the reader of the response does not read is not counted. A watch uses one timer: a read stores only its start time,
// which the timer compares. It sends a notice once if a wait lasts for slowAfter.
type watch struct {
	model callwright.ModelID
	host  int         // index of the host
	told  atomic.Bool // whether the notice was sent
	ctx   *tryContext
	start time.Time
	timer *time.Timer
	phase atomic.Pointer[phase]
	since atomic.Int64 // start of the present wait, in nanoseconds after start; 0 for no wait
}

// slowAfter is the silence of a provider after which a notice is sent.
const slowAfter = 30 * time.Second

// A phase is a part of a try with a timeout, 0 for none.
type phase struct {
	name  string
	limit time.Duration
}

// silence is the error of a try whose watch timed out, with the phase in which it did.
type silence struct{ *phase }

func (s silence) Error() string {
	if s.name == connecting {
		return fmt.Sprintf("no connection within %s (%s)", s.limit, s.name)
	}
	return fmt.Sprintf("no data within %s (%s)", s.limit, s.name)
}

// connecting is the name of the phase before a connection is established. The transport limits this phase.
const connecting = "connect"

// newWatch returns a watch that waits in the phase first.
func newWatch(ctx context.Context, model callwright.ModelID, first *phase) *watch {
	w := &watch{model: model, ctx: newTryContext(ctx), start: time.Now()}
	w.since.Store(1)
	w.timer = time.AfterFunc(math.MaxInt64, w.look)
	w.enter(first)
	return w
}

// next enters the phase p. Until a read begins, no time is counted.
func (w *watch) next(p *phase) {
	w.since.Store(0)
	w.enter(p)
}

func (w *watch) enter(p *phase) {
	w.phase.Store(p)
	w.timer.Reset(min(p.waitLimit(), slowAfter))
}

// waitLimit returns the maximum duration of a wait, the maximum Duration for no limit.
func (p *phase) waitLimit() time.Duration {
	if p.limit <= 0 {
		return math.MaxInt64
	}
	return p.limit
}

// begin records that a wait begins. A wait ends when since is set to 0.
func (w *watch) begin() { w.since.Store(max(int64(time.Since(w.start)), 1)) }

// look is the function of the timer. It ends the try if the present wait is too long, and otherwise sets the timer to
// the time when it would be.
func (w *watch) look() {
	p := w.phase.Load()
	if w.ctx.Err() != nil {
		return
	}
	var waited time.Duration
	if since := w.since.Load(); since != 0 {
		waited = time.Since(w.start) - time.Duration(since)
	}
	// since is at least 1 during a wait, as 0 means no wait.
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

// patience returns the reason in the notice of a slow provider, with the timeout of the phase.
func (p *phase) patience() string {
	if p.limit <= 0 {
		return "no data yet"
	}
	return fmt.Sprintf("no data yet: timeouts.%s ends the try after %s", strings.ReplaceAll(p.name, " ", "_"), p.limit)
}

// close cancels the context of the HTTP request and stops the timer.
func (w *watch) close() {
	w.ctx.end(context.Canceled)
	w.timer.Stop()
}

// watched is a response body whose reads are limited by a watch.
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

// Wait waits until the body can be read, if the body supports that.
func (b *watched) Wait() {
	if body, ok := b.body.(interface{ Wait() }); ok {
		b.watch.begin()
		body.Wait()
		b.watch.since.Store(0)
	}
}
