package restore

import (
	"strings"

	"github.com/callwright/callwright/signature"
)

// A Trail reads an answer in the order in which its client receives it, and collects the opaque state of its calls. The
// zero Trail is ready to use. A Trail serves one answer and is not safe for concurrent use.
type Trail struct {
	// Plain also saves reasoning without opaque state, for models that require their reasoning text in later requests.
	Plain bool

	said     int                 // bytes of visible text since the previous call
	text     strings.Builder     // text of the open reasoning
	started  int                 // offset in the text, in bytes, at which the open reasoning began
	thoughts []signature.Thought // reasoning since the previous call
	calls    []trailCall
}

// A trailCall is a call of an answer. The digest of its arguments is computed only if the call has state.
type trailCall struct {
	Kept
	arguments func() signature.Digest
}

// Kept is a call and its state.
type Kept struct {
	Call  signature.Call
	State signature.State
}

// CountText adds n to the number of bytes of visible text.
func (t *Trail) CountText(n int) {
	t.said += n
}

// Thinks appends a reasoning delta to the open reasoning.
func (t *Trail) Thinks(piece string) {
	if t.text.Len() == 0 {
		t.started = t.said
	}
	t.text.WriteString(piece)
}

// EndThought ends the open reasoning. th has its opaque state; EndThought sets Text and At.
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

// closeThought ends reasoning that has no end event.
func (t *Trail) closeThought() {
	if t.text.Len() > 0 {
		t.EndThought(signature.Thought{})
	}
}

// AddCall adds a call. own is the signature of the call itself, and wire the API that it came from. Reasoning since the
// previous call belongs to this call. The function arguments is called by End, and only if there is state to save.
func (t *Trail) AddCall(c signature.Call, arguments func() signature.Digest, own, wire string) {
	t.closeThought()
	t.calls = append(t.calls, trailCall{Kept{Call: c, State: signature.State{Signature: own, Wire: wire, Thoughts: t.thoughts}}, arguments})
	t.thoughts, t.said = nil, 0
}

// Anew discards reasoning that no call followed, because a new attempt begins.
func (t *Trail) Anew() {
	t.text.Reset()
	t.thoughts, t.said = nil, 0
}

// End returns the calls with state and resets the Trail. Reasoning after the last call is added to the state of that
// call.
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
