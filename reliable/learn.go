package reliable

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/inbound"
)

// A learner keeps what attempts teach about models, from typed evidence alone.
type learner struct {
	ctx context.Context
	o   *options
}

func (r *run) learner() learner { return learner{r.ctx, r.o} }

// teach puts a fact on the shelf. A shelf that fails costs knowledge, not the answer.
func (l learner) teach(id callwright.ModelID, key, value, evidence string) {
	if id == "" {
		return
	}
	_ = l.o.shelf.Learn(l.ctx, string(id), caps.Fact{
		Key: key, Value: value, Source: caps.Learned, Expires: l.o.now().Add(caps.LearnedTTL), Evidence: evidence,
	})
}

// fromAnswer learns from the answer to a native attempt.
func (l learner) fromAnswer(g rung, out *inbound.Outcome) {
	if g.Mode != caps.Native || l.o.policy == callwright.PolicyOff {
		return
	}
	l.count(g, out)
	if out.NativeChanged && g.Caps.NeedsHelp != caps.Yes {
		l.teach(g.ID, "needs_help", "yes", "a native call had to be changed")
	}
	if out.TextCalls > 0 && g.Caps.TextCalls != caps.Yes {
		l.teach(g.ID, "text_calls", "yes", "calls came as text although tools were sent")
	}
}

// factCleanCalls is the key of the fact that counts the calls by which a model earns that its calls flow.
const factCleanCalls = "clean_calls"

// count counts the native calls on end that needed no change, up to the number that is asked for. A call that did begins anew.
func (l learner) count(g rung, out *inbound.Outcome) {
	had, now := g.Caps.CleanCalls, 0
	if out.NativeChanged || out.TextCalls > 0 {
		if had == 0 {
			return
		}
	} else if now = min(had+out.Clean, cleanCalls); out.Clean == 0 || now == had && !l.agesSoon(g.ID) {
		return
	}
	l.teach(g.ID, factCleanCalls, strconv.Itoa(now), "native calls on end needed no change")
}

// agesSoon reports whether the count of a model was not renewed for an hour.
func (l learner) agesSoon(id callwright.ModelID) bool {
	facts, err := l.o.shelf.Facts(l.ctx, string(id))
	return err == nil && slices.ContainsFunc(facts, func(f caps.Fact) bool {
		return f.Key == factCleanCalls && f.Expires.Before(l.o.now().Add(caps.LearnedTTL-time.Hour))
	})
}

// A lesson is what a refusal taught.
type lesson struct {
	feature  callwright.Feature // that the next request does without
	endsMode bool               // the rung cannot do without it
	note     callwright.Note
}

// fromRefusal learns from a refusal that names a feature: the fact is kept, and added to what is known on the rung. ok is false
// where it teaches nothing new.
func (l learner) fromRefusal(g *rung, e *callwright.Error) (taught lesson, ok bool) {
	if e.Kind != callwright.KindUnsupported || e.Feature == "" || l.o.changesNothing() {
		return lesson{}, false
	}
	fact, ok := e.Feature.Fact(g.Caps)
	if !ok {
		return lesson{}, false
	}
	with, err := g.Caps.With(fact)
	if err != nil {
		return lesson{}, false
	}
	l.teach(g.ID, fact.Key, fact.Value, "the provider refused "+string(e.Feature))
	g.Caps, g.CapsExtended = with, true
	return lesson{feature: e.Feature, endsMode: endsMode(fact.Key, g.Mode),
		note: callwright.Note{Rule: "plan.learned", Stage: callwright.StagePlan, Now: fact.Key + "=" + fact.Value, Why: e.Message}}, true
}

// endsMode reports whether a model cannot be asked in a mode where the fact of the key was learned.
func endsMode(key string, mode caps.Mode) bool {
	switch mode {
	case caps.Native:
		return key == "tools" || key == "max_tools"
	case caps.JSONSchema:
		return key == "json_schema"
	case caps.JSONObject:
		return key == "json_object"
	}
	return false
}
