package openai

import (
	"crypto/rand"
	"strconv"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire/internal/kit"
)

// EncodeResponse is the answer's raw bytes where it has those of this wire, and else an encoding of its parts: texts
// joined, reasoning as reasoning_content, calls in order.
func (Codec) EncodeResponse(_ *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	if resp.Raw != nil && resp.Raw.Wire == callwright.WireOpenAI {
		return resp.Raw.Bytes, nil, nil
	}
	r := response{writer: newWriter(nil), resp: resp}
	r.write()
	r.notes.OfAnswer(resp, own)
	return r.Buf, r.notes, nil
}

// response is one whole answer being written for a client.
type response struct {
	writer
	resp  *callwright.Response
	notes kit.Notes
}

func (r *response) write() {
	resp := r.resp
	id := resp.ID
	if id == "" {
		id = "chatcmpl-" + rand.Text()
	}
	r.Open("", '{')
	r.Text("id", id)
	r.Text("object", "chat.completion")
	if own.Member(resp.Extra, "created") == nil {
		r.Raw("created", strconv.AppendInt(nil, time.Now().Unix(), 10))
	}
	r.Text("model", resp.Model)
	var inChoice callwright.Extra
	for v := range jsonx.Elements(own.Member(resp.Extra, "choices")) {
		inChoice = own.Extra(v)
		break
	}
	r.Open("choices", '[')
	r.Open("", '{')
	r.Count("index", 0)
	r.message(inChoice)
	r.Text("finish_reason", reasonOf(resp.Finish))
	r.Extra(inChoice, "message", "finish_reason", "index")
	r.Buf = append(r.Buf, "}]"...)
	if resp.Usage.Known {
		r.usage("usage", resp.Usage)
	}
	r.Extra(resp.Extra, "choices")
	r.Close('}')
}

// message writes the message of the one choice.
func (r *response) message(inChoice callwright.Extra) {
	var words, refusal, thoughts strings.Builder
	var calls []callwright.Call
	var details []byte
	hasText := false
	var chunks, beside []callwright.Opaque // elements of the content, and members of the message
	for _, p := range r.resp.Parts {
		switch p := p.(type) {
		case callwright.Text:
			if kit.IsRefusal(p) {
				refusal.WriteString(p.Text)
				continue
			}
			hasText = true
			words.WriteString(p.Text)
		case callwright.Reasoning:
			thoughts.WriteString(p.Text)
			if d := own.Member(p.Extra, "reasoning_details"); d != nil {
				details = d
			}
		case callwright.Call:
			calls = append(calls, p)
		case callwright.Opaque:
			if p.Extra.Wire == callwright.WireOpenAI {
				if kind, _ := jsonx.Find(p.Extra.JSON, "type"); jsonx.IsText(kind) {
					chunks = append(chunks, p)
				} else {
					beside = append(beside, p)
				}
				continue
			}
			r.notes.Add(callwright.Note{Rule: "history.opaque", Was: string(p.Extra.JSON), Why: "only its own wire knows this part"})
		}
	}
	r.Open("message", '{')
	r.Text("role", "assistant")
	switch {
	case len(chunks) > 0:
		r.list(words.String(), chunks)
	case !hasText && (len(calls) > 0 || refusal.Len() > 0 || len(beside) > 0):
		r.Raw("content", []byte("null"))
	default:
		r.Text("content", words.String())
	}
	if thoughts.Len() > 0 {
		r.Text("reasoning_content", thoughts.String())
	}
	if details != nil {
		r.Raw("reasoning_details", details)
	}
	r.refusal(refusal.String())
	r.calls(calls)
	for _, p := range beside {
		r.Extra(p.Extra)
	}
	r.Within(inChoice, "message")
	r.Close('}')
}

// refusal writes what the model refused with, null where it did not.
func (r *response) refusal(words string) {
	if words == "" {
		r.Raw("refusal", []byte("null"))
		return
	}
	r.Text("refusal", words)
}

// list writes content as a list, for parts that only this wire knows.
func (r *response) list(words string, chunks []callwright.Opaque) {
	r.Open("content", '[')
	for _, c := range chunks {
		r.Raw("", c.Extra.JSON)
	}
	if words != "" {
		r.Open("", '{')
		r.Text("type", "text")
		r.Text("text", words)
		r.Close('}')
	}
	r.Close(']')
}

func (r *response) calls(calls []callwright.Call) {
	if len(calls) == 0 {
		return
	}
	r.Open("tool_calls", '[')
	for _, c := range calls {
		r.Open("", '{')
		r.Given("id", c.ID)
		r.callBody(c, c.Origin.Wire == callwright.WireOpenAI || c.Origin.Wire == "")
		r.Close('}')
	}
	r.Close(']')
}
