package shown

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// IsQuoted reports whether the text after line on the same line is in inline code, a block quotation or a table, or
// directly follows a diff sign or a quotation mark.
func IsQuoted(line string) bool {
	head := strings.TrimLeft(line, " \t")
	if strings.HasPrefix(head, "> ") || strings.HasPrefix(head, "| ") || head == ">" || line == "+" || line == "-" {
		return true
	}
	return OpensQuotation(line) || InCode(line)
}

// OpensQuotation reports whether line ends with an opening quotation mark. A quotation mark after a word closes an
// earlier one.
func OpensQuotation(line string) bool {
	if strings.HasSuffix(line, "“") || strings.HasSuffix(line, "‘") || strings.HasSuffix(line, "«") {
		return true
	}
	n := len(line) - 1
	if n < 0 || line[n] != '\'' && line[n] != '"' {
		return false
	}
	return n == 0 || !chars.IsNameByte(line[n-1]) || strings.IndexByte(line[:n], line[n]) < 0
}

// quotationMarks maps opening to closing quotation marks.
var quotationMarks = map[string]string{"\"": "\"", "'": "'", "“": "”", "‘": "’", "«": "»"}

// ClosesQuotation reports whether rest, the text after line and a marker, closes the quotation or code span that line
// opens.
func ClosesQuotation(line, rest string) bool {
	for open, closing := range quotationMarks {
		if strings.HasSuffix(line, open) {
			return strings.Contains(rest, closing)
		}
	}
	return strings.IndexByte(rest, '`') >= 0
}

// InCode reports whether a code span is open at the end of line.
func InCode(line string) bool {
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

// IsItem reports whether line is only the bullet or number of a list item.
func IsItem(line string) bool {
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

// IsBelowQuotation reports whether the last line of lead is a block quotation.
func IsBelowQuotation(lead string) bool {
	_, line := LastLine(lead)
	return strings.HasPrefix(strings.TrimLeft(line, " "), ">")
}

// EndsQuotation reports whether c is, or begins, a closing quotation mark.
func EndsQuotation(c byte) bool { return c == '"' || c == '\'' || c >= 0x80 }

// IsListed reports whether the text between two markers continues a list of markers: a comma, a word, or the beginning
// of the next list item.
func IsListed(between string) bool {
	if item, ok := strings.CutPrefix(between, "\n"); ok {
		return IsItem(item)
	}
	word := strings.Trim(between, ",/ ")
	if len(word) == len(between) || word != "" && !strings.HasSuffix(between, " ") {
		return false
	}
	for k := 0; k < len(word); k++ {
		if !chars.IsLower(word[k]) && word[k] < 0x80 {
			return false
		}
	}
	return between[0] == ',' || between[0] == '/' || word != ""
}
