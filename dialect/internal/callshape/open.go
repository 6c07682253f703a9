package callshape

import "strings"

// Around is the number of brackets around the arguments of a call that carries its name.
func Around(text string) int { return 1 + strings.Count(text[:min(2, len(text))], "[") }

// Openness says in what a text ended that left n brackets open: 0 in nothing, 1 in those around the arguments, 2 in the arguments, 3 in the
// value of one.
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
