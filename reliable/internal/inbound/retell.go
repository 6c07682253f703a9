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
