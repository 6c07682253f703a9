package callwright

import (
	"errors"
	"time"
)

// attempt sends one request and takes its answer in, up to the End.
func (r *run) attempt(g rung, req *Request, why string) (*answer, error) {
	l := r.o.ledger()
	sh, err := shape(r.ctx, req, r.s, g, r.o, l)
	if err != nil {
		return nil, err
	}
	r.touched = r.touched || sh.changed
	a := r.newAnswer(g, sh, l)
	began := r.o.now()
	err = r.source(g.model, sh.req, a)
	if err == nil && a.err != nil {
		err = a.err
	}
	if e := asRecovered(err, a); e != nil && a.sent == 0 && (a.cur == nil || !a.cur.flowed) {
		err = r.recover(a, e)
	}
	if err == nil && a.end == nil && !a.q.stopped {
		err = errorf("answer", KindTruncated, "", "the answer has no end")
	}
	if err == nil {
		a.settle()
		if a.err != nil {
			err = a.err
		}
	}
	r.record(g, a, why, r.o.now().Sub(began), err)
	return a, err
}

func (r *run) record(g rung, a *answer, why string, took time.Duration, err error) {
	at := Attempt{Model: g.id, Mode: g.mode, Dialect: g.dialect, Why: why, Duration: took, Tries: a.tries, Usage: a.usage}
	if err != nil {
		at.Error, at.Kind = asError(err).Error(), KindOf(err)
		r.visible = r.visible || (r.yield != nil && a.q.visible)
		r.learn(g, a)
	}
	r.report.Attempts = append(r.report.Attempts, at)
	r.report.Notes = append(r.report.Notes, a.l.notes...)
	a.noted = len(a.l.notes)
	r.report.Invalid = append(r.report.Invalid, a.invalid...)
}

// asRecovered is the error when it carries text of the model, or refuses a call after the text was streamed.
func asRecovered(err error, a *answer) *Error {
	if e, ok := errors.AsType[*Error](err); ok && (e.Recovered != "" || e.Kind == KindRefusedCall && a.began) {
		return e
	}
	return nil
}

// recover reads the text inside a refusal like an answer: its calls are judged, and without any it is what the model said.
// A native call that had begun and was not handed on is forgotten.
func (r *run) recover(a *answer, e *Error) error {
	if r.o.policy == Off || r.o.policy == Observe || !a.l.may("recovered.text") {
		return e
	}
	a.l.add(Note{Rule: "recovered.text", Stage: StageNormalise, Was: e.Recovered, Why: e.Message})
	a.q.open = nil // the frame that the refusal broke off
	if a.cur != nil {
		for _, at := range a.cur.slots {
			a.q.settle(at, dropped)
		}
	}
	if !a.began {
		_, name := a.model.Split()
		a.feed(Begin{Model: name})
	}
	a.noFrames, a.cur = true, nil
	if e.Recovered == "" { // it was streamed before
		a.feed(End{Finish: FinishMalformedCall})
		return nil
	}
	a.mute = a.mute || a.q.spoke // what was said before is said again here
	a.feed(TextDelta{Text: e.Recovered})
	a.feed(End{Finish: FinishStop})
	return nil
}
