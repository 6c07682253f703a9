package conformance

import "encoding/json"

// A request is a request to a model, independent of the API.
type request struct {
	messages []message
	tools    []tool
	choice   string   // auto, required, none, or the name of a tool; "" for unset
	allowed  []string // names of the only tools that may be called
	serial   bool     // at most one call
	most     int      // maximum output tokens; 0 for Options.MaxTokens
	format   string   // JSON Schema for the answer; "" for none
	stream   bool
	usage    bool // request token usage in a stream
	think    bool

	model     string // replaces Options.Model
	body      string // raw body that replaces all fields above
	anonymous bool   // send no API key
	edit      func(body map[string]any)
}

// A message is one turn of a conversation.
type message struct {
	role    string // system, user, assistant or tool
	text    string
	calls   []call
	content absence // how to encode an assistant turn with calls and no text
	result  result
}

// An absence is a way to encode that an assistant turn has no text.
type absence int

const (
	absentNull  absence = iota // the member is null
	absentEmpty                // the member is ""
	absentNone                 // the member is missing
)

// A result is the result of a tool call.
type result struct {
	id, name, text string
	failed         bool
	parts          bool // encode text as a list of content parts
}

// A tool is the declaration of a tool.
type tool struct {
	name, about, schema string
	strict              bool
}

func (t tool) parameters() json.RawMessage { return json.RawMessage(t.schema) }

// A call is a tool call.
type call struct {
	id, name string
	args     string // arguments as JSON text
	item     string // id of the item with the call
	index    int    // index of a streamed call
}

func user(text string) message { return message{role: "user", text: text} }

// outcome returns a message with the result of a call.
func outcome(c call, text string) message {
	return message{role: "tool", result: result{id: c.id, name: c.name, text: text}}
}
