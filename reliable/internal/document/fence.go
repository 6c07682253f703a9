package document

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// maxHead bounds the beginning of a text that tells whether it is a fence with an object.
const maxHead = 128

// A Fence looks at the beginning of a text that may be a code fence with an object in it. The zero Fence is ready for
// use.
type Fence struct {
	head    string
	decided bool
}

// Feed takes the next piece of the text, and reports whether the text may still be such a fence.
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

// begins reports whether a text may begin with a fence in which an object begins, and whether it is sure to.
func begins(text string) (may, sure bool) {
	const fence = "```"
	if len(text) < len(fence) {
		return strings.HasPrefix(fence, text), false
	}
	body, ok := strings.CutPrefix(text, fence)
	body = strings.TrimLeft(strings.TrimLeft(body, "abcdefghijklmnopqrstuvwxyz_"), " \t\r\n")
	return ok && (body == "" || body[0] == '{'), ok && body != "" && body[0] == '{'
}

// InFence is the object in a text that is a code fence and nothing else, "" for any other text.
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
