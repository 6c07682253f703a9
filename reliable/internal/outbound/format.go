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

// describeFormat describes the response format in the prompt if the provider does not support it, does not support it
// together with tools, or would not enforce it. If no tool may be called, it omits the tools instead. For a format
// with a schema it still requests JSON mode if available.
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
			Why: "the provider does not accept an answer format beside tools"})
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

// Sentences about the response format, for the whole response and for the answer member of a document.
const (
	alone    = "When you answer and call no tool, write one JSON object and nothing else: no code fence, no text around it."
	asMember = `When you answer, the text in "answer" must be one JSON object and nothing else: no code fence, no text around it.`
)

// formatSentence returns the description of the response format for the prompt. where is its first sentence: alone or
// asMember.
func formatSentence(f *callwright.AnswerFormat, where string) string {
	return where + SchemaSentence(f)
}

// SchemaSentence returns a sentence with the schema of the response format, "" if it has none.
func SchemaSentence(f *callwright.AnswerFormat) string {
	if f == nil || f.Schema == nil {
		return ""
	}
	return " It must satisfy this JSON Schema:\n" + string(jsonx.Compact(nil, f.Schema))
}
