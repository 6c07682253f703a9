package answer

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/repair"
)

// The rule IDs of notes that originate in this package.
const (
	ruleOutside     = "directive.outside"
	ruleCut         = "directive.cut"
	ruleRepeated    = "directive.repeated"
	ruleSingle      = "directive.single"
	ruleMember      = "directive.member"
	ruleBare        = "directive.bare"
	ruleWrapped     = "directive.wrapped"
	ruleInReasoning = "directive.in_reasoning"
	ruleName        = "directive.name"
	ruleText        = "directive.text"
)

// FixNotes returns the notes for JSON repairs of the value at path in the document. name is the directive type, "" if
// unknown.
func FixNotes(fixes []repair.Fix, path, name string) []callwright.Note {
	var out []callwright.Note
	for _, f := range fixes {
		n := callwright.Note{Rule: "json." + f.Rule, Stage: callwright.StageNormalise, Call: name, Path: path, Was: f.Was, Now: f.Now}.Classify()
		n.Risk = riskOf(f.Rule)
		out = append(out, n)
	}
	return out
}

// fixNote returns the note for one repair of the document.
func fixNote(rule, was string) []callwright.Note {
	return FixNotes([]repair.Fix{{Rule: rule, Was: was}}, "", "")
}

// riskOf returns the risk of a rule of package repair.
func riskOf(rule string) callwright.Risk {
	return [...]callwright.Risk{callwright.RiskLossless, callwright.RiskImplied, callwright.RiskHeuristic}[repair.RiskOf(rule)]
}
