package restore

import (
	"context"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callid"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/signature"
)

// Rule is the rule ID of the notes returned by Signatures.
const Rule = "history.state_restored"

// A restorer adds saved opaque state to the history of one request. It uses only state of the requested model.
type restorer struct {
	ctx   context.Context
	v     signature.Store
	owner string
	model callwright.ModelID
	notes []callwright.Note
	left  int // bytes of state that may still be added
	// message decodes the message i of the request. It is nil if the messages can only be decoded together.
	message func(i int) callwright.Message
	turns   []callwright.Summary  // summaries of the messages of the request
	used    map[contentMatch]bool // added state that was found by content, not by ID

	firstUser int                // index of the first user message
	opening   []signature.Digest // digests of the texts of this message, computed once
}

// maxRestored is the maximum size in bytes of the state added to one request. A history may repeat one call, and its
// state is then added each time.
const maxRestored = 16 << 20

// A contentMatch identifies a state that was found by the content of a call, not by its ID.
type contentMatch struct {
	call  signature.Call
	state string // concatenated contents of the state
}

// Signatures adds saved state to the assistant messages of out, a request to model m, that lack it. It returns a note
// for each call that got state. Messages are decoded only if state is saved for one of their calls. Messages before the
// last user message also get their state, so that their bytes in requests to the provider never change.
func Signatures(ctx context.Context, v signature.Store, out *callwright.Request, turns []callwright.Summary,
	m callwright.ModelID) ([]callwright.Note, error) {
	if !v.Holds(string(m)) {
		return nil, nil
	}
	r := &restorer{ctx: ctx, v: v, owner: companion.Of(out).Owner, model: m, left: maxRestored, message: peek(out),
		turns: turns, used: map[contentMatch]bool{}}
	if !r.needsRestore() {
		return nil, nil
	}
	msgs, err := out.History()
	if err != nil {
		return nil, err
	}
	out.Messages = slices.Clone(msgs)
	r.readOpening(msgs)
	for i := range msgs {
		if parts, changed := r.turn(msgs, i); changed {
			out.Messages[i].Parts = parts
		}
	}
	return r.notes, nil
}

// needsRestore reports whether an assistant message lacks saved state. If the client sends call IDs, summaries are
// sufficient and no message is decoded.
func (r *restorer) needsRestore() bool {
	for i := range r.turns {
		t := &r.turns[i]
		if t.Role != callwright.RoleAssistant || t.Signed && len(t.Calls) < 2 { // with several calls, some may lack a signature
			continue
		}
		unnamed := false
		for _, c := range t.Calls {
			states, _ := r.v.Find(r.ctx, signatureCall(r.owner, r.model, c))
			if slices.ContainsFunc(states, func(s signature.State) bool { return mayLackState(t, s) }) {
				return true
			}
			unnamed = unnamed || len(states) == 0 && withoutID(c.ID)
		}
		if unnamed && r.keptWithoutID(i) {
			return true
		}
	}
	return false
}

// mayLackState reports whether a message may lack a part of the state s, which is saved for one of its calls.
func mayLackState(t *callwright.Summary, s signature.State) bool {
	if t.Signed {
		return s.Signature != ""
	}
	return !t.Reasoning || s.Opaque()
}

// withoutID reports whether the client sent a call without an ID. Decoding then derived an ID.
func withoutID(id string) bool { return id == "" || callid.IsDerived(id) }

// keptWithoutID reports whether message i lacks state that is saved for the content of its calls.
func (r *restorer) keptWithoutID(i int) bool {
	if r.message == nil {
		return true
	}
	return slices.ContainsFunc(callwright.CallsOf(r.message(i).Parts), func(c callwright.Call) bool {
		states, _ := r.v.Find(r.ctx, signatureCall(r.owner, r.model, callwright.CallRef{Name: c.Name}).WithoutID(callDigest(c)))
		return slices.ContainsFunc(states, func(s signature.State) bool { return mayLackState(&r.turns[i], s) })
	})
}

// pick returns the state saved for a call. It searches by the call's ID, or by the content if the client sent no ID. A
// state found by content is returned only once.
func (r *restorer) pick(c callwright.Call, at func() signature.Place) (s signature.State, ok bool) {
	key := signatureCall(r.owner, r.model, callwright.CallRef{ID: c.ID, Name: c.Name})
	if states, _ := r.v.Find(r.ctx, key); len(states) > 0 || !withoutID(c.ID) {
		return pickAt(states, c, at)
	}
	key = key.WithoutID(callDigest(c))
	states, _ := r.v.Find(r.ctx, key)
	if s, ok = pickAt(states, c, at); !ok {
		return s, false
	}
	once := contentMatch{call: key, state: s.Signature}
	for _, t := range s.Thoughts {
		once.state += t.Signature + t.Redacted + t.ID + t.Text
	}
	if r.used[once] {
		return signature.State{}, false
	}
	r.used[once] = true
	return s, true
}

// pickAt is like signature.Pick but computes the place only if states is not empty.
func pickAt(states []signature.State, c callwright.Call, at func() signature.Place) (s signature.State, ok bool) {
	if len(states) == 0 {
		return signature.State{}, false
	}
	return signature.Pick(states, callDigest(c), at())
}

