package shown

import "strings"

// MaySetOff reports whether line alone looks like part of a table, a diff or an indented code block.
func MaySetOff(line string) bool {
	return isRow(line) || isChange(line) || IsIndented(line)
}

// IsSetOff reports whether line belongs to a table, a diff or an indented code block. above is the text above it.
func IsSetOff(line, above string) bool {
	if isRow(line) && inRows(above) || isChange(line) && inHunk(above) {
		return true
	}
	return IsIndented(line) && !isDeep(line) && isBlock(above)
}

// isRow reports whether line can be a table row.
func isRow(line string) bool {
	return line == "" || line[0] == '<' || strings.IndexByte(line, '|') >= 0
}

// IsIndented reports whether line is indented like code: by four spaces or a tab.
func IsIndented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
}

// isDeep reports whether line is indented by at least eight spaces, as in a response that is indented as a whole.
func isDeep(line string) bool {
	return strings.HasPrefix(line, "        ")
}

// isChange reports whether line begins like a line of a diff hunk.
func isChange(line string) bool {
	return line != "" && strings.IndexByte("+- \\", line[0]) >= 0
}

// LastLine splits the last line off text.
func LastLine(text string) (rest, line string) {
	text = strings.TrimSuffix(text, "\n")
	n := strings.LastIndexByte(text, '\n') + 1
	return text[:n], strings.TrimRight(text[n:], "\r")
}

// isBlock reports whether an indented line below the text above is code: only indented lines follow an empty line
// after a paragraph. Indented lines below a list item belong to the item.
func isBlock(above string) bool {
	apart := false
	for above != "" {
		var line string
		above, line = LastLine(above)
		switch {
		case strings.TrimSpace(line) == "":
			apart = true
		case IsIndented(line):
			apart = false
		default:
			return apart && !startsItem(strings.TrimLeft(line, " "))
		}
	}
	return false
}

// startsItem reports whether line begins a list item.
func startsItem(line string) bool {
	mark, _, ok := strings.Cut(line, " ")
	return ok && IsItem(mark)
}

// inRows reports whether a line below the text above is a row of a Markdown table: table rows up to the line of dashes
// precede it. It returns false for a table whose rows begin with a bar.
func inRows(above string) bool {
	for above != "" {
		var line string
		above, line = LastLine(above)
		if !strings.Contains(line, "|") {
			return false
		}
		if strings.Contains(line, "--") && strings.Trim(line, "|-: \t") == "" {
			return !strings.HasPrefix(strings.TrimLeft(line, " \t"), "|")
		}
	}
	return false
}

// inHunk reports whether a line below the text above belongs to a diff hunk: only diff lines up to the hunk header
// precede it.
func inHunk(above string) bool {
	for above != "" {
		var line string
		above, line = LastLine(above)
		switch {
		case strings.HasPrefix(line, "@@ "):
			return true
		case line != "" && !isChange(line):
			return false
		}
	}
	return false
}

// InfoWords returns the words after the language on the opening line of a code block, "" if they are attributes.
func InfoWords(info string) string {
	_, words, _ := strings.Cut(info, " ")
	if strings.ContainsAny(words, "=:{[") {
		return ""
	}
	return strings.TrimSpace(words)
}
