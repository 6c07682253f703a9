package restore

import (
	"strings"

	"github.com/callwright/callwright/signature"
)

// A Trail follows an answer as its client sees it, piece by piece and in order, and makes the states of its calls. The
// zero Trail is ready. It serves one answer; not safe for concurrent use.
type Trail struct {
	// Plain keeps reasoning that has nothing opaque too: for models that want its text back.
	Plain bool

	said     int
	text     strings.Builder
	started  int // bytes of text before the open reasoning
	thoughts []signature.Thought
	calls    []trailCall
}

// trailCall is a call of an answer. Most have no state, and need no digest.
type trailCall struct {
	Kept
	arguments func() signature.Digest
}

// Kept is a call with its state.
type Kept struct {
	Call  signature.Call
	State signature.State
}

// CountText counts n bytes of visible text.
func (t *Trail) CountText(n int) {
	t.said += n
}

// Thinks adds a piece of reasoning.
func (t *Trail) Thinks(piece string) {
	if t.text.Len() == 0 {
		t.started = t.said
	}
	t.text.WriteString(piece)
}

// EndThought closes a stretch of reasoning with its opaque state; Text and At are filled in.
func (t *Trail) EndThought(th signature.Thought) {
	th.Text, th.At = t.text.String(), t.said
	if th.Text != "" {
		th.At = t.started
	}
	t.text.Reset()
	if th.Opaque() || t.Plain && th.Text != "" {
		t.thoughts = append(t.thoughts, th)
	}
}

// closeThought closes reasoning that its model did not close.
func (t *Trail) closeThought() {
	if t.text.Len() > 0 {
		t.EndThought(signature.Thought{})
	}
}

// AddCall adds a call with the state that it carries itself; the reasoning since the call before belongs to it. The
// digest of its arguments is computed at the End, where there is something to keep.
func (t *Trail) AddCall(c signature.Call, arguments func() signature.Digest, own, wire string) {
	t.closeThought()
	t.calls = append(t.calls, trailCall{Kept{Call: c, State: signature.State{Signature: own, Wire: wire, Thoughts: t.thoughts}}, arguments})
	t.thoughts, t.said = nil, 0
}

// Anew forgets thoughts that no call followed: the answer is asked for again.
func (t *Trail) Anew() {
	t.text.Reset()
	t.thoughts, t.said = nil, 0
}

// End gives the calls that have something to return with them, and empties the trail. Thoughts after the last call go
// with that one.
func (t *Trail) End() []Kept {
	t.closeThought()
	if n := len(t.calls); n > 0 {
		for _, th := range t.thoughts {
			th.AfterCall = true
			t.calls[n-1].State.Thoughts = append(t.calls[n-1].State.Thoughts, th)
		}
	}
	var out []Kept
	for _, k := range t.calls {
		if k.State.Signature != "" || len(k.State.Thoughts) > 0 {
			k.State.Arguments = k.arguments()
			out = append(out, k.Kept)
		}
	}
	t.Anew()
	t.calls = nil
	return out
}
