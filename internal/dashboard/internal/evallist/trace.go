package evallist

import (
	"context"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/trace"
)

// Traces is an optional interface of a Source that also returns the traces of trials.
type Traces interface {
	// Trace returns the trace of a trial by its name in eval.Result.Trace. If there is none, the error is of KindNotFound.
	Trace(ctx context.Context, run, name string) ([]trace.Entry, error)
}

// Trial returns the entries of each request of a trial, in the order of the requests.
func (l *List) Trial(ctx context.Context, run, name string) ([][]trace.Entry, error) {
	from, ok := l.source.(Traces)
	if !ok {
		return nil, callwright.Errorf("", callwright.KindNotFound, "", "traces of evaluations are not kept here")
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
		case e.Kind == trace.KindRequest: // entries of tool calls have other ids
			out = append(out, []trace.Entry{e})
		}
	}
	return out, nil
}
