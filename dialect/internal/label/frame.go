package label

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	tri "github.com/callwright/callwright/dialect/internal/tristate"
)

// A frame is the text before a call without marks on its line, together with the line below the call:
//   - tool_code = f(..), and print(tool_code), as Gemma 3 writes it;
//   - the number of a line, and that of the next before a mark that ends a request, as
//     https://github.com/vybestack/llxprt-code/blob/main/packages/core/src/parsers/TextToolCallParser.ts reads it.
const (
	// Variable is the name of the variable to which a call is assigned.
	Variable   = "tool_code"
	assignment = Variable + " ="
	printed    = "print(" + Variable + ")"
	endRequest = "[END_TOOL_REQUEST]"
)

// mostDigits bounds the digits of a line's number.
const mostDigits = 4

// IsFrame reports whether a text begins a frame.
func IsFrame(head string) bool {
	word := strings.TrimSpace(head)
	return word == assignment || isNumber(word) && chars.IsSpace(head[len(head)-1])
}

// mayFrame reports whether a line may become one that begins with a frame.
func mayFrame(line string) bool {
	return strings.HasPrefix(assignment, line) || isNumber(line)
}

func isNumber(text string) bool {
	return text != "" && len(text) <= mostDigits && strings.Trim(text, "0123456789") == ""
}

// FrameEnd is the length of the rest of the frame with which head begins in the text after its call.
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

// CutAssigned is a text that begins with an assignment without it, where it ends in the frame's last line. It is the
// call and that line.
func CutAssigned(text string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, assignment)
	return strings.TrimLeft(rest, " "), ok && strings.HasSuffix(strings.TrimSpace(rest), printed)
}

// IsPrinted reports whether a text is the last line of an assignment's frame.
func IsPrinted(text string) bool { return strings.TrimSpace(text) == printed }
