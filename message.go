package callwright

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A ModelID identifies a model as "provider/name", such as "groq/llama-3.3-70b", or by an alias from the
// configuration.
type ModelID string

// Split splits m at the first slash: "groq/llama-3.3-70b" gives "groq" and "llama-3.3-70b". For an alias, which has no
// slash, provider is "".
func (m ModelID) Split() (provider, name string) {
	for i := range len(m) {
		if m[i] == '/' {
			return string(m[:i]), string(m[i+1:])
		}
	}
	return "", string(m)
}

// A WireName names an HTTP API of language models: openai (Chat Completions), responses (OpenAI Responses), anthropic,
// gemini or ollama.
type WireName string

// HTTP APIs, as values of [WireName].
const (
	WireOpenAI    WireName = "openai"
	WireResponses WireName = "responses"
	WireAnthropic WireName = "anthropic"
	WireGemini    WireName = "gemini"
	WireOllama    WireName = "ollama"
)

// A Role is the author of a message.
type Role string

// The roles. Messages with OpenAI's role developer are read as RoleSystem. A RoleTool message has only Result parts. A
// RoleUser message may begin with Result parts, too.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// A Message is one message of a conversation. The Parts of a client's message are immutable: a stage copies a message
// before it changes the message.
type Message struct {
	Role  Role
	Parts []Part
	Extra Extra // members that only the API of the message's origin has
}

// Extra is a JSON object with members that only the API named by Wire has. An encoder of that API writes them. Every
// other encoder omits them, with a note if the loss matters. The zero Extra is empty.
type Extra struct {
	Wire WireName
	JSON json.RawMessage
}

// HasValues reports whether any member of x is not null. Decoders use a null member only to record the name of the
// member from which a text came.
func (x Extra) HasValues() bool {
	for _, v := range jsonx.Members(x.JSON) {
		if !jsonx.IsNull(v) {
			return true
		}
	}
	return false
}

// With returns x with the members of later added; members with equal names are replaced. An empty later changes
// nothing. If later is for another API or x is empty, With returns later alone.
func (x Extra) With(later Extra) Extra {
	switch {
	case len(later.JSON) == 0 || string(later.JSON) == string(x.JSON):
		return x
	case x.Wire != later.Wire || len(x.JSON) == 0:
		return later
	}
	list, _ := jsonx.ParseObject(x.JSON)
	list.SetAll(later.JSON)
	return Extra{Wire: x.Wire, JSON: list.Append(nil)}
}

// A Part is one content part of a message: Text, Image, File, Reasoning, Call, Result or Opaque.
type Part interface{ part() }

// Text is a content part with visible text.
type Text struct {
	Text  string
	Extra Extra
}

// IsRefusal reports whether t is a refusal part of the OpenAI APIs: its Extra has "type":"refusal".
func (t Text) IsRefusal() bool {
	if t.Extra.Wire != WireOpenAI && t.Extra.Wire != WireResponses {
		return false
	}
	kind, _ := jsonx.Find(t.Extra.JSON, "type")
	return string(jsonx.TextBytes(kind)) == "refusal"
}

// An Image is an image part. It has base64 Data with its MediaType, or a URL, or the FileID of an uploaded file.
type Image struct {
	MediaType string
	Data      string
	URL       string
	FileID    string
	Detail    string
	Extra     Extra
}

// A File is a document or another attachment. It has base64 Data with its MediaType, or a URL, or plain Text, or the
// FileID of an uploaded file. Audio is a File with an audio MediaType.
type File struct {
	Name      string
	MediaType string
	Data      string
	URL       string
	Text      string
	FileID    string
	Extra     Extra
}

// Reasoning is reasoning that a model generated before its response. Signature and Redacted are opaque strings of the
// provider. They are sent unchanged, and only to the API and model in Origin, which generated them.
type Reasoning struct {
	Text      string
	Signature string
	Redacted  string // encrypted reasoning in place of Text
	ID        string
	Origin    Origin
	Extra     Extra
}

