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

// ShapeOptions configure [Shape]. The zero value is ready for use.
type ShapeOptions struct {
	Policy     callwright.Policy // "" is PolicyHeal
	Rules      map[string]bool   // enables or disables rules by exact ID, overriding the policy
	Dialect    string            // text format for modes text and parsed; "" is that of the model's family
	Wording    string            // name of the prompt wording in non-native modes; "" is the default of the model's family
	StrictJSON bool              // stronger instruction in prompts that require JSON

	StrictTools callwright.StrictTools // "" is StrictAuto
	Constrain   caps.Truth             // see WithConstraints
	Signatures  signature.Store        // source of lost opaque state; nil means none is restored
	Marks       *dialect.Marks         // additional text formats of the caller, see [dialect.NewMarks]
	Schemas     *schema.Cache          // cache of compiled schemas; nil means no cache
}

// Shaped is a request that is adapted to a model in a mode.
type Shaped struct {
	Request *callwright.Request
	Mode    caps.Mode
	Dialect string // text format for modes text and parsed, otherwise ""
	Notes   []callwright.Note
	// Names maps sent tool names to declared tool names, for the names that the provider does not accept.
	Names map[string]string

	sent judge.Sent
}

// Original converts a native call of the response to the client's tools: it restores the declared tool name, and the
// structure of the arguments if the schema was sent in another form. Call it before Validate.
func (s *Shaped) Original(call callwright.Call) callwright.Call {
	call.Name = s.sent.Naming.DeclaredName(call.Name)
	call.Arguments = s.sent.Undo.Arguments(call.Name, call.Arguments)
	return call
}

// CorrectionMessage returns the message of the function [CorrectionMessage], with tool names as they were sent.
func (s *Shaped) CorrectionMessage(v callwright.Verdict) callwright.Message {
	return correction.Message(v, s.sent.Naming)
}

// Document converts the response text in mode json_schema to the document structure that Extract reads. The requested
// structure may differ.
func (s *Shaped) Document(text string) string {
	if s.sent.Document == nil {
		return text
	}
	return string(s.sent.Document([]byte(text)))
}

// Shape returns req adapted to a model with capabilities c in the given mode. It fixes the history and declares or
// describes the tools. It does not modify req. Errors are *Error.
func Shape(req *callwright.Request, c caps.Caps, mode caps.Mode, o ShapeOptions) (*Shaped, error) {
	return shape(req, c, mode, o, nil)
}

// shape implements Shape. place returns JSON pointers of message parts for notes, see FitOptions.Place; it may be nil.
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
