package inbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// ScanOptions says how text is searched for calls of the tools, as the policy allows. model wrote the text; it was sent
// the tools in the form that undo undoes.
func ScanOptions(tools *judge.Toolset, undo judge.Undo, l *judge.Ledger, model callwright.ModelID) dialect.Options {
	_, name := model.Split()
	return dialect.Options{
		Tools: tools.SentShapes(undo), Names: tools.Names, Model: name, Disabled: l.Refuses,
		Heuristic: l.Policy == callwright.PolicyHealHeuristic, Guess: l.May,
	}
}
