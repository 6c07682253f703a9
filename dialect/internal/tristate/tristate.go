// Package tristate answers questions about text that may be incomplete.
package tristate

// A State is an answer. Maybe means that more text is needed.
type State uint8

// Answers.
const (
	No State = iota
	Maybe
	Yes
)

// Unless is Maybe while more text can come, and No at its end.
func Unless(ended bool) State {
	if ended {
		return No
	}
	return Maybe
}

// AtEnd is Yes at the end of the text, and Maybe while more can come.
func AtEnd(ended bool) State {
	if ended {
		return Yes
	}
	return Maybe
}

// YesIf is Yes or No.
func YesIf(b bool) State {
	if b {
		return Yes
	}
	return No
}

// MaybeIf is Maybe or No.
func MaybeIf(b bool) State {
	if b {
		return Maybe
	}
	return No
}

// Not is the opposite answer.
func (s State) Not() State { return Yes - s }
