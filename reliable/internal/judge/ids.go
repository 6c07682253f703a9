package judge

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// RuleEscapedID is the rule of the note about an escaped call ID.
const RuleEscapedID = "id.escaped"

// id returns the candidate's ID. It makes a new one if the ID is missing or a duplicate, or comes from text and is not
// accepted by all APIs.
func (j *Judge) id(c *Candidate, name string) string {
	switch {
	case c.Found != nil && !plainID(c.ID): // IDs in text such as functions.f:0 are not used for the client
	case c.ID == "" && c.Found == nil:
		j.Ledger.Add(callwright.Note{Rule: "id.missing", Stage: callwright.StageValidate, Call: name})
	case j.IsTaken(c.ID):
		j.Ledger.Add(callwright.Note{Rule: "id.duplicate", Stage: callwright.StageValidate, Call: name, Was: c.ID})
	default:
		return c.ID
	}
	return j.Mint("call_")
}

// plainID reports whether all APIs accept the ID.
func plainID(id string) bool {
	return id != "" && len(id) <= 40 && id == CleanName(id, "")
}

// escapedPrefix begins escaped IDs.
const escapedPrefix = "esc_"

// EscapedID returns the ID of a call for a client whose API does not accept id. It has only letters, digits, '_' and
// '-'. UnescapedID is the inverse. It returns id itself if that is accepted, or if no escaped form is.
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

// UnescapedID returns the ID for which EscapedID, with the same rule, returned escaped. ok is false if there is none.
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
