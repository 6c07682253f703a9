package judge

import (
	"strconv"

	"github.com/callwright/callwright"
)

// clean removes control characters that no text needs from the strings of a document: all below U+0020 but tab, newline and
// return, and U+007F. In JSON they stand as \u escapes, as \b or as \f.
func (j *Judge) clean(doc []byte, tool string) []byte {
	if !hasControl(doc) || !j.Ledger.May("string.control") {
		return doc
	}
	out := make([]byte, 0, len(doc))
	for i := 0; i < len(doc); {
		n := controlAt(doc[i:])
		switch {
		case n > 0:
			i += n
		case doc[i] == '\\' && i+1 < len(doc):
			out = append(out, doc[i], doc[i+1])
			i += 2
		default:
			out = append(out, doc[i])
			i++
		}
	}
	j.Ledger.Add(callwright.Note{Rule: "string.control", Stage: callwright.StageValidate, Call: tool, Was: "bytes: " + strconv.Itoa(len(doc)-len(out))})
	return out
}

func hasControl(doc []byte) bool {
	for i := 0; i < len(doc); i++ {
		if c := doc[i]; c == 0x7f {
			return true
		} else if c == '\\' {
			if controlAt(doc[i:]) > 0 {
				return true
			}
			i++
		}
	}
	return false
}

// controlAt is the length of the control character at the start of b, 0 where there is none.
func controlAt(b []byte) int {
	if b[0] == 0x7f {
		return 1
	}
	if b[0] != '\\' || len(b) < 2 {
		return 0
	}
	switch b[1] {
	case 'b', 'f':
		return 2
	case 'u':
		if len(b) < 6 {
			return 0
		}
		n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
		if err == nil && (n < 0x20 && n != '\t' && n != '\n' && n != '\r' || n == 0x7f) {
			return 6
		}
	}
	return 0
}
