package responses

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// compacts reports whether a request of this wire asks for a compaction.
func compacts(req *callwright.Request) bool {
	if req == nil {
		return false
	}
	b, ok := companion.Of(req).Body.(*body)
	return ok && b.compacts
}

// asksForSummary reports whether the provider is asked for a summary in words, as it is not known to have compactions.
func (e *requestEncoder) asksForSummary() bool {
	return e.body.compacts && e.caps.ServiceParams != caps.Yes
}

var compacted = callwright.Note{Rule: "response.compacted", Path: "/output", Was: "text", Now: items.Compaction,
	Why: "the client asked for a compaction of its conversation"}

// compact are the parts of an answer with a compaction in place of their texts, unless they have one.
func (r *response) compact(parts []callwright.Part) []callwright.Part {
	out := make([]callwright.Part, 0, len(parts)+1)
	for _, p := range parts {
		if !isText(p) {
			out = append(out, p)
		}
	}
	summary := callwright.TextOf(parts)
	if summary == "" || hasCompaction(parts) {
		return parts
	}
	r.notes.Add(compacted)
	return append(out, items.NewCompaction(newID("cmp_"), summary))
}

// hasCompaction reports whether a compaction is among the parts.
func hasCompaction(parts []callwright.Part) bool {
	for _, p := range parts {
		if o, ok := p.(callwright.Opaque); ok && items.IsCompaction(o.Extra) {
			return true
		}
	}
	return false
}

// summarize adds the content of an event to the summary in place of writing it.
func (e *streamEncoder) summarize(ev callwright.Event) (taken bool) {
	switch ev := ev.(type) {
	case callwright.TextBegin:
		return true
	case callwright.TextDelta:
		e.summary = append(e.summary, ev.Text...)
		return true
	case callwright.OpaquePart:
		e.compacts = e.compacts && !items.IsCompaction(ev.Extra)
	}
	return false
}

// writeSummary writes the compaction that the summary comes to.
func (e *streamEncoder) writeSummary(dst []byte) []byte {
	if len(e.summary) == 0 {
		return dst
	}
	e.NoteOmission(compacted)
	item := items.NewCompaction(newID("cmp_"), string(e.summary))
	e.summary = nil
	return e.opaque(dst, callwright.OpaquePart(item))
}

// compactor is the codec for clients that ask for a compaction at a path of its own: their input has no item that says
// so, and the answer is an object of its own.
type compactor struct{ Codec }

// Compacts is the codec for clients that ask for a compaction at a path of its own.
func (Codec) Compacts() wire.Codec { return compactor{} }

// DecodeRequest reads a request as one whose input ends with the wish for a compaction.
func (c compactor) DecodeRequest(raw []byte) (*callwright.Request, error) {
	if _, err := c.Codec.DecodeRequest(raw); err != nil { // as it came: there has to be something to be compacted
		return nil, err
	}
	input, err := inputOf(raw)
	if err != nil {
		return nil, err
	}
	return c.Codec.DecodeRequest(wire.ApplyEdits(raw, []callwright.Edit{
		{Path: []string{"stream"}}, {Path: []string{"input"}, Value: items.JoinLists(input, []byte(`[{"type":"`+items.Trigger+`"}]`))},
	}))
}

// EncodeResponse writes the compaction alone.
func (c compactor) EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	whole, notes, err := c.Codec.EncodeResponse(req, resp)
	if err != nil {
		return nil, notes, err
	}
	w := newWriter(nil)
	w.Open("", '{')
	for k, v := range jsonx.Members(whole) {
		switch {
		case k.Is("object"):
			w.Text("object", "response.compaction")
		case k.Is("output"):
			w.Open("output", '[')
			for item := range jsonx.Elements(v) {
				if kit.TextAt(item, "type") == items.Compaction {
					w.Raw("", item)
				}
			}
			w.Close(']')
		case k.Is("id"), k.Is("created_at"), k.Is("usage"):
			w.Add(k, v)
		}
	}
	w.Close('}')
	return w.Buf, notes, nil
}

func isText(p callwright.Part) bool {
	_, is := p.(callwright.Text)
	return is
}
