package agent

import (
	"context"
	"errors"

	"github.com/callwright/callwright"
)

// A failing counts the requests of a run that returned errors. The journal does not contain it, so a resumed run starts
// from zero.
type failing struct {
	withoutTools bool // requests with tools failed; further ones are sent without tools
	retried      int  // consecutive retries of a request with tools
	badCalls     int  // consecutive responses that the model's client rejected for their calls
}

// Error kinds of failed requests. failedWithTools can be retried without tools. After failedAtProvider the run fails
// instead, and can be resumed when the provider is available again. failedByCalls count as bad calls.
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

// afterFailure handles an error of the model: it adds a message for the model, prepares a retry (with or without
// tools), or returns a *StopError.
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
		return r.addUserMessage(ctx, addedTruncated, truncatedText)
	case wasEmpty(err) && !r.o.emptyFinal.Off && r.st.added[addedEmpty] == 0:
		return r.tellEmpty(ctx)
	case wasEmpty(err) && (r.o.emptyFinal.Off || !r.o.emptyFinal.KeepTools):
		break // a request without tools would be the same as the last one
	case r.mustSwitchModel():
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

// wasEmpty reports whether err means that the model's response was empty. A reliable client returns such an error if
// its corrections also bring empty responses.
func wasEmpty(err error) bool {
	e, ok := errors.AsType[*callwright.Error](err)
	return ok && e.Kind == callwright.KindBadAnswer && e.Finish != ""
}

// answersOf returns the number of bad responses behind an error, according to its report; at least 1.
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
