package openai

import (
	"crypto/rand"
	"strconv"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// EncodeResponse returns the raw bytes of a response of this API. It encodes any other response from its parts: texts
// are concatenated, reasoning becomes reasoning_content, calls keep their order.
func (c Codec) EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendResponse(nil, req, resp)
	return body, notes, err
}

// AppendResponse is EncodeResponse that reuses the memory of dst. It implements [wire.ResponseAppender].
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

// response encodes one response that is not streamed.
type response struct {
	writer
	resp  *callwright.Response
	notes kit.Notes // parts that the API cannot represent
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
	r.usage("usage", resp.Usage) // zeros if unknown: required by https://github.com/mistralai/client-python
	r.Extra(resp.Extra, "choices")
	r.Close('}')
}

// sorted holds the parts of a response, grouped by the member of the message that they are written to.
type sorted struct {
	words, refusal, thoughts kit.Joined
	hasText                  bool
	calls                    []callwright.Call
	details                  []byte              // reasoning_details
	chunks, beside           []callwright.Opaque // elements of the content list; members of the message
}

// addPart adds a part to its group.
func (s *sorted) addPart(p callwright.Part) {
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

// message writes the member message of the choice. inChoice holds unknown members of the provider's choice.
func (r *response) message(inChoice callwright.Extra) {
	var s sorted
	for _, p := range r.resp.Parts {
		s.addPart(p)
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

// refusal writes the member refusal, null for "". Clients expect it in every message.
func (r *response) refusal(text string) {
	if text == "" {
		r.Raw("refusal", []byte("null"))
		return
	}
	r.Text("refusal", text)
}

// list writes the member content as a list: the opaque parts in chunks, then a text part with words unless words is "".
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
