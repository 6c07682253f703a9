package simulate

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A wireFormat is the implementation of one API: it parses requests and encodes responses.
type wireFormat struct {
	name    string
	read    func(*Seen) error // parses Seen.Body; the error is sent to the client
	whole   func(*response) []byte
	stream  func(*response) []frame
	framing func(*Seen) framing
	failed  func(*failure) string          // encodes the body of an HTTP error
	inband  func(f *failure, at int) frame // encodes an error as the stream event with index at
	ids     idFormat
}

// An idFormat is the format of the tool call ids of a wire.
type idFormat struct {
	prefix string
	length int // characters after the prefix; 0: any number
}

// mint returns an id in this format. Equal parts give equal ids.
func (f idFormat) mint(parts ...string) string {
	id := digest(parts...)
	if f.length > 0 {
		id = (id + strings.Repeat("0", f.length))[:f.length]
	}
	return f.prefix + id
}

var wires = map[string]*wireFormat{
	OpenAI: {
		name: OpenAI, read: readOpenAI, whole: wholeOpenAI, stream: streamOpenAI, framing: events,
		failed: failedOpenAI, inband: inbandData(failedOpenAI), ids: idFormat{prefix: "call_"},
	},
	Responses: {
		name: Responses, read: readResponses, whole: wholeResponses, stream: streamResponses, framing: events,
		failed: failedOpenAI, inband: inbandResponses, ids: idFormat{prefix: "call_"},
	},
	Anthropic: {
		name: Anthropic, read: readAnthropic, whole: wholeAnthropic, stream: streamAnthropic, framing: events,
		failed: failedAnthropic, inband: inbandAnthropic, ids: idFormat{prefix: "toolu_"},
	},
	Gemini: {
		name: Gemini, read: readGemini, whole: wholeGemini, stream: streamGemini, framing: framingGemini,
		failed: failedGemini, inband: inbandData(failedGemini), ids: idFormat{length: 8},
	},
	Ollama: {
		name: Ollama, read: readOllama, whole: wholeOllama, stream: streamOllama,
		framing: func(*Seen) framing { return asLines },
		failed:  failedOllama, inband: inbandData(failedOllama), ids: idFormat{prefix: "call_", length: 8},
	},
}

func events(*Seen) framing { return asEvents }

// inbandData returns the inband function of a wire whose error events contain the JSON of an error response.
func inbandData(failed func(*failure) string) func(*failure, int) frame {
	return func(f *failure, _ int) frame { return frame{name: f.event, data: f.text(failed)} }
}

// The wires that can show a fault, for the rows of the fault table.
var (
	every = []string{OpenAI, Responses, Anthropic, Gemini, Ollama}
	// asText are the wires that encode arguments as a string, so that the string can be invalid JSON.
	asText = []string{OpenAI, Responses, Anthropic}
	// choosing are the wires on which a client can require a tool call.
	choosing = []string{OpenAI, Responses, Anthropic, Gemini}
	// finishing are the wires that have a finish reason for calls.
	finishing  = []string{OpenAI, Anthropic}
	onlyOpenAI = []string{OpenAI}
	// indexed are the wires that send an index with each call.
	indexed = []string{OpenAI, Ollama}
	// nameless are the wires on which servers omit call ids.
	nameless      = []string{OpenAI, Gemini, Ollama}
	onlyGemini    = []string{Gemini}
	onlyResponses = []string{Responses}
)

// A block is an element of a content list in Chat Completions, Responses or Messages.
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

// readContent parses content that is a string, a list of blocks, or null. isText is true for a string. null returns
// nil.
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

// textOf joins the texts of content blocks with line breaks.
func textOf(blocks []block) string {
	var out []string
	for _, b := range blocks {
		if b.Text != nil {
			out = append(out, *b.Text)
		}
	}
	return strings.Join(out, "\n")
}

// declare adds a declared tool with its JSON Schema to s.
func (s *Seen) declare(name string, schema json.RawMessage) {
	if s.schemas == nil {
		s.schemas = map[string]json.RawMessage{}
	}
	s.Tools = append(s.Tools, name)
	s.schemas[name] = schema
}

// allow removes all declared tools that are not in names.
func (s *Seen) allow(names []string) {
	s.Tools = slices.DeleteFunc(s.Tools, func(name string) bool { return !slices.Contains(names, name) })
}

// checkTool returns an error for an invalid name of a declared tool, unless the server permits any name.
func (s *Seen) checkTool(at, name string, limit int) error {
	if s.anyNames && name != "" {
		return nil
	}
	return checkName(at, name, limit)
}

// checkName returns an error for a tool name that does not match [a-zA-Z0-9_-] or is longer than limit.
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

// checkSchema returns an error for an arguments schema whose root type is not object.
func checkSchema(at string, schema json.RawMessage) error {
	var root struct{ Type string }
	if json.Unmarshal(schema, &root) != nil || root.Type != "object" {
		return fmt.Errorf(`%s.type: Input should be "object"`, at)
	}
	return nil
}

// joinKeys lists the elements of a set in ascending order, separated by commas.
func joinKeys(set map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(set)), ", ") }
