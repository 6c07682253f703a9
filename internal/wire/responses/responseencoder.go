package responses

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// EncodeResponse returns the raw bytes of a response of this API. It encodes any other response from its parts, with
// the tool names and parameters of req, as the API requires. req may be nil.
func (Codec) EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	compacts := compacts(req)
	names := lazyNames{req: req}
	if resp.Raw != nil && resp.Raw.Wire == callwright.WireResponses && (!compacts || hasCompaction(resp.Parts)) && !names.differ(resp.Parts) {
		return resp.Raw.Bytes, nil, nil
	}
	r := response{writer: newWriter(make([]byte, 0, kit.AnswerRoom(resp)+repeatSource(req, resp.Extra).Room())), names: names}
	status, reason := items.StatusOf(resp.Finish, items.Refuses(resp.Parts))
	r.notes.OfAnswer(resp, own)
	parts := r.placeCitations(resp)
	if compacts {
		parts = r.compact(parts)
	}
	o := object{req: req, id: answerID(resp.ID), model: resp.Model, extra: resp.Extra, status: status, reason: reason, usage: resp.Usage}
	o.output = func(*writer) { r.items(parts, status) }
	o.write(&r.writer)
	return r.Buf, r.notes, nil
}

// items writes the parts of a response as items. The last item gets the status, the others "completed".
func (r *response) items(parts []callwright.Part, status string) {
	for i, p := range parts {
		r.last = status
		if i < len(parts)-1 {
			r.last = completed
		}
		r.part(p)
	}
	r.close()
}

// response encodes the items of one response that is not streamed.
type response struct {
	writer
	names lazyNames // the client's names of tools
	last  string    // status of the items being written
	open  bool      // a message item is open
	notes kit.Notes // parts that the API cannot represent
}

func (r *response) part(p callwright.Part) {
	if t, ok := p.(callwright.Text); ok {
		r.text(t)
		return
	}
	r.close()
	switch p := p.(type) {
	case callwright.Reasoning:
		r.reasoningItem(p)
	case callwright.Call:
		if c, ok := stateOf(p); ok {
			r.reasoningItem(c)
		}
		r.callItem(&r.names, p, "", r.last, true)
	case callwright.Opaque:
		if own.Member(p.Extra, "type") != nil { // otherwise it has annotations of a text
			r.Raw("", p.Extra.JSON)
		}
	}
}

// text writes a text as a content part. It begins a new message item if none is open or t.Extra has the member "item".
func (r *response) text(t callwright.Text) {
	item := own.Member(t.Extra, "item")
	if item != nil || !r.open {
		r.close()
		r.open = true
		r.messageHead(item, newID("msg_"), r.last)
		r.Open("content", '[')
	}
	r.answerText(t)
}

// close ends the open message item, if any.
func (r *response) close() {
	if r.open {
		r.open = false
		r.Buf = append(r.Buf, "]}"...)
	}
}

// newID returns a new random id for an item or a response.
func newID(prefix string) string { return prefix + strings.ToLower(rand.Text()) }

// messageHead writes the beginning of a message item, up to its content. item is the JSON of the provider's item, whose
// id, status and unknown members are kept, nil for a new item.
func (w *writer) messageHead(item []byte, id, status string) {
	kept := own.Extra(item)
	w.Open("", '{')
	w.writeMember(kept, "id", id)
	w.Text("type", "message")
	w.writeMember(kept, "status", status)
	w.Text("role", "assistant")
	w.Extra(kept, "id", "type", "status", "role", "content")
}

// writeMember writes the member key with its value in e, or with the string s if e does not have it.
func (w *writer) writeMember(e callwright.Extra, key, s string) {
	if v := own.Member(e, key); v != nil {
		w.Raw(key, v)
		return
	}
	w.Text(key, s)
}

// answerText writes a content part output_text or refusal, with the members that client libraries require.
func (w *writer) answerText(t callwright.Text) {
	refusal := t.IsRefusal()
	w.Open("", '{')
	if refusal {
		w.Text("type", "refusal")
		w.Text("refusal", t.Text)
	} else {
		w.Text("type", "output_text")
		w.Text("text", t.Text)
		for _, key := range []string{"annotations", "logprobs"} {
			if own.Member(t.Extra, key) == nil {
				w.Raw(key, []byte("[]"))
			}
		}
	}
	w.Extra(t.Extra, "type", "item")
	w.Close('}')
}

// reasoningItem writes a reasoning item. For reasoning of another API, encrypted_content is its packed opaque state.
func (w *writer) reasoningItem(r callwright.Reasoning) {
	w.Open("", '{')
	items.WriteReasoningStatus(&w.Writer, r.Origin, completed)
	if r.Origin.Wire == callwright.WireResponses {
		id := r.ID
		if id == "" {
			id = newID("rs_")
		}
		w.reasoningBody(r, id, r.Redacted)
	} else {
		w.reasoningBody(callwright.Reasoning{Text: r.Text}, newID("rs_"), packReasoning(r))
	}
	w.Close('}')
}

// packReasoning returns encrypted_content for reasoning of another API: wire.Pack(r), or r.Redacted if it is packed.
func packReasoning(r callwright.Reasoning) string {
	if strings.HasPrefix(r.Redacted, wire.CarrierMark) {
		return r.Redacted
	}
	return wire.Pack(r)
}

// stateOf returns a Reasoning that carries the opaque state of a call of another API. ok is false if the call has none.
func stateOf(c callwright.Call) (r callwright.Reasoning, ok bool) {
	if c.Signature == "" || c.Origin.Wire == callwright.WireResponses {
		return callwright.Reasoning{}, false
	}
	return callwright.Reasoning{Redacted: wire.PackCall(c)}, true
}

