package responses

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire"
	"github.com/callwright/callwright/wire/internal/kit"
)

// A client whose conversation gets too long ends its input with an item that asks for a compaction: an item with opaque content
// that stands for the conversation from then on. Providers of other APIs, and those of this one that are not known to have it, are
// asked for a summary; it is the content, in a carrier of ours.
const (
	triggerItem    = "compaction_trigger"
	compactionItem = "compaction"
)

// askForSummary stands for the trigger where the provider does not know it.
const askForSummary = "This conversation is about to be replaced by a summary. Write it for the assistant that goes on with the work and sees nothing else: " +
	"what the user wants, decisions and constraints, what was done and found (with the names of files, commands and results that still matter), " +
	"what is open, and the next step. Be exact and brief. Call no tool. Answer with the summary alone."

// summaryHead stands before a summary in the conversation that goes on with it.
const summaryHead = "Summary of the conversation up to here:\n\n"

// summaries is the origin of summaries in carriers.
const summaries callwright.WireName = "summary"

// isSummary reports whether the content of a compaction is of ours.
func isSummary(encrypted string) bool { return strings.HasPrefix(encrypted, wire.CarrierMark) }

// compactionPart is the part of a turn that a trigger, or a compaction of ours, comes to; nil for other items.
func compactionPart(item []byte, kind string) callwright.Part {
	switch kind {
	case triggerItem:
		return own.Standing(askForSummary, item)
	case compactionItem:
		content := kit.TextAt(item, "encrypted_content")
		if !isSummary(content) {
			return nil
		}
		if r, _ := wire.Unpack(callwright.Reasoning{}, content); r.Origin.Wire == summaries {
			return callwright.Text{Text: summaryHead + r.Redacted}
		}
		return callwright.Text{Text: summaryHead + "(it cannot be read)"}
	}
	return nil
}

// compacts reports whether a request of this wire asks for a compaction.
func compacts(req *callwright.Request) bool {
	if req == nil {
		return false
	}
	b, ok := req.Body.(*body)
	return ok && b.compacts
}

// asksForSummary reports whether the provider is asked for a summary in words, as it is not known to have compactions.
func (e *requestEncoder) asksForSummary() bool {
	return e.body.compacts && e.caps.ServiceParams != caps.Yes
}

// compaction is the item that has a summary as its content.
func compaction(summary string) callwright.Opaque {
	w := newWriter(nil)
	w.Open("", '{')
	w.Text("id", newID("cmp_"))
	w.Text("type", compactionItem)
	w.Text("encrypted_content", wire.Pack(callwright.Reasoning{Redacted: strings.TrimSpace(summary), Origin: callwright.Origin{Wire: summaries}}))
	w.Close('}')
	return callwright.Opaque{Extra: own.Extra(w.Buf)}
}

var compacted = callwright.Note{Rule: "response.compacted", Path: "/output", Was: "text", Now: compactionItem, Why: "the client asked for a compaction of its conversation"}

// isCompaction reports whether a part of an answer is a compaction.
func isCompaction(x callwright.Extra) bool {
	return x.Wire == callwright.WireResponses && kit.TextAt(x.JSON, "type") == compactionItem
}

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
	return append(out, compaction(summary))
}

// hasCompaction reports whether a compaction is among the parts.
func hasCompaction(parts []callwright.Part) bool {
	for _, p := range parts {
		if o, ok := p.(callwright.Opaque); ok && isCompaction(o.Extra) {
			return true
		}
	}
	return false
}

// summarize takes what an event says for the summary in place of writing it.
func (e *streamEncoder) summarize(ev callwright.Event) (taken bool) {
	switch ev := ev.(type) {
	case callwright.TextBegin:
		return true
	case callwright.TextDelta:
		e.summary = append(e.summary, ev.Text...)
		return true
	case callwright.OpaquePart:
		e.compacts = e.compacts && !isCompaction(ev.Extra)
	}
	return false
}

// writeSummary writes the compaction that the summary comes to.
func (e *streamEncoder) writeSummary(dst []byte) []byte {
	if len(e.summary) == 0 {
		return dst
	}
	e.Left(compacted)
	item := compaction(string(e.summary))
	e.summary = nil
	return e.opaque(dst, callwright.OpaquePart(item))
}

// compactor is the codec for clients that ask for a compaction at a path of its own: their input has no item that says so, and the
// answer is an object of its own.
type compactor struct{ Codec }

// Compacts is the codec for clients that ask for a compaction at a path of its own.
func (Codec) Compacts() wire.Codec { return compactor{} }

// DecodeRequest reads a request as one whose input ends with the wish for a compaction.
func (c compactor) DecodeRequest(raw []byte) (*callwright.Request, error) {
	input, err := inputOf(raw)
	if err != nil {
		return nil, err
	}
	return c.Codec.DecodeRequest(wire.ApplyEdits(raw, []callwright.Edit{
		{Path: []string{"stream"}}, {Path: []string{"input"}, Value: joinLists(input, []byte(`[{"type":"`+triggerItem+`"}]`))},
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
				if kit.TextAt(item, "type") == compactionItem {
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
