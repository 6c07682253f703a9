package rejoin

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// peers are the other gateways. Each says every second that it is there and at which stage it is. The last known state
// holds while nobody is reached.
type peers struct {
	cfg   *Config
	stage func() stage // of this gateway

	mu    sync.Mutex
	known map[string]peer
	self  bool          // it was heard that this gateway is there
	left  bool          // this gateway ends
	moved chan struct{} // closed when something was heard, and made anew
}

// A peer is another gateway.
type peer struct {
	stage stage
	at    time.Time // when it was heard last
	fresh bool      // whether that was since it was asked
}

// A stage is how far a gateway is that lost the counts.
type stage int

const (
	countsAlone stage = iota // it uses what the counts do not have
	canWrite                 // the same, and it could write that
	hasWritten               // the counts have all that it used
)

// A presence is a gateway's message about itself.
type presence struct {
	ID    string `json:"id"`
	Stage stage  `json:"stage"`
	Ask   bool   `json:"ask,omitempty"`  // the others are to say the same of themselves
	Left  bool   `json:"left,omitempty"` // it ends
}

const (
	sayEvery = time.Second
	// peerLife is how long a gateway counts as there that is not heard, while it could be.
	peerLife = 5 * time.Second
	// peerWait bounds how long a gateway waits for others to be at a stage: one that is there and does not come to it
	// holds up nobody for good.
	peerWait = 10 * time.Second
	askEvery = 250 * time.Millisecond
)

// say tells the others about this gateway, where they are reached.
func (p *peers) say(what presence) {
	what.ID, what.Stage = p.cfg.ID, p.stage()
	p.mu.Lock()
	left := p.left
	p.mu.Unlock()
	if data, err := json.Marshal(what); err == nil && left == what.Left {
		p.cfg.Say(data)
	}
}

// sayOften has the others know that this gateway is there, until the context ends.
func (p *peers) sayOften(ctx context.Context) {
	for p.say(presence{}); wait(ctx, sayEvery); p.say(presence{}) {
	}
}

// leave tells the others that this gateway ends. It says no more then.
func (p *peers) leave() {
	p.mu.Lock()
	p.left = true
	p.mu.Unlock()
	p.say(presence{Left: true})
}

// applyMessage applies a gateway's message.
func (p *peers) applyMessage(data []byte) {
	var in presence
	if json.Unmarshal(data, &in) != nil || in.ID == "" {
		return
	}
	p.mu.Lock()
	_, old := p.known[in.ID]
	switch {
	case in.ID == p.cfg.ID:
		p.self = true
	case in.Left:
		delete(p.known, in.ID)
	default:
		p.known[in.ID] = peer{stage: in.Stage, at: time.Now(), fresh: true}
	}
	close(p.moved)
	p.moved = make(chan struct{})
	p.mu.Unlock()
	if in.ID != p.cfg.ID && !in.Left && (in.Ask || !old) {
		p.say(presence{})
	}
}

// forget forgets gateways that are not heard any more. The caller holds mu.
func (p *peers) forget() {
	since, reached := p.cfg.Reached()
	if !reached || time.Since(since) <= peerLife {
		return
	}
	for id, is := range p.known {
		if time.Since(is.at) > peerLife {
			delete(p.known, id)
		}
	}
}

// count returns how many gateways there are, this one among them; 0 where that is not known.
func (p *peers) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget()
	if !p.self {
		return 0
	}
	return len(p.known) + 1
}

// await waits until all other gateways say that they are at a stage or beyond it, or peerWait is over. It returns false
// when the context ends.
func (p *peers) await(ctx context.Context, least stage) bool {
	p.mu.Lock()
	for id, is := range p.known {
		is.fresh = false
		p.known[id] = is
	}
	p.mu.Unlock()
	over := time.NewTimer(peerWait)
	defer over.Stop()
	tick := time.NewTicker(askEvery)
	defer tick.Stop()
	for p.say(presence{Ask: true}); ; {
		all, moved := p.allAt(least)
		if all {
			return true
		}
		select {
		case <-moved:
		case <-tick.C:
			p.say(presence{Ask: true})
		case <-over.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

// allAt reports whether all other gateways said that they are at a stage or beyond it. moved is closed when another
// thing was heard.
func (p *peers) allAt(least stage) (all bool, moved <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget()
	all = true
	for _, is := range p.known {
		all = all && is.fresh && is.stage >= least
	}
	return all, p.moved
}
