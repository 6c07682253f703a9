// Package yamltext checks a text before it is parsed as YAML, and explains the errors of the YAML parser.
package yamltext

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The limits of nesting before a text is parsed, since the parser needs time and memory proportional to the square of
// the nesting.
const (
	maxBrackets = 1000 // brackets open at once
	maxIndent   = 1000 // columns
	maxMarks    = 2000 // dashes, colons, anchors and similar characters on one line
)

// Check returns a message and a position, counted from 1, if data must not be parsed: it is not UTF-8, or is nested too
// deeply. The message is "" if data may be parsed. Brackets within quotes count like others.
func Check(data []byte) (message string, line, column int) {
	if line := notUTF8(data); line > 0 {
		return "expected UTF-8 text: save the file as UTF-8", line, 1
	}
	start, depth, marks, indent := 0, 0, 0, true
	line = 1
	for i, b := range data {
		switch b {
		case '\n':
			line, start, marks, indent = line+1, i+1, 0, true
			continue
		case ' ':
			if indent && i-start > maxIndent {
				return fmt.Sprintf("indented by more than %d columns", maxIndent), line, i - start + 1
			}
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		case '-', '?', ':', '&', '!', '*':
			if i+1 == len(data) || b == '&' || b == '!' || b == '*' || data[i+1] == ' ' || data[i+1] == '\n' {
				marks++
			}
		}
		if indent = false; depth > maxBrackets || marks > maxMarks {
			return "too deeply nested, or too much on one line", line, i - start + 1
		}
	}
	return "", 0, 0
}

// phrases maps parts of the YAML parser's messages to hints for people.
var phrases = []struct{ said, plain string }{
	{"found character '\t'", "the line is indented by a tab: use spaces"},
	{"flow mapping end token", "this { is not closed"},
	{"sequence end token", "this [ is not closed"},
	{"end character of double-quoted", "this quote is not closed"},
	{"end character of single-quoted", "this quote is not closed"},
	{"mapping value is not allowed", "a second colon in one line: begin a new line after the value, or put the value into quotes"},
	{"value is not allowed", "this does not match the lines above: check the indentation, and put names with * or other signs into quotes"},
	{"non-map value is specified", "expected a key and a colon here: check the indentation, and whether a colon is missing"},
}

// Plain returns a helpful message for a message of the YAML parser, or the message itself if none is known.
func Plain(message string) string {
	for _, p := range phrases {
		if strings.Contains(message, p.said) {
			return p.plain
		}
	}
	return message
}

// notUTF8 returns the number of the first line that is not UTF-8, counted from 1, or 0 if all are.
func notUTF8(data []byte) int {
	n := 0
	for line := range bytes.Lines(data) {
		if n++; !utf8.Valid(line) {
			return n
		}
	}
	return 0
}
