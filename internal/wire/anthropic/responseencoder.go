package anthropic

import (
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// EncodeResponse returns the raw bytes of a response of this API. It encodes any other response from its parts.
func (c Codec) EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendResponse(nil, req, resp)
	return body, notes, err
}

// AppendResponse is EncodeResponse that reuses the memory of dst. It implements [wire.ResponseAppender].
func (Codec) AppendResponse(dst []byte, req *callwright.Request, resp *callwright.Response) (body []byte, fresh bool,
	notes []callwright.Note, err error) {
	if resp.Raw != nil && resp.Raw.Wire == callwright.WireAnthropic {
		return resp.Raw.Bytes, false, nil, nil
	}
	o := open(kit.EnsureCapacity(dst, kit.AnswerRoom(resp)))
	body, found := writeAnswer(o, req, resp)
	return body, true, found, nil
}

// writeAnswer encodes a response from its parts into o.
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
			continue // clients send the text back, and the API rejects it
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
			notes.Add(stateKept) // the signature store keeps it
			continue
		}
		before := len(o.Buf)
		o.Comma()
		at := len(o.Buf)
		if o.Buf = answerBlock(o.Buf, p); len(o.Buf) == at {
			o.Buf = o.Buf[:before]
			if citationIn(p) != nil { // notes.OfAnswer covers other parts
				notes.Add(callwright.Note{Rule: "response.part", Path: "/content/" + strconv.Itoa(i), Was: citationsDelta,
					Why: "the answer has no text to which it belongs"})
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

// answerBlock appends a part of a response as a content block. It appends nothing if this API has no block for the
// part.
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

// stateKept is the note about opaque state that is not sent to a client, because the client does not accept thinking
// blocks without text. The state stays in the reasoning-signature store.
var stateKept = callwright.Note{Rule: "response.state_kept", Why: "the client did not ask for thinking"}

// asksThinking reports whether the client accepts thinking blocks without text: its request turned thinking on. It is
// true for a request that did not come over this API, and for nil.
func asksThinking(req *callwright.Request) bool {
	if req == nil || companion.Of(req).Wire() != callwright.WireAnthropic {
		return true
	}
	t := req.Params.Thinking
	kind, _ := jsonx.Find(own.JSON(t.Extra), "type")
	return t.Budget != "" || kind != nil && string(jsonx.TextBytes(kind)) != "disabled"
}

// packReasoning returns reasoning of another API with its opaque state packed by wire.Pack, as the signature or as
// redacted data. It returns reasoning of this API unchanged.
func packReasoning(r callwright.Reasoning) callwright.Reasoning {
	if !foreign(r.Origin) {
		return r
	}
	if r.Text == "" && r.Redacted != "" {
		return callwright.Reasoning{Redacted: wire.Pack(r)}
	}
	return callwright.Reasoning{Text: r.Text, Signature: wire.Pack(r)}
}

// signature returns redacted reasoning that carries the opaque state of a call of another API. It is written as a block
// before the call. ok is false if the call has no such state.
func signature(c callwright.Call) (r callwright.Reasoning, ok bool) {
	if c.Signature == "" || !foreign(c.Origin) {
		return callwright.Reasoning{}, false
	}
	return callwright.Reasoning{Redacted: wire.PackCall(c)}, true
}

// foreign reports whether opaque state of the origin o is of another API.
func foreign(o callwright.Origin) bool { return o.Wire != callwright.WireAnthropic }
