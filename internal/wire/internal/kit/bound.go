package kit

import (
	"strconv"

	"github.com/callwright/callwright"
)

// Limits of a request. An empty part takes two bytes of a body but hundreds of bytes of memory. Without limits a small
// body could exhaust the memory.
const (
	MaxParts = 1 << 16 // messages, parts, tool calls and tool results together
	MaxTools = 1 << 13 // tool declarations
)

// TooManyTools returns the error for a request with more than MaxTools tools. op is the operation that failed.
func TooManyTools(op string) *callwright.Error {
	return Invalid(op, "/tools", "expected at most "+strconv.Itoa(MaxTools)+" tools, got more")
}
