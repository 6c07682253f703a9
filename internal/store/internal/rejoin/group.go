package rejoin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// A Config connects a gateway with the shared counts and the other gateways. Its functions are called concurrently,
// except Prove and Flush.
type Config struct {
	ID string // unique id of this gateway
	// Say sends data to all gateways including this one, if they are reachable. They pass it to [Group.ApplyMessage].
	Say func(data []byte)
	// Reached reports whether other gateways are reachable, and since when.
	Reached func() (since time.Time, reached bool)
	// Prove writes to the shared counts and reads the written value back, within limit.
	Prove func(ctx context.Context, limit time.Duration) error
	// Flush writes the usage that this gateway counted alone to the shared counts. It may ignore usage counted after the
	// call began.
	Flush func() error
	// Known reports whether the last values of the counts before the loss are known.
	Known func() bool
	// Broken reports whether the counts are in this process and unusable. The gateway then does not wait for the election
	// of a leader.
	Broken func() bool
	// Single means that no other machine shares the counts.
	Single bool
	Place  string // location of the counts, for the log
	Logger *slog.Logger
}

// A Group is this gateway's membership in the group of gateways that share counts. Create it with New. It is safe for
// concurrent use.
type Group struct {
	cfg   Config
	peers peers
	lost  chan struct{} // has an element if a new check of the counts is needed

	mu      sync.Mutex
	mode    Mode
	since   time.Time     // when the counts were lost, or this gateway started
	changed chan struct{} // closed and replaced when the mode changes
	once    bool          // the counts were shared at some time
	parts   int
	why     error // the last failure
}

// A Mode is how a gateway counts usage.
type Mode int

// The modes.
const (
	Starting Mode = iota // the counts were never shared: Take waits
	Doubtful             // the counts were shared but may be lost: Take waits
	Alone                // the counts are unavailable: each gateway uses its share of the remaining limit
	Returned             // as Alone; this gateway can write again, others perhaps not
	Settling             // this gateway has written its usage, others perhaps not: Take waits
	Shared               // all gateways use the shared counts
)

// IsAlone reports whether a gateway counts alone, within its share of the remaining limit.
func (m Mode) IsAlone() bool { return m == Alone || m == Returned }

// Time limits of a Group.
const (
	// Patience is how long the counts may be unavailable before a gateway counts alone. A cluster recovers from the loss
	// of one server in that time, so that no gateway counts alone while others share the counts.
	Patience = 3 * time.Second
	// waitMost is the time since the loss of the counts after which Await fails, except in the mode Settling.
	waitMost = Patience + time.Second
	// gatherTime is how long a starting gateway listens for others before it uses the counts. After an outage of all
	// servers, others may connect later.
	gatherTime = 500 * time.Millisecond
	// proofTime is the time limit of the first call of Prove. It grows up to proofMost for slow machines.
	proofTime, proofMost = time.Second, 3 * time.Second
	proofPause           = 100 * time.Millisecond
)

// New returns a Group. Call Run.
func New(cfg Config) *Group {
	g := &Group{cfg: cfg, lost: make(chan struct{}, 1), since: time.Now(), changed: make(chan struct{})}
	g.peers = peers{cfg: &g.cfg, stage: g.stage, known: map[string]peer{}, moved: make(chan struct{})}
	return g
}

// ApplyMessage records the presence and stage of a gateway from a message that the gateway sent by Config.Say.
func (g *Group) ApplyMessage(data []byte) { g.peers.applyMessage(data) }

// Leave announces to the other gateways that this one ends.
func (g *Group) Leave() { g.peers.leave() }

// Mode returns the mode and the number of gateways that share the remaining limit while they count alone.
func (g *Group) Mode() (m Mode, parts int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.mode, g.parts
}

// set changes the mode and wakes waiting callers. The caller holds g.mu.
func (g *Group) set(m Mode) {
	if m != g.mode {
		g.mode = m
		close(g.changed)
		g.changed = make(chan struct{})
	}
}

// stage returns the stage announced to other gateways.
func (g *Group) stage() stage {
	switch m, _ := g.Mode(); m {
	case Alone:
		return countsAlone
	case Returned:
		return canWrite
	}
	return hasWritten
}

// errUnknown is returned while no usage can be counted.
var errUnknown = errors.New("the usage of keys is unknown")

