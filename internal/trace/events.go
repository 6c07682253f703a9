package trace

import (
	"strconv"

	"github.com/callwright/callwright"
)

func seqOf(e *Entry) string { return strconv.FormatUint(e.Seq, 10) }

// eventsOf is a recorded answer as events, without those that end it where its end was not recorded.
func eventsOf(e *Entry) ([]callwright.Event, error) {
	resp, err := e.Response()
	if resp == nil || err != nil {
		return nil, err
	}
	resp.Raw = nil // frames would not fit
	calls := resp.Calls()
	var events []callwright.Event
	for _, ev := range resp.Events() {
		switch ev := ev.(type) {
		case callwright.CallEnd:
			// A call of a reliable client, and one that was read from a text, is more than its pieces.
			if call := &calls[ev.Index]; resp.Report != nil || call.Raw != "" || call.Unvalidated {
				events = append(events, callwright.CallEnd{Index: ev.Index, Call: call})
				continue
			}
		case callwright.End:
			for _, n := range e.Notes {
				events = append(events, callwright.Noted{Note: n})
			}
			if e.Partial {
				return events, nil
			}
		}
		events = append(events, ev)
	}
	if resp.Report != nil {
		events = append(events, callwright.Done{Report: resp.Report, NeedsMoreWork: resp.NeedsMoreWork})
	}
	return events, nil
}
