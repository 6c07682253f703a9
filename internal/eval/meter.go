package eval

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A meter wraps a model and counts its requests and tokens by its reports.
type meter struct {
	model callwright.Model
	now   func() time.Time

	mu       sync.Mutex
	requests []requestRecord
	filtered bool // a content filter ended the last answer
}

// A requestRecord is one request to a model, for which the model may have sent several to providers.
type requestRecord struct {
	report *callwright.Report // nil if the model makes no report
	usage  callwright.Usage   // used if there is no report
	took   time.Duration
	err    error
}

var (
	_ callwright.Model     = (*meter)(nil)
	_ callwright.Describer = (*meter)(nil)
)

// Caps returns the capabilities of the wrapped model.
func (m *meter) Caps(ctx context.Context) caps.Caps {
	if d, ok := m.model.(callwright.Describer); ok {
		return d.Caps(ctx)
	}
	return caps.Caps{}
}

// ID returns the id of the wrapped model, "" if it has none.
func (m *meter) ID() callwright.ModelID {
	if named, ok := m.model.(interface{ ID() callwright.ModelID }); ok {
		return named.ID()
	}
	return ""
}

// Generate calls and meters Generate of the wrapped model.
func (m *meter) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	began := m.now()
	resp, err := m.model.Generate(ctx, req)
	a := requestRecord{err: err, took: m.now().Sub(began), report: reportOf(err)}
	var finish callwright.Finish
	if resp != nil {
		a.usage, finish = resp.Usage, resp.Finish
		if resp.Report != nil {
			a.report = resp.Report
		}
	}
	m.add(a, finish)
	return resp, err
}

// Stream calls and meters Stream of the wrapped model.
func (m *meter) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		began := m.now()
		var a requestRecord
		var finish callwright.Finish
		defer func() {
			a.took = m.now().Sub(began)
			m.add(a, finish)
		}()
		for ev, err := range m.model.Stream(ctx, req) {
			switch ev := ev.(type) {
			case callwright.UsageDelta:
				a.usage = a.usage.Merge(ev.Usage)
			case callwright.End:
				finish = ev.Finish
			case callwright.Done:
				a.report = ev.Report
			}
			if err != nil {
				a.err = err
				if r := reportOf(err); r != nil {
					a.report = r
				}
			}
			if !yield(ev, err) {
				return
			}
		}
	}
}

func (m *meter) add(a requestRecord, finish callwright.Finish) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, a)
	m.filtered = finish == callwright.FinishContentFilter
}

func reportOf(err error) *callwright.Report {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return e.Report
	}
	return nil
}

// count adds the counts to a result.
func (m *meter) count(r *Result) {
	m.mu.Lock()
	defer m.mu.Unlock()
	again := false // a retry of a step whose request failed
	for _, a := range m.requests {
		if a.report == nil {
			r.Requests++
			r.Latency = append(r.Latency, a.took)
			r.Usage.add(a.usage)
			again = a.err != nil
			continue
		}
		for i, at := range a.report.Attempts {
			first := a.report.Attempts[0]
			r.Requests++
			r.Latency = append(r.Latency, at.Duration)
			r.Usage.add(at.Usage)
			r.Transport += max(at.Tries-1, 0)
			switch {
			case at.Model != first.Model:
				r.Fallback++
			case at.Mode != first.Mode:
				r.OtherMode++
			}
			if at.Why == callwright.AttemptCorrection {
				r.Corrections++
			}
			if (i > 0 || again) && at.Why != callwright.AttemptPause && at.Why != callwright.AttemptSearch {
				r.Healing.add(at.Usage)
			}
		}
		r.causes(a.report)
		again = a.err != nil
	}
}

func (t *Tokens) add(u callwright.Usage) {
	t.Known = t.Known || u.Known
	t.Input += u.Input
	t.CacheRead += u.CacheRead
	t.Output += u.Output
}
