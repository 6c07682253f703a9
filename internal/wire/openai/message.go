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

// The members of messages, results and calls that are decoded. All other members are kept in Extra.
var (
	messageKeys   = []string{"role", "content", "tool_calls", "function_call", "reasoning_content", "reasoning", "reasoning_details"}
	resultKeys    = []string{"role", "content", "tool_call_id"} // "name" also stays in Extra: not every server accepts it
	callKeys      = []string{"id", "type"}
	functionIn    = []string{"name", "arguments"}
	customIn      = []string{"name", "input"}
	fragmentKeys  = append([]string{"index"}, callKeys...)
	nestedInCalls = []kit.NestedMember{{Key: "function", Known: functionIn}, {Key: "custom", Known: customIn}}
)

// legacyID returns the id generated for the function_call of message n: function_call has no id in this API.
func legacyID(n int) string { return callid.DeriveID(n, 0) }

// decodeMessages decodes all messages. DecodeRequest has already validated them.
func (b *body) decodeMessages() ([]callwright.Message, error) {
	return kit.AllocateParts(b.read(nil)), nil
}

// QuotedMessages decodes all messages, but keeps long texts as JSON strings of the body, in parts of type kit.Quoted.
// The last message is decoded completely.
func (b *body) QuotedMessages() []callwright.Message { return b.read(b) }

// read decodes all messages. If quoted is not nil, long texts are parts of type kit.Quoted, except in the last message.
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

// reasoningKeys are the members of a message in which servers send reasoning, the most common first.
var reasoningKeys = []string{"reasoning_content", "reasoning"}

// decodeReasoning decodes the reasoning of a message. ok is false if there is none. Extra of the result holds
// reasoning_details unchanged. If the text was in a member of reasoningKeys, Extra also has that member with the value
// null, so that an encoder knows its name.
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

// reasoningKey returns the member of reasoningKeys that holds the reasoning of a message: the first that is a non-empty
// string, otherwise the first that is a string. It returns "" if there is none.
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

// detailText concatenates the strings text or summary of the elements of reasoning_details.
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

// A contentReader decodes the content of messages. If body is not nil, long texts become parts of type kit.Quoted.
type contentReader struct{ body *body }

// add appends the parts of the content v, which is a string, a list of parts, or null. An empty string adds nothing.
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

// decodePart decodes an element of a content list. An element of an unknown type becomes an Opaque.
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
			Extra: own.ExtraOf(v, []string{"type"}, kit.NestedMember{Key: "input_audio", Known: []string{"data", "format"}})}
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
		Extra: own.ExtraOf(v, []string{"type"}, kit.NestedMember{Key: "image_url", Known: []string{"url", "detail"}})}
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
		Extra: own.ExtraOf(v, []string{"type"}, kit.NestedMember{Key: "file", Known: []string{"file_id", "filename", "file_data"}})}
	if kind, data, ok := kit.SplitDataURL(f.Data); ok {
		f.MediaType, f.Data = kind, data
	} else if kit.Reachable(f.Data) {
		f.Data, f.URL = "", f.Data
		f.Extra = own.Keep(f.Extra, byURL, []byte("true"))
	}
	return f
}

// byURL is a member of the Extra of a file. It means that file_data was a URL, which some providers accept in place of
// base64 data.
const byURL = "by_url"

// decodeThinking decodes a content part of Mistral with the type thinking: {"thinking":[{"type":"text","text":"..."}]}.
func decodeThinking(v []byte) callwright.Reasoning {
	in, _ := jsonx.Find(v, "thinking")
	signature, _ := jsonx.Find(v, "signature")
	return callwright.Reasoning{Text: joinThinking(in), Signature: jsonx.TextOf(signature), Origin: origin,
		Extra: own.ExtraOf(v, []string{"thinking", "signature"})}
}

// joinThinking concatenates the texts of the member thinking of such a part. Some servers send a string there in place
// of a list.
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

// decodeCall decodes an element of tool_calls.
func decodeCall(v []byte) callwright.Call {
	in := jsonx.FieldsOf(v)
	function := jsonx.FieldsOf(in.Get("function"))
	return decodeCallOf(&in, &function)
}

// decodeCallOf decodes an element of tool_calls. in holds its members, function those of its member function.
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

// isFlat reports whether an element of tool_calls has no object function and holds the name itself:
// {"id":"1","name":"f"}.
func isFlat(in, function *jsonx.Fields) bool {
	return !jsonx.IsObject(function.Object()) && jsonx.IsText(in.Get("name"))
}

// decodeLegacy decodes function_call, the deprecated form of tool_calls: {"name":"f","arguments":"{}"}.
func decodeLegacy(f []byte, id string) callwright.Call {
	in := jsonx.FieldsOf(f)
	return callwright.Call{ID: id, Name: jsonx.TextOf(in.Get("name")), Arguments: argumentsIn(in.Get("arguments")), Origin: origin}
}

// argumentsIn returns the arguments of a call as JSON. A string is unquoted, any other value is returned in compact
// form. The result for null and for "" is nil.
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

// signatureOf returns extra_content.google.thought_signature of a call: the thought signature that Gemini's
// OpenAI-compatible API attaches to calls. It is "" if there is none.
func signatureOf(v []byte) string {
	s, _ := jsonx.Lookup(v, "extra_content", "google", "thought_signature")
	return jsonx.TextOf(s)
}
