package provider

import (
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/constraint"
	"github.com/callwright/callwright/internal/jsonx"
)

// decoding are the members of a request body by which the client or the configuration itself constrains the decoding.
var decoding = []string{"grammar", "json_schema", "response_format", "structured_outputs", "guided_json", "guided_regex",
	"guided_choice", "guided_grammar", "regex", "ebnf"}

// constraintEdits returns the edits that add the decoding constraint of a request to its body, in the form of the
// inference engine. It returns nil if there is no constraint, or if the client or the configuration sets one.
//
// llama-server accepts a grammar with tools only if tool_choice is none. Its template then still describes the tools,
// and the model writes tool calls as text ("Cannot use custom grammar constraints with tools",
// tools/server/server-common.cpp of llama.cpp since b4524). It applies a grammar in a chat request from the first
// token, since it overwrites grammar_lazy and grammar_triggers.
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
	if req.Params.Format != nil { // the grammar replaces it
		edits = append(edits, callwright.Edit{Path: []string{"response_format"}})
	}
	if tools, err := req.DeclaredTools(); err == nil && len(tools) > 0 {
		edits = append(edits, callwright.Edit{Path: []string{"tool_choice"}, Value: json.RawMessage(`"none"`)})
	}
	return edits
}

// saysDecoding reports whether the client or the configuration constrains the decoding of the response.
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

// constraintNote returns the note about a constraint that is sent.
func constraintNote(c *constraint.Constraint) callwright.Note {
	return callwright.Note{Rule: constraint.Rule, Stage: callwright.StageEncode, Now: string(c.API),
		Why: "the server allows only calls of declared tools with valid arguments"}.Classify()
}
