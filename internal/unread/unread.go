// Package unread finds calls in a form that no format reads, in answers without a call.
package unread

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Form is a place in a text that looks like a call: the name of a declared tool behind a mark at the beginning of a
// line, with a word such as tool or call between the two.
type Form struct {
	Tool string
	// Text is the form, from its mark on, at most MaxText bytes.
	Text string
}

// MaxText bounds the text of a Form, in bytes.
const MaxText = 200

// maxHead bounds the bytes between the mark and the name.
const maxHead = 64

// answers stand in marks of results.
var answers = [...]string{"response", "result", "output", "observation"}

// words stand in marks of calls.
var words = [...]string{"tool", "call", "function", "invoke", "action", "execute", "plugin", "api"}

// examples stand in the words above a form that is shown and not meant.
var examples = [...]string{"example", "format", "e.g.", "syntax", "looks like", "template", "sample", "like this", "such as"}

// Find returns the first such place of a text. isDeclared reports whether a tool has a name. Examples in explanations
// are skipped: text below a line that announces one, and code blocks, unless the answer is one.
func Find(text string, isDeclared func(name string) bool) (f Form, ok bool) {
	text = onlyBlock(strings.TrimSpace(text))
	shown, fence := false, ""
	for from := 0; from < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[from:], '\n'); n >= 0 {
			end = from + n
		}
		line := strings.TrimSpace(text[from:end])
		switch mark := fenceOf(line); {
		case fence != "":
			if strings.HasPrefix(mark, fence) && mark == line {
				fence = ""
			}
		case mark != "":
			fence = mark
		case line == "":
		case !isMark(line):
			shown = isExample(line)
		case !shown:
			at := from + strings.Index(text[from:end], line)
			if tool := findToolName(text[at:], isDeclared); tool != "" {
				return Form{Tool: tool, Text: clip(text[at:])}, true
			}
		}
		from = end + 1
	}
	return Form{}, false
}

// onlyBlock returns the content of a text that is one code block, other texts as they are.
func onlyBlock(text string) string {
	mark := fenceOf(text)
	_, inner, below := strings.Cut(text, "\n")
	if mark == "" || !below {
		return text
	}
	if inner = strings.TrimSuffix(inner, mark); strings.Contains(inner, mark) {
		return text
	}
	return inner
}

// fenceOf returns the mark of a code block with which a line begins, "" for none.
func fenceOf(line string) string {
	for _, c := range "`~" {
		if n := len(line) - len(strings.TrimLeft(line, string(c))); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// isMark reports whether a line begins with a mark, and not with punctuation of prose, of Markdown or of a table.
func isMark(line string) bool {
	switch c := line[0]; {
	case c == '<', c == '[', c == '{':
		return len(line) > 1 && line[1] != ' '
	case c >= utf8.RuneSelf:
		r, _ := utf8.DecodeRuneInString(line)
		return strings.ContainsRune("【〔〖⟦⟨«｜▁", r)
	}
	return false
}

// isExample reports whether a line announces an example.
func isExample(line string) bool {
	return (strings.HasSuffix(line, ":") || strings.HasSuffix(line, ".")) && hasAny(strings.ToLower(line), examples[:])
}

// findToolName returns the declared tool that is named behind a mark and one of the words, "" for none.
func findToolName(text string, isDeclared func(name string) bool) string {
	said := false
	for i := 1; i < len(text); {
		switch c := text[i]; {
		case isWord(c):
			end := i
			for end < len(text) && (isWord(text[end]) || (text[end] == '.' || text[end] == '-') && end+1 < len(text) && isWord(text[end+1])) {
				end++
			}
			word := text[i:end]
			if said && isDeclared(word) {
				return word
			}
			if low := strings.ToLower(word); hasAny(low, answers[:]) {
				return ""
			} else if hasAny(low, words[:]) {
				said = true
			}
			if i = end; i > maxHead {
				return ""
			}
		case strings.IndexByte(" \t\n:=|\"'<>/{[_-", c) >= 0, c >= utf8.RuneSelf:
			i++
		default:
			return ""
		}
	}
	return ""
}

func isWord(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func hasAny(text string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) })
}

// clip cuts a text that is too long, between two characters.
func clip(text string) string {
	if len(text) <= MaxText {
		return text
	}
	end := MaxText
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}
