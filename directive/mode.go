package directive

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/evidence"
	"github.com/callwright/callwright/internal/feature"
)

// A Mode is how a model is asked for the document.
type Mode string

// The modes, in the order of the fallback chain.
const (
	ModeSchema Mode = "json_schema" // the provider holds the model to the schema of the document
	ModeObject Mode = "json_object" // it holds the model to JSON, and the instructions say which
	ModePrompt Mode = "prompt"      // the instructions alone
)

var fallbackChain = []Mode{ModeSchema, ModeObject, ModePrompt}

// A plan has the candidates of a turn that were not tried yet, and the known facts about the model.
type plan struct {
	c     *Client
	req   *callwright.Request
	id    callwright.ModelID
	caps  caps.Caps
	tools bool // the model may call tools
	left  []Mode

	lessons []caps.Fact // what refusals said, not proven yet
	notes   []callwright.Note
}

// plan makes the plan of a turn.
func (c *Client) plan(ctx context.Context, req *callwright.Request) (*plan, error) {
	if err := c.unfit(req); err != nil {
		return nil, err
	}
	tools, err := req.DeclaredTools()
	if err != nil {
		return nil, err
	}
	p := &plan{c: c, req: req, tools: len(tools) > 0, id: req.Model}
	if n, ok := c.model.(callwright.Identifier); ok && n.ID() != "" {
		p.id = n.ID()
	}
	known := companion.Of(req).Known
	if known != nil {
		p.caps = *known
	} else if d, ok := c.model.(callwright.Describer); ok {
		p.caps = d.Caps(ctx)
	}
	facts, _ := c.o.capsStore.Facts(ctx, string(p.id)) // a capability store that fails costs knowledge, not the answer
	p.caps = p.caps.WithFacts(facts)
	p.left = p.candidates()
	return p, nil
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
	for _, r := range c.o.modes {
		if !slices.Contains(fallbackChain, r) {
			return wrong("unknown mode %q: expected json_schema, json_object or prompt", callwright.Excerpt(string(r)))
		}
	}
	return nil
}

// candidates returns the modes to try, in order: those of WithModes, else those that no known fact excludes.
func (p *plan) candidates() []Mode {
	if len(p.c.o.modes) > 0 {
		return slices.Clone(p.c.o.modes)
	}
	var out []Mode
	for _, r := range fallbackChain {
		if p.may(r) {
			out = append(out, r)
		}
	}
	return out
}

// may reports whether no known fact excludes a mode.
func (p *plan) may(r Mode) bool {
	form := (!p.tools || p.caps.JSONWithTools != caps.No) && !p.c.worded[p.row()].Load()
	switch r {
	case ModeSchema:
		return form && p.caps.JSONSchema != caps.No && (p.caps.OpenObjects != caps.No || !p.c.reg.open)
	case ModeObject:
		return form && p.caps.JSONObject != caps.No
	}
	return true
}

// row is the place in worded of requests with tools and without.
func (p *plan) row() int {
	if p.tools {
		return 1
	}
	return 0
}

// fallBack moves to the next candidate after an error of the current one. It reports false when no candidate is left,
// or when the error is not about the form of the answer.
func (p *plan) fallBack(ctx context.Context, err error) bool {
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok || len(p.left) < 2 || ctx.Err() != nil {
		return false
	}
	switch e.Kind {
	case callwright.KindUnsupported, callwright.KindSchema, callwright.KindInvalid, callwright.KindRefusedCall:
	default: // it is not about what was asked for
		return false
	}
	was := p.left[0]
	p.left = p.left[1:]
	if fact, ok := p.lesson(was, e); ok {
		p.lessons = append(p.lessons, fact)
		if known, err := p.caps.With(fact); err == nil {
			p.caps = known
		}
		p.notes = append(p.notes, callwright.Note{Rule: "plan.learned", Stage: callwright.StagePlan,
			Now: fact.Key + "=" + fact.Value, Why: e.Message}.Classify())
		if len(p.c.o.modes) == 0 {
			p.left = slices.DeleteFunc(p.left, func(r Mode) bool { return !p.may(r) })
		}
	}
	p.notes = append(p.notes, callwright.Note{Rule: "plan.other_mode", Stage: callwright.StagePlan, Was: string(was),
		Now: string(p.left[0]), Why: e.Message}.Classify())
	return true
}

// lesson returns the fact about the model that a refusal of a mode teaches, false for none.
func (p *plan) lesson(r Mode, e *callwright.Error) (caps.Fact, bool) {
	refused := e.Feature
	if strings.HasPrefix(string(refused), string(feature.Schemas)) {
		refused = feature.ResponseFormat
	}
	if refused == feature.ResponseFormat && r != ModeSchema {
		refused = feature.JSONMode
	}
	switch refused {
	case feature.ResponseFormat, feature.JSONMode, feature.JSONWithTools:
	default:
		return caps.Fact{}, false
	}
	if evidence.Quotes(e, p.req) {
		return caps.Fact{}, false
	}
	fact, ok := feature.FactOf(refused, p.caps)
	fact.Evidence = "the provider refused " + string(refused)
	return fact, ok
}

// saveLearnedFacts keeps the facts learned on the way to an answer.
func (p *plan) saveLearnedFacts(ctx context.Context, resp *callwright.Response) {
	for _, f := range p.lessons {
		f.Expires = p.c.o.now().Add(caps.LearnedTTL)
		_ = p.c.o.capsStore.Learn(ctx, string(p.id), f)
	}
	if resp.Report == nil {
		return
	}
	if slices.ContainsFunc(resp.Report.Notes, func(n callwright.Note) bool { return n.Rule == "format.emulated" }) {
		p.c.worded[p.row()].Store(true)
	}
}
