// Package learning stores facts about models that are learned from attempts. A fact is learned only from typed
// evidence, not from a single unusual response and not from evidence that the user's text can cause. Facts expire.
// They change later requests. The rules are:
//
//   - A rejection that names a feature teaches that the model lacks it, after a request without the feature
//     succeeded, unless the request contains the words of the rejection. The fact that a server cannot parse the
//     model's calls is also learned if the client of a stream received part of the response, because no further
//     attempt is then possible.
//   - A native call that needed a change teaches that calls must be repaired. Several consecutive calls without a
//     change teach that they are reliable.
//   - Consecutive responses without a native call, although one was required and the model was able to make it,
//     teach that the server ignores tools, see ignored.go.
//   - A closing marker of reasoning without an opening marker teaches that the prompt opens the reasoning. A later
//     response without both teaches that it does not always do so.
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

// A Learner stores facts from the attempts of one request. It is not safe for concurrent use.
type Learner struct {
	Ctx       context.Context
	CapsStore caps.Store
	Now       func() time.Time
	Req       *callwright.Request

	missed callwright.ModelID // model that made no native call although one was required
	came   bool               // the request got a native call
}

// Teach stores a learned fact. It ignores errors of the store.
func (l *Learner) Teach(id callwright.ModelID, key, value, evidence string) {
	if id == "" {
		return
	}
	_ = l.CapsStore.Learn(l.Ctx, string(id), caps.Fact{
		Key: key, Value: value, Source: caps.Learned, Expires: l.Now().Add(caps.LearnedTTL), Evidence: evidence,
	})
}

// FromAnswer learns from the response to an attempt. It ignores responses that transforms may have changed.
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

// Facts that are counts, or follow from counts. None changes a request in a given mode.
const (
	factCleanCalls   = "clean_calls"
	factReliable     = "tool_call_reliable"
	factIgnoredTools = "ignored_tools"
	factTokens       = "token_measure"
)

// CleanCalls is the number of consecutive native calls without a change after which a model's calls are streamed.
const CleanCalls = 20

// ApplyCount applies a learned count to c. It returns true if f is a count, which does not change requests. It also
// returns true for the learned fact tool_call_reliable, which follows from a count and is not applied.
func ApplyCount(c *caps.Caps, f caps.Fact) bool {
	switch {
	case f.Key == modestat.Fact && (f.Source == caps.Learned || f.Source == caps.Probed):
		c.Counted.ModeSuccess = f.Value // facts are in the order of their storage, so the last one counts
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

// Reliable reports whether native calls of the model can be streamed: the model is known to be reliable or made enough
// consecutive valid calls, and no equally authoritative source says that it needs repairs.
func Reliable(c *caps.Caps) bool {
	helped := c.NeedsHelp == caps.Yes && c.Sources["needs_help"] >= c.Sources[factReliable]
	return !helped && (c.ToolCallReliable == caps.Yes || c.ToolCallReliable != caps.No && c.Counted.CleanCalls >= CleanCalls)
}

// count counts consecutive native calls without a change, up to CleanCalls. A changed call and a call parsed from text
// reset the count.
func (l *Learner) count(g *outbound.Receiver, out *inbound.Outcome) {
	had, now := g.Caps.Counted.CleanCalls, 0
	if out.NativeChanged || out.TextCalls > 0 {
		if had == 0 {
			return
		}
	} else if now = min(had+out.Clean, CleanCalls); out.Clean == 0 || now == had && !l.agesSoon(g.ID, factCleanCalls) {
		return
	}
	l.Teach(g.ID, factCleanCalls, strconv.Itoa(now), "consecutive native calls needed no change")
	switch {
	case now == CleanCalls:
		l.Teach(g.ID, factReliable, "yes", strconv.Itoa(now)+" consecutive native calls needed no change")
	case now == 0 && had == CleanCalls:
		l.Teach(g.ID, factReliable, "no", "a call had to be changed, or came as text")
	}
}

// start learns whether responses begin inside reasoning that the prompt opened. It ignores requests whose text
// contains the closing marker.
func (l *Learner) start(g *outbound.Receiver, out *inbound.Outcome) {
	value := opening.DeriveLesson(out.Thoughts.Primed, &g.Caps)
	known := value == g.Caps.ReasoningStart && g.Caps.Sources[opening.Key] == caps.Learned
	if value == "" || known && !l.agesSoon(g.ID, opening.Key) || opening.IsOff(l.Req) || out.Thoughts.Primed == caps.Yes &&
		opening.Quotes(l.Req) {
		return
	}
	l.Teach(g.ID, opening.Key, value, map[caps.Truth]string{
		caps.Yes: "an answer had the end marker of reasoning without its start marker", caps.No: "an answer began without reasoning",
	}[out.Thoughts.Primed])
}

// agesSoon reports whether a learned fact has not been renewed for an hour.
func (l *Learner) agesSoon(id callwright.ModelID, key string) bool {
	facts, err := l.CapsStore.Facts(l.Ctx, string(id))
	return err == nil && slices.ContainsFunc(facts, func(f caps.Fact) bool {
		return f.Key == key && f.Expires.Before(l.Now().Add(caps.LearnedTTL-time.Hour))
	})
}
