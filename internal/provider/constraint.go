package provider

import (
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/internal/jsonx"
)

// decoding are the members by which a client, or the configuration, says itself how an answer is decoded.
var decoding = []string{"grammar", "json_schema", "response_format", "structured_outputs", "guided_json", "guided_regex",
	"guided_choice", "guided_grammar", "regex", "ebnf"}

// constraintEdits returns the edits that send the constraint of a request in the form that its engine takes, nil where
// there is none, or the answer is decoded as the client says.
//
// llama-server takes a grammar beside tools only where none of them may be called: then its template describes the
// tools all the same, and calls come as text ("Cannot use custom grammar constraints with tools",
// tools/server/server-common.cpp of llama.cpp since b4524). It applies a grammar that came with a conversation from the
// first token on: grammar_lazy and grammar_triggers are overwritten there.
func (p *Provider) constraintEdits(req *callwright.Request) []callwright.Edit {
	came := companion.Of(req)
	c := came.Constraint
	if c == nil || p.row.Wire != callwright.WireOpenAI || p.saysDecoding(req) {
		return nil
	}
	if c.API != constraint.APIGrammar {
		return []callwright.Edit{{Path: []string{"response_format"}, Value: json.RawMessage(c.Text)}}
	}
	edits := []callwright.Edit{{Path: []string{"grammar"}, Value: jsonx.AppendQuote(nil, c.Text)}}
	if req.Params.Format != nil { // the grammar takes its place
		edits = append(edits, callwright.Edit{Path: []string{"response_format"}})
	}
	if tools, err := req.DeclaredTools(); err == nil && len(tools) > 0 {
		edits = append(edits, callwright.Edit{Path: []string{"tool_choice"}, Value: json.RawMessage(`"none"`)})
	}
	return edits
}

// saysDecoding reports whether the client or the configuration says how the answer to a request is decoded.
func (p *Provider) saysDecoding(req *callwright.Request) bool {
	if slices.ContainsFunc(slices.Concat(p.cfg.Edits, companion.Of(req).Edits),
		func(e callwright.Edit) bool { return slices.Contains(decoding, e.Path[0]) }) {
		return true
	}
	for _, came := range [][]byte{req.Extra.JSON, bytesOf(req)} {
		for _, member := range decoding {
			if _, said := jsonx.Find(came, member); said {
				return true
			}
		}
	}
	return false
}

// constraintNote is the note about a constraint that is sent.
func constraintNote(c *constraint.Constraint) callwright.Note {
	return callwright.Note{Rule: constraint.Rule, Stage: callwright.StageEncode, Now: string(c.API),
		Why: "the engine takes no call but one of a declared tool with valid arguments"}.Classify()
}
