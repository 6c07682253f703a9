package directive

import (
	"context"
	"errors"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A Rung is how a model is asked for the document.
type Rung string

// The rungs of the ladder, in the order in which they are tried.
const (
	RungSchema Rung = "json_schema" // the provider holds the model to the schema of the document
	RungObject Rung = "json_object" // it holds the model to JSON, and the instructions say which
	RungPrompt Rung = "prompt"      // the instructions alone
)

var ladder = []Rung{RungSchema, RungObject, RungPrompt}

// A climb is the way of one turn down the ladder.
type climb struct {
	c     *Client
	req   *callwright.Request
	id    callwright.ModelID
	caps  caps.Caps
	tools bool // the model may call tools
	left  []Rung

	lessons []caps.Fact // what refusals said, not proven yet
	notes   []callwright.Note
}

// climb begins a way down the ladder.
func (c *Client) climb(ctx context.Context, req *callwright.Request) (*climb, error) {
	if err := c.unfit(req); err != nil {
		return nil, err
	}
	tools, err := req.DeclaredTools()
	if err != nil {
		return nil, err
	}
	w := &climb{c: c, req: req, tools: len(tools) > 0, id: req.Model}
	if n, ok := c.model.(callwright.Identifier); ok && n.ID() != "" {
		w.id = n.ID()
	}
	switch d, ok := c.model.(callwright.Describer); {
	case req.Known != nil:
		w.caps = *req.Known
	case c.o.describer != nil:
		w.caps = c.o.describer.Caps(ctx)
	case ok:
		w.caps = d.Caps(ctx)
	}
	facts, _ := c.o.shelf.Facts(ctx, string(w.id)) // a shelf that fails costs knowledge, not the answer
	w.caps = w.caps.Laid(facts)
	w.left = w.rungs()
	return w, nil
}

// unfit is why nothing can be asked.
func (c *Client) unfit(req *callwright.Request) error {
	wrong := func(format string, args ...any) error {
		return callwright.Errorf("directive", callwright.KindInvalid, "", format, args...)
	}
	switch {
	case c.model == nil:
		return wrong("expected a model, got nil")
	case c.reg == nil:
		return wrong("expected a registry of types, got nil")
	case req == nil:
		return wrong("expected a request, got nil")
	case req.Params.Format != nil:
		return wrong("the request asks for another form of the answer")
	}
	for _, r := range c.o.rungs {
		if !slices.Contains(ladder, r) {
			return wrong("unknown rung %q: expected json_schema, json_object or prompt", callwright.Excerpt(string(r)))
		}
	}
	return nil
}

// rungs are those that can be tried, by what is known.
func (w *climb) rungs() []Rung {
	if len(w.c.o.rungs) > 0 {
		return slices.Clone(w.c.o.rungs)
	}
	var out []Rung
	for _, r := range ladder {
		if w.may(r) {
			out = append(out, r)
		}
	}
	return out
}

// may reports whether nothing is known that speaks against a rung.
func (w *climb) may(r Rung) bool {
	form := (!w.tools || w.caps.JSONWithTools != caps.No) && !w.c.worded[w.row()].Load()
	switch r {
	case RungSchema:
		return form && w.caps.JSONSchema != caps.No && (w.caps.OpenObjects != caps.No || !w.c.reg.open)
	case RungObject:
		return form && w.caps.JSONObject != caps.No
	}
	return true
}

// row is the place in worded of requests with tools and without.
func (w *climb) row() int {
	if w.tools {
		return 1
	}
	return 0
}

// descend takes the next rung after an error of this one, and reports whether there is one.
func (w *climb) descend(ctx context.Context, err error) bool {
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok || len(w.left) < 2 || ctx.Err() != nil {
		return false
	}
	switch e.Kind {
	case callwright.KindUnsupported, callwright.KindSchema, callwright.KindInvalid, callwright.KindRefusedCall:
	default: // it is not about what was asked for
		return false
	}
	was := w.left[0]
	w.left = w.left[1:]
	if fact, ok := w.lesson(was, e); ok {
		w.lessons = append(w.lessons, fact)
		if known, err := w.caps.With(fact); err == nil {
			w.caps = known
		}
		w.notes = append(w.notes, callwright.Note{Rule: "plan.learned", Stage: callwright.StagePlan, Now: fact.Key + "=" + fact.Value, Why: e.Message}.Graded())
		if len(w.c.o.rungs) == 0 {
			w.left = slices.DeleteFunc(w.left, func(r Rung) bool { return !w.may(r) })
		}
	}
	w.notes = append(w.notes, callwright.Note{Rule: "plan.other_mode", Stage: callwright.StagePlan, Was: string(was), Now: string(w.left[0]), Why: e.Message}.Graded())
	return true
}

// lesson is what a refusal on a rung teaches about the model.
func (w *climb) lesson(r Rung, e *callwright.Error) (caps.Fact, bool) {
	feature := e.Feature
	if feature == callwright.FeatureResponseFormat && r != RungSchema {
		feature = callwright.FeatureJSONMode
	}
	switch feature {
	case callwright.FeatureResponseFormat, callwright.FeatureJSONMode, callwright.FeatureJSONWithTools:
	default:
		return caps.Fact{}, false
	}
	if e.Quotes(w.req) {
		return caps.Fact{}, false
	}
	fact, ok := feature.Fact(w.caps)
	fact.Evidence = "the provider refused " + string(feature)
	return fact, ok
}

// answered keeps what was learned on the way to an answer.
func (w *climb) answered(ctx context.Context, resp *callwright.Response) {
	for _, f := range w.lessons {
		f.Expires = w.c.o.now().Add(caps.LearnedTTL)
		_ = w.c.o.shelf.Learn(ctx, string(w.id), f)
	}
	if resp.Report == nil {
		return
	}
	if slices.ContainsFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Rule == "format.emulated" }) {
		w.c.worded[w.row()].Store(true)
	}
}
