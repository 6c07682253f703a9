package gemini

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/citation"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// EncodeResponse is the answer's raw bytes where it has those of this wire, and else an encoding of its parts, in
// order.
func (c Codec) EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendResponse(nil, req, resp)
	return body, notes, err
}

// AppendResponse implements [wire.ResponseAppender].
func (Codec) AppendResponse(dst []byte, _ *callwright.Request, resp *callwright.Response) (body []byte, fresh bool,
	notes []callwright.Note, err error) {
	if resp.Raw != nil && resp.Raw.Wire == callwright.WireGemini {
		return resp.Raw.Bytes, false, nil, nil
	}
	w := response{writer: newWriter(kit.EnsureCapacity(dst, kit.AnswerRoom(resp))), resp: resp}
	w.write()
	w.notes.OfAnswer(resp, own)
	return w.Buf, true, w.notes, nil
}

// response is one whole answer being written for a client.
type response struct {
	writer
	resp  *callwright.Response
	notes kit.Notes
}

func (w *response) write() {
	r := w.resp
	candidate := addGrounding(besideParts(r), citation.Of(r, callwright.WireGemini), nil)
	w.Open("", '{')
	w.Open("candidates", '[')
	w.Open("", '{')
	w.Open("content", '{')
	w.Open("parts", '[')
	w.parts()
	w.Close(']')
	w.Text("role", roleOf(callwright.RoleAssistant))
	w.Close('}')
	w.Text(finishReason.camel, reasonOf(r.Finish, finishReason.in(candidate.JSON)))
	w.Count("index", 0)
	w.Writer.Extra(candidate, spellings(finishReason)...)
	w.Buf = append(w.Buf, "}]"...)
	w.usage(r.Usage)
	w.OptionalText(modelVersion.camel, r.Model)
	w.OptionalText(responseID.camel, r.ID)
	w.Writer.Extra(r.Extra, candidateKey)
	w.Close('}')
}

// parts writes the parts of an answer. State of other wires goes as a carrier.
func (w *response) parts() {
	list := w.resp.Parts
	for i := 0; i < len(list); i++ {
		switch p := list[i].(type) {
		case callwright.Text:
			signature := signatureOn(list[i+1:])
			if signature != "" {
				i++
			}
			w.text(p, signature)
		case callwright.Reasoning:
			if s := encodeSignature(p); p.Text != "" || s != "" {
				w.writeThought(p.Text, s, p.Extra)
			}
		case callwright.Call:
			if cut(p) {
				w.notes.Add(cutCall(p))
				continue
			}
			w.call(p, p.ID, sealedCall(p))
		case callwright.Image, callwright.File:
			if f, ok := fileOf(p); ok {
				w.file(f)
			}
		case callwright.Opaque:
			if v := own.JSON(p.Extra); v != nil && own.Member(p.Extra, candidateKey) == nil { // else it stands beside the parts
				w.Raw("", v)
			}
		}
	}
}

// besideParts returns the members of the candidate beside its parts: those that came with the end of the answer, and
// those that came before it, of which the last of a name counts.
func besideParts(r *callwright.Response) callwright.Extra {
	objects := [][]byte{own.Member(r.Extra, candidateKey)}
	for _, p := range slices.Backward(r.Parts) {
		if o, ok := p.(callwright.Opaque); ok {
			objects = append(objects, own.Member(o.Extra, candidateKey))
		}
	}
	return own.MergeObjects(objects)
}
