package learning

import (
	"cmp"
	"errors"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/internal/evidence"
	"github.com/callwright/callwright/internal/factlist"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/reliable/internal/outbound"
	"github.com/callwright/callwright/reliable/internal/translate"
)

// A Lesson is a provisional fact from a rejection. It is stored after a request that respects it has succeeded.
type Lesson struct {
	ID       callwright.ModelID
	Feature  callwright.Feature // the next request omits this feature
	Fact     caps.Fact
	EndsMode bool // the mode is impossible without the feature

	rule  string // rule of the note about the lesson
	fault string // failure class of the rejection

	quoted bool // the request contains the words of the rejection, so the rejection proves nothing
}

// FromRefusal returns the lesson from a rejection that names a feature. ok is false if it teaches nothing new.
func FromRefusal(g *outbound.Receiver, e *callwright.Error, req *callwright.Request) (taught Lesson, ok bool) {
	refused := e.Feature
	if e.Kind == callwright.KindInvalid && refused == "" && evidence.HasNoDetails(e) && hasSpecialItems(req) {
		refused = feature.APIItems // the most likely reason; the next response confirms it
	}
	if g.Constrained && refusesConstraint(e) {
		refused = feature.Constraint
	}
	switch {
	case refused == "":
		return Lesson{}, false
	case refused == feature.Constraint:
	case refused == feature.APIItems && e.Feature == "":
	case IsUnparsed(e):
		if tools, _ := req.DeclaredTools(); g.Mode != caps.Native || len(tools) == 0 {
			return Lesson{}, false
		}
	case e.Kind != callwright.KindUnsupported && e.Kind != callwright.KindSchema:
		return Lesson{}, false
	}
	if refused == feature.ResponseFormat && !translate.SendsSchema(g.Mode, req) {
		refused = feature.JSONMode
	}
	fact, ok := feature.FactOf(refused, g.Caps)
	if refused == feature.Constraint && g.Caps.Constraint == string(constraint.APIStructuralTag) {
		fact.Value = string(constraint.APIStructures) // older servers accept only this one
	}
	if refused == feature.ReasoningState {
		fact, ok = refusedState(g, req)
	}
	if outbound.RefusesTool(e) { // a rejected tool that was identified is handled by ToolLesson
		refused = basicSchemas
		fact, ok = feature.FactOf(refused, g.Caps)
	}
	if strings.HasPrefix(string(refused), string(feature.Schemas)) && ok {
		refused, fact, ok = simplerSchemas(g, refused, fact, req)
	}
	if !ok {
		return Lesson{}, false
	}
	if _, err := g.Caps.With(fact); err != nil {
		return Lesson{}, false
	}
	rule := "plan.learned"
	if IsUnparsed(e) {
		rule = "plan.unparsed"
	}
	return Lesson{ID: g.ID, Feature: refused, Fact: fact, EndsMode: g.Mode.Needs(fact.Key), rule: rule,
		fault:  feature.FaultOf(cmp.Or(e.Feature, refused), g.Caps.SchemaTarget),
		quoted: evidence.Quotes(e, req)}, true
}

// refusesConstraint reports whether the rejection of a request with a decoding constraint concerns the constraint: it
// names the response format or a grammar, or has no specific reason.
func refusesConstraint(e *callwright.Error) bool {
	name, _, _ := strings.Cut(string(e.Feature), ":")
	switch callwright.Feature(name) {
	case feature.ResponseFormat, feature.JSONMode, feature.JSONWithTools, feature.Grammar, feature.Schemas, feature.Constraint:
		return true
	}
	switch e.Feature {
	case feature.Field + "grammar", feature.Field + "response_format":
		return true
	}
	return e.Feature == "" && e.Kind == callwright.KindInvalid
}

// Note returns the note about the lesson. why is the provider's message.
func (ls *Lesson) Note(why string) callwright.Note {
	n := callwright.Note{Rule: ls.rule, Stage: callwright.StagePlan, Now: ls.Fact.Key + "=" + ls.Fact.Value, Why: why}.Classify()
	n.Fault = cmp.Or(ls.fault, n.Fault)
	return n
}

// IsUnparsed reports whether err says that the server's tool-call parser failed. The same request would fail again.
func IsUnparsed(err error) bool {
	e, ok := errors.AsType[*callwright.Error](err)
	return ok && e.Kind == callwright.KindRefusedCall && e.Feature == feature.Parser && e.Recovered == ""
}

// hasSpecialItems reports whether the request has items that only OpenAI's own API supports.
func hasSpecialItems(req *callwright.Request) bool {
	b, ok := companion.Of(req).Body.(interface{ HasSpecialItems() bool })
	return ok && b.HasSpecialItems()
}

