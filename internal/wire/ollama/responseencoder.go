package ollama

import (
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// EncodeResponse is the answer's raw bytes where it has those of this wire, and else an encoding of its parts: texts
// and reasoning joined, calls in order with their arguments as objects.
func (c Codec) EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendResponse(nil, req, resp)
	return body, notes, err
}

// AppendResponse implements [wire.ResponseAppender].
func (Codec) AppendResponse(dst []byte, _ *callwright.Request, resp *callwright.Response) (body []byte, fresh bool,
	notes []callwright.Note, err error) {
	if resp.Raw != nil && resp.Raw.Wire == callwright.WireOllama {
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
	extra, inMessage := beside(r)
	reason := own.Member(extra, "done_reason")
	w.Open("", '{')
	w.Text("model", r.Model)
	if own.Member(extra, "created_at") == nil {
		w.now("created_at")
	}
	w.message(inMessage)
	w.Truth("done", true)
	w.Text("done_reason", reasonOf(r.Finish, jsonx.TextOf(reason)))
	w.usage(r.Usage)
	w.took(r, extra)
	w.Extra(extra, "message", "done_reason")
	w.Close('}')
}

// beside returns the members beside those of an answer and of its message that are decoded: those that came with its
// end, and those that lines of a stream had before it, of which the last of a name counts.
func beside(r *callwright.Response) (out, inMessage callwright.Extra) {
	objects, messages := [][]byte{own.JSON(r.Extra)}, [][]byte{own.Member(r.Extra, "message")}
	for _, p := range slices.Backward(r.Parts) {
		if o, ok := p.(callwright.Opaque); ok {
			objects, messages = append(objects, own.JSON(o.Extra)), append(messages, own.Member(o.Extra, "message"))
		}
	}
	return own.MergeObjects(objects), own.MergeObjects(messages)
}

// took writes how long the attempts at an answer took. An answer without a report was not asked for here.
func (w *writer) took(r *callwright.Response, extra callwright.Extra) {
	if r.Report == nil {
		return
	}
	var all time.Duration
	for _, a := range r.Report.Attempts {
		all += a.Duration
	}
	w.times(0, all, extra)
}

// now writes the time as the server does.
func (w *writer) now(key string) {
	w.Key(key)
	w.Buf = append(time.Now().UTC().AppendFormat(append(w.Buf, '"'), time.RFC3339Nano), '"')
}

func (w *response) message(extra callwright.Extra) {
	var words, thoughts kit.Joined
	var calls []callwright.Call
	var images []string
	var state []callwright.Reasoning
	for _, p := range w.resp.Parts {
		switch p := p.(type) {
		case callwright.Text:
			words.WriteString(p.Text)
		case callwright.Reasoning:
			thoughts.WriteString(p.Text)
			if p.Text != "" || p.Signature != "" || p.Redacted != "" {
				state = append(state, p)
			}
		case callwright.Call:
			calls = append(calls, p)
		case callwright.Image:
			if p.Data != "" {
				images = append(images, p.Data)
			}
		}
	}
	w.openMessage(words.String())
	w.OptionalText("thinking", thoughts.String())
	if carrier, lost := packState(state); lost {
		w.notes.Add(callwright.Note{Rule: "response.signature", Why: "the wire has one place for the reasoning of an answer"})
	} else {
		w.OptionalText(carrierKey, carrier)
	}
	w.images(images)
	if len(calls) > 0 {
		w.Open("tool_calls", '[')
		for i, c := range calls {
			w.call(c, i, c.ID, true)
		}
		w.Close(']')
	}
	w.Extra(extra)
	w.Close('}')
}

// packState is the carrier for the opaque state of an answer's reasoning: texts are joined here, so that state of one
// stretch among several would come back with the wrong text. lost says that there is state for which there is no place.
func packState(state []callwright.Reasoning) (carrier string, lost bool) {
	for _, r := range state {
		if r.Signature == "" && r.Redacted == "" {
			continue
		}
		if len(state) > 1 {
			return "", true
		}
		carrier = wire.Pack(r)
	}
	return carrier, false
}

func (w *writer) images(images []string) {
	if len(images) == 0 {
		return
	}
	w.Open("images", '[')
	for _, i := range images {
		w.Text("", i)
	}
	w.Close(']')
}

// call writes call n of a message. Its state goes with it as a carrier to clients, never to servers.
func (w *writer) call(c callwright.Call, n int, id string, toClient bool) {
	w.Open("", '{')
	w.OptionalText("id", id)
	w.Open("function", '{')
	if index, ok := jsonx.Find(own.Member(c.Extra, "function"), "index"); !ok || jsonx.IsNull(index) {
		w.Count("index", n)
	}
	w.Text("name", c.Name)
	w.Raw("arguments", argumentsObject(c))
	w.Within(c.Extra, "function")
	w.Close('}')
	if toClient && c.Signature != "" {
		w.Text(callCarrierKey, wire.PackCall(c))
		w.Extra(c.Extra, "function", callCarrierKey)
	} else {
		w.Extra(c.Extra, "function")
	}
	w.Close('}')
}

// argumentsObject is a call's arguments as the object that this API insists on. The free text of a custom call is its
// one parameter.
func argumentsObject(c callwright.Call) []byte {
	switch {
	case c.Type == callwright.CustomTool:
		return kit.CustomArguments(c.Input)
	case !isObject(c.Arguments):
		return []byte("{}")
	}
	return jsonx.Compact(nil, c.Arguments)
}

// isObject reports whether arguments are one JSON object.
func isObject(v []byte) bool { return jsonx.KindOf(v) == jsonx.Object && jsonx.Valid(v) == nil }
