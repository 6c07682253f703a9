package callshape

import "strings"

// Around returns the number of brackets around the arguments of a call with the name inside: 1, or 2 in an array.
func Around(text string) int { return 1 + strings.Count(text[:min(2, len(text))], "[") }

// Openness returns the position in a call at which a text with n open brackets ends: 0 after the call, 1 outside the
// arguments, 2 between arguments, 3 inside a value. around is the number of brackets around the arguments.
func Openness(n, around int) int {
	switch {
	case n == 0:
		return 0
	case n <= around:
		return 1
	case n == around+1:
		return 2
	}
	return 3
}
