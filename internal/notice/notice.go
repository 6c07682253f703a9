// Package notice notifies hooks in a context of events that delay or redirect a request, as net/http/httptrace does:
// retries, waits, skipped models, fallbacks, and circuit breakers that open or close.
package notice

import (
	"context"
	"time"

	"github.com/callwright/callwright"
)

// An Event is the type of a notice.
type Event string

// Events that are reported.
const (
	Slow          Event = "slow"           // the model has sent nothing for the time Wait
	Retry         Event = "retry"          // the same request is sent again after Wait
	Wait          Event = "wait"           // the request is sent after Wait
	Skip          Event = "skip"           // the model is not requested for the time Wait
	NextTarget    Event = "next target"    // the same request is sent with another key or to another host
	Fallback      Event = "fallback"       // the model Next is requested
	BreakerOpen   Event = "breaker open"   // the model is not requested for the time Wait
	BreakerClosed Event = "breaker closed" // the model is requested again
)

// A Notice describes one event of a request.
type Notice struct {
	Event  Event
	Model  callwright.ModelID
	Next   callwright.ModelID  // fallback model, for Fallback
	Wire   callwright.WireName // API of the model's provider, for Skip
	Kind   callwright.Kind     // kind of the error that caused the event
	Reason string              // cause as text
	Wait   time.Duration
}

type hookKey struct{}

// With returns a context whose notices are sent to hook, after the hooks of ctx. Goroutines that process the request
// call hook, which must not block.
func With(ctx context.Context, hook func(Notice)) context.Context {
	if earlier, ok := ctx.Value(hookKey{}).(func(Notice)); ok {
		later := hook
		hook = func(n Notice) { earlier(n); later(n) }
	}
	return context.WithValue(ctx, hookKey{}, hook)
}

// Send calls the hooks of ctx with a notice.
func Send(ctx context.Context, n Notice) {
	if hook, ok := ctx.Value(hookKey{}).(func(Notice)); ok {
		hook(n)
	}
}
