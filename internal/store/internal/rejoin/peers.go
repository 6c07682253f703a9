package rejoin

import (
	"context"
	"encoding/json"
	"sync"
	"time"
)

// peers tracks the other gateways. Each gateway announces its presence and stage every second. If no gateway is
// reachable, the last known stages apply.
type peers struct {
	cfg   *Config
	stage func() stage // returns the stage of this gateway

	mu    sync.Mutex
	known map[string]peer
	self  bool          // our own announcement was received
	left  bool          // this gateway ends
	moved chan struct{} // closed and replaced when a message was received
}

// A peer is another gateway.
type peer struct {
	stage stage
	at    time.Time // when its last message was received
	fresh bool      // a message was received since the last request for stages
}

// A stage is the progress of a gateway that lost the shared counts.
type stage int

const (
	countsAlone stage = iota // it has usage that the counts lack
	canWrite                 // it has such usage and can write it
	hasWritten               // the counts contain all its usage
)

// A presence is the JSON announcement of a gateway.
type presence struct {
	ID    string `json:"id"`
	Stage stage  `json:"stage"`
	Ask   bool   `json:"ask,omitempty"`  // requests announcements of the others
	Left  bool   `json:"left,omitempty"` // the gateway ends
}

const (
	sayEvery = time.Second
	// peerLife is how long a reachable gateway without announcements counts as present.
	peerLife = 5 * time.Second
	// peerWait is the maximum wait for other gateways to reach a stage, so that a stuck gateway does not block the others
	// forever.
	peerWait = 10 * time.Second
	askEvery = 250 * time.Millisecond
)

// announce sends an announcement of this gateway to the others.
func (p *peers) announce(what presence) {
	what.ID, what.Stage = p.cfg.ID, p.stage()
	p.mu.Lock()
	left := p.left
	p.mu.Unlock()
	if data, err := json.Marshal(what); err == nil && left == what.Left {
		p.cfg.Say(data)
	}
}

// sayOften announces this gateway every sayEvery until ctx is done.
func (p *peers) sayOften(ctx context.Context) {
	for p.announce(presence{}); wait(ctx, sayEvery); p.announce(presence{}) {
	}
}

// leave announces that this gateway ends. No further announcement is sent.
func (p *peers) leave() {
	p.mu.Lock()
	p.left = true
	p.mu.Unlock()
	p.announce(presence{Left: true})
}

// applyMessage records an announcement, JSON. If it requests announcements or its gateway is new, applyMessage
// announces this gateway.
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
		p.announce(presence{})
	}
}

// forget removes gateways without recent announcements. The caller holds p.mu.
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

// count returns the number of gateways, including this one, or 0 if unknown.
func (p *peers) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forget()
	if !p.self {
		return 0
	}
	return len(p.known) + 1
}

// await waits until all other gateways have announced the stage least or a later one, but at most peerWait. It returns
// true in both cases, and false if ctx is done.
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
	for p.announce(presence{Ask: true}); ; {
		all, moved := p.allAt(least)
		if all {
			return true
		}
		select {
		case <-moved:
		case <-tick.C:
			p.announce(presence{Ask: true})
		case <-over.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

// allAt reports whether all other gateways have announced the stage least or a later one since the last request for
// stages. moved is closed when the next announcement arrives.
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