// lazyNames maps tool names to the client's tools. It reads the tools of the request at the first lookup.
type lazyNames struct {
	req   *callwright.Request
	read  bool
	names naming
}

// of returns the namespace, name and type that the client has for a tool, or the zero clientTool if it is unknown.
func (l *lazyNames) of(name string) clientTool {
	if !l.read {
		l.read = true
		if l.req != nil {
			if tools, err := l.req.DeclaredTools(); err == nil {
				l.names = namingOf(tools)
			}
		}
	}
	return l.names.tools[name]
}

// callItem writes a call item with the client's name of the tool. The item has no input if whole is false.
func (w *writer) callItem(names *lazyNames, c callwright.Call, id, status string, whole bool) {
	f, tool := formFor(names, c)
	if !whole {
		c.Arguments, c.Input = nil, ""
	}
	extra := callwright.Extra{}
	if c.Extra.Wire == callwright.WireResponses {
		extra = c.Extra
	}
	if id == "" {
		id = newID(f.Prefix)
	}
	w.Open("", '{')
	w.writeMember(extra, "id", id)
	w.Text("type", f.Call)
	if status == inProgress {
		w.Text("status", status) // the received status is that of the end
	} else {
		w.writeMember(extra, "status", status)
	}
	if c.ID == "" {
		c.ID = newID("call_")
	}
	w.Text("call_id", c.ID)
	if f.Tool == "" {
		if tool.name != "" {
			c.Name = tool.name
		}
		w.Text("name", c.Name)
		w.OptionalText("namespace", tool.namespace)
	}
	if f.Tool == "tool_search" && own.Member(extra, "execution") == nil {
		w.Text("execution", "client")
	}
	if whole || f.Kind == callwright.CustomTool {
		w.input(f, c)
	} else {
		w.Text(f.Input, "")
	}
	w.Extra(extra, "id", "type", "status", "name", "namespace")
	w.Close('}')
}

// formFor returns the item type in which the client reads the call, and the client's name of the tool.
func formFor(names *lazyNames, c callwright.Call) (*items.Form, clientTool) {
	if c.Type == callwright.CustomTool {
		return items.Custom, names.of(c.Name)
	}
	tool := names.of(c.Name)
	if tool.form != nil {
		return tool.form, tool
	}
	if tool == (clientTool{}) { // a call received over this API has its item type in Extra
		if f := items.FormOf(jsonx.TextOf(own.Member(c.Extra, "type"))); f.Tool == c.Name {
			return f, tool
		}
		if ns := jsonx.TextOf(own.Member(c.Extra, "namespace")); ns != "" {
			tool = clientTool{namespace: ns, name: jsonx.TextOf(own.Member(c.Extra, "name"))}
		}
	}
	return items.Function, tool
}

// object is a response object to be encoded.
type object struct {
	req     *callwright.Request // the client's request, whose parameters the object repeats
	id      string
	model   string
	extra   callwright.Extra // unknown members of the provider's response of this API
	created int64            // Unix time in seconds, 0 for the current time
	status  string           // such as "completed"
	reason  string           // why the response is incomplete, "" if it is not
	output  func(w *writer)  // writes the items
	usage   callwright.Usage
	err     *callwright.Error // of a failed response, nil for others
}

// Values of the member status of responses and items.
const (
	inProgress = "in_progress"
	completed  = "completed"
)

// repeatSource returns the source of the request parameters that a response repeats: answer, then the body of req.
func repeatSource(req *callwright.Request, answer callwright.Extra) *items.RepeatSource {
	asked := &items.RepeatSource{Answer: answer}
	if req != nil {
		c := companion.Of(req)
		asked.Earlier = c.Earlier
		if b, ok := c.Body.(*body); ok {
			asked.Find = b.Find
		}
	}
	return asked
}

func (o *object) write(w *writer) {
	w.Open("", '{')
	w.Text("id", o.id)
	w.Text("object", "response")
	if own.Member(o.extra, "created_at") == nil {
		if o.created == 0 {
			o.created = time.Now().Unix()
		}
		w.Count("created_at", int(o.created))
	}
	if o.status == completed {
		w.Count("completed_at", int(time.Now().Unix()))
	} else {
		w.Raw("completed_at", []byte("null"))
	}
	w.Text("status", o.status)
	if o.err != nil {
		w.errorObject(o.err)
	} else {
		w.Raw("error", []byte("null"))
	}
	if o.reason != "" {
		w.Open("incomplete_details", '{')
		w.Text("reason", o.reason)
		w.Close('}')
	} else {
		w.Raw("incomplete_details", []byte("null"))
	}
	w.Text("model", o.model)
	w.Open("output", '[')
	if o.output != nil {
		o.output(w)
	}
	w.Close(']')
	items.WriteRepeated(&w.Writer, repeatSource(o.req, o.extra))
	if o.status == inProgress {
		w.Raw("usage", []byte("null"))
	} else { // zeros if unknown: the member is required at the end, and clients reject null
		items.WriteUsage(&w.Writer, o.usage)
	}
	w.Extra(o.extra, responseKeys...)
	w.Close('}')
}

// answerID returns the id for a response to a client. An id of this API is kept. Any other is replaced by a random one,
// because clients later refer to a response by its id, so it must be unique.
func answerID(id string) string {
	if strings.HasPrefix(id, "resp_") {
		return id
	}
	return newID("resp_")
}
