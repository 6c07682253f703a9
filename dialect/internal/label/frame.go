package label

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	tri "github.com/callwright/callwright/dialect/internal/tristate"
)

// A frame is the text before a call on its line, together with the line below the call. The two known frames are:
//
//   - tool_code = f(..), followed by print(tool_code), as Gemma 3 writes
//   - a line number before the call, and the next number before [END_TOOL_REQUEST], as parsed by
//     https://github.com/vybestack/llxprt-code/blob/main/packages/core/src/parsers/TextToolCallParser.ts
const (
	// Variable is the variable to which a call is assigned.
	Variable   = "tool_code"
	assignment = Variable + " ="
	printed    = "print(" + Variable + ")"
	endRequest = "[END_TOOL_REQUEST]"
)

// mostDigits is the maximum number of digits of a line number.
const mostDigits = 4

// IsFrame reports whether head is the beginning of a frame: "tool_code =" or a line number.
func IsFrame(head string) bool {
	word := strings.TrimSpace(head)
	return word == assignment || isNumber(word) && chars.IsSpace(head[len(head)-1])
}

// mayFrame reports whether line may be the beginning of a frame.
func mayFrame(line string) bool {
	return strings.HasPrefix(assignment, line) || isNumber(line)
}

func isNumber(text string) bool {
	return text != "" && len(text) <= mostDigits && strings.Trim(text, "0123456789") == ""
}

// FrameEnd returns the size of the rest of the frame in text, which follows the call. head is the text before the
// call. The state is No if the frame does not end there.
func FrameEnd(head, text string, ended bool) (int, tri.State) {
	at := chars.SpaceEnd(text, 0)
	if strings.IndexByte(text[:at], '\n') < 0 {
		return 0, tri.MaybeIf(at == len(text) && !ended)
	}
	last := printed
	if !strings.HasPrefix(strings.TrimSpace(head), assignment) {
		last = endRequest
		from := at
		for at < len(text) && '0' <= text[at] && text[at] <= '9' && at-from <= mostDigits {
			at++
		}
		if at < len(text) && (at == from || text[at] != ' ') {
			return 0, tri.No
		}
		at = chars.SpaceEnd(text, at)
	}
	rest := text[at:]
	if len(rest) <= len(last) && !ended {
		return 0, tri.MaybeIf(strings.HasPrefix(last, rest))
	}
	after, ok := strings.CutPrefix(rest, last)
	return at + len(last), tri.YesIf(ok && (after == "" || chars.IsSpace(after[0])))
}

// CutAssigned removes "tool_code =" from the beginning of text. rest is the call with the line below it. ok is false if
// text does not begin so, or does not end with print(tool_code).
func CutAssigned(text string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, assignment)
	return strings.TrimLeft(rest, " "), ok && strings.HasSuffix(strings.TrimSpace(rest), printed)
}

// IsPrinted reports whether text is print(tool_code), the last line of a frame.
func IsPrinted(text string) bool { return strings.TrimSpace(text) == printed }
