package config

import "fmt"

// What a text may nest before it is read at all: the reader of YAML takes time and memory by the square of it. Values may be nested far
// less, see maxDepth; that error has the path.
const (
	maxBrackets = 1000 // open at once
	maxIndent   = 1000 // columns
	maxMarks    = 2000 // dashes, colons, anchors and the like on one line
)

// checkNesting returns an error for a text that nests too deeply to be read. It does not tell text in quotes from other text: so many
// brackets belong in neither.
func checkNesting(data []byte) *Error {
	line, start, depth, marks, indent := 1, 0, 0, 0, true
	for i, b := range data {
		switch b {
		case '\n':
			line, start, marks, indent = line+1, i+1, 0, true
			continue
		case ' ':
			if indent && i-start > maxIndent {
				return &Error{Line: line, Column: i - start + 1, Message: fmt.Sprintf("indented by more than %d columns", maxIndent)}
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
			return &Error{Line: line, Column: i - start + 1, Message: "nested too deeply, or too much on one line, to be read"}
		}
	}
	return nil
}
