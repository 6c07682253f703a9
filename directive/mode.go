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

// A Mode is the method of requesting the document from a model.
type Mode string

// The modes, in the order in which they are tried.
const (
	ModeSchema Mode = "json_schema" // the provider enforces the document's schema
	ModeObject Mode = "json_object" // the provider enforces JSON; the prompt describes the document
	ModePrompt Mode = "prompt"      // only the prompt describes the document
)

var fallbackChain = []Mode{ModeSchema, ModeObject, ModePrompt}

// A plan has the untried modes for a turn and the known capabilities of the model.
type plan struct {
	c     *Client
	req   *callwright.Request
	id    callwright.ModelID
	caps  caps.Caps
	tools bool // the request has tools
	left  []Mode

	lessons []caps.Fact // facts learned from rejections, stored after a success
	notes   []callwright.Note
}

// plan checks the request and returns its plan.
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
	facts, _ := c.o.capsStore.Facts(ctx, string(p.id)) // an error of the store only means less knowledge
	p.caps = p.caps.WithFacts(facts)
	p.left = p.candidates()
	return p, nil
}

// unfit returns the error of an invalid client or request, nil if both are valid.
func (c *Client) unfit(req *callwright.Request) error {
	wrong := func(format string, args ...any) error {
		return callwright.Errorf("directive", callwright.KindInvalid, "", format, args...)
	}
	switch {
	case c.model == nil:
		return wrong("expected a model, got nil")
	case c.reg == nil:
		return wrong("expected a registry, got nil")
	case req == nil:
		return wrong("expected a request, got nil")
	case req.Params.Format != nil:
		return wrong("the request already has an answer format")
	}
	for _, r := range c.o.modes {
		if !slices.Contains(fallbackChain, r) {
			return wrong("unknown mode %q: expected json_schema, json_object or prompt", callwright.Excerpt(string(r)))
		}
	}
	return nil
}

// candidates returns the modes to try, in order: those of WithModes, otherwise those that the capabilities do not
// exclude.
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

// may reports whether the capabilities permit a mode.
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

// row returns the index into worded: 1 for a request with tools, otherwise 0.
func (p *plan) row() int {
	if p.tools {
		return 1
	}
	return 0
}

// fallBack removes the current mode after the error err and notes the next mode. It returns false if there is none, if
// ctx has ended, or if the kind of the error does not concern the request.
func (p *plan) fallBack(ctx context.Context, err error) bool {
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok || len(p.left) < 2 || ctx.Err() != nil {
		return false
	}
	switch e.Kind {
	case callwright.KindUnsupported, callwright.KindSchema, callwright.KindInvalid, callwright.KindRefusedCall:
	default: // the error does not concern the request
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

// lesson returns the fact to learn from the rejection e of mode r. ok is false if there is none.
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

// saveLearnedFacts stores the learned facts after a successful response.
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
