package reliable

import (
	"context"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/adapter"
	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/reliable/internal/correction"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/schema"
	"github.com/callwright/callwright/signature"
)

// ShapeOptions change how [Shape] works. The zero value is ready for use.
type ShapeOptions struct {
	Policy     callwright.Policy // "" is PolicyHeal
	Rules      map[string]bool   // rules switched by their exact ids, whatever the policy says
	Dialect    string            // asked for in modes text and parsed; "" is that of the model's family
	Wording    string            // the name of the prompt's wording in modes other than native; "" is the default of the model's family
	StrictJSON bool              // a stronger instruction where the prompt asks for JSON

	StrictTools callwright.StrictTools // "" is StrictAuto
	Constrain   caps.Truth             // as WithConstraints
	Signatures  signature.Store        // opaque state is restored from it; nil: none is
	Marks       *dialect.Marks         // textual formats of the caller's own beside the known ones, see [dialect.NewMarks]
	Schemas     *schema.Cache          // compiled schemas; nil: the schemas are compiled anew
}

// Shaped is a request made fit for a model in a mode.
type Shaped struct {
	Request *callwright.Request
	Mode    caps.Mode
	Dialect string // the dialect of the modes text and parsed, "" in others
	Notes   []callwright.Note
	// Names maps tool names as they are sent back to the declared ones, where the provider does not accept those.
	Names map[string]string

	sent judge.Sent
}

// Original is a native call of the model's answer with the tool's name and the arguments as the client's own tools have
// them: they may have been sent in another form. Judge it afterwards.
func (s *Shaped) Original(call callwright.Call) callwright.Call {
	call.Name = s.sent.Naming.DeclaredName(call.Name)
	call.Arguments = s.sent.Undo.Arguments(call.Name, call.Arguments)
	return call
}

// CorrectionMessage is [CorrectionMessage] in the names under which the model was sent the tools.
func (s *Shaped) CorrectionMessage(v callwright.Verdict) callwright.Message {
	return correction.Message(v, s.sent.Naming)
}

// Document is the text of an answer in mode json_schema in the form that Extract reads: it may have been asked for in
// another one.
func (s *Shaped) Document(text string) string {
	if s.sent.Document == nil {
		return text
	}
	return string(s.sent.Document([]byte(text)))
}

// Shape makes a request fit for a model with these capabilities: its history fixed, its tools declared or described as
// the mode asks. The request itself does not change. Errors are *Error.
func Shape(req *callwright.Request, c caps.Caps, mode caps.Mode, o ShapeOptions) (*Shaped, error) {
	return shape(req, c, mode, o, nil)
}

// shape is Shape with the places of the history for notes, nil where they name none.
func shape(req *callwright.Request, c caps.Caps, mode caps.Mode, o ShapeOptions, place func(message, part int) string) (*Shaped, error) {
	declared, err := req.DeclaredTools()
	if err != nil {
		return nil, asError(err)
	}
	tools, err := judge.NewToolset(declared, schemasOr(o.Schemas))
	if err != nil {
		return nil, asError(err)
	}
	l := judge.NewLedger(o.Policy, o.Rules)
	to := &outbound.Receiver{ID: req.Model, Caps: c, Mode: mode, Marks: o.Marks,
		Dialect: outbound.DialectFor(mode, o.Dialect, o.Marks, req.Model, c), Wording: o.Wording, Strict: o.StrictTools,
		Constrain: o.Constrain, Held: true}
	shaper := outbound.Shaper{Toolset: tools, Ledger: l, Adapters: adapter.NewCache(0), Grammars: constraint.NewCache(),
		StrictJSON: o.StrictJSON, Place: place, Signatures: o.Signatures}
	sh, err := shaper.Shape(context.Background(), req, to)
	if err != nil {
		return nil, asError(err)
	}
	return &Shaped{Request: sh.Request, Mode: mode, Dialect: to.Dialect, Notes: l.Notes, Names: sh.Sent.Naming.Table(), sent: sh.Sent}, nil
}
