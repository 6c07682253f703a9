package provider

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/notice"
	"github.com/callwright/callwright/internal/provider/internal/balance"
)

// A rule maps an error to the part of a target (API key, host or model) that caused it.
type rule struct {
	about balance.FailedPart
	kind  callwright.Kind              // "" for any kind
	holds func(*callwright.Error) bool // a further condition; nil for none
}

// rules decide which errors begin a cooldown, and of which part. The first matching rule applies. An error without a
// matching rule is about the request alone. Package balance has the default durations of cooldowns.
var rules = []rule{
	{balance.Unknown, callwright.KindCanceled, nil},
	{balance.Unknown, "", isUnasked},
	{balance.Nothing, "", isOfCall},
	{balance.KeyModel, callwright.KindRateLimited, nil},
	{balance.Key, callwright.KindBilling, nil},
	{balance.Key, callwright.KindAuth, nil},
	{balance.KeyModel, callwright.KindPermission, nil},
	{balance.WholeModel, callwright.KindNotFound, nil},
	{balance.Nothing, "", func(err *callwright.Error) bool { return !err.Kind.Transient() }},
	{balance.HostsLink, callwright.KindUnavailable, func(err *callwright.Error) bool { return err.Status == 0 }},
	{balance.HostsLink, "", func(err *callwright.Error) bool { return err.Status == 0 && isSilence(err, connecting) }},
	{balance.HostModel, "", func(err *callwright.Error) bool { return err.Status >= 500 && err.RetryAfter > 0 }},
	{balance.Host, "", func(err *callwright.Error) bool { return err.Status == 0 || err.Status >= 500 }},
}

// isUnasked reports whether the request was not sent to the provider, or the client's deadline passed before the
// provider answered.
func isUnasked(err *callwright.Error) bool {
	return err.Op == opAuthorize || isOpen(err) || err.Err != nil && errors.Is(err.Err, errDeadline)
}

// isOfCall reports whether the provider generated a tool call that it could not parse.
func isOfCall(err *callwright.Error) bool {
	return err.Recovered != "" || err.Kind == callwright.KindRefusedCall
}

// resultOf returns the result of a failed request for its target, by the table rules. It is zero if no rule matches.
func resultOf(err *callwright.Error) balance.Result {
	for i := range rules {
		if r := &rules[i]; (r.kind == "" || r.kind == err.Kind) && (r.holds == nil || r.holds(err)) {
			return balance.Result{FailedPart: r.about, Kind: err.Kind, Wait: err.RetryAfter}
		}
	}
	return balance.Result{}
}

// IsLimited reports whether a limit that the provider stated, such as by Retry-After, excludes the model at present.
func (r *Remote) IsLimited() bool { return r.p.targets.set.Limit(r.limits) > 0 }

// admit returns an error if the request must not be sent because its model is in a cooldown. Without a fallback, a
// model is skipped only for a limit that the provider stated. admit waits for the end of a short limit.
func (t *tries) admit(ctx context.Context) *callwright.Error {
	for {
		s, skipped := t.skip()
		if !skipped {
			return nil
		}
		if t.hasFallback || t.r.p.retries == 0 || !t.r.p.retriesOn(s.Kind) || t.r.p.cfg.Skipped != nil ||
			!t.mayWait(s.Left, true) || endsBefore(ctx, s.Left) {
			return t.skipError(ctx, s)
		}
		notice.Send(ctx, notice.Notice{Event: notice.Wait, Model: t.r.id, Kind: s.Kind, Reason: skipReason(s.Kind), Wait: s.Left})
		if err := t.pause(ctx, s.Left); err != nil {
			return t.end(err)
		}
		t.waited, t.asked = t.waited+s.Left, t.asked+s.Left
	}
}

// skip selects the first target of the request. If the model is in a cooldown instead, it returns the cooldown and
// true.
func (t *tries) skip() (s balance.Skip, skipped bool) {
	if of := t.r.p.cfg.Skipped; of != nil {
		if s.Kind, s.Left = of(t.r.name); s.Left > 0 {
			return s, true
		}
	}
	return t.next()
}

// skipError returns the error of a request that is not sent, and sends a notice of the skip.
func (t *tries) skipError(ctx context.Context, s balance.Skip) *callwright.Error {
	notice.Send(ctx, notice.Notice{Event: notice.Skip, Model: t.r.id, Wire: t.r.p.Wire(), Kind: s.Kind,
		Reason: skipReason(s.Kind), Wait: s.Left})
	err := &callwright.Error{Kind: s.Kind, Model: t.r.id, Message: SkipMessage(s.Kind, s.Left)}
	if s.Kind.Transient() {
		err.RetryAfter = s.Left
	}
	return t.withReport(err)
}

// SkipMessage returns the error message for a skipped model, such as "skipped: limited, 20 s left".
func SkipMessage(k callwright.Kind, left time.Duration) string {
	return fmt.Sprintf("skipped: %s, %d s left", skipReason(k), seconds(left))
}

// skipReasons describe the reasons of skips, by the kind of error.
var skipReasons = map[callwright.Kind]string{
	callwright.KindRateLimited: "limited", callwright.KindAuth: "refused the key", callwright.KindPermission: "permission denied",
	callwright.KindNotFound: "no such model", callwright.KindBilling: "no credit left",
}

func skipReason(k callwright.Kind) string { return cmp.Or(skipReasons[k], string(k)) }

// seconds returns a duration in seconds, rounded up.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// endsBefore reports whether the deadline of ctx is not later than the end of a wait.
func endsBefore(ctx context.Context, wait time.Duration) bool {
	at, ok := ctx.Deadline()
	return ok && time.Until(at) <= wait
}

// pause waits for the given time. It returns an error if ctx ends before.
func (t *tries) pause(ctx context.Context, wait time.Duration) *callwright.Error {
	t.progress.Pause()
	defer t.progress.Resend()
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return contextError(ctx)
	}
}
