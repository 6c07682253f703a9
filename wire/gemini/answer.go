package gemini

import (
	"github.com/callwright/callwright"
)

// EncodeResponse is the answer's raw bytes where it has those of this wire, and else an encoding of its parts, in order.
func (Codec) EncodeResponse(_ *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	if resp.Raw != nil && resp.Raw.Wire == callwright.WireGemini {
		return resp.Raw.Bytes, nil, nil
	}
	a := answer{writer: newWriter(nil), resp: resp}
	a.write()
	return a.Buf, a.notes, nil
}

// answer is one whole answer on its way to a client.
type answer struct {
	writer
	resp  *callwright.Response
	notes []callwright.Note
}

func (a *answer) note(rule, was, why string) {
	a.notes = append(a.notes, callwright.Note{Rule: rule, Stage: callwright.StageEncode, Risk: callwright.RiskImplied,
		Was: callwright.Excerpt(was), Why: why})
}

func (a *answer) write() {
	r := a.resp
	candidate := callwright.Extra{Wire: callwright.WireGemini, JSON: ownMember(r.Extra, candidateKey)}
	a.Open("", '{')
	a.Open("candidates", '[')
	a.Open("", '{')
	a.Open("content", '{')
	a.Open("parts", '[')
	a.parts()
	a.Close(']')
	a.Text("role", roleOf(callwright.RoleAssistant))
	a.Close('}')
	a.Text(finishReason.camel, reasonOf(r.Finish, finishReason.in(candidate.JSON)))
	a.Count("index", 0)
	a.Writer.Extra(candidate, spellings(finishReason)...)
	a.Buf = append(a.Buf, "}]"...)
	a.usage(r.Usage)
	a.Given(modelVersion.camel, r.Model)
	a.Given(responseID.camel, r.ID)
	a.Writer.Extra(r.Extra, candidateKey)
	a.Close('}')
}

// parts writes the parts of an answer. State of other wires goes as a carrier.
func (a *answer) parts() {
	list := a.resp.Parts
	for i := 0; i < len(list); i++ {
		switch p := list[i].(type) {
		case callwright.Text:
			signature := signatureOn(list[i+1:])
			if signature != "" {
				i++
			}
			a.text(p, signature)
		case callwright.Reasoning:
			if s := sealed(p); p.Text != "" || s != "" {
				a.thought(p.Text, s, p.Extra)
			}
		case callwright.Call:
			if cut(p) {
				a.note("response.call", string(p.Arguments), "arguments are objects on this wire")
				continue
			}
			a.call(p, p.ID, sealedCall(p))
		case callwright.Image:
			a.media(file(p), "response.image")
		case callwright.File:
			a.media(p, "response.file")
		case callwright.Opaque:
			if p.Extra.Wire != callwright.WireGemini {
				a.note("response.opaque", string(p.Extra.JSON), "only its own wire knows this part")
				continue
			}
			a.Raw("", p.Extra.JSON)
		}
	}
}

func (a *answer) media(f callwright.File, rule string) {
	if f.Data == "" && f.URL == "" {
		a.note(rule, f.Name+f.FileID, "the wire has no such files")
		return
	}
	a.file(f)
}
