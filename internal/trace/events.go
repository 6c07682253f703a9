package trace

import (
	"strconv"

	"github.com/callwright/callwright"
)

func seqOf(e *Entry) string { return strconv.FormatUint(e.Seq, 10) }

// batchesOf returns the batches of a recorded answer. If the end of the answer was not recorded, the events that end it
// are omitted.
func batchesOf(e *Entry) ([]callwright.Batch, error) {
	resp, err := e.Response()
	if resp == nil || err != nil {
		return nil, err
	}
	calls := resp.Calls()
	var batches []callwright.Batch
	add := func(b callwright.Batch) { batches = append(batches, b) }
	for _, ev := range resp.Events() {
		switch end := ev.(type) {
		case callwright.CallEnd:
			// The events of a reliable client, or of a call parsed from text, do not contain the whole call.
			if call := &calls[end.Index]; resp.Report != nil || call.Raw != "" || call.Unvalidated {
				ev = callwright.CallEnd{Index: end.Index, Call: call}
			}
		case callwright.End:
			if len(e.Notes) > 0 {
				add(callwright.Batch{Notes: e.Notes})
			}
			if e.Partial {
				return batches, nil
			}
		}
		add(callwright.Batch{Events: []callwright.Event{ev}})
	}
	if resp.Report != nil {
		add(callwright.Batch{Events: []callwright.Event{callwright.Done{Report: resp.Report, NeedsMoreWork: resp.NeedsMoreWork}}})
	}
	return batches, nil
}
