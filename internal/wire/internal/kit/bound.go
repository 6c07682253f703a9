package kit

import (
	"strconv"

	"github.com/callwright/callwright"
)

// Bounds of a request. An empty part takes two bytes of a body and some hundred of memory, so that without a bound a
// small body could exhaust the memory.
const (
	MaxParts = 1 << 16 // messages, their parts, calls and results together
	MaxTools = 1 << 13
)

// TooManyTools is the error about a request with more than MaxTools.
func TooManyTools(op string) *callwright.Error {
	return Invalid(op, "/tools", "expected at most "+strconv.Itoa(MaxTools)+" tools, got more")
}
