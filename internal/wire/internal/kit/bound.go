package kit

import (
	"strconv"

	"github.com/callwright/callwright"
)

// What a request may hold at most. An empty part takes two bytes of a body and some hundred of memory, so that without a bound a small
// body could take all there is.
const (
	MaxParts = 1 << 16 // messages, their parts, calls and results together
	MaxTools = 1 << 13
)

// A Count counts what a history holds. The zero Count has seen nothing.
type Count int

// Over counts n more and reports whether that is more than MaxParts.
func (c *Count) Over(n int) bool {
	*c += Count(n)
	return *c > MaxParts
}

// TooManyParts is the error about a history with more than MaxParts, at the place where they are too many.
func TooManyParts(op, path string) *callwright.Error {
	return Invalid(op, path, "expected at most "+strconv.Itoa(MaxParts)+" messages and parts in a request, got more")
}

// TooManyTools is the error about a request with more than MaxTools.
func TooManyTools(op string) *callwright.Error {
	return Invalid(op, "/tools", "expected at most "+strconv.Itoa(MaxTools)+" tools, got more")
}
