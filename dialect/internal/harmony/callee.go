package harmony

import (
	"slices"
	"strings"
)

// A Callee is the tool that a header names in any place: as a recipient, or where a role or a channel should stand.
type Callee struct {
	Tool    string // as written, without the namespace of functions; empty where none is named
	IsTyped bool   // the header says that the body is JSON
	IsRole  bool   // the tool stands behind the token that opens a message, as in the result of a tool
	IsTorn  bool   // the header names two tools
}

// namespace stands before the names of functions.
const namespace = "functions."

// CalleeOf reads a header that consists of tokens, roles, channels, types of bodies and names of declared tools, in any
// order. It returns the zero value where the header holds any other word.
func CalleeOf(header string, declared func(name string) bool) Callee {
	var c Callee
	isFirst := true // what stands before the first bracket
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

// IsCallee reports whether a text is such a header that has lost its first token: it has no token, and its first word
// names the tool.
func IsCallee(text string, declared func(name string) bool) bool {
	text = strings.TrimLeft(text, " ")
	first, _, _ := strings.Cut(text, " ")
	return !strings.Contains(text, "<") && CalleeOf(first, declared).Tool != "" && CalleeOf(text, declared).Tool != ""
}

// BeginsCallee reports whether a text may be the beginning of a text of which [IsCallee] holds, but for the name of a
// tool alone. begins reports whether a text may be the beginning of a tool's name.
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

// The words of headers beside the names of tools; the channels are in header.go.
var (
	types    = []string{"json", "code"}
	speakers = []string{Speaker, "user", "all", "self"}
)

// IsHeaderWord reports whether a word is one of headers: a speaker, a channel, a type of bodies, or a recipient.
func IsHeaderWord(word string) bool {
	return isType(word) || isSpeaker(word) || IsChannel(word) || strings.HasPrefix(word, "to=")
}

// nameIn is a word of a header without the prefix that marks a recipient, or a function.
func nameIn(word string) string {
	return strings.TrimPrefix(strings.TrimPrefix(word, "to="), namespace)
}

func isType(word string) bool { return slices.Contains(types, word) }

func isSpeaker(word string) bool { return slices.Contains(speakers, word) }
