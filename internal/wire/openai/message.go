package openai

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/callid"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// The members that are decoded; all others are kept as Extra.
var (
	messageKeys   = []string{"role", "content", "tool_calls", "function_call", "reasoning_content", "reasoning", "reasoning_details"}
	resultKeys    = []string{"role", "content", "tool_call_id"} // the name is in Extra too, as not every server takes it
	callKeys      = []string{"id", "type"}
	functionIn    = []string{"name", "arguments"}
	customIn      = []string{"name", "input"}
	fragmentKeys  = append([]string{"index"}, callKeys...)
	nestedInCalls = []kit.Nest{{Key: "function", Known: functionIn}, {Key: "custom", Known: customIn}}
)

// legacyID is the id given to a function_call, which has none, of message n.
func legacyID(n int) string { return callid.DeriveID(n, 0) }

// decodeMessages decodes the history, whose shape was checked by the outline.
func (b *body) decodeMessages() ([]callwright.Message, error) {
	return kit.AllocateParts(b.read(nil)), nil
}

// QuotedMessages is the history with long texts as they stand in the body.
func (b *body) QuotedMessages() []callwright.Message { return b.read(b) }

// read decodes the history, with a body long texts as they stand in it, those of the last message left out.
func (b *body) read(quoted *body) []callwright.Message {
	out := make([]callwright.Message, len(b.Spans))
	for i := range out {
		if i == len(out)-1 {
			quoted = nil
		}
		out[i] = b.decodeMessage(b.RawMessage(i), i, contentReader{quoted})
	}
	return out
}

func (b *body) decodeMessage(v []byte, n int, content contentReader) callwright.Message {
	turn := b.Outline[n]
	m := callwright.Message{Role: turn.Role}
	in := jsonx.FieldsOf(v)
	if turn.Role == callwright.RoleTool {
		m.Parts = []callwright.Part{callwright.Result{CallID: turn.Results[0], Name: jsonx.TextOf(in.Get("name")),
			Parts: content.add(nil, in.Get("content")), Extra: own.Rest(&in, resultKeys)}}
		return m
	}
	m.Extra = own.Rest(&in, messageKeys)
	if role := in.Get("role"); string(jsonx.TextBytes(role)) == "developer" {
		m.Extra = own.Keep(m.Extra, "role", role)
	}
	if r, ok := decodeReasoning(&in); ok {
		m.Parts = append(m.Parts, r)
	}
	m.Parts = content.add(m.Parts, in.Get("content"))
	for c := range jsonx.Elements(in.Get("tool_calls")) {
		m.Parts = append(m.Parts, decodeCall(c))
	}
	if f := in.Get("function_call"); jsonx.IsObject(f) {
		m.Parts = append(m.Parts, decodeLegacy(f, legacyID(n)))
	}
	return m
}

// reasoningKeys are the names under which servers write reasoning, the most common first.
var reasoningKeys = []string{"reasoning_content", "reasoning"}

// decodeReasoning reads the reasoning of a message. Its Extra has the details as they came, and the name of the member
// that had the text, with null in the text's place.
func decodeReasoning(message *jsonx.Fields) (callwright.Reasoning, bool) {
	key, details := reasoningKey(message), message.Get("reasoning_details")
	if key == "" && !jsonx.IsArray(details) {
		return callwright.Reasoning{}, false
	}
	r := callwright.Reasoning{Origin: origin}
	w := newWriter(nil)
	if key != "" {
		r.Text = jsonx.TextOf(message.Get(key))
		w.Add(jsonx.Key(`"`+key+`"`), []byte("null"))
	}
	if jsonx.IsArray(details) {
		if key == "" {
			r.Text = detailText(details)
		}
		w.Add(jsonx.Key(`"reasoning_details"`), details)
	}
	r.Extra = w.CloseExtra()
	return r, true
}

