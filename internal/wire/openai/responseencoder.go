package openai

import (
	"crypto/rand"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// EncodeResponse is the answer's raw bytes where it has those of this wire, and else an encoding of its parts: texts
// joined, reasoning as reasoning_content, calls in order.
func (c Codec) EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendResponse(nil, req, resp)
	return body, notes, err
}

// AppendResponse implements [wire.ResponseAppender].
func (Codec) AppendResponse(dst []byte, _ *callwright.Request, resp *callwright.Response) (body []byte, fresh bool,
	notes []callwright.Note, err error) {
	if resp.Raw != nil && resp.Raw.Wire == callwright.WireOpenAI {
		return resp.Raw.Bytes, false, nil, nil
	}
	r := response{writer: newWriter(kit.EnsureCapacity(dst, kit.AnswerRoom(resp))), resp: resp}
	r.write()
	r.notes.OfAnswer(resp, own)
	return r.Buf, true, r.notes, nil
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
	if own.Member(resp.Extra, "system_fingerprint") == nil {
		r.Raw("system_fingerprint", []byte("null")) // required by https://github.com/OpenRouterTeam/typescript-sdk
	}
	inChoice := own.Extra(jsonx.First(own.Member(resp.Extra, "choices")))
	r.Open("choices", '[')
	r.Open("", '{')
	r.Count("index", 0)
	r.message(inChoice)
	r.Text("finish_reason", reasonOf(resp.Finish))
	if own.Member(inChoice, "logprobs") == nil {
		r.Raw("logprobs", []byte("null")) // required by https://github.com/openai/openai-openapi, CreateChatCompletionResponse
	}
	r.Extra(inChoice, "message", "finish_reason", "index")
	r.Buf = append(r.Buf, "}]"...)
	r.usage("usage", resp.Usage) // zeros where nothing is known: required by https://github.com/mistralai/client-python
	r.Extra(resp.Extra, "choices")
	r.Close('}')
}

// sorted holds the parts of an answer by the member of the message that they go to.
type sorted struct {
	words, refusal, thoughts kit.Joined
	hasText                  bool
	calls                    []callwright.Call
	details                  []byte
	chunks, beside           []callwright.Opaque // elements of the content, and members of the message
}

// take sorts a part in.
func (s *sorted) take(p callwright.Part) {
	switch p := p.(type) {
	case callwright.Text:
		if p.IsRefusal() {
			s.refusal.WriteString(p.Text)
			break
		}
		s.hasText = true
		s.words.WriteString(p.Text)
	case callwright.Reasoning:
		s.thoughts.WriteString(p.Text)
		if d := own.Member(p.Extra, "reasoning_details"); d != nil {
			s.details = d
		}
	case callwright.Call:
		s.calls = append(s.calls, p)
	case callwright.Opaque:
		switch {
		case own.JSON(p.Extra) == nil:
		case jsonx.IsText(own.Member(p.Extra, "type")):
			s.chunks = append(s.chunks, p)
		default:
			s.beside = append(s.beside, p)
		}
	}
}

// message writes the message of the one choice.
func (r *response) message(inChoice callwright.Extra) {
	var s sorted
	for _, p := range r.resp.Parts {
		s.take(p)
	}
	s.beside = append(s.beside, callwright.Opaque{Extra: own.Extra(own.Member(inChoice, "message"))})
	r.Open("message", '{')
	r.Text("role", "assistant")
	switch {
	case len(s.chunks) > 0:
		r.list(s.words.String(), s.chunks)
	case !s.hasText && (len(s.calls) > 0 || s.refusal.Len() > 0 || len(s.beside) > 1):
		r.Raw("content", []byte("null"))
	default:
		r.Text("content", s.words.String())
	}
	if s.thoughts.Len() > 0 {
		r.Text("reasoning_content", s.thoughts.String())
	}
	if s.details != nil {
		r.Raw("reasoning_details", s.details)
	}
	r.refusal(s.refusal.String())
	written := r.cite(s.beside)
	r.calls(s.calls)
	for _, p := range s.beside {
		r.Extra(p.Extra, written)
	}
	r.Close('}')
}

// refusal writes the member that clients expect in every message.
func (r *response) refusal(text string) {
	if text == "" {
		r.Raw("refusal", []byte("null"))
		return
	}
	r.Text("refusal", text)
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
		r.OptionalText("id", c.ID)
		r.callBody(c, c.Origin.Wire == callwright.WireOpenAI || c.Origin.Wire == "")
		r.Close('}')
	}
	r.Close(']')
}
