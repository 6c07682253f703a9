package reliable

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/translate"
	"github.com/callwright/callwright/transform"
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

// fromAnswer learns from the answer to a native attempt. One that transforms may have changed says nothing of its model.
func (l learner) fromAnswer(g rung, out *inbound.Outcome) {
	if g.Mode != caps.Native || l.o.policy == callwright.PolicyOff || g.Transforms.Has(transform.Responses, transform.ToolCalls) {
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

// A lesson is what a refusal says about a model. It becomes knowledge when a request that goes by it was answered.
type lesson struct {
	id       callwright.ModelID
	feature  callwright.Feature // the next request does without it
	fact     caps.Fact
	quoted   bool // the request itself holds the words of the refusal: they prove nothing
	endsMode bool // the mode cannot do without it
}

// fromRefusal reads the lesson of a refusal that names a feature. ok is false where it says nothing new.
func (l learner) fromRefusal(g *rung, e *callwright.Error, req *callwright.Request) (taught lesson, ok bool) {
	if e.Kind != callwright.KindUnsupported && e.Kind != callwright.KindSchema || e.Feature == "" || l.o.changesNothing() {
		return lesson{}, false
	}
	feature := e.Feature
	if feature == callwright.FeatureResponseFormat && !translate.SendsSchema(g.Mode, req) {
		feature = callwright.FeatureJSONMode
	}
	fact, ok := feature.Fact(g.Caps)
	if !ok {
		return lesson{}, false
	}
	if _, err := g.Caps.With(fact); err != nil {
		return lesson{}, false
	}
	return lesson{id: g.ID, feature: feature, fact: fact, endsMode: g.Mode.Needs(fact.Key), quoted: e.Quotes(req)}, true
}

// heed lays the lessons about its model over what is known on a rung.
func (g *rung) heed(lessons []lesson) {
	for _, ls := range lessons {
		if ls.id != g.ID {
			continue
		}
		if with, err := g.Caps.With(ls.fact); err == nil {
			g.Caps, g.CapsExtended = with, true
		}
	}
}

// proven keeps the lessons about a model that has answered a request which went by them.
func (r *run) proven(id callwright.ModelID) {
	left := r.lessons[:0]
	for _, ls := range r.lessons {
		switch {
		case ls.id != id:
			left = append(left, ls)
		case !ls.quoted:
			r.learner().teach(id, ls.fact.Key, ls.fact.Value, "the provider refused "+string(ls.feature))
		}
	}
	r.lessons = left
}
