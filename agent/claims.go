package agent

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/claim"
)

// findUnsupportedClaim returns the first sentence of text, the model's final answer, that claims work which no call of
// the run did (such as "I have sent the mail"). ok is false if there is no such sentence or if WithClaimQuestion is not
// set.
func (r *run) findUnsupportedClaim(text string) (f claim.Finding, ok bool) {
	if !r.o.asksAboutClaims {
		return f, false
	}
	found := claim.Find(text, func() claim.Turn { return claim.Turn{Messages: r.st.withoutOwn(), Tools: r.tools.offered} })
	if len(found) == 0 {
		return f, false
	}
	return found[0], true
}

// withoutOwn returns the conversation without its last message (the answer) and without the messages that the loop
// added, because those are no requests of the user.
func (st *state) withoutOwn() []callwright.Message {
	out := make([]callwright.Message, 0, len(st.messages))
	for i := range len(st.messages) - 1 {
		if !slices.Contains(st.own, i) {
			out = append(out, st.messages[i])
		}
	}
	return out
}

// claimQuestion returns the message that asks the model about a claim that no call supports.
func claimQuestion(f *claim.Finding) string {
	said := "You said: \"" + f.Sentence + "\" "
	switch {
	case f.Kind == claim.Failed && f.Tool != "":
		return said + "The last call of " + f.Tool + " failed, or its result says otherwise. Do it again, or say that it was not done."
	case f.Tool != "":
		return said + "No call did that. Do it now, such as with " + f.Tool + ", or say that you did not."
	}
	return said + "No call did that, and no tool can. Say that you did not."
}
