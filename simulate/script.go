package simulate

import (
	"encoding/json"
	"net/http"
)

// The wires, with the names that package callwright uses.
const (
	OpenAI    = "openai"    // Chat Completions
	Responses = "responses" // OpenAI Responses
	Anthropic = "anthropic" // Messages
	Gemini    = "gemini"    // generateContent
	Ollama    = "ollama"    // /api/chat
)

// A Turn is one response of the model. The zero Turn is an empty response. If the request declares tools, Calls are
// native. Otherwise they are written as text, or as a JSON document if the prompt requires "toolCalls".
type Turn struct {
	Text      string
	Reasoning string
	Calls     []Call
	// Finish is stop, tool_calls or length, which are converted to the wire's values. Any other value is written
	// unchanged. If it is empty, it is stop, or tool_calls after calls.
	Finish string
	Fault  Fault
	// Raw, if not empty, is the response body. It replaces all fields above.
	Raw []byte
	// Status, if not 0, makes the response an HTTP error with this status and Text as its message.
	Status int
}

// A Call is a tool call of the model, in a Turn or in the history of a request. Arguments is JSON text, which may be
// invalid. The server creates an id if ID is empty.
type Call struct {
	Name      string
	Arguments string
	ID        string
}

// A Script returns the response to a request. The server calls it once per valid request, concurrently. It must not
// retain or modify its argument.
type Script func(req Seen) Turn

// Seen is a request as parsed by the server.
type Seen struct {
	Wire   string
	Model  string
	Stream bool
	Tools  []string // names of the declared tools
	Choice string   // auto, none, required, or the name of the required tool
	Serial bool     // the client forbids parallel calls
	Thinks bool     // thinking is enabled by the request or by default
	System string   // all system text
	User   string   // text of the last user message
	// Results are the texts of the tool results in and after the last user message.
	Results []string
	// Turn is the number of assistant messages in the history.
	Turn int
	// Repeat is the number of earlier valid requests with the same wire, model and streaming mode and the same first user
	// message.
	Repeat    int
	History   []Message
	Format    json.RawMessage // the response format, in the wire's syntax
	MaxTokens int
	Header    http.Header
	Path      string
	Body      []byte
	// Refused is the error message of a rejected request, "" if it was valid.
	Refused string

	schemas map[string]json.RawMessage
	kinds   map[string]toolKind
	array   bool // the stream has the format of a JSON array

	anyNames bool // any tool name is permitted
	strict   *profile
}

// A toolKind describes a declared tool that is not a plain function.
type toolKind struct {
	custom    bool   // takes text instead of JSON arguments
	namespace string // the tool's namespace
}

// Schema returns the schema of a declared tool as the model receives it, nil for an undeclared one. On all wires except
// Ollama it equals the schema in the request; Ollama drops most of it.
func (s Seen) Schema(tool string) json.RawMessage { return s.schemas[tool] }

// A Message is a message of the history, which excludes system messages. Role is user, assistant or tool. On every
// wire, Results contains the tool results.
type Message struct {
	Role    string
	Text    string
	Calls   []Call
	Results []Result
}

// A Result is a tool result in the history of a request.
type Result struct {
	ID    string
	Text  string
	Error bool
}
