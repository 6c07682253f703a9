// Package unread detects text that looks like a tool call in a syntax that no dialect decodes, in answers without a
// call.
package unread

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A Form is text that looks like a call: a line that begins with a markup character, followed by a word such as "tool"
// or "call" and then the name of a declared tool. Example: <|tool_call|>get_weather.
type Form struct {
	Tool string
	// Text is the text from the markup character on, at most MaxText bytes.
	Text string
}

// MaxText is the maximum length of Form.Text in bytes.
const MaxText = 200

// maxHead is the maximum distance in bytes between the markup character and the tool name.
const maxHead = 64

// answers lists words in the markup of tool results. Text with such a word before the tool name is not a call.
var answers = [...]string{"response", "result", "output", "observation"}

// words lists words in the markup of calls.
var words = [...]string{"tool", "call", "function", "invoke", "action", "execute", "plugin", "api"}

// examples lists words in a line that introduces an example of a call.
var examples = [...]string{"example", "format", "e.g.", "syntax", "looks like", "template", "sample", "like this", "such as"}

// Find returns the first text that looks like a call. isDeclared reports whether a tool with this name is declared.
// Find skips examples: text after a line that introduces one, and Markdown code blocks unless the whole text is one. ok
// is false if nothing was found.
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

// onlyBlock returns the content of text if it is one Markdown code block, otherwise text itself.
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

// fenceOf returns the ``` or ~~~ characters at the beginning of a line that starts or ends a Markdown code block, or
// "".
func fenceOf(line string) string {
	for _, c := range "`~" {
		if n := len(line) - len(strings.TrimLeft(line, string(c))); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// isMark reports whether a line begins with a markup character of a call, as opposed to punctuation of prose, Markdown
// or tables.
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

// isExample reports whether a line introduces an example.
func isExample(line string) bool {
	return (strings.HasSuffix(line, ":") || strings.HasSuffix(line, ".")) && hasAny(strings.ToLower(line), examples[:])
}

// findToolName returns the declared tool whose name follows the markup character and one of words, or "".
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

// clip cuts text to MaxText bytes, between two characters.
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
