package signature

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
)

// A Place identifies a turn of the model by its surroundings: the beginning of the conversation and the texts right before the
// turn, which all clients send back.
type Place struct {
	Opening []Digest // the digests of the first words of the user
	Before  []Digest // the digests of what the user and tools said right before the turn
}

// placeTexts and placeBytes bound what a place is made of: so many texts, so many bytes of each.
const (
	placeTexts = 16
	placeBytes = 8 << 10
)

// NewPlace is the place of a turn, from the texts of the first message of the user and from those between the turn and the
// turn of the model before it. Blank texts and white space around texts do not count.
func NewPlace(opening, before []string) Place {
	return Place{Opening: digests(opening), Before: digests(before)}
}

func digests(texts []string) []Digest {
	var out []Digest
	for _, t := range texts {
		t = strings.TrimSpace(t)
		if t == "" || len(out) == placeTexts {
			continue
		}
		out = append(out, DigestOf(t[:min(len(t), placeBytes)]))
	}
	return out
}

// same reports whether two places are one. Clients add texts to turns and take them away again, such as reminders, so one
// common text is enough.
func (p Place) same(q Place) bool { return common(p.Opening, q.Opening) && common(p.Before, q.Before) }

func common(a, b []Digest) bool {
	if len(a) == 0 && len(b) == 0 {
		return true
	}
	return slices.ContainsFunc(a, func(d Digest) bool { return slices.Contains(b, d) })
}

// Pick chooses, among the states kept for one call, the one that belongs to these arguments in this place. ok is false where
// none fits, and where two that differ do.
func Pick(states []State, arguments Digest, at Place) (s State, ok bool) {
	for i := range states {
		if c := &states[i]; c.Arguments != arguments || !c.Place.same(at) {
			continue
		}
		if ok && !s.equal(&states[i]) {
			return State{}, false
		}
		s, ok = states[i], true
	}
	return s, ok
}

// equal reports whether the same would be put back.
func (s *State) equal(o *State) bool {
	return s.Signature == o.Signature && s.Wire == o.Wire && slices.Equal(s.Thoughts, o.Thoughts)
}

// A peeker is a Body that decodes one message alone: number i of its Summaries.
type peeker interface {
	Message(i int) callwright.Message
}

// placeAtEnd is the place of the turn that answers a request.
func placeAtEnd(req *callwright.Request) Place {
	if message := peek(req); message != nil {
		turns := req.Summaries()
		return placeAmong(len(turns), func(i int) callwright.Role { return turns[i].Role }, message)
	}
	msgs, _ := req.History()
	return placeAmong(len(msgs), func(i int) callwright.Role { return msgs[i].Role }, func(i int) callwright.Message { return msgs[i] })
}

// peek gives the messages of a request one by one, by the numbers of its Summaries; nil where they can only be decoded together.
func peek(req *callwright.Request) func(i int) callwright.Message {
	if req.Messages != nil {
		return func(i int) callwright.Message { return req.Messages[i] }
	}
	if p, ok := req.Body.(peeker); ok {
		return p.Message
	}
	return nil
}

// placeAmong is the place of turn n among messages that are looked at one by one.
func placeAmong(n int, role func(int) callwright.Role, message func(int) callwright.Message) Place {
	var opening []string
	if i := firstUser(n, role); i < n {
		opening = textsOf(message(i).Parts)
	}
	return NewPlace(opening, textsBefore(n, role, message))
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
