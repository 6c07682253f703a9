package provider

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/notice"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire/credential"
)

// maxPause is the maximum total duration of the pauses of one request, without pauses that the provider demands.
const maxPause = 60 * time.Second

// The default pause before the first retry, and the maximum of the doubled pauses.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 8 * time.Second
)

// retriesOn reports whether a request is retried after an error of this kind.
func (p *Provider) retriesOn(k callwright.Kind) bool {
	return k.Transient() && (p.cfg.RetryOn == nil || slices.Contains(p.cfg.RetryOn, k))
}

// tries counts the tries of one request and decides about the next one.
type tries struct {
	r           *Remote
	hasFallback bool // whether another model is tried if this one fails
	began       time.Time
	n           int           // number of tries
	waited      time.Duration // total duration of pauses
	asked       time.Duration // the part of waited that the provider demanded
	delays      *backoff.ExponentialBackOff
	notes       []callwright.Note
	sent        []byte // the request body
	begun       bool   // whether the last try received a response header with a 2xx status
	route       route
	moves       int                // number of tries that changed the target
	progress    *progress.Progress // progress of the request; nil if not needed
}

// newTries returns the state for the tries of a request.
func (r *Remote) newTries(req *callwright.Request) *tries {
	return &tries{r: r, hasFallback: companion.Of(req).HasFallback, progress: companion.ProgressOf(req), began: time.Now()}
}

// again prepares the next try: it selects another target, or waits and adds a note. It returns the error to return to
// the caller if there is no next try: err, or an error for a cancelled request.
func (t *tries) again(ctx context.Context, err *callwright.Error, force bool) *callwright.Error {
	moved, err := t.move(ctx, err)
	if moved {
		return nil
	}
	delay, ok := t.delay(ctx, err, force)
	if !ok {
		return t.end(err)
	}
	notice.Send(ctx, notice.Notice{Event: notice.Retry, Model: t.r.id, Kind: err.Kind, Reason: outcome(err), Wait: delay})
	if stop := t.pause(ctx, delay); stop != nil {
		return t.end(stop)
	}
	if _, none := t.nextAfterPause(); none {
		return t.end(err)
	}
	t.waited += delay
	if err.RetryAfter > 0 {
		t.asked += delay
	}
	t.notes = append(t.notes, callwright.Note{
		Rule: "transport.retry", Stage: callwright.StageTransport, Was: callwright.Excerpt(outcome(err)),
		Why: fmt.Sprintf("try %d failed and was repeated after %s", t.n, delay.Round(time.Millisecond)),
	})
	return nil
}

// noteRenewal adds a note if the last try was repeated with renewed credentials.
func (t *tries) noteRenewal(body *encoded) {
	if !body.renewed {
		return
	}
	body.renewed = false
	t.notes = append(t.notes, callwright.Note{Rule: "transport.renewed_credentials", Stage: callwright.StageTransport,
		Why: "the provider rejected the credentials, and the request was repeated with new ones"}.Classify())
}

// delay returns the pause before the next try, and whether there is a next try.
func (t *tries) delay(ctx context.Context, err *callwright.Error, force bool) (time.Duration, bool) {
	switch {
	case t.n-t.moves > t.r.p.retries, err.NoRetry, err.Recovered != "", err.Kind == callwright.KindRefusedCall, isOpen(err):
		return 0, false
	case !force && !t.r.p.retriesOn(err.Kind):
		return 0, false
	// no time is left for the other model
	case t.hasFallback && err.Kind == callwright.KindTimeout && err.Status == 0 && t.r.p.cfg.RetryOn == nil:
		return 0, false
	}
	if t.delays == nil {
		first := cmp.Or(t.r.p.cfg.RetryPause, firstPause)
		t.delays = &backoff.ExponentialBackOff{
			InitialInterval: first, RandomizationFactor: 0.25, Multiplier: 2, MaxInterval: max(longestPause, first),
		}
	}
	delay := t.delays.NextBackOff()
	if err.RetryAfter > 0 {
		delay = err.RetryAfter
	}
	return delay, t.mayWait(delay, err.RetryAfter > 0) && !endsBefore(ctx, delay) && !t.isAwayFor(delay)
}

