package rejoin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// A Config connects a gateway with the counts and the other gateways. Its functions are called concurrently, but for
// Prove and Flush.
type Config struct {
	ID string // of this gateway
	// Say sends data to all gateways, this one among them, where they are reached: see [Group.ApplyMessage].
	Say func(data []byte)
	// Reached reports whether other gateways are reached, and since when.
	Reached func() (since time.Time, reached bool)
	// Prove writes to the counts and reads the written value. It returns within limit.
	Prove func(ctx context.Context, limit time.Duration) error
	// Flush writes the usage that was counted alone, and is not written yet, to the counts. Usage that is counted after
	// the call need not be written.
	Flush func() error
	// Known reports whether the values of the counts before the loss are known.
	Known func() bool
	// Broken reports whether the counts are kept in this process and cannot be used. The gateway then waits for no
	// election of a leader.
	Broken func() bool
	// Single is for counts that other machines do not share.
	Single bool
	Place  string // of the counts, for the log
	Logger *slog.Logger
}

// A Group is this gateway among those that share counts. Use New. It is safe for concurrent use.
type Group struct {
	cfg   Config
	peers peers
	lost  chan struct{} // has one where it is to be made sure again that counts are shared

	mu      sync.Mutex
	mode    Mode
	since   time.Time     // when the counts were lost, or this gateway started
	changed chan struct{} // closed when the mode changes, and made anew
	once    bool          // whether counts were shared
	parts   int
	why     error // of the last failure
}

// A Mode is the way in which a gateway counts.
type Mode int

// The modes.
const (
	Starting Mode = iota // the counts were not shared yet: nothing is taken
	Doubtful             // they were, and may be lost: who takes waits
	Alone                // they are away: each gateway takes from its part of the rest
	Returned             // they are there for this gateway, and perhaps not yet for others: as Alone
	Settling             // they have what this gateway used, and perhaps not yet what others did: who takes waits
	Shared               // all gateways take from the counts
)

// IsAlone reports whether a gateway takes from its part.
func (m Mode) IsAlone() bool { return m == Alone || m == Returned }

// Times of a Group.
const (
	// Patience is the time for which the counts may be away before a gateway counts alone. The loss of one server of a
	// cluster is over by then, so that no gateway counts alone while others share the counts.
	Patience = 3 * time.Second
	// waitMost is the longest time that a caller waits for a mode in which usage can be counted.
	waitMost = Patience + time.Second
	// gatherTime is the time for which a starting gateway listens to others before it uses the counts. After a loss of all
	// servers the others may come a little later.
	gatherTime = 500 * time.Millisecond
	// proofTime is the limit of the first proof, proofMost that of later proofs, on a slow machine.
	proofTime, proofMost = time.Second, 3 * time.Second
	proofPause           = 100 * time.Millisecond
)

// New makes a Group that is to be run.
func New(cfg Config) *Group {
	g := &Group{cfg: cfg, lost: make(chan struct{}, 1), since: time.Now(), changed: make(chan struct{})}
	g.peers = peers{cfg: &g.cfg, stage: g.stage, known: map[string]peer{}, moved: make(chan struct{})}
	return g
}

// ApplyMessage applies a gateway's message from Say.
func (g *Group) ApplyMessage(data []byte) { g.peers.applyMessage(data) }

// Leave tells the other gateways that this one ends.
func (g *Group) Leave() { g.peers.leave() }

// Mode returns the mode, and among how many gateways the rest is divided where they count alone.
func (g *Group) Mode() (m Mode, parts int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.mode, g.parts
}

// set changes the mode and wakes the callers that wait for a change. The lock is held.
func (g *Group) set(m Mode) {
	if m != g.mode {
		g.mode = m
		close(g.changed)
		g.changed = make(chan struct{})
	}
}

// stage is the state that other gateways are told.
func (g *Group) stage() stage {
	switch m, _ := g.Mode(); m {
	case Alone:
		return countsAlone
	case Returned:
		return canWrite
	}
	return hasWritten
}

// errUnknown says that nothing can be taken.
var errUnknown = errors.New("what keys have used is not known")

// Await waits for a mode in which usage can be counted, and returns it. It fails when the mode is another than Settling
// for waitMost, and when the context ends.
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

// Doubt has it be made sure again that counts are shared: a change failed, or the connection was lost.
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

// Run has counts be shared, again after each loss, until the context ends.
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

// rejoin has counts be shared. It returns false when the context ends.
func (g *Group) rejoin(ctx context.Context) bool {
	for limit := proofTime; ctx.Err() == nil; limit = min(limit+limit/10, proofMost) {
		select {
		case <-g.lost: // it is made sure of now
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
			g.peers.say(presence{})
			_ = g.cfg.Flush() // changes that came while it settled
			return true
		}
	}
	return false
}

// share has this gateway take from the counts, unless they were lost again meanwhile, and reports whether it does.
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

// noteFailure has this gateway count alone where the counts are away for too long, and their last values and the number
// of gateways are known.
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
		g.cfg.Logger.Warn("state: limits are counted alone, each gateway within its part of the rest", "place", g.cfg.Place,
			"gateways", parts, "error", err)
	}
}

// errEnded says that the context ended.
var errEnded = errors.New("the gateway ends")

// settle leads this gateway from the state in which it can reach the counts to that in which they have the use of every
// gateway.
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

// Health returns a line about the way of counting, "" where the counts are shared. once reports whether they were
// shared since the start.
func (g *Group) Health() (line string, once bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.mode == Shared:
		return "", true
	case g.mode.IsAlone() && g.parts > 1:
		line = fmt.Sprintf("limits are counted alone, within one of %d parts of what they left", g.parts)
	case g.mode.IsAlone():
		line = "limits are counted alone"
	case g.once:
		line = "limits may not be shared with other gateways"
	default:
		line = "limits are not shared with other gateways yet"
	}
	if g.why != nil {
		line += ": " + g.why.Error()
	}
	return line, g.once
}

// wait waits, and reports whether the context still holds.
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
