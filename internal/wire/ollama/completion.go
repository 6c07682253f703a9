package ollama

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/progress"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// completions is the codec for clients of the endpoint POST /api/generate, which completes a prompt. It decodes a
// request to a chat of the system prompt, the conversation in its context, and the prompt. It encodes the response to
// that chat as a completion.
type completions struct{ Codec }

var _ wire.Completer = Codec{}

// Completes returns the codec for clients of the endpoint /api/generate.
func (Codec) Completes() wire.Codec { return completions{} }

// NeedsSameAPI reports whether a request to /api/generate can be served only by an Ollama server, because a chat cannot
// express it: it has raw, suffix, template, or a context of tokens.
func (Codec) NeedsSameAPI(raw []byte) bool {
	if !jsonx.ValidObject(raw) {
		return false
	}
	a := readGenerateMembers(raw)
	return jsonx.IsTrue(a.raw) || isNonEmptyString(a.suffix) || isNonEmptyString(a.template) || jsonx.IsArray(a.context) && !ownContext(a.context) &&
		hasElements(a.context)
}

// isNonEmptyString reports whether v is a non-empty string.
func isNonEmptyString(v []byte) bool { return jsonx.IsText(v) && len(v) > 2 }

func hasElements(list []byte) bool { return list[jsonx.Space(list, 1)] != ']' }

// generateMembers holds the JSON values of the members of a /api/generate request that a chat request does not have,
// nil for a missing one.
type generateMembers struct{ prompt, system, images, context, template, suffix, raw []byte }

func readGenerateMembers(v []byte) generateMembers {
	var a generateMembers
	for k, m := range jsonx.Members(v) {
		if at := a.member(k); at != nil {
			*at = m
		}
	}
	return a
}

// member returns the field for the value of the member k, nil for a member that a chat request has too.
func (a *generateMembers) member(k jsonx.Key) *[]byte {
	switch {
	case k.Is("prompt"):
		return &a.prompt
	case k.Is("system"):
		return &a.system
	case k.Is("images"):
		return &a.images
	case k.Is("context"):
		return &a.context
	case k.Is("template"):
		return &a.template
	case k.Is("suffix"):
		return &a.suffix
	case k.Is("raw"):
		return &a.raw
	}
	return nil
}

// check returns an error about a member that has the wrong JSON type, or that a chat cannot express.
func (a *generateMembers) check() *callwright.Error {
	for _, m := range []struct {
		path  string
		value []byte
	}{{"/prompt", a.prompt}, {"/system", a.system}, {"/template", a.template}, {"/suffix", a.suffix}} {
		if !jsonx.IsText(m.value) && !jsonx.IsNull(m.value) {
			return kindError(m.path, "a string", m.value)
		}
	}
	switch {
	case !jsonx.IsArray(a.images) && !jsonx.IsNull(a.images):
		return kindError("/images", "a list of images", a.images)
	case !jsonx.IsArray(a.context) && !jsonx.IsNull(a.context):
		return kindError("/context", "a list of numbers", a.context)
	case isNonEmptyString(a.suffix):
		return cannot("/suffix", "a model behind another API than Ollama's cannot fill in what goes before a suffix: say in the prompt what is wanted")
	case jsonx.IsTrue(a.raw):
		return cannot("/raw", "a model behind another API than Ollama's puts every prompt into its own template: leave raw out")
	}
	return nil
}

func cannot(path, message string) *callwright.Error {
	e := invalid(path, message)
	e.Kind, e.Feature = callwright.KindUnsupported, feature.Field+callwright.Feature(path[1:])
	return e
}

// A completion holds members of a /api/generate request that the response encoders need.
type completion struct {
	earlier []byte    // JSON messages before the prompt, from its context, separated by commas
	prompt  []byte    // a JSON string
	notes   kit.Notes // about members of the request that are ignored
}

// completionOf returns the completion of req, or nil if req is not a request to /api/generate.
func completionOf(req *callwright.Request) *completion {
	if req == nil {
		return nil
	}
	if b, ok := companion.Of(req).Body.(*body); ok {
		return b.completion
	}
	return nil
}

