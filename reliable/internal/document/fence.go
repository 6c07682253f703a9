package document

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// maxHead is the number of bytes that are examined to recognize a code block with an object.
const maxHead = 128

// A Fence tests whether the beginning of a streamed text may be a code block with a JSON object. The zero Fence is
// ready for use.
type Fence struct {
	head    string
	decided bool
}

// Feed processes the next chunk. It reports whether the text may still be such a code block.
func (f *Fence) Feed(piece string) (may bool) {
	if f.decided {
		return f.head != ""
	}
	f.head += piece[:min(len(piece), maxHead)]
	may, sure := begins(strings.TrimLeft(f.head, " \t\r\n"))
	if may = may && (sure || len(f.head) <= 2*maxHead); !may {
		f.head = ""
	}
	f.decided = sure || !may
	return may
}

// begins returns may if text can be the beginning of a code block whose content begins with an object, and sure if it
// certainly is.
func begins(text string) (may, sure bool) {
	const fence = "```"
	if len(text) < len(fence) {
		return strings.HasPrefix(fence, text), false
	}
	body, ok := strings.CutPrefix(text, fence)
	body = strings.TrimLeft(strings.TrimLeft(body, "abcdefghijklmnopqrstuvwxyz_"), " \t\r\n")
	return ok && (body == "" || body[0] == '{'), ok && body != "" && body[0] == '{'
}

// InFence returns the JSON object in a text that consists only of a code block, otherwise "".
func InFence(text string) string {
	_, sure := begins(text)
	at := strings.IndexByte(text, '{')
	body, ok := strings.CutSuffix(text, "```")
	if !sure || !ok || at > len(body) {
		return ""
	}
	if body = strings.TrimSpace(body[at:]); jsonx.Valid([]byte(body)) != nil {
		return ""
	}
	return body
}
