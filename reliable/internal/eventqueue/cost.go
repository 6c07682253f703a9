package eventqueue

import "github.com/callwright/callwright"

// eventCost is the fixed part of an event's cost in bytes.
const eventCost = 64

// CostOf returns the estimated memory of an event in bytes: its text, media and opaque parts, plus a fixed part.
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
