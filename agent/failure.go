package agent

import (
	"context"
	"errors"

	"github.com/callwright/callwright"
)

// A failing counts the answers of a run that were errors. It is not in the journal: a run that is resumed begins with
// the zero failing.
type failing struct {
	withoutTools bool // the model failed with tools, and is asked without them
	retried      int  // how often it was asked again with tools, on end
	badCalls     int  // how many answers on end had calls that could not be run, by the errors
}

// Kinds of errors. After one of failedAtProvider a model is not asked without tools: the run fails, and can be resumed
// when the provider is there again.
var (
	failedWithTools = map[callwright.Kind]bool{
		callwright.KindInvalidCall: true, callwright.KindNoCall: true, callwright.KindRefusedCall: true, callwright.KindBadAnswer: true,
		callwright.KindTruncated: true, callwright.KindUnsupported: true, callwright.KindSchema: true, callwright.KindServer: true,
	}
	failedAtProvider = map[callwright.Kind]bool{callwright.KindTimeout: true, callwright.KindUnavailable: true,
		callwright.KindOverloaded: true}
	failedByCalls = map[callwright.Kind]bool{callwright.KindInvalidCall: true, callwright.KindNoCall: true,
		callwright.KindRefusedCall: true}
)

// afterFailure sees to a model that gave no answer.
func (r *run) afterFailure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	kind := callwright.KindOf(err)
	if failedByCalls[kind] {
		r.failing.badCalls += answersOf(err)
	}
	withTools := len(r.tools.offered) > 0 && !r.failing.withoutTools && r.o.mode != ModeEnforced
	switch {
	case kind == callwright.KindTruncated && r.st.added[addedTruncated] < mostTruncated:
		return r.tell(ctx, addedTruncated, truncatedText)
	case wasEmpty(err) && !r.o.emptyFinal.Off && r.st.added[addedEmpty] == 0:
		return r.tellEmpty(ctx)
	case wasEmpty(err) && (r.o.emptyFinal.Off || !r.o.emptyFinal.KeepTools):
		break // another request without tools would be the last one again
	case r.climbs():
		return nil
	case withTools && (failedWithTools[kind] || failedAtProvider[kind]) && r.failing.retried < r.o.fallbackRetries:
		r.failing.retried++
		return nil
	case withTools && failedWithTools[kind]:
		r.failing.withoutTools = true
		r.emit(Event{Kind: EventNote, Step: r.st.steps + 1,
			Note: &callwright.Note{Rule: "loop.without_tools", Why: callwright.Excerpt(err.Error())}})
		return nil
	}
	return &StopError{Run: r.st.id, Stop: StopModel, Err: err}
}

// wasEmpty reports whether an error stands for an empty answer. A client returns it when the corrections bring no other
// answer.
func wasEmpty(err error) bool {
	e, ok := errors.AsType[*callwright.Error](err)
	return ok && e.Kind == callwright.KindBadAnswer && e.Finish != ""
}

// answersOf is how many answers of the model an error tells of, at least one.
func answersOf(err error) int {
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok || e.Report == nil {
		return 1
	}
	n := 0
	for i := range e.Report.Attempts {
		if a := &e.Report.Attempts[i]; a.Model == e.Report.Attempts[0].Model && (a.Kind == "" || failedByCalls[a.Kind]) {
			n++
		}
	}
	return max(n, 1)
}
