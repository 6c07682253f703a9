package harmony

import (
	"slices"
	"strings"
)

// A Callee is the tool that a message header names in any field: as the recipient, or in place of the role or channel.
type Callee struct {
	Tool    string // tool name as written without "functions."; "" if none
	IsTyped bool   // the header declares a JSON body
	IsRole  bool   // the tool is in place of the role, as in a tool result
	IsTorn  bool   // the header names two tools
}

// namespace is the prefix of function names.
const namespace = "functions."

// CalleeOf parses a header of tokens, roles, channels, content types and declared tool names in any order. It returns
// the zero Callee if the header has any other word.
func CalleeOf(header string, declared func(name string) bool) Callee {
	var c Callee
	isFirst := true // before the first bracket
	for part := range strings.SplitSeq(header, "<") {
		token, text := "", part
		if !isFirst {
			var isWhole bool
			token, text, isWhole = strings.Cut(part, ">")
			if token = strings.Trim(token, "|｜"); !isWhole || token != "start" && token != "channel" && token != "constrain" {
				return Callee{}
			}
		}
		isFirst = false
		isOpener := token == "start"
		for word := range strings.FieldsSeq(text) {
			name := nameIn(word)
			switch {
			case isType(word):
				c.IsTyped = true
			case isSpeaker(strings.TrimPrefix(word, "to=")) || IsChannel(word):
			case !declared(name):
				return Callee{}
			case c.Tool != "" && c.Tool != name:
				c.IsTorn = true
			default:
				c.Tool, c.IsRole = name, c.IsRole || isOpener
			}
			isOpener = false
		}
	}
	return c
}

// IsCallee reports whether text is a header for [CalleeOf] that lost its first token: it has no token, and its first
// word names a tool.
func IsCallee(text string, declared func(name string) bool) bool {
	text = strings.TrimLeft(text, " ")
	first, _, _ := strings.Cut(text, " ")
	return !strings.Contains(text, "<") && CalleeOf(first, declared).Tool != "" && CalleeOf(text, declared).Tool != ""
}

// BeginsCallee reports whether text may be the beginning of a text for which [IsCallee] is true, other than a tool
// name alone. begins reports whether a text is the beginning of a tool name.
func BeginsCallee(text string, declared, begins func(string) bool) bool {
	text = strings.TrimLeft(text, " ")
	last := strings.LastIndexByte(text, ' ') + 1
	word := text[last:]
	name, isFunction := strings.CutPrefix(word, namespace)
	if last == 0 {
		return strings.HasPrefix(namespace, word) || isFunction && begins(name)
	}
	if !IsCallee(text[:last], declared) {
		return false
	}
	recipient, isRecipient := strings.CutPrefix(word, "to=")
	mayBecome := func(known string) bool { return strings.HasPrefix(known, recipient) }
	if begins(nameIn(word)) || mayBecome(namespace) || slices.ContainsFunc(speakers, mayBecome) {
		return true
	}
	return !isRecipient && (mayBecome("to=") || slices.ContainsFunc(types, mayBecome) || slices.ContainsFunc(channels, mayBecome))
}

// The words in headers besides tool names and channels.
var (
	types    = []string{"json", "code"}
	speakers = []string{Speaker, "user", "all", "self"}
)

// IsHeaderWord reports whether word can be part of a header: a role, a channel, a content type or a recipient.
func IsHeaderWord(word string) bool {
	return isType(word) || isSpeaker(word) || IsChannel(word) || strings.HasPrefix(word, "to=")
}

// nameIn returns word without the prefixes "to=" and "functions.".
func nameIn(word string) string {
	return strings.TrimPrefix(strings.TrimPrefix(word, "to="), namespace)
}

func isType(word string) bool { return slices.Contains(types, word) }

func isSpeaker(word string) bool { return slices.Contains(speakers, word) }
