package restore

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/signature"
)

// A peeker is a Body that decodes one message alone: number i of its Summaries.
type peeker interface {
	Message(i int) callwright.Message
}

// placeAtEnd is the place of the turn that answers a request.
func placeAtEnd(req *callwright.Request) signature.Place {
	if message := peek(req); message != nil {
		turns := req.Summaries()
		return placeAmong(len(turns), func(i int) callwright.Role { return turns[i].Role }, message)
	}
	msgs, _ := req.History()
	return placeAmong(len(msgs), func(i int) callwright.Role { return msgs[i].Role }, func(i int) callwright.Message { return msgs[i] })
}

// peek gives the messages of a request one by one, by the numbers of its Summaries; nil where they can only be decoded
// together.
func peek(req *callwright.Request) func(i int) callwright.Message {
	if req.Messages != nil {
		return func(i int) callwright.Message { return req.Messages[i] }
	}
	if p, ok := companion.Of(req).Body.(peeker); ok {
		return p.Message
	}
	return nil
}

// placeAmong is the place of turn n among messages that are looked at one by one.
func placeAmong(n int, role func(int) callwright.Role, message func(int) callwright.Message) signature.Place {
	var opening []string
	if i := firstUser(n, role); i < n {
		opening = textsOf(message(i).Parts)
	}
	return signature.NewPlace(opening, textsBefore(n, role, message))
}

// firstUser is the first of n turns that is the user's, n where none is.
func firstUser(n int, role func(int) callwright.Role) int {
	for i := range n {
		if role(i) == callwright.RoleUser {
			return i
		}
	}
	return n
}

// textsBefore are the texts between turn n and the turn of the model before it.
func textsBefore(n int, role func(int) callwright.Role, message func(int) callwright.Message) []string {
	var before []string
	for i := n - 1; i >= 0 && role(i) != callwright.RoleAssistant; i-- {
		if role(i) != callwright.RoleSystem {
			before = append(before, textsOf(message(i).Parts)...)
		}
	}
	return before
}

// textsOf are the texts of a turn of the user or of tools, one by one.
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