// Await waits for a mode in which usage can be counted, and returns it. It fails when ctx is done. Except in the mode
// Settling, it also fails once waitMost has passed since the loss of the counts or the start of this gateway.
func (g *Group) Await(ctx context.Context) (Mode, error) {
	for {
		g.mu.Lock()
		m, changed, since, why := g.mode, g.changed, g.since, g.why
		g.mu.Unlock()
		if m == Shared || m.IsAlone() {
			return m, nil
		}
		if m != Settling && time.Since(since) > waitMost {
			return m, errors.Join(errUnknown, why)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return m, context.Cause(ctx)
		}
	}
}

// Doubt starts a new check that the counts are shared, because a write failed or the connection was lost.
func (g *Group) Doubt(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.why = err
	if g.mode == Shared {
		g.since = time.Now()
		g.set(Doubtful)
	}
	select {
	case g.lost <- struct{}{}:
	default:
	}
}

// Run makes this gateway share the counts, again after each loss, until ctx is done.
func (g *Group) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { g.peers.sayOften(ctx) })
	for g.rejoin(ctx) {
		select {
		case <-g.lost:
		case <-ctx.Done():
			return
		}
	}
}

// rejoin retries until the counts are shared. It returns false if ctx is done.
func (g *Group) rejoin(ctx context.Context) bool {
	for limit := proofTime; ctx.Err() == nil; limit = min(limit+limit/10, proofMost) {
		select {
		case <-g.lost: // the check follows now
		default:
		}
		err := g.cfg.Prove(ctx, limit)
		if err == nil {
			err = g.settle(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return false
		case err != nil:
			g.noteFailure(err)
			wait(ctx, proofPause)
		case g.share():
			g.peers.announce(presence{})
			_ = g.cfg.Flush() // usage counted during settle
			return true
		}
	}
	return false
}

// share enters the mode Shared, unless the counts were lost again meanwhile. It reports whether it did.
func (g *Group) share() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.lost) > 0 {
		g.since = time.Now()
		g.set(Doubtful)
		return false
	}
	if g.once {
		g.cfg.Logger.Info("state: limits are shared again", "place", g.cfg.Place)
	}
	g.once, g.why = true, nil
	g.set(Shared)
	return true
}

// noteFailure records an error. It enters the mode Alone if the counts were unavailable for Patience and both their
// last values and the number of gateways are known.
func (g *Group) noteFailure(err error) {
	parts, broken, known := g.peers.count(), g.cfg.Broken(), g.cfg.Known()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.why = err
	switch g.mode {
	case Alone:
		return
	case Returned:
		g.set(Alone)
		return
	case Settling:
		g.since = time.Now()
		g.set(Doubtful)
	}
	late := broken || g.mode == Doubtful && time.Since(g.since) >= Patience
	if late && known && parts > 0 {
		g.parts = parts
		g.set(Alone)
		g.cfg.Logger.Warn("state: limits are counted by each gateway alone, within its share of the rest", "place", g.cfg.Place,
			"gateways", parts, "error", err)
	}
}

// errEnded is returned if the context is done.
var errEnded = errors.New("the gateway ends")

// settle waits for the other gateways and writes this gateway's usage, until the counts contain the usage of all
// gateways.
func (g *Group) settle(ctx context.Context) error {
	g.mu.Lock()
	m := g.mode
	if m == Alone {
		g.set(Returned)
	}
	g.mu.Unlock()
	if m == Starting && !g.cfg.Single && !wait(ctx, gatherTime) || !g.peers.await(ctx, canWrite) {
		return errEnded
	}
	g.mu.Lock()
	if m != Starting {
		g.set(Settling)
	}
	g.mu.Unlock()
	if err := g.cfg.Flush(); err != nil {
		return err
	}
	if !g.peers.await(ctx, hasWritten) {
		return errEnded
	}
	return nil
}

// Health returns a line that describes the mode, "" for Shared. once reports whether the counts were ever shared.
func (g *Group) Health() (line string, once bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.mode == Shared:
		return "", true
	case g.mode.IsAlone() && g.parts > 1:
		line = fmt.Sprintf("limits are counted by this gateway alone, which may use one of %d shares of the rest", g.parts)
	case g.mode.IsAlone():
		line = "limits are counted by this gateway alone"
	case g.once:
		line = "limits are possibly not shared with other gateways"
	default:
		line = "limits are not shared with other gateways yet"
	}
	if g.why != nil {
		line += ": " + g.why.Error()
	}
	return line, g.once
}

// wait sleeps for d. It returns false if ctx is done.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
