// Package tristate has a truth value for tests on incomplete text.
package tristate

// A State is the result of a test. Maybe means that more text is needed.
type State uint8

// Results of a test. The zero State is No.
const (
	No State = iota
	Maybe
	Yes
)

// Unless returns No if ended, otherwise Maybe. ended reports that no more text follows.
func Unless(ended bool) State {
	if ended {
		return No
	}
	return Maybe
}

// AtEnd returns Yes if ended, otherwise Maybe. ended reports that no more text follows.
func AtEnd(ended bool) State {
	if ended {
		return Yes
	}
	return Maybe
}

// YesIf returns Yes if b, otherwise No.
func YesIf(b bool) State {
	if b {
		return Yes
	}
	return No
}

// MaybeIf returns Maybe if b, otherwise No.
func MaybeIf(b bool) State {
	if b {
		return Maybe
	}
	return No
}

// Not returns No for Yes, Yes for No, and Maybe for Maybe.
func (s State) Not() State { return Yes - s }
