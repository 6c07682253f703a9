package background

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// traffic counts the requests of clients at one provider. They go before those of a probe. The Prober's lock guards it.
type traffic struct {
	running   int                // requests of clients
	ended     time.Time          // when the last of them ended
	preempt   context.CancelFunc // of the probe's request that runs; nil while none does
	preempted bool               // a client's request has canceled it
}

func (t *traffic) begin() {
	t.running++
	if t.preempt != nil {
		t.preempted = true
		t.preempt()
	}
}

func (t *traffic) end(now time.Time) { t.running, t.ended = t.running-1, now }

// A preemptible is a model whose requests wait until no client's run at its provider, and are canceled when one begins.
type preemptible struct {
	p       *Prober
	traffic *traffic
	model   callwright.Model
	retries int // how many requests may yet be made again
}

var (
	_ callwright.Model      = (*preemptible)(nil)
	_ callwright.Identifier = (*preemptible)(nil)
	_ callwright.Describer  = (*preemptible)(nil)
)

// ID is the model's own, "" where it has none.
func (m *preemptible) ID() callwright.ModelID {
	if named, ok := m.model.(callwright.Identifier); ok {
		return named.ID()
	}
	return ""
}

// Caps are the model's own.
func (m *preemptible) Caps(ctx context.Context) caps.Caps {
	if d, ok := m.model.(callwright.Describer); ok {
		return d.Caps(ctx)
	}
	return caps.Caps{}
}

// Generate asks when nobody else does.
func (m *preemptible) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
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

// Stream asks when nobody else does.
func (m *preemptible) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(m.Batches(ctx, req))
}

// Batches is Stream in batches. They are given when the last of them came, since the request may have to be made again.
func (m *preemptible) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		var batches []callwright.Batch
		err := m.ask(ctx, func(ctx context.Context) error {
			batches = nil
			for b, err := range callwright.Batches(ctx, m.model, req) {
				if err != nil {
					return err
				}
				batches = append(batches, b.Clone())
			}
			return nil
		})
		for _, b := range batches {
			if !yield(b, nil) {
				return
			}
		}
		if err != nil {
			yield(callwright.Batch{}, err)
		}
	}
}

// errBusy ends a probe that clients leave no room.
var errBusy = errors.New("clients use the provider all the time")

// ask makes a request when the provider is idle, and again where a client's request has canceled it.
func (m *preemptible) ask(ctx context.Context, once func(context.Context) error) error {
	for {
		if err := m.wait(ctx); err != nil {
			return err
		}
		bounded, cancel := context.WithTimeout(ctx, requestTime)
		if !m.begin(cancel) {
			cancel()
			continue
		}
		err := once(bounded)
		cancel()
		switch preempted := m.end(); {
		case !preempted || err == nil || ctx.Err() != nil:
			return err
		case m.retries == 0:
			return &callwright.Error{Op: "probe", Kind: callwright.KindCanceled, Err: errBusy}
		}
		m.retries--
	}
}

// wait returns when no client's request has run for a while.
func (m *preemptible) wait(ctx context.Context) error {
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
func (m *preemptible) rest() time.Duration {
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	if m.traffic.running > 0 {
		return m.p.cfg.Quiet
	}
	return m.p.cfg.Quiet - m.p.cfg.Now().Sub(m.traffic.ended)
}

// begin registers the function that cancels the next request. It reports false where a client's request runs.
func (m *preemptible) begin(preempt context.CancelFunc) bool {
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	if m.traffic.running > 0 {
		return false
	}
	m.traffic.preempt, m.traffic.preempted = preempt, false
	return true
}

// end reports whether a client's request has canceled the one that was made.
func (m *preemptible) end() bool {
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	m.traffic.preempt = nil
	return m.traffic.preempted
}
