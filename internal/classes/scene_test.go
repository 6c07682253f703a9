package classes_test

import (
	"encoding/json"
	"net/http"
	"strings"
)

// An api is one of the five HTTP APIs, on either side of the gateway.
type api string

const (
	chat      api = "openai" // the names are those of the configuration
	responses api = "responses"
	anthropic api = "anthropic"
	gemini    api = "gemini"
	ollama    api = "ollama"
)

var apis = []api{chat, responses, anthropic, gemini, ollama}

// A call is a tool call in no API's form. args is JSON text, or anything that a provider sends in its place.
type call struct{ id, name, args string }

// A result is what a client says of a call. image is a picture in base64, besides the text.
type result struct{ id, name, text, image string }

// A turn is a message of a conversation. Where raw is not empty it is the message in the form of the client's API.
type turn struct {
	role, text, thought string
	calls               []call
	results             []result
	raw                 string
}

// A request is what a client asks in no API's form. more holds further members of the body in the client's API. The JSON of define takes the
// place of the tools' declarations.
type request struct {
	system string
	turns  []turn
	tools  []string // names in toolbox
	define []tool
	choice string // "", "required", "none" or a tool's name
	more   map[api]string
}

// A tool is declared by a client. schema is a JSON Schema.
type tool struct{ name, schema string }

// An answer is what a model means in no API's form. finish is the reason in the form of the provider's API; empty is the one that fits.
type answer struct {
	text, thought string
	calls         []call
	finish        string
	tokens        int  // of output
	cutShort      bool // the output limit ended it, in the API's own words
}

// A reply is how the provider takes one request. Without status it answers; body takes the place of a whole answer, frames are the data of
// a stream's events. A stream is cut after its frames where cut is set. Status and body refuse.
type reply struct {
	answer
	status int
	body   string
	frames []string
	cut    bool
	handle http.HandlerFunc // takes the place of all
	late   bool             // all but the first event waits until the client has seen a sign of life
	byName string           // the arguments of a call of the first tool, by the name under which it came
}

// A received is a request as the provider got it.
type received struct {
	api    api
	path   string
	raw    []byte
	body   map[string]any
	stream bool
}

// A refusal is a provider's answer to a request that it does not take.
type refusal struct {
	status int
	body   string
}

// A scene is one form of a failure class: how the provider behaves, what the client asks, and what the client must get.
type scene struct {
	class, name string
	at          []api  // the provider's APIs; nil is chat
	doors       []api  // the client's; nil is the provider's and another one
	only        string // "whole" or "stream"; empty is both
	provider    string // empty is one of which nothing is known
	model       string
	settings    string // of the provider, in the configuration's form
	config      string // further members of the configuration
	ask         request
	before      []request                  // asked first, in the same gateway
	onward      bool                       // the calls of the last answer before, and a result of each, stand before what is asked
	replies     []reply                    // to the requests in order; the last one stays
	better      *answer                    // the reply to requests for the model better
	untooled    *answer                    // the reply to a request without declared tools
	refuse      func(r *received) *refusal // nil takes every request
	want        want
}

// A want is what the client must get. A reply right in calls and text, or an error with one of the codes of fails.
type want struct {
	calls  []call
	text   string
	loose  bool     // further text may stand beside
	fails  []string // codes of errors, in place of the answer
	either bool     // fails besides the answer
	finish string   // "length" where the answer was cut
	alive  bool     // the client sees a sign of life before the answer
	named  string   // the class in the report, where the form fits that one as well
	quiet  string   // why no note is due; empty requires one with the class
	sent   func(all []*received) string
}

// toolbox has the tools that scenes declare.
var toolbox = map[string]string{
	"get_weather": `{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]},"days":{"type":"integer"}},"required":["city"]}`,
	"read_file":   `{"type":"object","properties":{"path":{"type":"string"},"offset":{"type":"integer"}},"required":["path"]}`,
	"write_file":  `{"type":"object","properties":{"path":{"type":"string"},"content":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}}},"required":["path","content"]}`,
	"run_command": `{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}`,
	"shell":       `{"type":"object","properties":{"command":{"type":"array","items":{"type":"string"}}},"required":["command"]}`,
	"search":      `{"type":"object","properties":{"queries":{"type":"array","items":{"type":"string"}},"max_results":{"type":"integer"},"exact":{"type":"boolean"},"headers":{"type":"object"}},"required":["queries"]}`,
	"list_all":    `{"type":"object","properties":{}}`,
	"get_message": `{"type":"object","properties":{"id":{"type":"integer"},"note":{"type":"string"}},"required":["id"]}`,
}

// object is a text as a JSON object whose numbers stay text, nil where it is none.
func object(text string) m {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var out m
	if d.Decode(&out) != nil {
		return nil
	}
	return out
}

// value is a text as JSON, or as a JSON string where it is none.
func value(text string) json.RawMessage {
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	quoted, _ := json.Marshal(text)
	return quoted
}
