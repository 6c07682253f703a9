// Package quoted returns the texts of a request that a model may quote in its response.
package quoted

import (
	"iter"

	"github.com/callwright/callwright"
)

// Texts yields the texts of the conversation with the roles of their messages, newest message first. The text of a
// tool result is included. It yields nothing if the history cannot be decoded.
func Texts(req *callwright.Request) iter.Seq2[callwright.Role, string] {
	return func(yield func(callwright.Role, string) bool) {
		msgs, err := req.History()
		if err != nil {
			return
		}
		for i := len(msgs) - 1; i >= 0; i-- {
			for _, p := range msgs[i].Parts {
				t := callwright.TextOf([]callwright.Part{p})
				if res, ok := p.(callwright.Result); ok {
					t = res.Text()
				}
				if t != "" && !yield(msgs[i].Role, t) {
					return
				}
			}
		}
	}
}

// limit is the maximum total size, in bytes, of the texts that Latest returns.
const limit = 256 << 10

// Latest returns the texts of user messages and tool results, newest first, up to 256 KiB in total. A text that would
// exceed this limit is skipped.
func Latest(req *callwright.Request) (out []string) {
	left := limit
	for role, t := range Texts(req) {
		if role == callwright.RoleAssistant || role == callwright.RoleSystem {
			continue
		}
		if len(t) <= left {
			out = append(out, t)
			left -= len(t)
		}
		if left <= 0 {
			break
		}
	}
	return out
}
