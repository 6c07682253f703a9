package callwright

import (
	"context"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
)

// The three steps of a [Client], for callers with an HTTP client of their own.

// Shaped is a request made fit for a model in a mode.
type Shaped struct {
	Request *Request
	Mode    caps.Mode
	Dialect string // of mode text
	Notes   []Note
	// Names maps tool names as they are sent back to the declared ones, where the provider does not take those.
	Names map[string]string
}

// Shape makes a request fit for a model with these capabilities: its history mended, its tools conveyed in the mode. The
// request is left as it is. Errors are *Error.
func Shape(req *Request, c caps.Caps, mode caps.Mode, opts ...Option) (*Shaped, error) {
	o := newOptions(opts)
	s, err := o.surfaces.of(req)
	if err != nil {
		return nil, asError(err)
	}
	r := &run{o: o, req: req, s: s}
	g := rung{id: req.Model, caps: c, mode: mode}
	if mode == caps.Text || mode == caps.Parsed {
		g.dialect = r.dialectOf(req.Model, c)
	}
	l := o.ledger()
	sh, err := shape(context.Background(), req, s, g, o, l)
	if err != nil {
		return nil, asError(err)
	}
	return &Shaped{Request: sh.req, Mode: mode, Dialect: g.dialect, Notes: l.notes, Names: sh.back}, nil
}

// An Extraction is what an answer holds: visible text, reasoning, the calls that may be run and those that may not.
type Extraction struct {
	Content   string
	Reasoning string
	Calls     []Call
	Invalid   []InvalidCall
	Dialect   string // the format in which the first call was written, "" for native ones
	Notes     []Note
	Finish    Finish
	// NeedsMoreWork is what an enveloped answer said about itself, nil where it said nothing.
	NeedsMoreWork *bool
	// Ask says that the answer cannot stand: a correction would be asked for.
	Ask bool
}

// Extract finds and judges the calls of an answer, whatever form they have. Pieces of text may be split anywhere: the result
// is the same. Errors are *Error and concern the tools, never the answer.
func Extract(events []Event, tools []Tool, opts ...Option) (*Extraction, error) {
	o := newOptions(opts)
	s, err := newSurface(tools, o.schemas)
	if err != nil {
		return nil, asError(err)
	}
	return extract(events, s, o), nil
}

// An Extractor is Extract for many answers to the same tools. It is safe for concurrent use.
type Extractor struct {
	s *surface
	o *options
}

// NewExtractor compiles the tools once. Errors are *Error.
func NewExtractor(tools []Tool, opts ...Option) (*Extractor, error) {
	o := newOptions(opts)
	s, err := newSurface(tools, o.schemas)
	if err != nil {
		return nil, asError(err)
	}
	return &Extractor{s: s, o: o}, nil
}

// Extract finds and judges the calls of one answer.
func (x *Extractor) Extract(events []Event) *Extraction { return extract(events, x.s, x.o) }

func extract(events []Event, s *surface, o *options) *Extraction {
	col := &collector{}
	req := &Request{Model: o.model, Tools: s.tools, Params: Params{Choice: o.choice}}
	r := &run{o: o, ctx: context.Background(), req: req, s: s, collected: col}
	a := r.newAnswer(rung{id: o.model, mode: caps.Native, dialect: o.dialect}, &shaped{req: req}, o.ledger())
	a.hold = true
	a.text.make = func() dialect.Options {
		d := r.scanOptions(rung{id: o.model, dialect: o.dialect}, a.l)
		d.ReasoningPrimed, d.Quoted = o.reasoningPrimed, append(d.Quoted, o.quoted...)
		return d
	}
	a.text.off = len(s.byName) == 0 && !o.reasoningPrimed
	for _, ev := range events {
		a.take(ev)
	}
	if a.end == nil {
		a.take(End{Finish: FinishStop})
	}
	a.settle()
	a.finish()
	resp := col.response()
	x := &Extraction{
		Content: resp.Text(), Reasoning: resp.Reasoning(), Calls: a.good, Invalid: a.invalid, Notes: a.l.notes,
		Dialect: a.format, Finish: resp.Finish, NeedsMoreWork: a.moreWork, Ask: correctable(a.invalid) || a.scratch,
	}
	return x
}

// Validate judges one native call against the declared tools: its name is resolved, its arguments mended, coerced and held
// against the schema. The verdict does not change afterwards. Errors are *Error and concern the tools.
func Validate(call Call, tools []Tool, opts ...Option) (Verdict, error) {
	o := newOptions(opts)
	s, err := newSurface(tools, o.schemas)
	if err != nil {
		return Verdict{}, asError(err)
	}
	j := &judge{s: s, l: o.ledger(), mint: o.newID, taken: never}
	c := &claim{id: call.ID, name: call.Name, callType: call.Type, text: string(call.Arguments), call: call}
	if call.Type == Custom {
		c.text = call.Input
	}
	return j.rule(c), nil
}
