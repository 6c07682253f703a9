package gemini

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/wire/internal/citation"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// EncodeResponse returns the raw bytes of a response of this API. It encodes any other response from its parts.
func (c Codec) EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendResponse(nil, req, resp)
	return body, notes, err
}

// AppendResponse is EncodeResponse that reuses the memory of dst. It implements [wire.ResponseAppender].
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

// response encodes one response that is not streamed.
type response struct {
	writer
	resp  *callwright.Response
	notes kit.Notes // parts that the API cannot represent
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

// parts writes the parts of the response. Opaque state of other APIs is packed by wire.Pack.
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
			w.call(p, p.ID, callSignature(p))
		case callwright.Image, callwright.File:
			if f, ok := fileOf(p); ok {
				w.file(f)
			}
		case callwright.Opaque:
			if v := own.JSON(p.Extra); v != nil && own.Member(p.Extra, candidateKey) == nil { // otherwise besideParts has it
				w.Raw("", v)
			}
		}
	}
}

// besideParts returns the unknown members of the candidate: those from the end of a stream and those from its earlier
// chunks. The last value of a member applies.
func besideParts(r *callwright.Response) callwright.Extra {
	objects := [][]byte{own.Member(r.Extra, candidateKey)}
	for _, p := range slices.Backward(r.Parts) {
		if o, ok := p.(callwright.Opaque); ok {
			objects = append(objects, own.Member(o.Extra, candidateKey))
		}
	}
	return own.MergeObjects(objects)
}
