package ollama

import (
	"slices"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// EncodeResponse returns the raw bytes of a response of this API. It encodes any other response from its parts: texts
// and reasoning are concatenated, calls keep their order and have objects as arguments.
func (c Codec) EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	body, _, notes, err := c.AppendResponse(nil, req, resp)
	return body, notes, err
}

// AppendResponse is EncodeResponse that reuses the memory of dst. It implements [wire.ResponseAppender].
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

// response encodes one response that is not streamed.
type response struct {
	writer
	resp  *callwright.Response
	notes kit.Notes // parts that the API cannot represent
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
	w.writeDurations(r, extra)
	w.Extra(extra, "message", "done_reason")
	w.Close('}')
}

// beside returns the unknown members of a response (out) and of its message (inMessage). They come from the last line
// of a stream and from earlier lines. Of several members with the same name, the latest one counts.
func beside(r *callwright.Response) (out, inMessage callwright.Extra) {
	objects, messages := [][]byte{own.JSON(r.Extra)}, [][]byte{own.Member(r.Extra, "message")}
	for _, p := range slices.Backward(r.Parts) {
		if o, ok := p.(callwright.Opaque); ok {
			objects, messages = append(objects, own.JSON(o.Extra)), append(messages, own.Member(o.Extra, "message"))
		}
	}
	return own.MergeObjects(objects), own.MergeObjects(messages)
}

// writeDurations writes the durations of a response: the total duration of its attempts. It writes nothing without a
// report.
func (w *writer) writeDurations(r *callwright.Response, extra callwright.Extra) {
	if r.Report == nil {
		return
	}
	var all time.Duration
	for _, a := range r.Report.Attempts {
		all += a.Duration
	}
	w.times(0, all, extra)
}

// now writes the current time as the member key, in the server's format.
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
		w.notes.Add(callwright.Note{Rule: "response.signature", Why: "the wire has a place for the state of one reasoning only"})
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

// packState packs the opaque state of the reasoning of a response. Texts of several reasoning parts are joined in this
// API, so that the state of one of them would be returned with the wrong text. In this case, carrier is "" and lost is
// true.
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

// call writes call n of a message. If toClient is true, opaque state is packed into it. Providers do not get any.
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

// argumentsObject returns the arguments of a call as a JSON object, which this API requires. The free text of a custom
// call becomes {"input":"..."}. Invalid arguments become {}.
func argumentsObject(c callwright.Call) []byte {
	switch {
	case c.Type == callwright.CustomTool:
		return kit.CustomArguments(c.Input)
	case !isObject(c.Arguments):
		return []byte("{}")
	}
	return jsonx.Compact(nil, c.Arguments)
}

// isObject reports whether v is one valid JSON object.
func isObject(v []byte) bool { return jsonx.KindOf(v) == jsonx.Object && jsonx.Valid(v) == nil }
