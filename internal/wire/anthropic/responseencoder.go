package anthropic

import (
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// EncodeResponse writes an answer: as it came over this wire, where it did, and from its parts otherwise.
func (c Codec) EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendResponse(nil, req, resp)
	return body, notes, err
}

// AppendResponse implements [wire.ResponseAppender].
func (Codec) AppendResponse(dst []byte, req *callwright.Request, resp *callwright.Response) (body []byte, fresh bool,
	notes []callwright.Note, err error) {
	if resp.Raw != nil && resp.Raw.Wire == callwright.WireAnthropic {
		return resp.Raw.Bytes, false, nil, nil
	}
	o := open(kit.EnsureCapacity(dst, kit.AnswerRoom(resp)))
	body, found := writeAnswer(o, req, resp)
	return body, true, found, nil
}

// writeAnswer writes an answer from its parts.
func writeAnswer(o writer, req *callwright.Request, resp *callwright.Response) ([]byte, kit.Notes) {
	extra := own.JSON(resp.Extra)
	var notes kit.Notes
	thinks := asksThinking(req)
	o.Text("id", messageID(resp.ID))
	o.Text("type", "message")
	o.Text("role", "assistant")
	o.Text("model", resp.Model)
	o.Open("content", '[')
	parts, noText := withOthers(resp)
	for i, p := range placeCitations(parts) {
		if t, ok := p.(callwright.Text); ok && t.Text == "" {
			continue // clients send it back, and there it is refused
		}
		if c, ok := p.(callwright.Call); ok {
			c.ID = callID(c.ID)
			p = c
			r, ok := signature(c)
			if ok && !thinks {
				notes.Add(stateKept)
			}
			if ok && thinks {
				o.Comma()
				o.Buf = appendBlock(o.Buf, r)
			}
		}
		if r, ok := p.(callwright.Reasoning); ok && !thinks && foreign(r.Origin) && r.Text == "" {
			notes.Add(stateKept) // in the signature store
			continue
		}
		before := len(o.Buf)
		o.Comma()
		at := len(o.Buf)
		if o.Buf = answerBlock(o.Buf, p); len(o.Buf) == at {
			o.Buf = o.Buf[:before]
			if citationIn(p) != nil { // other parts are noted with the answer
				notes.Add(callwright.Note{Rule: "response.part", Path: "/content/" + strconv.Itoa(i), Was: citationsDelta,
					Why: "there is no text that it belongs to"})
			}
		}
	}
	o.Close(']')
	if notes.OfAnswer(resp, own); noText {
		notes.Add(kit.Uncited)
	}
	o.Text("stop_reason", stopReason(resp.Finish, extra))
	if _, ok := jsonx.Find(extra, "stop_sequence"); !ok {
		o.Raw("stop_sequence", []byte("null"))
	}
	o.Extra(resp.Extra, "id", "type", "role", "model", "content", "stop_reason", "usage")
	o.Key("usage")
	o.Buf = appendUsage(o.Buf, resp.Usage)
	return o.close(), notes
}

// answerBlock writes a part of an answer for a client; nothing for one this API has no block for.
func answerBlock(dst []byte, part callwright.Part) []byte {
	switch p := part.(type) {
	case callwright.Call:
		return appendCall(dst, p)
	case callwright.Reasoning:
		return appendBlock(dst, packReasoning(p))
	case callwright.Text, callwright.Opaque:
		return appendBlock(dst, part)
	}
	return dst
}

// stateKept is the note on opaque state for which the client has no block.
var stateKept = callwright.Note{Rule: "response.state_kept", Why: "the client did not ask for thinking"}

// asksThinking reports whether the client of a request accepts thinking blocks without text: it asked for thinking. For
// other clients the signatures of such blocks are kept in the store. It is false for a request that did not come over
// this API.
func asksThinking(req *callwright.Request) bool {
	if req == nil || companion.Of(req).Wire() != callwright.WireAnthropic {
		return true
	}
	t := req.Params.Thinking
	kind, _ := jsonx.Find(own.JSON(t.Extra), "type")
	return t.Budget != "" || kind != nil && string(jsonx.TextBytes(kind)) != "disabled"
}

// packReasoning is reasoning as a client of this API can hold it: that of other wires with a carrier.
func packReasoning(r callwright.Reasoning) callwright.Reasoning {
	if !foreign(r.Origin) {
		return r
	}
	if r.Text == "" && r.Redacted != "" {
		return callwright.Reasoning{Redacted: wire.Pack(r)}
	}
	return callwright.Reasoning{Text: r.Text, Signature: wire.Pack(r)}
}

// signature is the block before a call that carries the call's state of another wire; ok is false where it has none.
func signature(c callwright.Call) (r callwright.Reasoning, ok bool) {
	if c.Signature == "" || !foreign(c.Origin) {
		return callwright.Reasoning{}, false
	}
	return callwright.Reasoning{Redacted: wire.PackCall(c)}, true
}

// foreign reports whether reasoning came from elsewhere, so that its opaque state means nothing to this API.
func foreign(o callwright.Origin) bool { return o.Wire != callwright.WireAnthropic }
