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

// note adds notes to the report, with the fault and the risk of their rules where they have none.
func (r *run) note(more ...callwright.Note) {
	for _, n := range more {
		if row := callwright.RuleOf(n.Rule); n.Fault == "" && n.Risk == "" {
			n.Fault, n.Risk = row.Fault, row.Risk
			n.Was, n.Now = callwright.Excerpt(n.Was), callwright.Excerpt(n.Now)
		}
		r.report.Notes = notes.Fold(r.report.Notes, n)
	}
}

// take adds notes of a ledger to the report as they are.
func (r *run) take(more []callwright.Note) {
	for _, n := range more {
		r.report.Notes = notes.Fold(r.report.Notes, n)
	}
}

// finishReport completes the report. The report that it returns keeps nothing of the run in memory.
func (r *run) finishReport() *callwright.Report {
	r.report.Untouched = !r.changed && !r.bodyChanged &&
		!slices.ContainsFunc(r.report.Notes, func(n callwright.Note) bool { return n.Risk != "" && !n.Observed })
	r.report.Confidence = judge.Confidence(&r.report)
	rep := r.report
	if rep.Notes == nil {
		rep.Notes = []callwright.Note{}
	}
	rep.Model = callwright.ModelID(strings.Clone(string(rep.Model))) // it may be a piece of a longer text, such as an address
	return &rep
}

// withReport gives an error its report. The answer counts as changed: the text of the error is our own.
func (r *run) withReport(err error) *callwright.Error {
	e := *asError(err)
	r.changed = true
	e.Report = r.finishReport()
	if e.Model == "" {
		e.Model = r.report.Model
	}
	return &e
}

// asError is an error as an *Error.
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