// DecodeRequest decodes a request to /api/generate as a chat request.
func (c completions) DecodeRequest(raw []byte) (*callwright.Request, error) {
	index := kit.NewIndex(raw)
	if err := index.Walk(opDecode, nil, func(w *kit.Walk, key jsonx.Key, at int) int {
		if key.Is("format") { // a schema
			return w.Data(at)
		}
		return 0
	}); err != nil {
		return nil, err
	}
	object := jsonx.Trim(raw)
	a := readGenerateMembers(object)
	if err := a.check(); err != nil {
		return nil, err
	}
	made := &completion{prompt: slices.Clone(a.prompt)}
	if !jsonx.IsText(made.prompt) {
		made.prompt = []byte(`""`)
	}
	made.read(&a)
	req, err := c.Codec.DecodeRequest(made.chat(object, &a))
	if err != nil {
		return nil, err
	}
	if b, ok := companion.Of(req).Body.(*body); ok {
		b.completion = made
	}
	return req, nil
}

// read decodes the context and adds notes about members that are ignored.
func (m *completion) read(a *generateMembers) {
	m.notes.Add(callwright.Note{Rule: "response.completion", Was: "message", Now: "response"})
	if isNonEmptyString(a.template) {
		m.notes.Add(callwright.Note{Rule: "params.template", Path: "/template", Was: string(a.template),
			Why: "the model has its own template"})
	}
	if !jsonx.IsArray(a.context) || !hasElements(a.context) {
		return
	}
	earlier, ok := readContext(a.context)
	if !ok {
		m.notes.Add(callwright.Note{Rule: "params.context", Path: "/context", Why: "it contains tokens of another server's model"})
		return
	}
	m.earlier = earlier
}

// chat returns the body of the chat request. object is the body of the /api/generate request.
func (m *completion) chat(object []byte, a *generateMembers) []byte {
	w := newWriter(make([]byte, 0, len(object)+len(m.earlier)+64))
	w.Open("", '{')
	for k, v := range jsonx.Members(object) {
		switch {
		case a.member(k) != nil:
		case k.Is("messages"), k.Is("tools"):
			m.notes.Add(callwright.Note{Rule: "params.dropped", Path: "/" + k.String(), Why: "completions have no such member"})
		default:
			w.Add(k, v)
		}
	}
	w.Open("messages", '[')
	if isNonEmptyString(a.system) {
		w.Raw("", message(callwright.RoleSystem, a.system, nil))
	}
	if len(m.earlier) > 0 {
		w.Raw("", m.earlier)
	}
	w.Raw("", message(callwright.RoleUser, m.prompt, a.images))
	w.Close(']')
	w.Close('}')
	return w.Buf
}

// message returns a message as JSON. content is a JSON string, images a JSON list or nil.
func message(role callwright.Role, content, images []byte) []byte {
	w := newWriter(nil)
	w.Open("", '{')
	w.Text("role", string(role))
	w.Raw("content", content)
	if jsonx.IsArray(images) {
		w.Raw("images", images)
	}
	w.Close('}')
	return w.Buf
}

// context writes the member context of a response, which the client sends back to continue the conversation. It writes
// nothing if m is nil.
func (m *completion) context(w *writer, answer string) {
	if m == nil {
		return
	}
	conversation := slices.Clone(m.earlier)
	for _, turn := range [][]byte{message(callwright.RoleUser, m.prompt, nil),
		message(callwright.RoleAssistant, jsonx.AppendQuote(nil, answer), nil)} {
		if len(conversation) > 0 {
			conversation = append(conversation, ',')
		}
		conversation = append(conversation, turn...)
	}
	kept, cut := trimConversation(conversation)
	if cut {
		m.notes.Add(callwright.Note{Rule: "response.context", Path: "/context", Why: "the earliest turns were left out of a long conversation"})
	}
	w.Raw("context", writeContext(kept))
}

