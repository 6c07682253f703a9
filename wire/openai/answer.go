package openai

import (
	"crypto/rand"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// EncodeResponse is the answer's raw bytes where it has those of this wire, and else an encoding of its parts: texts
// joined, reasoning as reasoning_content, calls in order.
func (Codec) EncodeResponse(_ *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	if resp.Raw != nil && resp.Raw.Wire == callwright.WireOpenAI {
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

func (a *answer) write() {
	r := a.resp
	id := r.ID
	if id == "" {
		id = "chatcmpl-" + rand.Text()
	}
	a.Open("", '{')
	a.Text("id", id)
	a.Text("object", "chat.completion")
	if ownMember(r.Extra, "created") == nil {
		a.Raw("created", strconv.AppendInt(nil, time.Now().Unix(), 10))
	}
	a.Text("model", r.Model)
	var inChoice callwright.Extra
	for v := range jsonx.Elements(ownMember(r.Extra, "choices")) {
		inChoice = callwright.Extra{Wire: callwright.WireOpenAI, JSON: v}
		break
	}
	a.Open("choices", '[')
	a.Open("", '{')
	a.Count("index", 0)
	a.message(inChoice)
	a.Text("finish_reason", reasonOf(r.Finish))
	a.Extra(inChoice, "message", "finish_reason", "index")
	a.Buf = append(a.Buf, "}]"...)
	if r.Usage.Known {
		a.usage("usage", r.Usage)
	}
	a.Extra(r.Extra, "choices")
	a.Close('}')
}

// message writes the message of the one choice.
func (a *answer) message(inChoice callwright.Extra) {
	var words, refusal, thoughts strings.Builder
	var calls []callwright.Call
	var details []byte
	said := false
	var chunks []callwright.Opaque
	for _, p := range a.resp.Parts {
		switch p := p.(type) {
		case callwright.Text:
			if ownMember(p.Extra, "type") != nil {
				refusal.WriteString(p.Text)
				continue
			}
			said = true
			words.WriteString(p.Text)
		case callwright.Reasoning:
			thoughts.WriteString(p.Text)
			if d := ownMember(p.Extra, "reasoning_details"); d != nil {
				details = d
			}
		case callwright.Call:
			calls = append(calls, p)
		case callwright.Opaque:
			if p.Extra.Wire == callwright.WireOpenAI {
				chunks = append(chunks, p)
				continue
			}
			a.notes = append(a.notes, callwright.Note{Rule: "history.opaque", Stage: callwright.StageEncode, Risk: callwright.RiskLossless,
				Was: callwright.Excerpt(string(p.Extra.JSON)), Why: "only its own wire knows this part"})
		}
	}
	a.Open("message", '{')
	a.Text("role", "assistant")
	switch {
	case len(chunks) > 0:
		a.list(words.String(), chunks)
	case !said && (len(calls) > 0 || refusal.Len() > 0):
		a.Raw("content", []byte("null"))
	default:
		a.Text("content", words.String())
	}
	if thoughts.Len() > 0 {
		a.Text("reasoning_content", thoughts.String())
	}
	if details != nil {
		a.Raw("reasoning_details", details)
	}
	if refusal.Len() > 0 {
		a.Text("refusal", refusal.String())
	} else {
		a.Raw("refusal", []byte("null"))
	}
	a.calls(calls)
	a.Within(inChoice, "message")
	a.Close('}')
}

// list writes content as a list, for parts that only this wire knows.
func (a *answer) list(words string, chunks []callwright.Opaque) {
	a.Open("content", '[')
	for _, c := range chunks {
		a.Raw("", c.Extra.JSON)
	}
	if words != "" {
		a.Open("", '{')
		a.Text("type", "text")
		a.Text("text", words)
		a.Close('}')
	}
	a.Close(']')
}

func (a *answer) calls(calls []callwright.Call) {
	if len(calls) == 0 {
		return
	}
	a.Open("tool_calls", '[')
	for _, c := range calls {
		a.Open("", '{')
		a.Given("id", c.ID)
		a.callBody(c, c.Origin.Wire == callwright.WireOpenAI || c.Origin.Wire == "")
		a.Close('}')
	}
	a.Close(']')
}
