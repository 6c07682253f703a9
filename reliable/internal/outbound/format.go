package outbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/compose"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/reliable/internal/judge"
	"github.com/callwright/callwright/reliable/internal/translate"
)

// describeFormat describes the form of the answer in the prompt where the provider does not have it or accepts none
// beside tools, or would not hold its model to this one. Where no tool may be called, it leaves out the tools instead.
// Of a form with a schema, JSON is still asked for where the provider has that.
func describeFormat(sh *Shaped, answers translate.Answers, c caps.Caps, hasTools bool, l *judge.Ledger) error {
	out := sh.Request
	f := out.Params.Format
	if f == nil {
		return nil
	}
	written, note, fits := f, (*callwright.Note)(nil), true
	came := companion.Of(out)
	if f.Schema != nil && (came.Body == nil || !c.SchemaTarget.OwnAPI(string(came.Wire()))) {
		written, note, fits = answers.Format(f)
	}
	beside := !hasTools || c.JSONWithTools != caps.No
	open := c.OpenObjects == caps.No && compose.HasOpenObject(f.Schema)
	lacks := !fits || f.Schema != nil && c.JSONSchema == caps.No || f.Schema == nil && c.JSONObject == caps.No
	if beside && !open && !lacks {
		if out.Params.Format = written; note != nil {
			l.AddGraded([]callwright.Note{*note})
		}
		return nil
	}
	if !open && !lacks && out.Params.Choice.Mode == callwright.ChoiceNone && !c.History.ToolsForCalls {
		l.Add(callwright.Note{Rule: "tools.not_allowed", Stage: callwright.StageOutbound,
			Why: "the provider takes no form of the answer beside tools"})
		out.Tools, out.Params.Choice, out.Params.Parallel = []callwright.Tool{}, callwright.Choice{}, nil
		return nil
	}
	l.Add(callwright.Note{Rule: "format.emulated", Stage: callwright.StageOutbound})
	out.Params.Format, sh.FormInPrompt = nil, true
	if beside && lacks && f.Schema != nil && c.JSONObject == caps.Yes {
		out.Params.Format = &callwright.AnswerFormat{Name: f.Name}
	}
	return addSystem(out, formatSentence(f, alone))
}

// How the form of the answer is asked for: in the answer itself, and in a document of which it is a member.
const (
	alone    = "When you answer and call no tool, write one JSON object and nothing else: no code fence, no text around it."
	asMember = `When you answer, the text in "answer" must be one JSON object and nothing else: no code fence, no text around it.`
)

// formatSentence describes the wanted form of the answer.
func formatSentence(f *callwright.AnswerFormat, where string) string {
	return where + SchemaSentence(f)
}

// SchemaSentence says which schema an answer has to satisfy, behind another sentence; nothing where it has none.
func SchemaSentence(f *callwright.AnswerFormat) string {
	if f == nil || f.Schema == nil {
		return ""
	}
	return " It must satisfy this JSON Schema:\n" + string(jsonx.Compact(nil, f.Schema))
}
