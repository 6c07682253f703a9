// Package quoted has the texts of a request that a model may repeat in its answer.
package quoted

import (
	"iter"

	"github.com/callwright/callwright"
)

// Texts are the texts of the conversation, and the roles whose they are, newest first. A conversation that cannot be
// read has none.
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

// limit bounds the texts of the history with which text is compared for quotations.
const limit = 256 << 10

// Latest are the latest texts of users and tool results, newest first: all together they are no longer than a limit.
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
