package reliable

import (
	"context"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/inbound"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/outbound"
)

// The three steps of a [Client], for callers with an HTTP client of their own.

// Shaped is a request made fit for a model in a mode.
type Shaped struct {
	Request *callwright.Request
	Mode    caps.Mode
	Dialect string // of mode text
	Notes   []callwright.Note
	// Names maps tool names as they are sent back to the declared ones, where the provider does not take those.
	Names map[string]string
}

// Shape makes a request fit for a model with these capabilities: its history mended, its tools conveyed in the mode. The
// request is left as it is. Errors are *Error.
func Shape(req *callwright.Request, c caps.Caps, mode caps.Mode, opts ...Option) (*Shaped, error) {
	o := newOptions(opts)
	s, err := o.surfaces.Of(req)
	if err != nil {
		return nil, asError(err)
	}
	r := &run{o: o, ctx: context.Background(), req: req, s: s}
	g := rung{Receiver: outbound.Receiver{ID: req.Model, Caps: c, Mode: mode}}
	if mode == caps.Text || mode == caps.Parsed {
		g.Dialect = r.dialectOf(req.Model, c)
	}
	l := o.ledger()
	sh, err := r.shaper(g, l).Shape(req, g.Receiver)
	if err != nil {
		return nil, asError(err)
	}
	return &Shaped{Request: sh.Request, Mode: mode, Dialect: g.Dialect, Notes: l.Notes, Names: sh.Names}, nil
}

// An Extraction is what an answer holds: visible text, reasoning, the calls that may be run and those that may not.
type Extraction struct {
	Content   string
	Reasoning string
	Calls     []callwright.Call
	Invalid   []callwright.InvalidCall
	Dialect   string // the format in which the first call was written, "" for native ones
	Notes     []callwright.Note
	Finish    callwright.Finish
	// NeedsMoreWork is what an enveloped answer said about itself, nil where it said nothing.
	NeedsMoreWork *bool
	// Ask says that the answer cannot stand: a correction would be asked for.
	Ask bool
}

// Extract finds and judges the calls of an answer, whatever form they have. Pieces of text may be split anywhere: the result
// is the same. Errors are *Error and concern the tools, never the answer.
func Extract(events []callwright.Event, tools []callwright.Tool, opts ...Option) (*Extraction, error) {
	o := newOptions(opts)
	s, err := judge.NewToolset(tools, o.schemas)
	if err != nil {
		return nil, asError(err)
	}
	return extract(events, s, o), nil
}

// An Extractor is Extract for many answers to the same tools. It is safe for concurrent use.
type Extractor struct {
	s *judge.Toolset
	o *options
}

// NewExtractor compiles the tools once. Errors are *Error.
func NewExtractor(tools []callwright.Tool, opts ...Option) (*Extractor, error) {
	o := newOptions(opts)
	s, err := judge.NewToolset(tools, o.schemas)
	if err != nil {
		return nil, asError(err)
	}
	return &Extractor{s: s, o: o}, nil
}

// Extract finds and judges the calls of one answer.
func (x *Extractor) Extract(events []callwright.Event) *Extraction { return extract(events, x.s, x.o) }

func extract(events []callwright.Event, s *judge.Toolset, o *options) *Extraction {
	col := &callwright.Collector{}
	req := &callwright.Request{Model: o.model, Tools: s.Tools, Params: callwright.Params{Choice: o.choice}}
	r := &run{o: o, ctx: context.Background(), req: req, s: s, collected: col}
	set := r.setup(rung{Receiver: outbound.Receiver{ID: o.model, Mode: caps.Native, Dialect: o.dialect}}, &outbound.Shaped{Request: req}, o.ledger())
	set.Hold = true
	scan := set.Scan
	set.Scan = func() dialect.Options {
		d := scan()
		d.ReasoningPrimed, d.Quoted = o.reasoningPrimed, append(d.Quoted, o.quoted...)
		return d
	}
	set.TextOff = len(s.ByName) == 0 && !o.reasoningPrimed
	a := inbound.New(set)
	for _, ev := range events {
		a.Take(ev)
	}
	if a.End == nil {
		a.Take(callwright.End{Finish: callwright.FinishStop})
	}
	a.Settle()
	a.Finish()
	resp := col.Response()
	x := &Extraction{
		Content: resp.Text(), Reasoning: resp.Reasoning(), Calls: a.Good, Invalid: a.Invalid, Notes: a.Ledger.Notes,
		Dialect: a.Format, Finish: resp.Finish, NeedsMoreWork: a.MoreWork, Ask: correctable(a.Invalid) || a.Scratch,
	}
	return x
}

// Validate judges one native call against the declared tools: its name is resolved, its arguments mended, coerced and held
// against the schema. The verdict does not change afterwards. Errors are *Error and concern the tools.
func Validate(call callwright.Call, tools []callwright.Tool, opts ...Option) (callwright.Verdict, error) {
	o := newOptions(opts)
	s, err := judge.NewToolset(tools, o.schemas)
	if err != nil {
		return callwright.Verdict{}, asError(err)
	}
	j := &judge.Judge{Toolset: s, Ledger: o.ledger(), Mint: o.newID}
	return j.Rule(judge.NativeCandidate(call)), nil
}
