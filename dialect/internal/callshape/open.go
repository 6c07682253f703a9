package callshape

import "strings"

// Around is the number of brackets around the arguments of a call that carries its name.
func Around(text string) int { return 1 + strings.Count(text[:min(2, len(text))], "[") }

// Openness is how deep in a call a text ended with n open brackets, of which around enclose the arguments: 0 behind the
// call, 1 outside the arguments, 2 between two arguments, 3 inside a value.
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
