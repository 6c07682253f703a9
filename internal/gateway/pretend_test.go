package gateway_test

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/internal/wire/responses"
	"github.com/callwright/callwright/sse"
)

// A pretend codec has another wire's name and speaks like OpenAI's: what the doors do of themselves shows.
type pretend struct {
	openai.Codec
	name callwright.WireName
}

func (p pretend) Name() callwright.WireName { return p.name }

// EncodeError says whose error it is.
func (p pretend) EncodeError(err *callwright.Error) (int, http.Header, []byte) {
	status, header, body := p.Codec.EncodeError(err)
	return status, header, []byte(`{"of":"` + string(p.name) + `",` + string(body[1:]))
}

// A modelless codec has bodies without a model, and streams as lists.
type modelless struct {
	pretend
	array bool
}

func (m modelless) Arrays() wire.Codec { return modelless{m.pretend, true} }

func (m modelless) DecodeRequest(body []byte) (*callwright.Request, error) {
	if jsonx.KindOf(body) == jsonx.Object {
		body = append([]byte(`{"model":"none",`), jsonx.Trim(body)[1:]...)
	}
	req, err := m.pretend.DecodeRequest(body)
	if err == nil {
		req.Model = ""
	}
	return req, err
}

func (m modelless) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder {
	return &plainStream{array: m.array}
}

// plainStream writes an answer's text, one event or one element for each piece.
type plainStream struct {
	array bool
	open  bool
}

func (p *plainStream) KeepAlive(dst []byte, _ progress.Snapshot) []byte { return dst }

func (p *plainStream) Encode(dst []byte, b callwright.Batch) []byte {
	for _, ev := range b.Events {
		dst = p.event(dst, ev)
	}
	return dst
}

func (p *plainStream) event(dst []byte, ev callwright.Event) []byte {
	t, text := ev.(callwright.TextDelta)
	_, end := ev.(callwright.End)
	switch {
	case text && p.array:
		mark := "["
		if p.open {
			mark = ","
		}
		p.open = true
		return jsonx.AppendQuote(append(dst, mark...), t.Text)
	case text:
		return sse.Append(dst, "", jsonx.AppendQuote(nil, t.Text))
	case end && p.array:
		return append(dst, ']')
	}
	return dst
}

func (p *plainStream) Fail(dst []byte, err *callwright.Error) []byte {
	return append(dst, `{"error":`+string(jsonx.AppendQuote(nil, err.Message))+`}`...)
}

func (p *plainStream) ContentType() string {
	if p.array {
		return "application/json"
	}
	return "text/event-stream"
}

// A keeping codec lets requests go on from earlier answers. Its items are messages.
type keeping struct{ pretend }

func (k keeping) Continue(body, earlier []byte) ([]byte, error) {
	own, _ := jsonx.Find(body, "messages")
	list := append(append(jsonx.Trim(earlier)[:len(earlier)-1:len(earlier)-1], ','), own[1:]...)
	return wire.ApplyEdits(body, []callwright.Edit{{Path: []string{"messages"}, Value: list}, {Path: []string{"previous_response_id"}}}), nil
}

// ReadContinuation reads the members that the Responses API has for it.
func (k keeping) ReadContinuation(body []byte) wire.ContinuationSettings {
	return responses.Codec{}.ReadContinuation(body)
}

func (k keeping) Items(body, answer []byte) ([]byte, error) {
	var asked struct{ Messages []json.RawMessage }
	var got struct {
		Choices []struct{ Message json.RawMessage }
	}
	if err := json.Unmarshal(body, &asked); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return nil, err
	}
	return json.Marshal(append(asked.Messages, got.Choices[0].Message))
}

func (k keeping) NewStreamEncoder(*callwright.Request) wire.StreamEncoder { return &wholeStream{} }

// wholeStream writes an event for each piece of text, and last one with the whole answer.
type wholeStream struct {
	plainStream
	id   string
	text strings.Builder
}

func (w *wholeStream) Encode(dst []byte, b callwright.Batch) []byte {
	for _, ev := range b.Events {
		dst = w.event(dst, ev)
	}
	return dst
}

func (w *wholeStream) event(dst []byte, ev callwright.Event) []byte {
	switch ev := ev.(type) {
	case callwright.Begin:
		w.id = ev.ID
	case callwright.TextDelta:
		w.text.WriteString(ev.Text)
	case callwright.End:
		text := string(jsonx.AppendQuote(nil, w.text.String()))
		return sse.Append(dst, "response.completed", []byte(`{"type":"response.completed","response":{"id":"`+w.id+
			`","choices":[{"message":{"role":"assistant","content":`+text+`}}]}}`))
	}
	return w.plainStream.event(dst, ev)
}

// pretended returns the codecs of the wires with doors of their own kind.
func pretended() []wire.Codec {
	return []wire.Codec{
		openai.Codec{}, modelless{pretend: pretend{name: callwright.WireGemini}}, keeping{pretend{name: callwright.WireResponses}},
		pretend{name: callwright.WireOllama}, pretend{name: callwright.WireAnthropic},
	}
}
