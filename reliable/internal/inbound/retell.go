package inbound

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/reliable/internal/toolsearch"
)

// TextAlone returns the events of the response without its calls. It omits the Begin event and the reasoning if begun
// is set, and the text if shown is set, because they were delivered already. used is the usage to report.
func (o *Outcome) TextAlone(begun, shown bool, used callwright.Usage) []callwright.Event {
	var out []callwright.Event
	if !begun {
		out = append(out, o.Opening)
		if thoughts := o.Reasoning.String() + o.Thoughts.String(); thoughts != "" {
			out = append(out, callwright.ReasoningDelta{Text: thoughts}, callwright.ReasoningEnd{})
		}
	}
	text := o.Visible.String()
	if begun { // leading white space may have been delivered
		text = strings.TrimLeft(text, " \t\r\n")
	}
	if !shown {
		out = append(out, callwright.TextDelta{Text: text})
	}
	end := callwright.End{Finish: callwright.FinishStop, Extra: o.End.Extra}
	if o.CutAtLength {
		end.Finish = callwright.FinishLength
	}
	return append(out, UsageAndEnd(used, end)...)
}

// UsageAndEnd returns the final events of a response: the usage, if known, and the End.
func UsageAndEnd(used callwright.Usage, end callwright.End) []callwright.Event {
	if !used.Known {
		return []callwright.Event{end}
	}
	return []callwright.Event{callwright.UsageDelta{Usage: used}, end}
}

// SayEarlier adds the text of an earlier attempt to a response without text.
func (a *Answer) SayEarlier(was *Outcome) {
	text := was.Visible.String()
	a.Outcome.Visible.WriteString(text)
	a.beforeEnd = append(a.beforeEnd, callwright.TextDelta{Text: text})
	a.Outcome.End.Extra = was.End.Extra.With(a.Outcome.End.Extra)
}

// SearchesOnly returns a new Collector with only the tool searches of an earlier response. It reads them from the
// Collector was.
func SearchesOnly(was *callwright.Collector) *callwright.Collector {
	resp, out := was.Response(), &callwright.Collector{}
	out.Add(callwright.Begin{ID: resp.ID, Model: resp.Model})
	for _, p := range resp.Parts {
		if p, ok := p.(callwright.Opaque); ok && toolsearch.IsShown(p) {
			out.Add(callwright.OpaquePart(p))
		}
	}
	return out
}
