// Package notice hands on events that delay or divert a request at the moment they begin, as net/http/httptrace does:
// retries, waits, skipped models, fallbacks and circuit breakers that open or close.
package notice

import (
	"context"
	"time"

	"github.com/callwright/callwright"
)

// An Event is a kind of notice.
type Event string

// The events.
const (
	Slow          Event = "slow"           // nothing came from the model for Wait
	Retry         Event = "retry"          // the same request is sent again after Wait
	Wait          Event = "wait"           // the request is sent after Wait
	Skip          Event = "skip"           // the model is not asked, for Wait
	NextTarget    Event = "next target"    // the same request is sent with another key or to another host
	Fallback      Event = "fallback"       // Next is asked
	BreakerOpen   Event = "breaker open"   // the model is not asked, for Wait
	BreakerClosed Event = "breaker closed" // the model is asked again
)

// A Notice is one event of a request.
type Notice struct {
	Event  Event
	Model  callwright.ModelID
	Next   callwright.ModelID  // of Fallback
	Wire   callwright.WireName // of Skip: the API that the model's provider speaks
	Kind   callwright.Kind     // of the failure that is the reason
	Reason string              // in words
	Wait   time.Duration
}

type hookKey struct{}

// With returns a context whose notices hook gets, after the hooks that ctx has. A hook is called by the goroutines that
// serve the request, and must not block.
func With(ctx context.Context, hook func(Notice)) context.Context {
	if earlier, ok := ctx.Value(hookKey{}).(func(Notice)); ok {
		later := hook
		hook = func(n Notice) { earlier(n); later(n) }
	}
	return context.WithValue(ctx, hookKey{}, hook)
}

// Send gives a notice to the hooks of ctx.
func Send(ctx context.Context, n Notice) {
	if hook, ok := ctx.Value(hookKey{}).(func(Notice)); ok {
		hook(n)
	}
}
