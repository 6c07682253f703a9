package background

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A place is a provider, at which requests of clients go before those of a probe. The Prober's lock guards it.
type place struct {
	running int                // requests of clients
	ended   time.Time          // when the last of them ended
	breaks  context.CancelFunc // of the probe's request that runs; nil while none does
	broken  bool               // a client's request has broken it off
}

func (l *place) enter() {
	l.running++
	if l.breaks != nil {
		l.broken = true
		l.breaks()
	}
}

func (l *place) leave(now time.Time) { l.running, l.ended = l.running-1, now }

// polite is a model whose requests wait until no client's run.
type polite struct {
	p     *Prober
	at    *place
	model callwright.Model
	left  int // how many requests may yet be made again
}

var (
	_ callwright.Model      = (*polite)(nil)
	_ callwright.Identifier = (*polite)(nil)
	_ callwright.Describer  = (*polite)(nil)
)

// ID is the model's own, "" where it has none.
func (m *polite) ID() callwright.ModelID {
	if named, ok := m.model.(callwright.Identifier); ok {
		return named.ID()
	}
	return ""
}

// Caps are the model's own.
func (m *polite) Caps(ctx context.Context) caps.Caps {
	if d, ok := m.model.(callwright.Describer); ok {
		return d.Caps(ctx)
	}
	return caps.Caps{}
}

// Generate asks when nobody else does.
func (m *polite) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	var resp *callwright.Response
	err := m.ask(ctx, func(ctx context.Context) (err error) {
		resp, err = m.model.Generate(ctx, req)
		return err
	})
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// Stream asks when nobody else does. The events are given when the last of them came, since the request may have to be made again.
func (m *polite) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		var events []callwright.Event
		err := m.ask(ctx, func(ctx context.Context) error {
			events = nil
			for ev, err := range m.model.Stream(ctx, req) {
				if err != nil {
					return err
				}
				events = append(events, ev)
			}
			return nil
		})
		for _, ev := range events {
			if !yield(ev, nil) {
				return
			}
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// errBusy ends a probe that clients leave no room.
var errBusy = errors.New("clients use the provider all the time")

// ask makes a request when the provider is idle, again where a client's request breaks it off.
func (m *polite) ask(ctx context.Context, once func(context.Context) error) error {
	for {
		if err := m.wait(ctx); err != nil {
			return err
		}
		bounded, cancel := context.WithTimeout(ctx, patience)
		if !m.begin(cancel) {
			cancel()
			continue
		}
		err := once(bounded)
		cancel()
		switch broken := m.end(); {
		case !broken || err == nil || ctx.Err() != nil:
			return err
		case m.left == 0:
			return &callwright.Error{Op: "probe", Kind: callwright.KindCanceled, Err: errBusy}
		}
		m.left--
	}
}

// wait returns when no client's request has run for a while.
func (m *polite) wait(ctx context.Context) error {
	for {
		rest := m.rest()
		if rest <= 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(rest):
		}
	}
}

// rest is how long the provider has to be idle yet at least.
func (m *polite) rest() time.Duration {
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	if m.at.running > 0 {
		return m.p.cfg.Quiet
	}
	return m.p.cfg.Quiet - m.p.cfg.Now().Sub(m.at.ended)
}

// begin says how to break the request off, and reports false where a client's request runs.
func (m *polite) begin(breaks context.CancelFunc) bool {
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	if m.at.running > 0 {
		return false
	}
	m.at.breaks, m.at.broken = breaks, false
	return true
}

// end reports whether a client's request broke the request off.
func (m *polite) end() bool {
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	m.at.breaks = nil
	return m.at.broken
}
