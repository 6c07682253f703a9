package vault

import (
	"context"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

// A Vault keeps the opaque state of calls for clients whose API has no place for it, see package vault. A Client asks Holds
// for every request, Find for the calls of a history whose turns lack their state, and Keep for the calls of an answer that
// have some. All are called by many goroutines. One that fails costs the state, not the answer.
type Store interface {
	// Keep keeps a state. Texts of it may be pieces of an answer's bytes: a Vault copies what it keeps.
	Keep(ctx context.Context, c Call, s State) error
	// Find gives all states that were kept for a call and have not expired.
	Find(ctx context.Context, c Call) ([]State, error)
	// Holds tells without delay whether anything may be kept of a model; true where that is not known.
	Holds(model string) bool
}

var _ Store = (*Memory)(nil)

// A keeper watches what a client is given and puts into the vault what its next request will lack. A nil keeper does nothing.
type Keeper struct {
	ctx   context.Context
	v     Store
	req   *callwright.Request
	model callwright.ModelID
	trail Trail
	place Place
	found bool // place is known
}

// newKeeper makes a keeper for the answers to a request.
func NewKeeper(ctx context.Context, v Store, req *callwright.Request) *Keeper {
	return &Keeper{ctx: ctx, v: v, req: req}
}

// begin starts an attempt at a model.
func (k *Keeper) Begin(m callwright.ModelID, h caps.HistoryRules) {
	if k == nil {
		return
	}
	k.model, k.trail.Plain = m, h.ReasoningBack.Required(true)
	k.trail.Anew()
}

func (k *Keeper) See(ev callwright.Event) {
	if k == nil {
		return
	}
	switch ev := ev.(type) {
	case callwright.TextDelta:
		k.trail.Said(len(ev.Text))
	case callwright.ReasoningDelta:
		k.trail.Thinks(ev.Text)
	case callwright.ReasoningEnd:
		if k.strange(ev.Origin) {
			ev = callwright.ReasoningEnd{}
		}
		t := Thought{Signature: ev.Signature, Redacted: ev.Redacted, ID: ev.ID, Wire: string(ev.Origin.Wire)}
		if ev.Extra.HasValues() {
			t.Extra, t.ExtraWire = string(ev.Extra.JSON), string(ev.Extra.Wire)
		}
		k.trail.Thought(t)
	case callwright.CallEnd:
		if c := ev.Call; c != nil {
			if k.strange(c.Origin) {
				c = &callwright.Call{ID: c.ID, Name: c.Name, Type: c.Type, Arguments: c.Arguments, Input: c.Input}
			}
			k.trail.Called(vaultCall(k.req.Owner, k.model, callwright.CallRef{ID: c.ID, Name: c.Name}), vaultDigest(*c), c.Signature, string(c.Origin.Wire))
		}
	case callwright.End:
		k.keep()
	}
}

// strange reports whether opaque state is not of the model asked but of one behind it, such as another Client's fallback.
func (k *Keeper) strange(o callwright.Origin) bool { return o.Model != "" && o.Model != k.model }

// keep puts what the answer has come to into the vault, before the client sees its end.
func (k *Keeper) keep() {
	for _, c := range k.trail.End() {
		if !k.found {
			k.place, k.found = placeAtEnd(k.req), true
		}
		c.State.Place = k.place
		_ = k.v.Keep(k.ctx, c.Call, c.State)
	}
}

func vaultCall(owner string, m callwright.ModelID, c callwright.CallRef) Call {
	return Call{Owner: owner, Model: string(m), ID: c.ID, Tool: c.Name}
}

func vaultDigest(c callwright.Call) Digest {
	if c.Type == callwright.CustomTool {
		return DigestOf(c.Input)
	}
	return DigestArguments(c.Arguments)
}

// placeAtEnd is the place of the turn that answers a request.
func placeAtEnd(req *callwright.Request) Place {
	turns := req.Summaries()
	message := func(i int) callwright.Message { return req.Messages[i] }
	if req.Messages == nil {
		p, ok := req.Body.(callwright.Peeker)
		if !ok {
			msgs, _ := req.History()
			return placeAmong(len(msgs), func(i int) callwright.Role { return msgs[i].Role }, func(i int) callwright.Message { return msgs[i] })
		}
		message = p.Message
	}
	return placeAmong(len(turns), func(i int) callwright.Role { return turns[i].Role }, message)
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
