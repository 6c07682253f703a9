package provider

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/notice"
	"github.com/callwright/callwright/internal/provider/internal/balance"
	"github.com/callwright/callwright/internal/provider/internal/cooldown"
)

// refusalCooldown is how long a model is skipped that refused the key, the account or its own name, where a fallback is there.
const refusalCooldown = time.Minute

// Cooldowns has the models that are skipped. Providers that share it skip a model together.
type Cooldowns = cooldown.Table

// cooldownOf returns how long a model is skipped after an error, 0 for an error that says nothing about the next request.
func cooldownOf(err *callwright.Error) time.Duration {
	switch err.Kind {
	case callwright.KindAuth, callwright.KindPermission, callwright.KindNotFound, callwright.KindBilling:
		return refusalCooldown
	}
	if err.Kind.Transient() && !isOpen(err) {
		return err.RetryAfter
	}
	return 0
}

// cool changes the cooldown of the model after a try that failed.
func (t *tries) cool(err *callwright.Error) {
	length := cooldownOf(err)
	if t.route != nil && resultOf(err).About > balance.Unknown { // its key or host cools down
		length = 0
	}
	switch c := t.r.cooldown; {
	case t.r.p.cfg.Skipped != nil:
	case length > 0:
		c.Start(err.Kind, length)
	case t.tries && err.Status != 0:
		c.Succeed()
	case t.tries:
		c.Release()
	}
	t.tries = false
}

// Limited reports whether the provider said that the model is not to be asked now.
func (r *Remote) Limited() bool {
	_, limited := r.cooldown.Limit()
	return limited || r.limits != nil && r.p.targets.set.Limit(r.limits) > 0
}

// admit returns the error of a request that is not sent because its model is skipped. Without a fallback a model is skipped only while it is
// limited, and a limit that is over soon is waited for.
func (t *tries) admit(ctx context.Context) *callwright.Error {
	for {
		s, skipped := t.skip()
		if !skipped {
			return nil
		}
		if t.hasFallback || t.r.p.retries == 0 || !t.r.p.retriesOn(s.Kind) || t.r.p.cfg.Skipped != nil || !t.mayWait(s.Left, true) || endsBefore(ctx, s.Left) {
			return t.skipped(ctx, s)
		}
		notice.Send(ctx, notice.Notice{Event: notice.Wait, Model: t.r.id, Kind: s.Kind, Reason: skipReason(s.Kind), Wait: s.Left})
		if err := pause(ctx, s.Left); err != nil {
			return t.end(err)
		}
		t.waited, t.asked = t.waited+s.Left, t.asked+s.Left
	}
}

// skip reports whether the model is skipped.
func (t *tries) skip() (s cooldown.Skip, skipped bool) {
	switch {
	case t.r.p.cfg.Skipped != nil:
		s.Kind, s.Left = t.r.p.cfg.Skipped(t.r.name)
		return s, s.Left > 0
	case !t.hasFallback:
		s, skipped = t.r.cooldown.Limit()
	default:
		s, skipped, t.tries = t.r.cooldown.Enter()
	}
	if skipped {
		return s, true
	}
	if s, skipped = t.next(); skipped && t.tries {
		t.r.cooldown.Release()
		t.tries = false
	}
	return s, skipped
}

// skipped returns the error of a request that is not sent.
func (t *tries) skipped(ctx context.Context, s cooldown.Skip) *callwright.Error {
	notice.Send(ctx, notice.Notice{Event: notice.Skip, Model: t.r.id, Wire: t.r.p.Wire(), Kind: s.Kind, Reason: skipReason(s.Kind), Wait: s.Left})
	err := &callwright.Error{Kind: s.Kind, Model: t.r.id, Message: SkipMessage(s.Kind, s.Left)}
	if s.Kind.Transient() {
		err.RetryAfter = s.Left
	}
	return t.withReport(err)
}

// SkipMessage says that a model is skipped, for which kind of failure and for how long.
func SkipMessage(k callwright.Kind, left time.Duration) string {
	return fmt.Sprintf("skipped: %s, %d s left", skipReason(k), seconds(left))
}

// skipReasons say in words why a model is skipped, by the kind of the failure.
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
func pause(ctx context.Context, wait time.Duration) *callwright.Error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return stopped(ctx)
	}
}