// reasoningKey is the name of the member that has the reasoning of a message: the first with words in it, else the
// first that is a text, "" without any.
func reasoningKey(message *jsonx.Fields) string {
	first := ""
	for _, key := range reasoningKeys {
		switch in := message.Get(key); {
		case !jsonx.IsText(in):
		case len(in) > 2:
			return key
		case first == "":
			first = key
		}
	}
	return first
}

// detailText joins the readable text of reasoning_details.
func detailText(details []byte) string {
	var b strings.Builder
	for d := range jsonx.Elements(details) {
		for _, key := range []string{"text", "summary"} {
			if v, ok := jsonx.Find(d, key); ok && jsonx.IsText(v) {
				b.WriteString(jsonx.TextOf(v))
				break
			}
		}
	}
	return b.String()
}

// A contentReader reads the contents of messages, with a body long texts as they stand in it.
type contentReader struct{ body *body }

// add adds the parts of content, which is a text, a list of parts, or nothing. An empty text adds nothing.
func (r contentReader) add(parts []callwright.Part, v []byte) []callwright.Part {
	switch {
	case jsonx.IsText(v):
		if r.body != nil {
			if q, ok := r.body.AsQuoted(v); ok {
				return append(parts, q)
			}
		}
		if len(v) > 2 {
			parts = append(parts, callwright.Text{Text: jsonx.TextOf(v)})
		}
	case jsonx.IsArray(v):
		for p := range jsonx.Elements(v) {
			parts = append(parts, decodePart(p))
		}
	}
	return parts
}

// decodePart reads one element of content.
func decodePart(v []byte) callwright.Part {
	in := jsonx.FieldsOf(v)
	switch string(jsonx.TextBytes(in.Get("type"))) {
	case "text":
		if words := in.Get("text"); jsonx.IsText(words) {
			return callwright.Text{Text: jsonx.TextOf(words), Extra: own.Rest(&in, []string{"type", "text"})}
		}
	case "refusal":
		return callwright.Text{Text: jsonx.TextOf(in.Get("refusal")), Extra: own.Rest(&in, []string{"refusal"})}
	case "image_url":
		return decodeImage(v)
	case "input_audio":
		in, _ := jsonx.Find(v, "input_audio")
		data, _ := jsonx.Find(in, "data")
		format, _ := jsonx.Find(in, "format")
		return callwright.File{MediaType: "audio/" + jsonx.TextOf(format), Data: jsonx.TextOf(data),
			Extra: own.ExtraOf(v, []string{"type"}, kit.Nest{Key: "input_audio", Known: []string{"data", "format"}})}
	case "file":
		return decodeFile(v)
	case "thinking":
		return decodeThinking(v)
	}
	return callwright.Opaque{Extra: own.Extra(slices.Clone(v))}
}

func decodeImage(v []byte) callwright.Part {
	in, _ := jsonx.Find(v, "image_url")
	url, detail := in, []byte(nil)
	if jsonx.IsObject(in) {
		url, _ = jsonx.Find(in, "url")
		detail, _ = jsonx.Find(in, "detail")
	}
	img := callwright.Image{Detail: jsonx.TextOf(detail),
		Extra: own.ExtraOf(v, []string{"type"}, kit.Nest{Key: "image_url", Known: []string{"url", "detail"}})}
	if jsonx.IsText(in) {
		img.Extra = own.ExtraOf(v, []string{"type", "image_url"})
	}
	img.URL = jsonx.TextOf(url)
	if kind, data, ok := kit.SplitDataURL(img.URL); ok {
		img.MediaType, img.Data, img.URL = kind, data, ""
	}
	return img
}

func decodeFile(v []byte) callwright.Part {
	in, _ := jsonx.Find(v, "file")
	id, _ := jsonx.Find(in, "file_id")
	name, _ := jsonx.Find(in, "filename")
	content, _ := jsonx.Find(in, "file_data")
	f := callwright.File{Name: jsonx.TextOf(name), FileID: jsonx.TextOf(id), Data: jsonx.TextOf(content),
		Extra: own.ExtraOf(v, []string{"type"}, kit.Nest{Key: "file", Known: []string{"file_id", "filename", "file_data"}})}
	if kind, data, ok := kit.SplitDataURL(f.Data); ok {
		f.MediaType, f.Data = kind, data
	} else if kit.Reachable(f.Data) {
		f.Data, f.URL = "", f.Data
		f.Extra = own.Keep(f.Extra, byURL, []byte("true"))
	}
	return f
}

