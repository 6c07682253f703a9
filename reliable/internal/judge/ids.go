package judge

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// RuleEscapedID is the rule of the note on an id that was escaped.
const RuleEscapedID = "id.escaped"

// id is the candidate's id, or a new one where it has none or one that is taken.
func (j *Judge) id(c *Candidate, name string) string {
	switch {
	case c.Found != nil && !plainID(c.ID): // an id inside the text, such as functions.f:0, is for that text alone
	case c.ID == "" && c.Found == nil:
		j.Ledger.Add(callwright.Note{Rule: "id.missing", Stage: callwright.StageValidate, Call: name})
	case j.IsTaken(c.ID):
		j.Ledger.Add(callwright.Note{Rule: "id.duplicate", Stage: callwright.StageValidate, Call: name, Was: c.ID})
	default:
		return c.ID
	}
	return j.Mint("call_")
}

// plainID reports whether every wire accepts an id.
func plainID(id string) bool {
	return id != "" && len(id) <= 40 && id == CleanName(id, "")
}

// escapedPrefix leads escaped ids.
const escapedPrefix = "esc_"

// EscapedID is the id under which a client gets a call whose id its API does not accept, in letters, digits, '_' and
// '-'. UnescapedID gives the id back. An id that is accepted, and one for which no other is, stays as it is.
func EscapedID(id string, accepted caps.IDRule) string {
	if id == "" || accepted.Accepts(id) && !(accepted != caps.IDRule{} && strings.HasPrefix(id, escapedPrefix)) {
		return id
	}
	out := make([]byte, 0, len(escapedPrefix)+len(id)+8)
	out = append(out, escapedPrefix...)
	for i := range len(id) {
		switch c := id[i]; {
		case c == '_':
			out = append(out, "__"...)
		case c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z':
			out = append(out, c)
		default:
			out = append(out, '_', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	if !accepted.Accepts(string(out)) {
		return id
	}
	return string(out)
}

const hexDigits = "0123456789abcdef"

// UnescapedID is the id that EscapedID wrote as this one for an API with the same rule. ok is false where it did not
// write it.
func UnescapedID(escaped string, accepted caps.IDRule) (id string, ok bool) {
	rest, ok := strings.CutPrefix(escaped, escapedPrefix)
	if !ok {
		return "", false
	}
	out := make([]byte, 0, len(rest))
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c != '_':
			out = append(out, c)
		case strings.HasPrefix(rest[i:], "__"):
			out = append(out, c)
			i++
		case i+2 < len(rest):
			n, err := strconv.ParseUint(rest[i+1:i+3], 16, 8)
			if err != nil {
				return "", false
			}
			out = append(out, byte(n))
			i += 2
		default:
			return "", false
		}
	}
	id = string(out)
	return id, utf8.ValidString(id) && EscapedID(id, accepted) == escaped
}
