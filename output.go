package callwright

// maxOutput bounds what an answer may say, in bytes of text with eventCost for each event.
const (
	maxOutput = 64 << 20
	eventCost = 64
)

func costOf(ev Event) int {
	switch ev := ev.(type) {
	case Frame:
		if ev.Events == 0 {
			return len(ev.Bytes)
		}
		return 0
	case TextDelta:
		return len(ev.Text) + eventCost
	case ReasoningDelta:
		return len(ev.Text) + eventCost
	case CallBegin:
		return len(ev.Name) + eventCost
	case CallDelta:
		return len(ev.Text) + eventCost
	}
	return eventCost
}

// over counts an event and tells whether the answer has become too long, which is its error then.
func (a *answer) over(ev Event) bool {
	if a.size += costOf(ev); a.size <= maxOutput {
		return false
	}
	a.err = errorf("answer", KindBadAnswer, "", "expected an answer of at most %d bytes, got more", maxOutput)
	return true
}
