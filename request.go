package callwright

import (
	"bytes"
	"encoding/json"
	"slices"
)

// A Request asks a model for one response. A program builds it by setting its fields. A codec decodes it from an HTTP
// body: messages and tools then stay in Attached and are read by History and DeclaredTools. A Request must not be
// modified after it was passed to a Model. To vary it, make a shallow copy.
type Request struct {
	Model    ModelID
	Messages []Message // nil in a decoded request; use History
	Tools    []Tool    // nil in a decoded request; use DeclaredTools
	Params   Params
	Extra    Extra     // members of the request body that only the client's API has
	Cache    CacheMode // use of the provider's prompt cache
	// Attached is internal data of a decoded request. Programs leave it nil in new requests and unchanged in copies.
	Attached Attachment
}

// An Attachment is the undecoded part of a Request that was read from an HTTP body. Only packages of this module
// implement it. Its methods decode the messages and tools. They return nil for a request that a program built.
type Attachment interface {
	Summaries() []Summary
	Messages() ([]Message, error)
	Tools() ([]Tool, error)
}

// Params are the parameters of a request other than messages and tools. Numbers keep the client's notation; "" means
// not set.
type Params struct {
	Stream      bool
	StreamUsage bool // send usage at the end of the stream, for APIs in which it is optional
	Choice      Choice
	Parallel    *bool // nil: not set; false: at most one call in a response
	MaxTokens   json.Number
	Temperature json.Number
	TopP        json.Number
	TopK        json.Number
	Presence    json.Number // presence penalty
	Frequency   json.Number // frequency penalty
	Seed        json.Number
	Stop        []string
	Format      *AnswerFormat
	Thinking    Thinking
	User        string // ID of the end user, for abuse detection by the provider
}

// A Choice is the tool choice of a request: which tools the model may or must call. The zero Choice leaves the
// decision to the model.
type Choice struct {
	Mode  ChoiceMode
	Names []string // with ChoiceNamed the one tool to call; otherwise the allowed tools, empty for all
}

// A ChoiceMode is the mode of a tool choice: auto, none, required or named.
type ChoiceMode string

// The tool-choice modes. The zero ChoiceMode means that the client set none. It has the effect of ChoiceAuto.
const (
	ChoiceAuto     ChoiceMode = "auto"
	ChoiceNone     ChoiceMode = "none"
	ChoiceRequired ChoiceMode = "required"
	ChoiceNamed    ChoiceMode = "named"
)

// IsForced reports whether the choice requires a call: ChoiceRequired or ChoiceNamed.
func (c Choice) IsForced() bool { return c.Mode == ChoiceRequired || c.Mode == ChoiceNamed }

// Allows reports whether Names permits a call of the named tool. Empty Names permits all. It does not consider Mode.
func (c Choice) Allows(name string) bool { return len(c.Names) == 0 || slices.Contains(c.Names, name) }

// An AnswerFormat requires a JSON response. If Schema is nil, any JSON object satisfies it. Otherwise the response
// must satisfy Schema.
type AnswerFormat struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Strict      *bool
	Loose       bool // the client accepts responses in other formats: they are passed through unchanged
}

// Thinking controls the model's reasoning. The zero Thinking uses the model's default.
type Thinking struct {
	Effort string      // none, minimal, low, medium, high, xhigh or max
	Budget json.Number // maximum number of reasoning tokens
	Off    bool
	Extra  Extra
}

// A Tool is a tool that the model may call. Schema is the JSON Schema of the arguments as the client wrote it, nil for
// a tool without arguments.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Type        ToolType
	Strict      *bool
	Extra       Extra // other members; the complete definition of a hosted tool, and the format of a custom tool
}

// Clone returns a copy of t with its own JSON. The JSON of t may refer to a request body.
func (t Tool) Clone() Tool {
	t.Schema, t.Extra.JSON = bytes.Clone(t.Schema), bytes.Clone(t.Extra.JSON)
	return t
}

// A ToolType is the type of a tool and of its calls.
type ToolType string

// The tool types. The zero ToolType is FunctionTool.
const (
	FunctionTool ToolType = ""       // the arguments are a JSON object
	CustomTool   ToolType = "custom" // the input is free text
	HostedTool   ToolType = "hosted" // the provider runs the tool, not the client
)

// An Edit sets one member of an encoded JSON body, or removes it if Value is nil. Path has the member names from the
// outermost to the innermost; "*" selects every element of an array. If Only is set, the edit applies only if the
// member's current value equals Only.
type Edit struct {
	Path  []string
	Value json.RawMessage
	Only  json.RawMessage
}

// History returns the messages of the request. For a decoded request it decodes them from Attached, which may fail.
func (r *Request) History() ([]Message, error) {
	if r.Messages != nil || r.Attached == nil {
		return r.Messages, nil
	}
	return r.Attached.Messages()
}

// DeclaredTools returns the tools of the request. For a decoded request it decodes them from Attached, which may fail.
func (r *Request) DeclaredTools() ([]Tool, error) {
	if r.Tools != nil || r.Attached == nil {
		return r.Tools, nil
	}
	return r.Attached.Tools()
}