// mayWait reports whether a further pause is within the limits. asked reports whether the provider demands it. With a
// fallback, all pauses together are limited by MaxRetryWait.
func (t *tries) mayWait(delay time.Duration, asked bool) bool {
	limit := t.r.p.maxRetryWait(t.hasFallback)
	switch {
	case t.hasFallback:
		return t.waited+delay <= limit
	case asked:
		return t.asked+delay <= limit
	}
	return t.waited+delay <= maxPause
}

// maxRetryWait returns the maximum total wait that a provider may demand, with or without a fallback.
func (p *Provider) maxRetryWait(hasFallback bool) time.Duration {
	switch {
	case p.maxWait > 0:
		return p.maxWait
	case hasFallback:
		return waitBeforeFallback
	}
	return waitWithoutFallback
}

// end returns the error for the caller. Its Report contains the attempt and the notes of all tries.
func (t *tries) end(err *callwright.Error) *callwright.Error {
	t.route.End(resultOf(err))
	if err.Kind == callwright.KindTimeout && err.Status == 0 {
		of := max(t.r.p.retries+1, t.n)
		if t.hasFallback { // a timeout is not retried with a fallback
			of = max(t.n, 1)
		}
		err.Message = fmt.Sprintf("provider %s did not answer in time, try %d of %d", t.r.p.cfg.Name, max(t.n, 1), of)
	}
	err = credential.Secrets(t.sent).Error(t.r.sealFor(err, t.route.key()))
	switch {
	case t.begun && breaksOff[err.Kind] && err.Err != errDeadline:
		t.notes = append(t.notes, callwright.Note{Rule: "transport.broken", Stage: callwright.StageTransport,
			Why: callwright.Excerpt(err.Error())})
	case err.Kind == callwright.KindRefusedCall && err.Recovered == "" && err.Feature == "":
		t.notes = append(t.notes, callwright.Note{Rule: "transport.refused_call", Stage: callwright.StageTransport,
			Why: callwright.Excerpt(err.Message)})
	}
	return t.withReport(err)
}

// withReport adds the Report to err.
func (t *tries) withReport(err *callwright.Error) *callwright.Error {
	at := t.attempt()
	at.Error, at.Kind = err.Error(), err.Kind
	err.Report = &callwright.Report{Model: t.r.id, Attempts: []callwright.Attempt{at}, Notes: t.notes}
	return err
}

// breaksOff are the kinds of errors of a provider or a connection that fails during a response.
var breaksOff = map[callwright.Kind]bool{callwright.KindTruncated: true, callwright.KindTimeout: true,
	callwright.KindBadAnswer: true, callwright.KindServer: true,
	callwright.KindOverloaded: true, callwright.KindUnavailable: true, callwright.KindRateLimited: true}

// report returns the Report of a complete response.
func (t *tries) report(u callwright.Usage) *callwright.Report {
	at := t.attempt()
	at.Usage = u
	return &callwright.Report{Model: t.r.id, Attempts: []callwright.Attempt{at}, Notes: t.notes}
}

func (t *tries) attempt() callwright.Attempt {
	at := callwright.Attempt{Model: t.r.id, Tries: t.n, Duration: time.Since(t.began)}
	at.Key, at.Host = t.route.names()
	return at
}

// outcome returns the result of a failed try in a few words, such as "503 overloaded".
func outcome(err *callwright.Error) string {
	if err.Status != 0 {
		return fmt.Sprintf("%d %s", err.Status, err.Kind)
	}
	return string(err.Kind)
}

// contextError returns the error of a request whose context is cancelled or expired.
func contextError(ctx context.Context) *callwright.Error {
	if ctx.Err() == context.DeadlineExceeded {
		return &callwright.Error{Op: opSend, Kind: callwright.KindTimeout, Err: errDeadline, NoRetry: true}
	}
	return &callwright.Error{Op: opSend, Kind: callwright.KindCanceled, Err: ctx.Err()}
}
