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

// Rule is the id of the notes that Signatures makes.
const Rule = "history.state_restored"

// A restorer puts the stored opaque state back into a history. It uses the state of the requested model alone.
type restorer struct {
	ctx   context.Context
	v     signature.Store
	owner string
	model callwright.ModelID
	notes []callwright.Note
	left  int // bytes that may still be put back
	// message gives one message of the request alone; nil where they can only be decoded together.
	message func(i int) callwright.Message
	turns   []callwright.Summary // the shape of the request
	used    map[found]bool       // the states found without an id that were put back

	firstUser int                // index of the first turn of the user
	opening   []signature.Digest // the digests of its texts, made once
}

// maxRestored bounds the states put back into one request: a history that repeats one call gets its state as often.
const maxRestored = 16 << 20

// A found is a state that was found without an id.
type found struct {
	call  signature.Call
	state string // what it holds
}

// Signatures restores the state that the turns of out, a request to the model m, are missing, and returns a note for
// each call that got some. Nothing is decoded unless a state is kept for one of their calls. Turns before the user's
// latest words get theirs too: their request bytes must not change when the user speaks.
func Signatures(ctx context.Context, v signature.Store, out *callwright.Request, turns []callwright.Summary,
	m callwright.ModelID) ([]callwright.Note, error) {
	if !v.Holds(string(m)) {
		return nil, nil
	}
	r := &restorer{ctx: ctx, v: v, owner: companion.Of(out).Owner, model: m, left: maxRestored, message: peek(out),
		turns: turns, used: map[found]bool{}}
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

// needsRestore reports whether a turn is missing state that is kept: by the summaries alone where clients hand back
// ids.
func (r *restorer) needsRestore() bool {
	for i := range r.turns {
		t := &r.turns[i]
		if t.Role != callwright.RoleAssistant || t.Signed && len(t.Calls) < 2 { // of several calls some may have come without theirs
			continue
		}
		unnamed := false
		for _, c := range t.Calls {
			states, _ := r.v.Find(r.ctx, signatureCall(r.owner, r.model, c))
			if slices.ContainsFunc(states, func(s signature.State) bool { return lacks(t, s) }) {
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

// lacks reports whether a turn may be missing something of a state that is kept for one of its calls.
func lacks(t *callwright.Summary, s signature.State) bool {
	if t.Signed {
		return s.Signature != ""
	}
	return !t.Reasoning || s.Opaque()
}

// withoutID reports whether a client sent a call without an id.
func withoutID(id string) bool { return id == "" || callid.IsDerived(id) }

// keptWithoutID reports whether turn i is missing state that is kept for the content of its calls.
func (r *restorer) keptWithoutID(i int) bool {
	if r.message == nil {
		return true
	}
	return slices.ContainsFunc(callwright.CallsOf(r.message(i).Parts), func(c callwright.Call) bool {
		states, _ := r.v.Find(r.ctx, signatureCall(r.owner, r.model, callwright.CallRef{Name: c.Name}).WithoutID(callDigest(c)))
		return slices.ContainsFunc(states, func(s signature.State) bool { return lacks(&r.turns[i], s) })
	})
}

// pick returns the state kept for a call: by its id, or by its content where the client sent none. A state found
// without an id is put back once.
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
	once := found{call: key, state: s.Signature}
	for _, t := range s.Thoughts {
		once.state += t.Signature + t.Redacted + t.ID + t.Text
	}
	if r.used[once] {
		return signature.State{}, false
	}
	r.used[once] = true
	return s, true
}

// pickAt is Pick where the place is made only if there is something to choose from.
func pickAt(states []signature.State, c callwright.Call, at func() signature.Place) (s signature.State, ok bool) {
	if len(states) == 0 {
		return signature.State{}, false
	}
	return signature.Pick(states, callDigest(c), at())
}

// readOpening digests the texts with which the conversation begins.
func (r *restorer) readOpening(msgs []callwright.Message) {
	var words []string
	if r.firstUser = firstUser(len(msgs), func(i int) callwright.Role { return msgs[i].Role }); r.firstUser < len(msgs) {
		words = textsOf(msgs[r.firstUser].Parts)
	}
	r.opening = signature.NewPlace(words, nil).Opening
}

// place is the place of turn i.
func (r *restorer) place(msgs []callwright.Message, i int) signature.Place {
	p := signature.NewPlace(nil, textsBefore(i, func(i int) callwright.Role { return msgs[i].Role },
		func(i int) callwright.Message { return msgs[i] }))
	if r.firstUser < i {
		p.Opening = r.opening
	}
	return p
}

// carries reports whether one of the calls came with the signature: an equal call beside it is another one, which had
// none.
func carries(calls []callwright.Call, signature string) bool {
	return signature != "" && slices.ContainsFunc(calls, func(c callwright.Call) bool { return c.Signature == signature })
}

// turn returns the parts of message i with the state that they are missing.
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
	return weave(parts, kept, r.model), true
}

func isReasoning(p callwright.Part) bool { _, is := p.(callwright.Reasoning); return is }

// weave puts the states into a turn, kept[n] with its call n: every thought where it stood in the text before the call.
func weave(parts []callwright.Part, kept []signature.State, m callwright.ModelID) []callwright.Part {
	out := make([]callwright.Part, 0, len(parts)+len(kept))
	start := 0 // index of the first part that belongs to the next call
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

// place inserts a thought after the first at bytes of the text that stands from start on. A text is parted only between
// characters, and not where it has further members.
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
