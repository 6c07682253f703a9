package inbound

import (
	"github.com/callwright/callwright"
)

// TextAlone is the answer without its calls, as events: its text unless that was handed on, and what came with it unless its
// beginning was.
func (o *Outcome) TextAlone(begun, shown bool) []callwright.Event {
	var out []callwright.Event
	if !begun {
		out = append(out, o.Opening)
		if thoughts := o.Reasoning.String() + o.Thoughts.String(); thoughts != "" {
			out = append(out, callwright.ReasoningDelta{Text: thoughts}, callwright.ReasoningEnd{})
		}
	}
	if !shown {
		out = append(out, callwright.TextDelta{Text: o.Visible.String()})
	}
	if o.Usage.Known {
		out = append(out, callwright.UsageDelta{Usage: o.Usage})
	}
	return append(out, callwright.End{Finish: callwright.FinishStop})
}

// takenText is the result that a correction shows for a call that needs none.
const takenText = "This call was accepted. Its result follows later: do not make it again."

// Taken is the good calls of an answer that has to be corrected, and results that keep its model from making them again.
func (o *Outcome) Taken() (calls, results []callwright.Part) {
	for _, c := range o.Good {
		calls = append(calls, c)
		results = append(results, callwright.Result{CallID: c.ID, Name: c.Name, Type: c.Type, Parts: []callwright.Part{callwright.Text{Text: takenText}}})
	}
	return calls, results
}
