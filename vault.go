package callwright

import (
	"context"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/vault"
)

// A Vault keeps the opaque state of calls for clients whose API has no place for it, see package vault. A Client asks Holds
// for every request, Find for the calls of a history whose turns lack their state, and Keep for the calls of an answer that
// have some. All are called by many goroutines. One that fails costs the state, not the answer.
type Vault interface {
	// Keep keeps a state. Texts of it may be pieces of an answer's bytes: a Vault copies what it keeps.
	Keep(ctx context.Context, c vault.Call, s vault.State) error
	// Find gives all states that were kept for a call and have not expired.
	Find(ctx context.Context, c vault.Call) ([]vault.State, error)
	// Holds tells without delay whether anything may be kept of a model; true where that is not known.
	Holds(model string) bool
}

var _ Vault = (*vault.Memory)(nil)

// A HandingBack is a Body whose clients hand opaque state back in members of their own API, so that nothing has to be kept
// for them.
type HandingBack interface{ HandsBack() bool }

// A Peeker is a Body that decodes one message alone: number i of the Outline.
type Peeker interface{ Message(i int) Message }

// keeps tells whether a vault serves the client of a request.
func (o *options) keeps(req *Request) bool {
	if o.vault == nil || o.policy == Off || o.policy == Observe {
		return false
	}
	h, ok := req.Body.(HandingBack)
	return !ok || !h.HandsBack()
}

// A keeper watches what a client is given and puts into the vault what its next request will lack.
type keeper struct {
	r     *run
	model ModelID
	trail vault.Trail
	place vault.Place
	found bool // place is known
}

// begin starts an attempt.
func (k *keeper) begin(g rung) {
	if k == nil {
		return
	}
	k.model, k.trail.Plain = g.id, textReturns(g.caps.History.ReasoningBack)
	k.trail.Anew()
}

// textReturns tells whether the text of reasoning has to return with calls.
func textReturns(back string) bool { return back == "always" || back == "calls" }

func (k *keeper) see(ev Event) {
	if k == nil {
		return
	}
	switch ev := ev.(type) {
	case TextDelta:
		k.trail.Said(len(ev.Text))
	case ReasoningDelta:
		k.trail.Thinks(ev.Text)
	case ReasoningEnd:
		if k.strange(ev.Origin) {
			ev = ReasoningEnd{}
		}
		t := vault.Thought{Signature: ev.Signature, Redacted: ev.Redacted, ID: ev.ID, Wire: string(ev.Origin.Wire)}
		if says(ev.Extra) {
			t.Extra, t.ExtraWire = string(ev.Extra.JSON), string(ev.Extra.Wire)
		}
		k.trail.Thought(t)
	case CallEnd:
		if c := ev.Call; c != nil {
			if k.strange(c.Origin) {
				c = &Call{ID: c.ID, Name: c.Name, Type: c.Type, Arguments: c.Arguments, Input: c.Input}
			}
			k.trail.Called(vaultCall(k.r.req.Owner, k.model, CallRef{ID: c.ID, Name: c.Name}), vaultDigest(*c), c.Signature, string(c.Origin.Wire))
		}
	case End:
		k.keep()
	}
}

// strange tells whether opaque state is not of the model asked but of one behind it, such as another Client's fallback.
func (k *keeper) strange(o Origin) bool { return o.Model != "" && o.Model != k.model }

// keep puts what the answer has come to into the vault, before the client sees its end.
func (k *keeper) keep() {
	for _, c := range k.trail.End() {
		if !k.found {
			k.place, k.found = placeAtEnd(k.r.req), true
		}
		c.State.Place = k.place
		_ = k.r.o.vault.Keep(k.r.ctx, c.Call, c.State)
	}
}

func vaultCall(owner string, m ModelID, c CallRef) vault.Call {
	return vault.Call{Owner: owner, Model: string(m), ID: c.ID, Tool: c.Name}
}

func vaultDigest(c Call) vault.Digest {
	if c.Type == Custom {
		return vault.DigestOf(c.Input)
	}
	return vault.DigestArguments(c.Arguments)
}

// says tells whether further members hold anything: a null only names the member that a text came in.
func says(x Extra) bool {
	for _, v := range jsonx.Members(x.JSON) {
		if !jsonx.IsNull(v) {
			return true
		}
	}
	return false
}

// placeAtEnd is the place of the turn that answers a request.
func placeAtEnd(req *Request) vault.Place {
	turns := outline(req)
	message := func(i int) Message { return req.Messages[i] }
	if req.Messages == nil {
		p, ok := req.Body.(Peeker)
		if !ok {
			msgs, _ := req.History()
			return placeAmong(len(msgs), func(i int) Role { return msgs[i].Role }, func(i int) Message { return msgs[i] })
		}
		message = p.Message
	}
	return placeAmong(len(turns), func(i int) Role { return turns[i].Role }, message)
}

// placeAmong is the place of turn n among messages that are looked at one by one.
func placeAmong(n int, role func(int) Role, message func(int) Message) vault.Place {
	var opening []string
	if i := firstUser(n, role); i < n {
		opening = textsOf(message(i).Parts)
	}
	return vault.NewPlace(opening, textsBefore(n, role, message))
}

// firstUser is the first of n turns that is the user's, n where none is.
func firstUser(n int, role func(int) Role) int {
	for i := range n {
		if role(i) == User {
			return i
		}
	}
	return n
}

// textsBefore are the texts between turn n and the turn of the model before it.
func textsBefore(n int, role func(int) Role, message func(int) Message) []string {
	var before []string
	for i := n - 1; i >= 0 && role(i) != Assistant; i-- {
		if role(i) != System {
			before = append(before, textsOf(message(i).Parts)...)
		}
	}
	return before
}

// textsOf are the texts of a turn of the user or of tools, one by one.
func textsOf(parts []Part) []string {
	var out []string
	for _, p := range parts {
		switch p := p.(type) {
		case Text:
			out = append(out, p.Text)
		case Result:
			out = append(out, TextOf(p.Parts))
		}
	}
	return out
}

// stamped is the event with the model asked as the origin of its opaque state, where nothing says another.
func stamped(ev Event, m ModelID) Event {
	switch e := ev.(type) {
	case ReasoningEnd:
		if e.Origin.Model == "" && (e.Signature != "" || e.Redacted != "" || e.ID != "" || says(e.Extra)) {
			e.Origin.Model = m
			return e
		}
	case CallBegin:
		if e.Origin.Model == "" && e.Signature != "" {
			e.Origin.Model = m
			return e
		}
	}
	return ev
}
