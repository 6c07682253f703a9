package callwright

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A ModelID names a model as "provider/name", or by an alias from the configuration.
type ModelID string

// Split is the provider's name and the model's own name at that provider. An alias has no provider.
func (m ModelID) Split() (provider, name string) {
	for i := range len(m) {
		if m[i] == '/' {
			return string(m[:i]), string(m[i+1:])
		}
	}
	return "", string(m)
}

// A WireName names an HTTP API: openai, responses, anthropic, gemini or ollama.
type WireName string

// The wires.
const (
	WireOpenAI    WireName = "openai"
	WireResponses WireName = "responses"
	WireAnthropic WireName = "anthropic"
	WireGemini    WireName = "gemini"
	WireOllama    WireName = "ollama"
)

// A Role says who speaks a message.
type Role string

// The roles. Developer messages are system messages. A message with the role Tool holds results only; results may also
// stand first in a message of the user.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// A Message is one turn of a conversation. Messages are values that stages copy before they change them: the Parts of a
// message that came from a client are never written to.
type Message struct {
	Role  Role
	Parts []Part
	Extra Extra // members that only the wire it came from knows
}

// Extra is an object of members, as JSON text, that only one wire knows. The encoder of that wire writes them back,
// every other encoder leaves them out and notes it where they matter. The zero Extra is empty.
type Extra struct {
	Wire WireName
	JSON json.RawMessage
}

// HasValues reports whether it holds anything: a null only names the member that a text came in.
func (x Extra) HasValues() bool {
	for _, v := range jsonx.Members(x.JSON) {
		if !jsonx.IsNull(v) {
			return true
		}
	}
	return false
}

// With returns x with the members of later in place of those with the same names, or later alone where later is of
// another wire.
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

// A Part is one piece of a message: Text, Image, File, Reasoning, Call, Result or Opaque.
type Part interface{ part() }

// Text is visible text.
type Text struct {
	Text  string
	Extra Extra
}

// IsRefusal reports whether a text says by itself that the model refuses to answer, as both APIs of OpenAI have it.
func (t Text) IsRefusal() bool {
	if t.Extra.Wire != WireOpenAI && t.Extra.Wire != WireResponses {
		return false
	}
	kind, _ := jsonx.Find(t.Extra.JSON, "type")
	return string(jsonx.TextBytes(kind)) == "refusal"
}

// An Image is a picture: base64 Data with its MediaType, or a URL, or the id of an uploaded file.
type Image struct {
	MediaType string
	Data      string
	URL       string
	FileID    string
	Detail    string
	Extra     Extra
}

// A File is a document or another attachment: base64 Data with its MediaType, a URL, plain Text or the id of an upload.
// Audio is a file with an audio media type.
type File struct {
	Name      string
	MediaType string
	Data      string
	URL       string
	Text      string
	FileID    string
	Extra     Extra
}

// Reasoning is a model's reasoning before its answer. Signature and Redacted are opaque and travel byte for byte, only
// to the origin they came from; Origin is that of the model that wrote them.
type Reasoning struct {
	Text      string
	Signature string
	Redacted  string // opaque data in place of text
	ID        string
	Origin    Origin
	Extra     Extra
}

// An Origin is the wire and the model from which opaque state comes, and to which alone it may return. The zero Origin
// is unknown: the state came from a client and belongs to the wire it came over.
type Origin struct {
	Wire  WireName
	Model ModelID
}

// A Call is one tool call of a model.
type Call struct {
	ID   string
	Name string
	Type ToolType
	// Arguments is the JSON text of the arguments from end to end: numbers and member order stay as written. In a
	// validated call the arguments are an object that satisfies the tool's schema. In the history they are those that the
	// client sent.
	Arguments json.RawMessage
	Input     string // of a custom call
	Raw       string // the text the call was read from, at most 4 KiB of it; empty for native calls
	Signature string // opaque state that must return with the call
	Origin    Origin
	// Unvalidated says that the arguments were not checked against a schema (mode parsed, policy off).
	Unvalidated bool
	Extra       Extra
}

// A Result is the outcome of one call.
type Result struct {
	CallID  string
	Name    string // the tool's name, where known
	Parts   []Part // Text, Image or File
	IsError bool
	Type    ToolType
	Extra   Extra
}

// Text is the visible text of the result. Several texts are joined by a newline, everywhere: each of them is an output
// of its own.
func (r Result) Text() string {
	var texts []string
	for _, p := range r.Parts {
		if t, ok := p.(Text); ok {
			texts = append(texts, t.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// Opaque is a part that only its wire understands, such as a provider's own search result. It goes back to that wire as
// it came and is left out, with a note, everywhere else.
type Opaque struct{ Extra Extra }

func (Text) part()      {}
func (Image) part()     {}
func (File) part()      {}
func (Reasoning) part() {}
func (Call) part()      {}
func (Result) part()    {}
func (Opaque) part()    {}

// UserText is a message of the user with a text.
func UserText(text string) Message { return Message{Role: RoleUser, Parts: []Part{Text{Text: text}}} }

// SystemText is a message of instructions.
func SystemText(text string) Message {
	return Message{Role: RoleSystem, Parts: []Part{Text{Text: text}}}
}

// AssistantText is a message of the model with a text. A model's own answer is better sent back as [Response.Message],
// which keeps its calls and its opaque state.
func AssistantText(text string) Message {
	return Message{Role: RoleAssistant, Parts: []Part{Text{Text: text}}}
}

// ToolResult is a message with the outcome of one call as a text. The results of calls that were made together may
// stand in one message or in several.
func ToolResult(call Call, text string) Message {
	return Message{Role: RoleTool, Parts: []Part{Result{CallID: call.ID, Name: call.Name, Type: call.Type, Parts: []Part{Text{Text: text}}}}}
}

// TextOf joins the visible text of parts.
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

// CallsOf gives the calls among parts, in order.
func CallsOf(parts []Part) []Call {
	var calls []Call
	for _, p := range parts {
		if c, ok := p.(Call); ok {
			calls = append(calls, c)
		}
	}
	return calls
}

// HasOpaqueState reports whether the message carries opaque state, in its reasoning or in one of its calls.
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
