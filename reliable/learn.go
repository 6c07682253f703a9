package reliable

import (
	"context"

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
	if out.NativeChanged && g.Caps.NeedsHelp != caps.Yes {
		l.teach(g.ID, "needs_help", "yes", "a native call had to be changed")
	}
	if out.TextCalls > 0 && g.Caps.TextCalls != caps.Yes {
		l.teach(g.ID, "text_calls", "yes", "calls came as text although tools were sent")
	}
}

// adapt learns from a refusal that names a feature: the fact is kept, and laid over the rung. It returns the name of the feature
// that the next request does without; ok is false where the rung cannot do without it.
func (r *run) adapt(g *rung, e *callwright.Error) (feature string, ok bool) {
	if e.Kind != callwright.KindUnsupported || e.Feature == "" || r.o.changesNothing() {
		return "", false
	}
	fact, ok := e.Feature.Fact(g.Caps)
	if !ok {
		return "", false
	}
	with, err := g.Caps.With(fact)
	if err != nil {
		return "", false
	}
	r.learner().teach(g.ID, fact.Key, fact.Value, "the provider refused "+string(e.Feature))
	g.Caps, g.CapsExtended = with, true
	r.note(callwright.Note{Rule: "plan.learned", Stage: callwright.StagePlan, Now: fact.Key + "=" + fact.Value, Why: e.Message})
	return string(e.Feature), !endsMode(fact.Key, g.Mode)
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
