// Package yamltext checks a text before it is read as YAML, and puts the errors of that reader into plain words.
package yamltext

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The bound of nesting of a text before it is read at all: the reader of YAML takes time and memory by the square of
// it. Values may be nested far less, see maxDepth; that error has the path.
const (
	maxBrackets = 1000 // open at once
	maxIndent   = 1000 // columns
	maxMarks    = 2000 // dashes, colons, anchors and the like on one line
)

// Check returns the reason why a text is not read, with its place counted from 1: it is no UTF-8, or nests too deeply.
// The message is empty for a text that may be read. Text in quotes is not told from other text: so many brackets belong
// in neither.
func Check(data []byte) (message string, line, column int) {
	if line := notUTF8(data); line > 0 {
		return "expected text in UTF-8: save the file in that encoding", line, 1
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
			return "nested too deeply, or too much on one line, to be read", line, i - start + 1
		}
	}
	return "", 0, 0
}

// phrases are messages of the YAML reader, by a part of them, and the hint for a person.
var phrases = []struct{ said, plain string }{
	{"found character '\t'", "a line is indented by a tab: use blanks"},
	{"flow mapping end token", "the { that stands here is not closed"},
	{"sequence end token", "the [ that stands here is not closed"},
	{"end character of double-quoted", "the quote that stands here is not closed"},
	{"end character of single-quoted", "the quote that stands here is not closed"},
	{"mapping value is not allowed", "a second colon in one line: begin a new line for what is behind it, or put the value into quotes"},
	{"value is not allowed", "this does not fit what stands above: look at the indentation, and put names with * or other signs into quotes"},
	{"non-map value is specified", "expected a key and a colon here: look at the indentation, and for a colon that is missing"},
}

// Plain translates a message of the YAML reader into a helpful one, where one is known.
func Plain(message string) string {
	for _, p := range phrases {
		if strings.Contains(message, p.said) {
			return p.plain
		}
	}
	return message
}

// notUTF8 returns the first line that is no text in UTF-8, 0 where all are.
func notUTF8(data []byte) int {
	n := 0
	for line := range bytes.Lines(data) {
		if n++; !utf8.Valid(line) {
			return n
		}
	}
	return 0
}
