package agent

import "github.com/callwright/callwright"

// follows reports whether rec may be the next entry of the journal in this state. p is the call that the entry
// describes, nil for none. A run writes entries only in this order; an entry out of order could make a call run twice
// or endlessly.
func (st *state) follows(rec record, p *pending) bool {
	if _, first := rec.(begun); first == st.begun || st.stopped != nil {
		return false
	}
	switch rec := rec.(type) {
	case answered:
		ids := map[string]bool{}
		calls := rec.response.Calls()
		for _, c := range calls {
			ids[c.ID] = true
		}
		return st.round == nil && len(ids) == len(calls)
	case added:
		return st.round == nil
	case verified:
		return st.round == nil && st.response != nil && st.verified == nil
	case moved:
		return st.round == nil && rec.model > st.model
	case asked:
		return p != nil && !p.started && !p.ended && p.asked == ""
	case decided:
		return p != nil && !p.ended && p.asked != "" && p.decision == "" && (rec.decision == Yes || rec.decision == No || rec.decision == Always)
	case started:
		return p != nil && !p.started && !p.ended
	case ended:
		return p != nil && !p.ended
	}
	return true
}

// misplacedError returns the error for a journal entry that cannot follow the entries before it.
func misplacedError(rec record, call string) error {
	return callwright.Errorf("agent.load", callwright.KindInvalid, "",
		"the entry %q of the call %q does not follow from the entries before it", rec.kind(), callwright.Excerpt(call))
}
