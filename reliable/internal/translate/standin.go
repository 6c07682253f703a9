package translate

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// standIn is declared where a history calls tools and none is declared: one tool for all of them, since a list of their
// names would grow with the history.
var standIn = callwright.Tool{Name: "unavailable",
	Description: "Stands for tools that were called before and cannot be called now.", Schema: []byte(NoParameters)}

// DeclareStandIn declares a tool where the receiver refuses calls without any, and forbids calling it.
func DeclareStandIn(out *callwright.Request, turns []callwright.Summary, l *judge.Ledger) error {
	if !slices.ContainsFunc(turns, func(t callwright.Summary) bool { return len(t.Calls) > 0 }) {
		return nil
	}
	tools, err := out.DeclaredTools()
	if err != nil {
		return err
	}
	l.Add(callwright.Note{Rule: "history.declared_tools", Stage: callwright.StageOutbound, Now: standIn.Name})
	out.Tools, out.Params.Choice = append(slices.Clone(tools), standIn), callwright.Choice{Mode: callwright.ChoiceNone}
	return nil
}