// byURL marks, in the Extra of a file, an address that stood in place of the data, as some providers take it.
const byURL = "by_url"

// decodeThinking reads a chunk of Mistral's reasoning.
func decodeThinking(v []byte) callwright.Reasoning {
	in, _ := jsonx.Find(v, "thinking")
	signature, _ := jsonx.Find(v, "signature")
	return callwright.Reasoning{Text: joinThinking(in), Signature: jsonx.TextOf(signature), Origin: origin,
		Extra: own.ExtraOf(v, []string{"thinking", "signature"})}
}

// joinThinking joins the texts in the list of a thinking chunk, which some servers write as one text.
func joinThinking(v []byte) string {
	if jsonx.IsText(v) {
		return jsonx.TextOf(v)
	}
	var b strings.Builder
	for t := range jsonx.Elements(v) {
		words, _ := jsonx.Find(t, "text")
		b.WriteString(jsonx.TextOf(words))
	}
	return b.String()
}

// decodeCall reads one of tool_calls.
func decodeCall(v []byte) callwright.Call {
	in := jsonx.FieldsOf(v)
	function := jsonx.FieldsOf(in.Get("function"))
	return decodeCallOf(&in, &function)
}

// decodeCallOf reads one of tool_calls by its members and those of its function.
func decodeCallOf(in, function *jsonx.Fields) callwright.Call {
	c := callwright.Call{ID: jsonx.TextOf(in.Get("id")), Origin: origin}
	if !in.Only("id", "type", "function") || !function.Only(functionIn...) {
		c.Extra = own.ExtraOf(in.Object(), callKeys, nestedInCalls...)
	}
	if custom := in.Get("custom"); jsonx.IsObject(custom) && (namesFunction(custom) || !jsonx.IsObject(function.Object())) {
		name, _ := jsonx.Find(custom, "name")
		input, _ := jsonx.Find(custom, "input")
		c.Type, c.Name, c.Input = callwright.CustomTool, jsonx.TextOf(name), jsonx.TextOf(input)
		return c
	}
	if isFlat(in, function) {
		return decodeLegacy(in.Object(), c.ID)
	}
	c.Name, c.Arguments = jsonx.TextOf(function.Get("name")), argumentsIn(function.Get("arguments"))
	if c.Extra.JSON != nil {
		c.Signature = signatureOf(in.Object())
	}
	return c
}

// isFlat reports whether a call has its name beside its id, and no function.
func isFlat(in, function *jsonx.Fields) bool {
	return !jsonx.IsObject(function.Object()) && jsonx.IsText(in.Get("name"))
}

// decodeLegacy reads a function_call, the form before tools.
func decodeLegacy(f []byte, id string) callwright.Call {
	in := jsonx.FieldsOf(f)
	return callwright.Call{ID: id, Name: jsonx.TextOf(in.Get("name")), Arguments: argumentsIn(in.Get("arguments")), Origin: origin}
}

// argumentsIn are the arguments of a function as text: a string's text, the JSON of another value, nothing for null.
func argumentsIn(v []byte) json.RawMessage {
	switch {
	case jsonx.IsNull(v):
		return nil
	case jsonx.IsText(v):
		if len(v) == 2 {
			return nil
		}
		return jsonx.Unquote(nil, v)
	}
	return jsonx.Compact(nil, v)
}

// signatureOf is the opaque state that Gemini's surface of this API hangs on a call.
func signatureOf(v []byte) string {
	s, _ := jsonx.Lookup(v, "extra_content", "google", "thought_signature")
	return jsonx.TextOf(s)
}