// readOpening computes the digests of the first user message.
func (r *restorer) readOpening(msgs []callwright.Message) {
	var words []string
	if r.firstUser = firstUser(len(msgs), func(i int) callwright.Role { return msgs[i].Role }); r.firstUser < len(msgs) {
		words = textsOf(msgs[r.firstUser].Parts)
	}
	r.opening = signature.NewPlace(words, nil).Opening
}

// place returns the position of message i in the conversation, as digests of the texts before it.
func (r *restorer) place(msgs []callwright.Message, i int) signature.Place {
	p := signature.NewPlace(nil, textsBefore(i, func(i int) callwright.Role { return msgs[i].Role },
		func(i int) callwright.Message { return msgs[i] }))
	if r.firstUser < i {
		p.Opening = r.opening
	}
	return p
}

// carries reports whether one of the calls already has the signature. An equal call in the same message is then a
// different call, which had none.
func carries(calls []callwright.Call, signature string) bool {
	return signature != "" && slices.ContainsFunc(calls, func(c callwright.Call) bool { return c.Signature == signature })
}

// turn returns the parts of message i with the saved state that they lack, or nil and false if there is none to add.
func (r *restorer) turn(msgs []callwright.Message, i int) (parts []callwright.Part, changed bool) {
	m := msgs[i]
	if m.Role != callwright.RoleAssistant {
		return nil, false
	}
	signed := m.HasOpaqueState()
	calls := callwright.CallsOf(m.Parts)
	kept := make([]signature.State, len(calls))
	opaque, some := false, false
	at := sync.OnceValue(func() signature.Place { return r.place(msgs, i) })
	for n, c := range calls {
		if signed && c.Signature != "" {
			continue
		}
		if s, ok := r.pick(c, at); ok && s.Size() <= r.left && !carries(calls, s.Signature) {
			if signed {
				if s.Thoughts = nil; s.Signature == "" {
					continue
				}
			}
			r.left -= s.Size()
			kept[n], some, opaque = s, true, opaque || s.Opaque()
		}
	}
	if !some {
		return nil, false
	}
	had := slices.ContainsFunc(m.Parts, isReasoning)
	if had && !opaque {
		return nil, false
	}
	for n, c := range calls {
		if kept[n].Signature != "" || len(kept[n].Thoughts) > 0 {
			r.notes = append(r.notes, callwright.Note{Rule: Rule, Stage: callwright.StageOutbound, Call: c.ID})
		}
	}
	parts = slices.Clone(m.Parts)
	if !signed {
		parts = slices.DeleteFunc(parts, isReasoning)
	}
	return insertState(parts, kept, r.model), true
}

func isReasoning(p callwright.Part) bool { _, is := p.(callwright.Reasoning); return is }

// insertState inserts saved state into the parts of a message. kept[n] belongs to the call n. Each thought is inserted
// at its original offset in the text before the call.
func insertState(parts []callwright.Part, kept []signature.State, m callwright.ModelID) []callwright.Part {
	out := make([]callwright.Part, 0, len(parts)+len(kept))
	start := 0 // index of the first part after the previous call
	for _, p := range parts {
		c, ok := p.(callwright.Call)
		if !ok {
			out = append(out, p)
			continue
		}
		s := kept[0]
		kept = kept[1:]
		for _, t := range s.Thoughts {
			if !t.AfterCall {
				out = place(out, start, t.At, reasoningOf(t, m))
			}
		}
		if s.Signature != "" {
			c.Signature, c.Origin = s.Signature, callwright.Origin{Wire: callwright.WireName(s.Wire), Model: m}
		}
		out = append(out, c)
		start = len(out)
		for _, t := range s.Thoughts {
			if t.AfterCall {
				out = append(out, reasoningOf(t, m))
			}
		}
	}
	return out
}

func reasoningOf(t signature.Thought, m callwright.ModelID) callwright.Reasoning {
	r := callwright.Reasoning{Text: t.Text, Signature: t.Signature, Redacted: t.Redacted, ID: t.ID}
	r.Origin = callwright.Origin{Wire: callwright.WireName(t.Wire), Model: m}
	if t.Extra != "" {
		r.Extra = callwright.Extra{Wire: callwright.WireName(t.ExtraWire), JSON: []byte(t.Extra)}
	}
	return r
}

// place inserts r into parts[start:] at the byte offset passed as at in their text. If this position is inside a
// character or inside a text part with extra members, r is inserted before that part.
func place(parts []callwright.Part, start, at int, r callwright.Reasoning) []callwright.Part {
	for i := start; i < len(parts); i++ {
		t, ok := parts[i].(callwright.Text)
		switch {
		case !ok && isReasoning(parts[i]):
		case at <= 0:
			return slices.Insert(parts, i, callwright.Part(r))
		case !ok:
		case at >= len(t.Text):
			at -= len(t.Text)
		case t.Extra.JSON != nil || !utf8.RuneStart(t.Text[at]):
			return slices.Insert(parts, i, callwright.Part(r))
		default:
			return slices.Replace(parts, i, i+1, callwright.Part(callwright.Text{Text: t.Text[:at]}), callwright.Part(r),
				callwright.Part(callwright.Text{Text: t.Text[at:]}))
		}
	}
	return append(parts, r)
}
