package translate

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/judge"
)

// standIn is a declared tool that must not be called. It is sent if the history has calls but the request declares no
// tools. One tool is enough for calls of any name, so the list does not grow with the history.
var standIn = callwright.Tool{Name: "unavailable",
	Description: "Stands for tools that were called before and cannot be called now.", Schema: []byte(NoParameters)}

// DeclareStandIn adds the standIn tool to a request with calls in its history, and sets the tool choice to none. Use
// it for receivers that reject calls in the history without declared tools.
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
