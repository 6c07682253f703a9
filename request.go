package callwright

import (
	"bytes"
	"encoding/json"
	"slices"
)

// A Request asks a model for one answer. It is built by setting its members, or decoded from a wire, in which case the
// large members stay in Attached until a stage asks for them through History and DeclaredTools. A Request is not
// changed once it was handed to a Model: a variant is a shallow copy with other members.
type Request struct {
	Model    ModelID
	Messages []Message // nil in a request that was decoded: as it came
	Tools    []Tool    // nil in a request that was decoded: as they came
	Params   Params
	Extra    Extra     // request members that only the wire it came from knows
	Cache    CacheMode // what is asked of the provider's prompt cache
	// Attached is state that packages of this module keep with the request. A program that builds a request leaves it
	// nil; in a copy of a request it stays as it is.
	Attached Attachment
}

// An Attachment is state of the packages of this module that travels with a Request. Only they implement it. Its
// methods return the conversation and the tools of a request that was decoded from a wire, nil for one that was built.
type Attachment interface {
	Summaries() []Summary
	Messages() ([]Message, error)
	Tools() ([]Tool, error)
}

// Params are the small members of a request. Numbers are text from end to end; empty means not given.
type Params struct {
	Stream      bool
	StreamUsage bool // usage is wanted at the end of a stream, where the client's wire makes that a choice
	Choice      Choice
	Parallel    *bool // nil: not said; false: at most one call
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
	User        string // the end user's id
}

// A Choice says whether tools are to be called. The zero Choice leaves it to the model.
type Choice struct {
	Mode  ChoiceMode
	Names []string // the one tool of ChoiceNamed; the allowed tools otherwise, empty for all
}

// A ChoiceMode is auto, none, required or named.
type ChoiceMode string

// The choice modes. The zero ChoiceMode means that the client did not say; it is ChoiceAuto.
const (
	ChoiceAuto     ChoiceMode = "auto"
	ChoiceNone     ChoiceMode = "none"
	ChoiceRequired ChoiceMode = "required"
	ChoiceNamed    ChoiceMode = "named"
)

// IsForced reports whether an answer without calls breaks the choice.
func (c Choice) IsForced() bool { return c.Mode == ChoiceRequired || c.Mode == ChoiceNamed }

// Allows reports whether the choice leaves the tool of that name to the model.
func (c Choice) Allows(name string) bool { return len(c.Names) == 0 || slices.Contains(c.Names, name) }

// An AnswerFormat asks for a JSON answer: without a Schema for any JSON object, with one for a document that satisfies
// it.
type AnswerFormat struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Strict      *bool
	Loose       bool // the asker reads what is not in this form, too: an answer is handed on as it came
}

// Thinking asks for reasoning. The zero Thinking leaves it to the model.
type Thinking struct {
	Effort string      // none, minimal, low, medium, high, xhigh, max
	Budget json.Number // tokens
	Off    bool
	Extra  Extra
}

// A Tool is declared to the model. Schema is the JSON Schema of its arguments as the client wrote it; nil: it takes
// none.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage
	Type        ToolType
	Strict      *bool
	Extra       Extra // other members; for a hosted tool, and a custom tool's format, the whole definition
}

// Clone returns a tool that shares no JSON with t, which may be a part of the body of a request.
func (t Tool) Clone() Tool {
	t.Schema, t.Extra.JSON = bytes.Clone(t.Schema), bytes.Clone(t.Extra.JSON)
	return t
}

// A ToolType is the type of a tool and of its calls.
type ToolType string

// The tool types. The zero ToolType is FunctionTool.
const (
	FunctionTool ToolType = ""       // arguments are a JSON object
	CustomTool   ToolType = "custom" // the input is free text
	HostedTool   ToolType = "hosted" // run by the provider, never by the client
)

// An Edit sets (or, with nil Value, removes) one member of an encoded body. Path names members from the outermost in; a
// "*" goes into every element of a list. With Only the edit is made where the member has that value, and nowhere else.
type Edit struct {
	Path  []string
	Value json.RawMessage
	Only  json.RawMessage
}

// History is the conversation: Messages, or that of a request that was decoded.
func (r *Request) History() ([]Message, error) {
	if r.Messages != nil || r.Attached == nil {
		return r.Messages, nil
	}
	return r.Attached.Messages()
}

// DeclaredTools are the tools of the request: Tools, or those of a request that was decoded.
func (r *Request) DeclaredTools() ([]Tool, error) {
	if r.Tools != nil || r.Attached == nil {
		return r.Tools, nil
	}
	return r.Attached.Tools()
}
