package restore

import (
	"context"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/repair"
	"github.com/callwright/callwright/signature"
)

// A Recorder reads the events sent to a client and saves the opaque state that the client will not send back. The
// methods of a nil Recorder do nothing. A Recorder serves one request and is not safe for concurrent use.
type Recorder struct {
	ctx        context.Context
	v          signature.Store
	req        *callwright.Request
	model      callwright.ModelID
	trail      Trail
	place      signature.Place
	placeKnown bool // place has been computed
}

// NewRecorder returns a Recorder for the answer to a request.
func NewRecorder(ctx context.Context, v signature.Store, req *callwright.Request) *Recorder {
	return &Recorder{ctx: ctx, v: v, req: req}
}

// Begin starts an attempt with the model m. State of an earlier attempt that no call followed is discarded.
func (r *Recorder) Begin(m callwright.ModelID, h caps.HistoryRules) {
	if r == nil {
		return
	}
	r.model, r.trail.Plain = m, h.ReasoningBack.IsRequired(true)
	r.trail.Anew()
}

// Record reads the next event that is sent to the client. At the End event it saves the state of the answer's calls.
func (r *Recorder) Record(ev callwright.Event) {
	if r == nil {
		return
	}
	switch ev := ev.(type) {
	case callwright.TextDelta:
		r.trail.CountText(len(ev.Text))
	case callwright.ReasoningDelta:
		r.trail.Thinks(ev.Text)
	case callwright.ReasoningEnd:
		if r.foreign(ev.Origin) {
			ev = callwright.ReasoningEnd{}
		}
		t := signature.Thought{Signature: ev.Signature, Redacted: ev.Redacted, ID: ev.ID, Wire: string(ev.Origin.Wire)}
		if ev.Extra.HasValues() {
			t.Extra, t.ExtraWire = string(ev.Extra.JSON), string(ev.Extra.Wire)
		}
		r.trail.EndThought(t)
	case callwright.CallEnd:
		if c := ev.Call; c != nil {
			if r.foreign(c.Origin) {
				c = &callwright.Call{ID: c.ID, Name: c.Name, Type: c.Type, Arguments: c.Arguments, Input: c.Input}
			}
			r.trail.AddCall(signatureCall(companion.Of(r.req).Owner, r.model, callwright.CallRef{ID: c.ID, Name: c.Name}),
				func() signature.Digest { return callDigest(*c) }, c.Signature, string(c.Origin.Wire))
		}
	case callwright.End:
		r.keep()
	}
}

// foreign reports whether opaque state comes from a model other than the requested one, such as the fallback of a
// nested Client.
func (r *Recorder) foreign(o callwright.Origin) bool { return o.Model != "" && o.Model != r.model }

// keep saves the opaque state of the answer's calls. It is called before the client receives the end of the answer.
func (r *Recorder) keep() {
	for _, c := range r.trail.End() {
		if !r.placeKnown {
			r.place, r.placeKnown = placeAtEnd(r.req), true
		}
		c.State.Place = r.place
		_ = r.v.Keep(r.ctx, c.Call, c.State)
	}
}

func signatureCall(owner string, m callwright.ModelID, c callwright.CallRef) signature.Call {
	return signature.Call{Owner: owner, Model: string(m), ID: c.ID, Tool: c.Name}
}

func callDigest(c callwright.Call) signature.Digest {
	if c.Type == callwright.CustomTool {
		return signature.DigestOf(c.Input)
	}
	if !jsonx.ValidObject(c.Arguments) { // the client encoded or damaged them: repaired like the history
		if r, err := repair.JSON(string(c.Arguments)); err == nil && jsonx.ValidObject(r.JSON) {
			return signature.DigestArguments(r.JSON)
		}
	}
	return signature.DigestArguments(c.Arguments)
}
