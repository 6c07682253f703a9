package restore

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/signature"
)

// A peeker is a request body that can decode a single message. i is an index of Summaries.
type peeker interface {
	Message(i int) callwright.Message
}

// placeAtEnd returns the position in the conversation of the answer to a request.
func placeAtEnd(req *callwright.Request) signature.Place {
	if message := peek(req); message != nil {
		turns := req.Summaries()
		return placeAmong(len(turns), func(i int) callwright.Role { return turns[i].Role }, message)
	}
	msgs, _ := req.History()
	return placeAmong(len(msgs), func(i int) callwright.Role { return msgs[i].Role }, func(i int) callwright.Message { return msgs[i] })
}

// peek returns a function that decodes one message of a request, by its index in Summaries. It returns nil if the
// messages can only be decoded together.
func peek(req *callwright.Request) func(i int) callwright.Message {
	if req.Messages != nil {
		return func(i int) callwright.Message { return req.Messages[i] }
	}
	if p, ok := companion.Of(req).Body.(peeker); ok {
		return p.Message
	}
	return nil
}

// placeAmong returns the position of message n in the conversation. role and message return the role and the content of
// a message.
func placeAmong(n int, role func(int) callwright.Role, message func(int) callwright.Message) signature.Place {
	var opening []string
	if i := firstUser(n, role); i < n {
		opening = textsOf(message(i).Parts)
	}
	return signature.NewPlace(opening, textsBefore(n, role, message))
}

// firstUser returns the index of the first user message, or n if there is none.
func firstUser(n int, role func(int) callwright.Role) int {
	for i := range n {
		if role(i) == callwright.RoleUser {
			return i
		}
	}
	return n
}

// textsBefore returns the texts between message n and the assistant message before it. System messages are skipped.
func textsBefore(n int, role func(int) callwright.Role, message func(int) callwright.Message) []string {
	var before []string
	for i := n - 1; i >= 0 && role(i) != callwright.RoleAssistant; i-- {
		if role(i) != callwright.RoleSystem {
			before = append(before, textsOf(message(i).Parts)...)
		}
	}
	return before
}

// textsOf returns the texts and tool results of a message, one string for each part.
func textsOf(parts []callwright.Part) []string {
	var out []string
	for _, p := range parts {
		switch p := p.(type) {
		case callwright.Text:
			out = append(out, p.Text)
		case callwright.Result:
			out = append(out, callwright.TextOf(p.Parts))
		}
	}
	return out
}
