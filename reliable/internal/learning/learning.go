// Package learning stores facts about models that attempts teach. A fact is learned from typed evidence alone, never
// from one odd answer, and never from evidence that a client's own words can cause. Facts expire, and they change the
// requests that are sent. These are the rules:
//
//   - A refusal that names a feature teaches that the model lacks it, once a request that does without it was answered,
//     unless the request itself holds the words of the refusal. The fact that the server cannot parse the model's calls
//     is also learned where the client of a stream has a part of the answer, since no other answer can follow.
//   - A native call that had to be changed teaches that the calls of the model need repairs. A number of successive
//     calls without a change teaches that they are reliable.
//   - Successive answers without a native call, although one was required and the model could make it, teach that the
//     server ignores tools: see ignored.go.
//   - The end of reasoning without its beginning teaches that the prompt opens the reasoning. A later answer without
//     beginning and end teaches that it does not always.
package learning

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/modestat"
	"github.com/callwright/callwright/internal/remedystat"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/opening"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/transform"
)

// A Learner stores facts that attempts teach. It belongs to one request and is not safe for concurrent use.
type Learner struct {
	Ctx       context.Context
	CapsStore caps.Store
	Now       func() time.Time
	Req       *callwright.Request

	missed callwright.ModelID // the model that was asked natively for a required call, and made none
	came   bool               // a native call came to the request
}

// Teach stores a fact. An error of the store loses the fact and does not fail the answer.
func (l *Learner) Teach(id callwright.ModelID, key, value, evidence string) {
	if id == "" {
		return
	}
	_ = l.CapsStore.Learn(l.Ctx, string(id), caps.Fact{
		Key: key, Value: value, Source: caps.Learned, Expires: l.Now().Add(caps.LearnedTTL), Evidence: evidence,
	})
}

// FromAnswer learns from the answer to an attempt. One that transforms may have changed says nothing of its model.
func (l *Learner) FromAnswer(g *outbound.Receiver, out *inbound.Outcome) {
	if g.Transforms.Has(transform.Responses, transform.ToolCalls) {
		return
	}
	l.trackIgnored(g, out)
	l.start(g, out)
	if g.Mode != caps.Native {
		return
	}
	l.count(g, out)
	if out.NativeChanged && g.Caps.NeedsHelp != caps.Yes {
		l.Teach(g.ID, "needs_help", "yes", "a native call had to be changed")
	}
	if out.TextCalls > 0 && g.Caps.TextCalls != caps.Yes {
		l.Teach(g.ID, "text_calls", "yes", "calls came as text although tools were sent")
	}
}

// Facts that are counted, or follow from a count. None of them changes a request by itself.
const (
	factCleanCalls   = "clean_calls"
	factReliable     = "tool_call_reliable"
	factIgnoredTools = "ignored_tools"
	factTokens       = "token_measure"
)

// CleanCalls is the number of successive native calls without a change after which the calls of a model are streamed.
const CleanCalls = 20

// ApplyCount lays a learned count over c, and reports whether a fact is one or follows from one, as tool_call_reliable
// does: that one is left out, since the count says as much. None of them changes a request of a mode.
func ApplyCount(c *caps.Caps, f caps.Fact) bool {
	switch {
	case f.Key == modestat.Fact && (f.Source == caps.Learned || f.Source == caps.Probed):
		c.Counted.ModeSuccess = f.Value // facts come in the order in which they were found: the latest counts
	case f.Source != caps.Learned:
		return false
	case f.Key == remedystat.Fact:
		c.Counted.RemedySuccess = f.Value
	case f.Key == factCleanCalls:
		c.Counted.CleanCalls, _ = strconv.Atoi(f.Value)
	case f.Key == factIgnoredTools:
		c.Counted.IgnoredTools, _ = strconv.Atoi(f.Value)
	case f.Key == factTokens:
		c.Counted.TokenMeasure = f.Value
	case f.Key != factReliable:
		return false
	}
	return true
}

// Reliable reports whether the native calls of a model need not be held: it is known to be reliable or made enough
// clean ones on end, and no source that counts as much says that it needed help.
func Reliable(c *caps.Caps) bool {
	helped := c.NeedsHelp == caps.Yes && c.Sources["needs_help"] >= c.Sources[factReliable]
	return !helped && (c.ToolCallReliable == caps.Yes || c.ToolCallReliable != caps.No && c.Counted.CleanCalls >= CleanCalls)
}

// count counts the native calls on end that needed no change, up to the number that is asked for. A call that did
// begins anew.
func (l *Learner) count(g *outbound.Receiver, out *inbound.Outcome) {
	had, now := g.Caps.Counted.CleanCalls, 0
	if out.NativeChanged || out.TextCalls > 0 {
		if had == 0 {
			return
		}
	} else if now = min(had+out.Clean, CleanCalls); out.Clean == 0 || now == had && !l.agesSoon(g.ID, factCleanCalls) {
		return
	}
	l.Teach(g.ID, factCleanCalls, strconv.Itoa(now), "native calls on end needed no change")
	switch {
	case now == CleanCalls:
		l.Teach(g.ID, factReliable, "yes", strconv.Itoa(now)+" native calls on end needed no change")
	case now == 0 && had == CleanCalls:
		l.Teach(g.ID, factReliable, "no", "a call had to be changed, or came as text")
	}
}

// start learns whether answers begin in reasoning that the prompt has opened. The client can bring that about by words
// that hold the mark which ends it.
func (l *Learner) start(g *outbound.Receiver, out *inbound.Outcome) {
	value := opening.DeriveLesson(out.Thoughts.Primed, &g.Caps)
	known := value == g.Caps.ReasoningStart && g.Caps.Sources[opening.Key] == caps.Learned
	if value == "" || known && !l.agesSoon(g.ID, opening.Key) || opening.IsOff(l.Req) || out.Thoughts.Primed == caps.Yes &&
		opening.Quotes(l.Req) {
		return
	}
	l.Teach(g.ID, opening.Key, value, map[caps.Truth]string{
		caps.Yes: "an answer had the end of reasoning without its beginning", caps.No: "an answer began without reasoning",
	}[out.Thoughts.Primed])
}

// agesSoon reports whether a learned fact about a model was not renewed for an hour.
func (l *Learner) agesSoon(id callwright.ModelID, key string) bool {
	facts, err := l.CapsStore.Facts(l.Ctx, string(id))
	return err == nil && slices.ContainsFunc(facts, func(f caps.Fact) bool {
		return f.Key == key && f.Expires.Before(l.Now().Add(caps.LearnedTTL-time.Hour))
	})
}
