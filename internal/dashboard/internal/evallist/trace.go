package evallist

import (
	"context"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
)

// Traces is the part of a Source that also keeps the sent and received bytes of trials.
type Traces interface {
	// Trace returns the entries of a trial of a run by the name that eval.Result.Trace has. One that is not there is
	// KindNotFound.
	Trace(ctx context.Context, run, name string) ([]trace.Entry, error)
}

// Trial returns the entries of each request of a trial, in the order in which they began.
func (l *List) Trial(ctx context.Context, run, name string) ([][]trace.Entry, error) {
	from, ok := l.source.(Traces)
	if !ok {
		return nil, callwright.Errorf("", callwright.KindNotFound, "", "no traces of evaluations are kept here")
	}
	entries, err := from.Trace(ctx, run, name)
	if err != nil {
		return nil, err
	}
	var out [][]trace.Entry
	for i := range entries {
		e := entries[i]
		at := slices.IndexFunc(out, func(one []trace.Entry) bool { return one[0].ID == e.ID })
		switch {
		case at >= 0:
			out[at] = append(out[at], e)
		case e.Kind == trace.KindRequest: // calls and results of tools have ids of their own
			out = append(out, []trace.Entry{e})
		}
	}
	return out, nil
}
