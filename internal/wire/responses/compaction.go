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

// compacts reports whether req came over this API and asks for a compaction of the conversation. It is false for nil.
func compacts(req *callwright.Request) bool {
	if req == nil {
		return false
	}
	b, ok := companion.Of(req).Body.(*body)
	return ok && b.compacts
}

// asksForSummary reports whether a compaction is requested and the provider has to write it as a summary in plain text.
func (e *requestEncoder) asksForSummary() bool {
	return e.body.compacts && e.caps.ServiceParams != caps.Yes
}

var compacted = callwright.Note{Rule: "response.compacted", Path: "/output", Was: "text", Now: items.Compaction,
	Why: "the client asked for a compaction of its conversation"}

// compact returns the parts with a compaction item in place of their texts, unless they have a compaction or no text.
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

// hasCompaction reports whether one of the parts is a compaction item.
func hasCompaction(parts []callwright.Part) bool {
	for _, p := range parts {
		if o, ok := p.(callwright.Opaque); ok && items.IsCompaction(o.Extra) {
			return true
		}
	}
	return false
}

// summarize adds a text delta to the summary. taken is true for the events of texts, which must not be written then.
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

// writeSummary appends a compaction item with the summary, if there is one.
func (e *streamEncoder) writeSummary(dst []byte) []byte {
	if len(e.summary) == 0 {
		return dst
	}
	e.NoteOmission(compacted)
	item := items.NewCompaction(newID("cmp_"), string(e.summary))
	e.summary = nil
	return e.opaque(dst, callwright.OpaquePart(item))
}

// compactor is the codec for the endpoint /responses/compact. Its requests have no compaction_trigger item, and its
// responses are objects of the type response.compaction.
type compactor struct{ Codec }

// Compacts returns the codec for clients of the endpoint /responses/compact.
func (Codec) Compacts() wire.Codec { return compactor{} }

// DecodeRequest decodes a request as if its input ended with a compaction_trigger item. It is never streamed.
func (c compactor) DecodeRequest(raw []byte) (*callwright.Request, error) {
	if _, err := c.Codec.DecodeRequest(raw); err != nil { // reports errors such as an empty input
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

// EncodeResponse encodes a response.compaction object with the compaction items of resp.
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
