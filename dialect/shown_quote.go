package dialect

import "strings"

// isQuoted reports whether what follows line on the same line is quoted: in inline code, a block quotation, a table,
// glued to the sign of a diff's line, or right after a quotation mark.
func isQuoted(line string) bool {
	head := strings.TrimLeft(line, " \t")
	if strings.HasPrefix(head, "> ") || strings.HasPrefix(head, "| ") || head == ">" || line == "+" || line == "-" {
		return true
	}
	if line != "" {
		switch line[len(line)-1] {
		case '\'', '"':
			return true
		}
		if strings.HasSuffix(line, "“") || strings.HasSuffix(line, "‘") || strings.HasSuffix(line, "«") {
			return true
		}
	}
	return inCode(line)
}

// inCode reports whether a code span is open at the end of line.
func inCode(line string) bool {
	open := 0
	for i := 0; i < len(line); {
		if line[i] != '`' {
			n := strings.IndexByte(line[i:], '`')
			if n < 0 {
				break
			}
			i += n
			continue
		}
		n := 1
		for i+n < len(line) && line[i+n] == '`' {
			n++
		}
		switch open {
		case 0:
			open = n
		case n:
			open = 0
		}
		i += n
	}
	return open != 0
}

// isItem reports whether a line holds nothing but the mark of a list item.
func isItem(line string) bool {
	line = strings.TrimSpace(line)
	switch line {
	case "-", "*", "•", "+":
		return true
	}
	n := len(line) - 1
	if n < 1 || n > 3 || line[n] != '.' && line[n] != ')' {
		return false
	}
	for _, c := range line[:n] {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