// An Origin is the API and model that generated opaque state, such as a reasoning signature. The state is sent only to
// that origin. The zero Origin is unknown: a client sent the state, so it belongs to the client's API.
type Origin struct {
	Wire  WireName
	Model ModelID
}

// A Call is one tool call of a model.
type Call struct {
	ID   string
	Name string
	Type ToolType
	// Arguments is the JSON of the arguments. Number formats and member order are preserved. In a validated call it is an
	// object that satisfies the tool's schema. In the history it is unchanged from the client's request.
	Arguments json.RawMessage
	Input     string // input of a call of a custom tool, which has no Arguments
	Raw       string // the text from which the call was parsed, cut to 4 KiB; "" for a native call
	Signature string // opaque provider state that must be sent back with the call
	Origin    Origin
	// Unvalidated reports that Arguments was not checked against a schema, because of mode "parsed" or policy "off".
	Unvalidated bool
	Extra       Extra
}

// A Result is the result of one tool call.
type Result struct {
	CallID  string
	Name    string // the tool's name, "" if unknown
	Parts   []Part // Text, Image or File parts
	IsError bool
	Type    ToolType
	Extra   Extra
}

// Text returns the text parts of the result, joined by newlines.
func (r Result) Text() string {
	var texts []string
	for _, p := range r.Parts {
		if t, ok := p.(Text); ok {
			texts = append(texts, t.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Opaque is a part that only the API named in its Extra understands, such as a search result of a provider-run tool.
// It is sent unchanged to that API. Other encoders omit it with a note.
type Opaque struct{ Extra Extra }

func (Text) part()      {}
func (Image) part()     {}
func (File) part()      {}
func (Reasoning) part() {}
func (Call) part()      {}
func (Result) part()    {}
func (Opaque) part()    {}

// UserText returns a RoleUser message with one text part.
func UserText(text string) Message { return Message{Role: RoleUser, Parts: []Part{Text{Text: text}}} }

// SystemText returns a RoleSystem message, the instructions for the model, with one text part.
func SystemText(text string) Message {
	return Message{Role: RoleSystem, Parts: []Part{Text{Text: text}}}
}

// AssistantText returns a RoleAssistant message with one text part. To send a model's own response back, use
// [Response.Message], which preserves calls and opaque state.
func AssistantText(text string) Message {
	return Message{Role: RoleAssistant, Parts: []Part{Text{Text: text}}}
}

// ToolResult returns a RoleTool message with text as the result of call. Results of parallel calls may be in one
// message or in several.
func ToolResult(call Call, text string) Message {
	return Message{Role: RoleTool, Parts: []Part{Result{CallID: call.ID, Name: call.Name, Type: call.Type, Parts: []Part{Text{Text: text}}}}}
}

// TextOf returns the concatenated text of the Text parts.
func TextOf(parts []Part) string {
	var only string
	var joined []byte
	n := 0
	for _, p := range parts {
		if t, ok := p.(Text); ok {
			n++
			if n == 1 {
				only = t.Text
				continue
			}
			if n == 2 {
				joined = append(joined, only...)
			}
			joined = append(joined, t.Text...)
		}
	}
	if n < 2 {
		return only
	}
	return string(joined)
}

// CallsOf returns the Call parts in order.
func CallsOf(parts []Part) []Call {
	var calls []Call
	for _, p := range parts {
		if c, ok := p.(Call); ok {
			calls = append(calls, c)
		}
	}
	return calls
}

// HasOpaqueState reports whether a Reasoning or Call part of the message has state that only its provider understands,
// such as a signature.
func (m Message) HasOpaqueState() bool {
	return slices.ContainsFunc(m.Parts, func(p Part) bool {
		switch p := p.(type) {
		case Reasoning:
			return p.Signature != "" || p.Redacted != "" || p.ID != "" || p.Extra.HasValues()
		case Call:
			return p.Signature != ""
		}
		return false
	})
}