// maxRefusedState is the maximum number of rejected opaque states that are stored individually.
const maxRefusedState = 256

// refusedState returns the fact that the provider rejected the opaque reasoning in the request. Each state is stored
// individually, because later states come from this provider. If there are too many, the fact is that reasoning is
// never sent back. ok is false if the fact is known or the request has no such reasoning.
func refusedState(g *outbound.Receiver, req *callwright.Request) (fact caps.Fact, ok bool) {
	var marks []string
	for _, state := range opaqueState(req) {
		if mark := factlist.Mark(state); !factlist.Has(g.Caps.RefusedState, mark) {
			marks = append(marks, mark)
		}
	}
	switch known := g.Caps.RefusedState; {
	case len(marks) == 0:
		return caps.Fact{}, false
	case len(marks)+strings.Count(known, ",") > maxRefusedState:
		return caps.Fact{Key: "reasoning_back", Value: string(caps.ReasoningBackNever), Source: caps.Learned},
			g.Caps.History.ReasoningBack != caps.ReasoningBackNever
	case known != "":
		marks = append([]string{known}, marks...)
	}
	return feature.FactOf(feature.ReasoningState+":"+callwright.Feature(strings.Join(marks, ",")), caps.Caps{})
}

// opaqueState returns the opaque states in the history of a request.
func opaqueState(req *callwright.Request) []string {
	if b, ok := companion.Of(req).Body.(interface{ States() []string }); ok && req.Messages == nil {
		return b.States()
	}
	msgs, err := req.History()
	if err != nil {
		return nil
	}
	var out []string
	for _, m := range msgs {
		for _, p := range m.Parts {
			if r, ok := p.(callwright.Reasoning); ok && r.Redacted != "" {
				out = append(out, r.Redacted)
			}
		}
	}
	return out
}

// openTools is the key of the fact that lists tools with their schemas in their descriptions.
const openTools = "open_tools"

// basicSchemas is the feature of schemas with keywords that are not basic ones.
const basicSchemas = feature.Schemas + ":" + callwright.Feature(caps.SchemaBasic)

// simplerSchemas returns the lesson from a rejection of schemas that cannot be compiled to a grammar. First, schemas
// are translated for the target in fact. If they are already, the schema of the response format is omitted, or tools
// have their schemas in their descriptions. The last result is false if no further lesson is possible.
func simplerSchemas(g *outbound.Receiver, f callwright.Feature, fact caps.Fact, req *callwright.Request) (callwright.Feature,
	caps.Fact, bool) {
	form := g.Mode == caps.JSONSchema || g.Mode == caps.Native && req.Params.Format != nil && req.Params.Format.Schema != nil
	tools, _ := req.DeclaredTools()
	switch {
	case !form && (g.Mode != caps.Native || len(tools) == 0):
		return "", caps.Fact{}, false
	case fact.Value != string(g.Caps.SchemaTarget):
		return f, fact, true
	case form && g.Caps.JSONSchema != caps.No:
		fact, ok := feature.FactOf(feature.ResponseFormat, g.Caps)
		return feature.ResponseFormat, fact, ok
	case g.Mode == caps.Native && len(tools) > 0 && !factlist.Has(g.Caps.OpenTools, factlist.AllTools):
		return f, caps.Fact{Key: openTools, Value: factlist.AllTools, Source: caps.Learned}, true
	}
	return "", caps.Fact{}, false
}

// ApplyLessons applies the lessons about g's model to g.Caps.
func ApplyLessons(g *outbound.Receiver, lessons []Lesson) {
	for _, ls := range lessons {
		if ls.ID != g.ID {
			continue
		}
		if with, err := g.Caps.With(ls.Fact); err == nil {
			g.Caps, g.CapsExtended = with, true
		}
	}
}

// Proven stores the lessons about a model after a successful response and returns the others.
func (l *Learner) Proven(id callwright.ModelID, lessons []Lesson) []Lesson {
	left := lessons[:0]
	for _, ls := range lessons {
		switch {
		case ls.ID != id:
			left = append(left, ls)
		case !ls.quoted:
			l.keep(ls)
		}
	}
	return left
}

// Accept stores a lesson that no response can confirm, because the client received part of the failed response.
func (l *Learner) Accept(ls Lesson) {
	if !ls.quoted {
		l.keep(ls)
	}
}

func (l *Learner) keep(ls Lesson) {
	evidence := "the provider refused " + string(ls.Feature)
	if ls.Feature == feature.Parser {
		evidence = "the server could not parse a native call"
	}
	l.Teach(ls.ID, ls.Fact.Key, ls.Fact.Value, evidence)
}
