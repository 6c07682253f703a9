package eval

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// The failure classes. The kind of an error follows classError and classRefused; the agent's stop reason follows
// classStop.
const (
	classInvented  = "invented_call"    // of a tool that must not be called at all
	classArguments = "wrong_arguments"  //
	classMissing   = "missing_call"     //
	classExtra     = "extra_call"       // more calls of a tool than expected
	classOrder     = "wrong_order"      //
	classDocument  = "wrong_document"   // of the workspace
	classDirective = "wrong_directives" //
	classApproval  = "wrong_approvals"  // a person was asked about other calls
	classResult    = "missing_result"   // the model was not given an expected tool result
	classNoAnswer  = "no_answer"        //
	classText      = "wrong_text"       //
	classRequests  = "too_many_requests"
	classError     = "error:"
	classStop      = "stop:"
	classTimeout   = "timeout"
	classPanic     = "panic"
	classHarness   = "harness"
	classRefused   = "refused:"
	classSkipped   = "not_applicable"
)

// weights lists the failure classes in descending order of information. The reason with the most informative class is
// reported for a failed trial. For errors and stops, see weight.
var weights = []string{
	classInvented, classArguments, classExtra, classOrder, classMissing, classDocument, classDirective, classApproval,
	classResult, classNoAnswer, classText, classRequests,
}

// kindsRefused are the kinds of errors with which a provider rejects a request.
var kindsRefused = []callwright.Kind{
	callwright.KindAuth, callwright.KindBilling, callwright.KindPermission, callwright.KindNotFound, callwright.KindRateLimited,
	callwright.KindContentFilter,
}

// kindsBroken are the kinds of errors that do not depend on the model.
var kindsBroken = []callwright.Kind{
	callwright.KindTimeout, callwright.KindCanceled, callwright.KindInternal, callwright.KindServer, callwright.KindUnavailable,
	callwright.KindOverloaded, callwright.KindDraining,
	callwright.KindConflict,
}

// judge sets the outcome of a cell. ctx is the context of the cell.
func (r *Result) judge(ctx context.Context, p *playResult, failures []failedCheck) {
	for _, f := range failures {
		r.Checks = append(r.Checks, f.Check)
	}
	if len(failures) == 0 {
		r.Outcome = OK
		return
	}
	if p.err != nil {
		r.Kind = callwright.KindOf(p.err)
		if e, ok := errors.AsType[*callwright.Error](p.err); ok {
			r.Status = e.Status
		}
	}
	_, modelFailed := errors.AsType[*callwright.Error](p.err)
	switch {
	case ctx.Err() != nil && p.err != nil:
		r.end(Broken, classTimeout, "the time limit of the cell was reached")
	case modelFailed && slices.Contains(kindsRefused, r.Kind):
		r.end(Refused, classRefused+string(r.Kind), p.err.Error())
	case p.meter.filtered && strings.TrimSpace(p.text) == "":
		r.Kind = callwright.KindContentFilter
		r.end(Refused, classRefused+string(r.Kind), "the provider's content filter ended the answer")
	case modelFailed && slices.Contains(kindsBroken, r.Kind):
		r.end(Broken, classError+string(r.Kind), p.err.Error())
	default:
		first := slices.MinFunc(failures, func(a, b failedCheck) int { return weight(a.class) - weight(b.class) })
		r.end(Failed, first.class, first.reason())
	}
	if p.err != nil && !modelFailed {
		r.Kind = "" // the agent stopped, and no error of the model made it
	}
}

// end sets an outcome other than OK, with its class and reason.
func (r *Result) end(o Outcome, class, reason string) {
	r.Outcome, r.Class, r.Reason = o, class, jsonx.Clip(strings.ToValidUTF8(reason, "\ufffd"), maxReason)
}

// maxReason and maxText are the maximum stored lengths in bytes of a reason and of a final text.
const (
	maxReason = 500
	maxText   = 2000
)

// weight returns the rank of a class among the classes of one trial, the lowest first. Errors and stops rank just
// before missing calls, which they often cause.
func weight(class string) int {
	at := slices.Index(weights, class)
	switch {
	case strings.HasPrefix(class, classError), strings.HasPrefix(class, classStop):
		return slices.Index(weights, classMissing)*2 - 1
	case at < 0:
		return len(weights) * 2
	}
	return at * 2
}

// reason returns the failed assertion as a sentence.
func (f failedCheck) reason() string {
	return "expected " + f.Want + ", got " + f.Got
}
