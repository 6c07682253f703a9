package fakellm

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
	name       string
	read       func(*Seen) error // from Seen.Body; the error is what the client is told
	whole      func(*answer) []byte
	stream     func(*answer) []frame
	failed     func(status int, message string) string
	errorEvent string // the name of an error event inside a stream
}

var wires = map[string]*wireForm{
	OpenAI: {
		name: OpenAI, read: readOpenAI, whole: wholeOpenAI, stream: streamOpenAI, failed: failedOpenAI,
	},
	Anthropic: {
		name: Anthropic, read: readAnthropic, whole: wholeAnthropic, stream: streamAnthropic,
		failed: failedAnthropic, errorEvent: "error",
	},
}

// both are the wires of a fault that makes sense on either.
var both = []string{OpenAI, Anthropic}

var onlyOpenAI = []string{OpenAI}

// A block is an element of a content list of either wire.
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
