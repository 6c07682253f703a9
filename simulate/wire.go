package simulate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A wireForm is one of the HTTP APIs: how requests are read and answers written.
type wireForm struct {
	name    string
	read    func(*Seen) error // from Seen.Body; the error is what the client is told
	whole   func(*response) []byte
	stream  func(*response) []frame
	framing func(*Seen) framing
	failed  func(*failure) string          // the body of an HTTP error
	inband  func(f *failure, at int) frame // an error inside a stream, as the event at this place
	ids     idForm
}

// An idForm is how a server names its calls.
type idForm struct {
	prefix string
	length int // of what follows the prefix; 0: as it comes
}

// mint returns an id of this form; equal parts get equal ids.
func (f idForm) mint(parts ...string) string {
	id := digest(parts...)
	if f.length > 0 {
		id = (id + strings.Repeat("0", f.length))[:f.length]
	}
	return f.prefix + id
}

var wires = map[string]*wireForm{
	OpenAI: {
		name: OpenAI, read: readOpenAI, whole: wholeOpenAI, stream: streamOpenAI, framing: events,
		failed: failedOpenAI, inband: inbandData(failedOpenAI), ids: idForm{prefix: "call_"},
	},
	Responses: {
		name: Responses, read: readResponses, whole: wholeResponses, stream: streamResponses, framing: events,
		failed: failedOpenAI, inband: inbandResponses, ids: idForm{prefix: "call_"},
	},
	Anthropic: {
		name: Anthropic, read: readAnthropic, whole: wholeAnthropic, stream: streamAnthropic, framing: events,
		failed: failedAnthropic, inband: inbandAnthropic, ids: idForm{prefix: "toolu_"},
	},
	Gemini: {
		name: Gemini, read: readGemini, whole: wholeGemini, stream: streamGemini, framing: framingGemini,
		failed: failedGemini, inband: inbandData(failedGemini), ids: idForm{length: 8},
	},
	Ollama: {
		name: Ollama, read: readOllama, whole: wholeOllama, stream: streamOllama,
		framing: func(*Seen) framing { return asLines },
		failed:  failedOllama, inband: inbandData(failedOllama), ids: idForm{prefix: "call_", length: 8},
	},
}

func events(*Seen) framing { return asEvents }

// inbandData writes an error inside a stream as the body it would have as an answer.
func inbandData(failed func(*failure) string) func(*failure, int) frame {
	return func(f *failure, _ int) frame { return frame{name: f.event, data: f.text(failed)} }
}

// The wires on which a fault can be shown.
var (
	every = []string{OpenAI, Responses, Anthropic, Gemini, Ollama}
	// asText are the wires that carry arguments as text, so that the text can be broken.
	asText = []string{OpenAI, Responses, Anthropic}
	// choosing are the wires on which a client can demand a call.
	choosing = []string{OpenAI, Responses, Anthropic, Gemini}
	// finishing are the wires whose answers say that they end with calls.
	finishing  = []string{OpenAI, Anthropic}
	onlyOpenAI = []string{OpenAI}
	// indexed are the wires whose calls have an index of their own.
	indexed = []string{OpenAI, Ollama}
	// nameless are the wires on which servers leave out the ids of calls.
	nameless      = []string{OpenAI, Gemini, Ollama}
	onlyGemini    = []string{Gemini}
	onlyResponses = []string{Responses}
)

// A block is an element of a content list of Chat Completions, Responses or Messages.
type block struct {
	Type      string
	Text      *string
	ID        string
	Name      string
	Input     json.RawMessage
	ToolUseID string `json:"tool_use_id"`
	Content   json.RawMessage
	IsError   bool `json:"is_error"`
	Thinking  *string
	Signature *string
}

// readContent reads content that is a string, a list of blocks, or null.
func readContent(raw json.RawMessage) (blocks []block, isText bool, err error) {
	var text string
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return nil, false, nil
	case json.Unmarshal(raw, &text) == nil:
		return []block{{Type: "text", Text: &text}}, true, nil
	case json.Unmarshal(raw, &blocks) == nil:
		return blocks, false, nil
	}
	return nil, false, errors.New("expected a string or a list of content parts")
}

// textOf joins the texts of blocks.
func textOf(blocks []block) string {
	var out []string
	for _, b := range blocks {
		if b.Text != nil {
			out = append(out, *b.Text)
		}
	}
	return strings.Join(out, "\n")
}

// declare adds a tool that the request declares.
func (s *Seen) declare(name string, schema json.RawMessage) {
	if s.schemas == nil {
		s.schemas = map[string]json.RawMessage{}
	}
	s.Tools = append(s.Tools, name)
	s.schemas[name] = schema
}

// allow leaves only some of the declared tools to be called.
func (s *Seen) allow(names []string) {
	s.Tools = slices.DeleteFunc(s.Tools, func(name string) bool { return !slices.Contains(names, name) })
}

// checkTool refuses the name of a declared tool, where the server has a rule for names.
func (s *Seen) checkTool(at, name string, limit int) error {
	if s.anyNames && name != "" {
		return nil
	}
	return checkName(at, name, limit)
}

// checkName refuses a tool name outside [a-zA-Z0-9_-] or longer than limit.
func checkName(at, name string, limit int) error {
	for _, r := range name {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' {
			return fmt.Errorf("%s: string does not match pattern ^[a-zA-Z0-9_-]+$: %q", at, name)
		}
	}
	if name == "" || len(name) > limit {
		return fmt.Errorf("%s: expected 1 to %d characters, got %d", at, limit, len(name))
	}
	return nil
}

// checkSchema refuses a schema of arguments whose root is no object.
func checkSchema(at string, schema json.RawMessage) error {
	var root struct{ Type string }
	if json.Unmarshal(schema, &root) != nil || root.Type != "object" {
		return fmt.Errorf(`%s.type: Input should be "object"`, at)
	}
	return nil
}

// joinKeys lists the members of a set, in order.
func joinKeys(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }
