package background

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A traffic counts the running client requests at one provider, which have priority over the requests of a probe. The
// Prober's mu guards all fields.
type traffic struct {
	running   int                // number of client requests
	ended     time.Time          // end of the last client request
	preempt   context.CancelFunc // cancels the running probe request; nil if none runs
	preempted bool               // a client request has canceled the probe request
}

func (t *traffic) begin() {
	t.running++
	if t.preempt != nil {
		t.preempted = true
		t.preempt()
	}
}

func (t *traffic) end(now time.Time) { t.running, t.ended = t.running-1, now }

// A preemptible is a model whose requests wait until no client request runs at its provider. A client request cancels
// them.
type preemptible struct {
	p       *Prober
	traffic *traffic
	model   callwright.Model
	retries int // number of canceled requests that may still be repeated
}

var (
	_ callwright.Model      = (*preemptible)(nil)
	_ callwright.Identifier = (*preemptible)(nil)
	_ callwright.Describer  = (*preemptible)(nil)
)

// ID returns the ID of the wrapped model, "" for none.
func (m *preemptible) ID() callwright.ModelID {
	if named, ok := m.model.(callwright.Identifier); ok {
		return named.ID()
	}
	return ""
}

// Caps returns the capabilities of the wrapped model.
func (m *preemptible) Caps(ctx context.Context) caps.Caps {
	if d, ok := m.model.(callwright.Describer); ok {
		return d.Caps(ctx)
	}
	return caps.Caps{}
}

// Generate sends a request while no client request runs at the provider.
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

// Stream sends a streamed request while no client request runs at the provider. It yields the events after the end of
// the response.
func (m *preemptible) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(m.Batches(ctx, req))
}

// Batches is Stream in batches. It yields the batches after the end of the response, since a canceled request is
// repeated.
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

// errBusy ends a probe whose requests client requests have canceled too often.
var errBusy = errors.New("clients use the provider all the time")

// ask calls once while the provider has no client request. It repeats a call that a client request has canceled, until
// retries is 0.
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

// wait blocks until the provider has had no client request for Config.Quiet, or ctx ends.
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

// rest returns the time for which the provider must still have no client request before a probe request is sent. It is
// 0 or negative if that time has passed.
func (m *preemptible) rest() time.Duration {
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	if m.traffic.running > 0 {
		return m.p.cfg.Quiet
	}
	return m.p.cfg.Quiet - m.p.cfg.Now().Sub(m.traffic.ended)
}

// begin registers the function that cancels the next probe request. It returns false if a client request runs.
func (m *preemptible) begin(preempt context.CancelFunc) bool {
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	if m.traffic.running > 0 {
		return false
	}
	m.traffic.preempt, m.traffic.preempted = preempt, false
	return true
}

// end removes the cancel function and reports whether a client request has canceled the probe request.
func (m *preemptible) end() bool {
	m.p.mu.Lock()
	defer m.p.mu.Unlock()
	m.traffic.preempt = nil
	return m.traffic.preempted
}
