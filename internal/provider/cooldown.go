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

// A rule assigns a failure to the part of a target that it is about.
type rule struct {
	about balance.About
	kind  callwright.Kind              // "" for any
	holds func(*callwright.Error) bool // nil for always
}

// rules decide which failures begin cooldowns, for providers with one target and with several. The first matching rule
// decides. A failure without a matching rule is about the request alone. Package balance has the default times of
// cooldowns.
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

// isUnasked reports whether the provider was not asked, or for too short a time.
func isUnasked(err *callwright.Error) bool {
	return err.Op == opAuthorize || isOpen(err) || err.Err != nil && errors.Is(err.Err, errDeadline)
}

// isOfCall reports whether a failure is that of a call which the provider could not parse.
func isOfCall(err *callwright.Error) bool {
	return err.Recovered != "" || err.Kind == callwright.KindRefusedCall
}

// resultOf returns the result of a failed request for its target, by the rules.
func resultOf(err *callwright.Error) balance.Result {
	for i := range rules {
		if r := &rules[i]; (r.kind == "" || r.kind == err.Kind) && (r.holds == nil || r.holds(err)) {
			return balance.Result{About: r.about, Kind: err.Kind, Wait: err.RetryAfter}
		}
	}
	return balance.Result{}
}

// IsLimited reports whether the provider stated a limit that excludes the model now.
func (r *Remote) IsLimited() bool { return r.p.targets.set.Limit(r.limits) > 0 }

// admit returns the error of a request that is not sent because its model is skipped. Without a fallback a model is
// skipped only while it is limited, and a limit that is over soon is waited for.
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

// skip chooses the first target, and reports whether the model is skipped instead.
func (t *tries) skip() (s balance.Skip, skipped bool) {
	if of := t.r.p.cfg.Skipped; of != nil {
		if s.Kind, s.Left = of(t.r.name); s.Left > 0 {
			return s, true
		}
	}
	return t.next()
}

// skipError returns the error of a request that is not sent.
func (t *tries) skipError(ctx context.Context, s balance.Skip) *callwright.Error {
	notice.Send(ctx, notice.Notice{Event: notice.Skip, Model: t.r.id, Wire: t.r.p.Wire(), Kind: s.Kind,
		Reason: skipReason(s.Kind), Wait: s.Left})
	err := &callwright.Error{Kind: s.Kind, Model: t.r.id, Message: SkipMessage(s.Kind, s.Left)}
	if s.Kind.Transient() {
		err.RetryAfter = s.Left
	}
	return t.withReport(err)
}

// SkipMessage returns the text that a model is skipped, with the kind of failure and the time.
func SkipMessage(k callwright.Kind, left time.Duration) string {
	return fmt.Sprintf("skipped: %s, %d s left", skipReason(k), seconds(left))
}

// skipReasons are the reasons for skips in words, by the kind of the failure.
var skipReasons = map[callwright.Kind]string{
	callwright.KindRateLimited: "limited", callwright.KindAuth: "refused the key", callwright.KindPermission: "permission denied",
	callwright.KindNotFound: "no such model", callwright.KindBilling: "no credit left",
}

func skipReason(k callwright.Kind) string { return cmp.Or(skipReasons[k], string(k)) }

// seconds returns a duration in whole seconds, rounded up.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }

// endsBefore reports whether the request ends by itself before a wait does.
func endsBefore(ctx context.Context, wait time.Duration) bool {
	at, ok := ctx.Deadline()
	return ok && time.Until(at) <= wait
}

// pause waits. It returns an error where the request ends first.
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
