package kit

import (
	"strings"

	"github.com/callwright/callwright"
)

// withoutTools are the words in which servers of every wire say that a model takes no tools.
var withoutTools = []string{
	"support tool use", "does not support tool", "does not support function calling", "tools are not supported",
	"tool use is not supported", "tool calling is not supported", "function calling is not enabled", "function calling is not supported", "tools param requires --jinja",
	"--enable-auto-tool-choice",
}

// LacksTools reports whether a refusal, in lower case, says that the model takes no tools. What a server says of single
// members, such as tool_choice, has to be looked for first.
func LacksTools(message string) bool {
	for _, words := range withoutTools {
		if strings.Contains(message, words) {
			return true
		}
	}
	return false
}

// SaysAll reports whether a message has all the words, each a piece of text.
func SaysAll(message string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(message, w) {
			return false
		}
	}
	return true
}

// NumberAfter is ":N" for the number N that a message has right after some words, "" without one.
func NumberAfter(message, words string) callwright.Feature {
	_, rest, _ := strings.Cut(message, words)
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits == 0 {
		return ""
	}
	return callwright.Feature(":" + rest[:digits])
}
