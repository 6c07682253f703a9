package reliable

import (
	"errors"
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"time"
)

// attempt sends one request and takes its answer in, up to the End.
func (r *run) attempt(g rung, req *callwright.Request, why string) (*inbound.Answer, error) {
	l := r.o.ledger()
	sh, err := r.shaper(g, l).Shape(req, g.Receiver)
	if err != nil {
		return nil, err
	}
	r.touched = r.touched || sh.Changed
	a := inbound.New(r.setup(g, sh, l))
	began := r.o.now()
	err = r.ask(g.model, sh.Request, a)
	if err == nil && a.Err != nil {
		err = a.Err
	}
	if e := asRecovered(err, a); e != nil && a.Uncalled() {
		err = r.recover(a, e)
	}
	if err == nil && a.End == nil && !a.Stopped() {
		err = callwright.Errorf("answer", callwright.KindTruncated, "", "the answer has no end")
	}
	if err == nil {
		a.Settle()
		if a.Err != nil {
			err = a.Err
		}
	}
	r.record(g, a, why, r.o.now().Sub(began), err)
	return a, err
}

func (r *run) record(g rung, a *inbound.Answer, why string, took time.Duration, err error) {
	at := callwright.Attempt{Model: g.ID, Mode: g.Mode, Dialect: g.Dialect, Why: why, Duration: took, Tries: a.Tries, Usage: a.Usage}
	if err != nil {
		at.Error, at.Kind = asError(err).Error(), callwright.KindOf(err)
		r.visible = r.visible || (r.yield != nil && a.Shown())
		r.learn(g, a)
	}
	r.report.Attempts = append(r.report.Attempts, at)
	r.report.Notes = append(r.report.Notes, a.Ledger.Notes...)
	a.Noted = len(a.Ledger.Notes)
	r.report.Invalid = append(r.report.Invalid, a.Invalid...)
}

// asRecovered is the error when it carries text of the model, or refuses a call after the text was streamed.
func asRecovered(err error, a *inbound.Answer) *callwright.Error {
	if e, ok := errors.AsType[*callwright.Error](err); ok && (e.Recovered != "" || e.Kind == callwright.KindRefusedCall && a.Began) {
		return e
	}
	return nil
}

// recover takes the text inside a refusal for the answer, where the policy allows it.
func (r *run) recover(a *inbound.Answer, e *callwright.Error) error {
	if r.o.policy == callwright.PolicyOff || r.o.policy == callwright.PolicyObserve || !a.Ledger.May("recovered.text") {
		return e
	}
	a.Recover(e)
	return nil
}
