package eventqueue

import "github.com/callwright/callwright"

// eventCost is the cost of an event beside its text, media and opaque parts.
const eventCost = 64

// CostOf is the memory that an event counts for: its bytes of text, media and opaque parts, and some for itself.
func CostOf(ev callwright.Event) int {
	switch ev := ev.(type) {
	case callwright.TextDelta:
		return len(ev.Text) + eventCost
	case callwright.ReasoningDelta:
		return len(ev.Text) + eventCost
	case callwright.CallBegin:
		return len(ev.Name) + eventCost
	case callwright.CallDelta:
		return len(ev.Text) + eventCost
	case callwright.OpaquePart:
		return len(ev.Extra.JSON) + eventCost
	case callwright.MediaPart:
		switch p := ev.Part.(type) {
		case callwright.Image:
			return len(p.Data) + eventCost
		case callwright.File:
			return len(p.Data) + eventCost
		}
	}
	return eventCost
}
