package conformance

import "encoding/json"

// An ask is a request in no API's form.
type ask struct {
	messages []message
	tools    []tool
	choice   string   // auto, required, none, or the name of a tool; "" says nothing
	allowed  []string // the only tools that may be called
	serial   bool     // at most one call
	most     int      // tokens of output; 0 means the default of the run
	format   string   // the JSON Schema of the answer
	stream   bool
	usage    bool // a stream reports its token usage
	think    bool

	model     string // in place of the run's
	body      string // in place of all above
	anonymous bool   // without the key
	edit      func(body map[string]any)
}

// A message is one turn of a conversation.
type message struct {
	role    string // system, user, assistant or tool
	text    string
	calls   []call
	content absence // of the text of an assistant turn with calls
	result  result
}

// An absence is the form in which an assistant turn says that it has no text.
type absence int

const (
	absentNull  absence = iota // the member is null
	absentEmpty                // the member is ""
	absentNone                 // there is no member
)

// A result is the outcome of a call.
type result struct {
	id, name, text string
	failed         bool
	parts          bool // as a list of content parts
}

// A tool is the declaration of a tool.
type tool struct {
	name, about, schema string
	strict              bool
}

func (t tool) parameters() json.RawMessage { return json.RawMessage(t.schema) }

// A call is a call of a tool.
type call struct {
	id, name string
	args     string // JSON text
	item     string // the id of the item that holds the call
	index    int    // of a streamed call
}

func user(text string) message { return message{role: "user", text: text} }

// outcome is the result of a call as a message.
func outcome(c call, text string) message {
	return message{role: "tool", result: result{id: c.id, name: c.name, text: text}}
}