// EncodeResponse encodes the response as a completion.
func (completions) EncodeResponse(req *callwright.Request, resp *callwright.Response) ([]byte, []callwright.Note, error) {
	r := *resp
	r.Raw = nil
	w := response{writer: newWriter(nil), resp: &r}
	m := completionOf(req)
	w.Open("", '{')
	w.Text("model", r.Model)
	if own.Member(r.Extra, "created_at") == nil {
		w.now("created_at")
	}
	w.Text("response", callwright.TextOf(r.Parts))
	var thoughts strings.Builder
	for _, p := range r.Parts {
		switch p := p.(type) {
		case callwright.Reasoning:
			thoughts.WriteString(p.Text)
		case callwright.Image:
			if p.Data != "" {
				w.notes.Add(lostImage(p))
			}
		}
	}
	w.OptionalText("thinking", thoughts.String())
	w.Truth("done", true)
	w.Text("done_reason", reasonOf(r.Finish, jsonx.TextOf(own.Member(r.Extra, "done_reason"))))
	m.context(&w.writer, callwright.TextOf(r.Parts))
	w.usage(r.Usage)
	w.writeDurations(&r, r.Extra)
	w.Extra(r.Extra, "message", "done_reason")
	w.Close('}')
	w.notes.OfAnswer(&r, own)
	if m != nil {
		w.notes = append(w.notes, m.notes...)
	}
	return w.Buf, w.notes, nil
}

// lostImage returns the note about an image in a response: a chat response can have images, a completion cannot.
func lostImage(i callwright.Image) callwright.Note {
	return callwright.Note{Rule: "response.image", Was: i.MediaType, Why: "completions can contain only text"}
}

// NewStreamEncoder returns an encoder for one streamed completion.
func (completions) NewStreamEncoder(req *callwright.Request) wire.StreamEncoder {
	return &completionStream{streamEncoder: *newStreamEncoder(req), completion: completionOf(req)}
}

// completionStream encodes one streamed completion for a client: a line for each delta of text and of reasoning, and a
// last line with "done":true.
type completionStream struct {
	streamEncoder
	completion *completion
	said       []byte // the text so far
}

// Encode appends an encoding of the events of a batch.
func (e *completionStream) Encode(dst []byte, b callwright.Batch) []byte {
	return e.Encoder.Encode(dst, b, own, e)
}

// KeepAlive appends a line without text. Its member callwright has the progress of the request.
func (e *completionStream) KeepAlive(dst []byte, now progress.Snapshot) []byte {
	if e.Ended {
		return dst
	}
	return e.line(dst, func(w *writer) {
		w.Text("response", "")
		w.Truth("done", false)
		w.Progress(now)
	})
}

// Pass always returns false, because the bytes of a batch of this API are those of a chat.
func (e *completionStream) Pass(dst []byte, _ *callwright.Batch) ([]byte, bool) { return dst, false }

// LeftOut returns the notes about parts of the response that a completion cannot have, and about the request.
func (e *completionStream) LeftOut() []callwright.Note {
	if e.completion == nil {
		return e.Encoder.LeftOut()
	}
	return slices.Concat(e.Encoder.LeftOut(), e.completion.notes)
}

// Write appends the encoding of an event, zero or one line.
func (e *completionStream) Write(dst []byte, ev callwright.Event) []byte {
	switch ev := ev.(type) {
	case callwright.Begin:
		e.begin(ev)
	case callwright.TextDelta:
		if ev.Text != "" {
			e.said = append(e.said, ev.Text...)
			return e.piece(dst, ev.Text, "")
		}
	case callwright.ReasoningDelta:
		if ev.Text != "" {
			return e.piece(dst, "", ev.Text)
		}
	case callwright.MediaPart:
		if i, _ := ev.Part.(callwright.Image); i.Data != "" {
			e.NoteOmission(lostImage(i))
		}
	case callwright.OpaquePart:
		if x := own.ExtraOf(own.JSON(ev.Extra), []string{"message"}); x.JSON != nil {
			return e.line(dst, func(w *writer) {
				w.Text("response", "")
				w.Truth("done", false)
				w.Extra(x)
			})
		}
	case callwright.UsageDelta:
		e.total = e.total.Merge(ev.Usage)
	case callwright.End:
		return e.line(dst, func(w *writer) {
			w.Text("response", "")
			w.Truth("done", true)
			w.Text("done_reason", reasonOf(ev.Finish, jsonx.TextOf(own.Member(ev.Extra, "done_reason"))))
			e.completion.context(w, string(e.said))
			w.usage(e.total)
			w.durations(&e.time, ev.Extra)
			w.Extra(ev.Extra, "message", "created_at", "done_reason")
		})
	}
	return dst
}

// piece appends a line with a delta of the text or of the reasoning.
func (e *completionStream) piece(dst []byte, text, thinking string) []byte {
	return e.line(dst, func(w *writer) {
		w.Text("response", text)
		w.OptionalText("thinking", thinking)
		w.Truth("done", false)
	})
}
