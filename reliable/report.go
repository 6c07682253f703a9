package reliable

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/notes"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// note adds notes to the report. A note without Fault and Risk gets those of its rule, and its excerpts are shortened.
func (r *run) note(more ...callwright.Note) {
	for _, n := range more {
		if row := callwright.RuleOf(n.Rule); n.Fault == "" && n.Risk == "" {
			n.Fault, n.Risk = row.Fault, row.Risk
			n.Was, n.Now = callwright.Excerpt(n.Was), callwright.Excerpt(n.Now)
		}
		r.report.Notes = notes.Fold(r.report.Notes, n)
	}
}

// take adds notes of a ledger to the report unchanged.
func (r *run) take(more []callwright.Note) {
	for _, n := range more {
		r.report.Notes = notes.Fold(r.report.Notes, n)
	}
}

// finishReport completes and returns a copy of the report. The copy does not keep the run in memory.
func (r *run) finishReport() *callwright.Report {
	r.report.Untouched = !r.changed && !r.bodyChanged &&
		!slices.ContainsFunc(r.report.Notes, func(n callwright.Note) bool { return n.Risk != "" && !n.Observed })
	r.report.Confidence = judge.Confidence(&r.report)
	rep := r.report
	if rep.Notes == nil {
		rep.Notes = []callwright.Note{}
	}
	// clones the string, which may be a substring of a longer one
	rep.Model = callwright.ModelID(strings.Clone(string(rep.Model)))
	return &rep
}

// withReport returns err as an *Error with the report. The response then counts as changed.
func (r *run) withReport(err error) *callwright.Error {
	e := *asError(err)
	r.changed = true
	e.Report = r.finishReport()
	if e.Model == "" {
		e.Model = r.report.Model
	}
	return &e
}

// asError returns err as an *Error. A context error becomes KindCanceled or KindTimeout, any other unknown error
// KindInternal.
func asError(err error) *callwright.Error {
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return e
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &callwright.Error{Kind: callwright.KindCanceled, Err: err}
	case errors.Is(err, context.DeadlineExceeded):
		return &callwright.Error{Kind: callwright.KindTimeout, Err: err}
	}
	return &callwright.Error{Kind: callwright.KindInternal, Err: err}
}
