package shown

import "strings"

// MaySetOff reports whether a line can belong to a table, a diff or an indented block of code, by itself.
func MaySetOff(line string) bool {
	return isRow(line) || isChange(line) || IsIndented(line)
}

// IsSetOff reports whether a line below a text belongs to a table, a diff or an indented block of code.
func IsSetOff(line, above string) bool {
	if isRow(line) && inRows(above) || isChange(line) && inHunk(above) {
		return true
	}
	return IsIndented(line) && !isDeep(line) && isBlock(above)
}

// isRow reports whether a line can be a row of a table.
func isRow(line string) bool {
	return line == "" || line[0] == '<' || strings.IndexByte(line, '|') >= 0
}

// IsIndented reports whether a line is indented as far as code is.
func IsIndented(line string) bool {
	return strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
}

// isDeep reports whether a line is indented further than a block of code in prose is: the whole answer is laid out so.
func isDeep(line string) bool {
	return strings.HasPrefix(line, "        ")
}

// isChange reports whether a line begins as those of a hunk do.
func isChange(line string) bool {
	return line != "" && strings.IndexByte("+- \\", line[0]) >= 0
}

// LastLine splits the last line off a text, which ends with the line's end.
func LastLine(text string) (rest, line string) {
	text = strings.TrimSuffix(text, "\n")
	n := strings.LastIndexByte(text, '\n') + 1
	return text[:n], strings.TrimRight(text[n:], "\r")
}

// isBlock reports whether an indented line below a text is code: a paragraph of the text ends with an empty line, and
// nothing but indented lines follow it. Below a list item, indented lines continue with the item.
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

// startsItem reports whether a line begins with the mark of a list item.
func startsItem(line string) bool {
	mark, _, ok := strings.Cut(line, " ")
	return ok && IsItem(mark)
}

// inRows reports whether a line below a text is a row of a table: the rows above it go up to the line of dashes. The
// rows of a table with outer bars begin with one, and a line without is none of them.
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

// inHunk reports whether a line below a text is one of a diff: all lines above it, up to the head of the hunk, are
// lines of one, too.
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

// InfoWords are the words of a fence's first line behind the language. Attributes are none.
func InfoWords(info string) string {
	_, words, _ := strings.Cut(info, " ")
	if strings.ContainsAny(words, "=:{[") {
		return ""
	}
	return strings.TrimSpace(words)
}
