package simulate

import (
	"encoding/json"
	"net/http"
)

// The wires, by the names that the vocabulary gives them.
const (
	OpenAI    = "openai"    // Chat Completions
	Responses = "responses" // OpenAI Responses
	Anthropic = "anthropic" // Messages
	Gemini    = "gemini"    // generateContent
	Ollama    = "ollama"    // /api/chat
)

// A Turn is one answer of the model. The zero Turn is an empty answer. Calls are native where the request declares
// tools; otherwise they are written as text, or into a JSON document where the prompt asks for "toolCalls".
type Turn struct {
	Text      string
	Reasoning string
	Calls     []Call
	// Finish is stop, tool_calls or length, written in the wire's own words; anything else is written as it stands, and
	// empty follows from the calls.
	Finish string
	Fault  Fault
	// Raw, when not empty, is the body of the answer in place of all above.
	Raw []byte
	// Status, when not 0, makes the answer an HTTP error of that status with Text as its message.
	Status int
}

// A Call is a call that the model makes, or one that stood in the history a client sent. Arguments is JSON text; it
// need not be sound. An empty ID is minted by the server.
type Call struct {
	Name      string
	Arguments string
	ID        string
}

// A Script decides the answer to a request. It is called once for every sound request, by many goroutines at a time,
// and must not keep or change its argument.
type Script func(req Seen) Turn

// Seen is a request as the server understood it.
type Seen struct {
	Wire   string
	Model  string
	Stream bool
	Tools  []string // names of the tools declared on the wire
	Choice string   // auto, none, required, or the name of the one tool demanded
	Serial bool     // the client wants at most one call
	Thinks bool     // the client asks the model to think, or the model always does
	System string   // all system text
	User   string   // the last text of the user
	// Results are the texts of the tool results that came with or after User.
	Results []string
	// Turn counts the answers of the model that the history holds.
	Turn int
	// Repeat counts the earlier requests of the same model that opened with the same text in the same form.
	Repeat    int
	History   []Message
	Format    json.RawMessage // the JSON answer asked for, in the wire's own form
	MaxTokens int
	Header    http.Header
	Path      string
	Body      []byte
	// Refused is the message of the refusal, for a request that the server found unsound.
	Refused string

	schemas map[string]json.RawMessage
	kinds   map[string]toolKind
	array   bool // a stream is to be one JSON array

	anyNames bool // of tools are taken
	strict   *profile
}

// A toolKind is how a tool was declared where it is no plain function.
type toolKind struct {
	custom    bool   // takes text in place of JSON
	namespace string // the group it stands in
}

// Schema returns the schema of a declared tool as the model gets to see it, nil for others: as the client sent it, but
// on Ollama's wire, where the server forgets most of it.
func (s Seen) Schema(tool string) json.RawMessage { return s.schemas[tool] }

// A Message is one message of the history, without its system messages. Its role is user, assistant or tool; results of
// tools stand in Results on every wire.
type Message struct {
	Role    string
	Text    string
	Calls   []Call
	Results []Result
}

// A Result is the outcome of a tool as a client sent it.
type Result struct {
	ID    string
	Text  string
	Error bool
}
