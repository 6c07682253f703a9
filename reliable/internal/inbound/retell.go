package inbound

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/toolsearch"
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

// CallsOnly is a Collector with the calls of another, what shows searches for tools, and nothing else.
func CallsOnly(was *callwright.Collector) *callwright.Collector {
	resp, out := was.Response(), &callwright.Collector{}
	out.Add(callwright.Begin{ID: resp.ID, Model: resp.Model})
	for _, p := range resp.Parts {
		switch p := p.(type) {
		case callwright.Call:
			out.Add(callwright.CallEnd{Call: &p})
		case callwright.Opaque:
			if toolsearch.IsShown(p) {
				out.Add(callwright.OpaquePart(p))
			}
		}
	}
	return out
}
