package inbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// ScanOptions returns the options for finding calls of the tools in text, according to the policy. model is the author
// of the text. undo describes how the sent schemas differ from the declared ones.
func ScanOptions(tools *judge.Toolset, undo judge.Undo, l *judge.Ledger, model callwright.ModelID) dialect.Options {
	_, name := model.Split()
	return dialect.Options{
		Tools: tools.SentShapes(undo), Names: tools.Names, Model: name, Disabled: l.Refuses,
		Heuristic: l.Policy == callwright.PolicyHealHeuristic, Guess: l.May,
	}
}
