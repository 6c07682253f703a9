package mcptool

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
)

const (
	maxOutput    = 8 << 20  // maximum size of a result in bytes
	maxErrorText = 64 << 10 // maximum size of an error text in bytes
	maxWarnings  = 20
)

// readResult parses a tools/call result. If the tool failed, the error is an *agent.ToolError.
func readResult(text json.RawMessage) (agent.Output, error) {
	if len(text) > maxOutput {
		return agent.Output{}, &agent.ToolError{Code: agent.CodeOutputTooLarge,
			Message: fmt.Sprintf("the result has %d bytes, at most %d are taken", len(text), maxOutput)}
	}
	var wire struct {
		Content       json.RawMessage `json:"content"`
		Structured    json.RawMessage `json:"structuredContent"`
		IsError       bool            `json:"isError"`
		inputRequired                 // only in later protocol versions
	}
	var pieces []json.RawMessage
	err := json.Unmarshal(text, &wire)
	if err == nil && len(wire.Content) > 0 {
		err = json.Unmarshal(wire.Content, &pieces)
	}
	if err != nil {
		return agent.Output{}, &agent.ToolError{Code: agent.CodeToolFailed, Message: "the result cannot be read: " + err.Error()}
	}
	if wire.asks() {
		return agent.Output{}, &agent.ToolError{Code: agent.CodeToolFailed,
			Message: "the tool asks its client for something more before it goes on, and there is nobody here to answer"}
	}
	var r resultReader
	for _, piece := range pieces {
		r.add(piece)
	}
	if len(pieces) > 0 && holdsOnly(wire.Structured, func(v []byte) bool { return jsonx.Equal(v, wire.Content) }) {
		wire.Structured = nil
	}
	if wire.IsError {
		return agent.Output{}, r.failure(wire.Structured)
	}
	return r.output(wire.Structured), nil
}

// A resultReader collects the content blocks of a tools/call result.
type resultReader struct {
	texts    []string
	parts    []callwright.Part
	warnings []string
}

// A content is a content block of a result, of any type.
type content struct {
	Type        string `json:"type"`
	Text        string `json:"text"`
	Data        string `json:"data"`
	MIMEType    string `json:"mimeType"`
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Description string `json:"description"`
	Resource    struct {
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType"`
		Text     string `json:"text"`
		Blob     string `json:"blob"`
	} `json:"resource"`
}

// readers maps the type of a content block to the method that reads it.
var readers = map[string]func(*resultReader, *content){
	"text":          func(r *resultReader, c *content) { r.texts = append(r.texts, c.Text) },
	"image":         (*resultReader).image,
	"audio":         func(r *resultReader, c *content) { r.file("", c.MIMEType, c.Data) },
	"resource":      (*resultReader).resource,
	"resource_link": (*resultReader).link,
}

func (r *resultReader) add(text json.RawMessage) {
	var c content
	if err := json.Unmarshal(text, &c); err != nil {
		r.warn("a piece of content is left out: " + err.Error())
		return
	}
	read, ok := readers[c.Type]
	if !ok {
		r.warn(fmt.Sprintf("content of the unknown kind %q is left out", jsonx.Clip(c.Type, 64)))
		return
	}
	read(r, &c)
}

func (r *resultReader) warn(text string) {
	if len(r.warnings) < maxWarnings && !slices.Contains(r.warnings, text) {
		r.warnings = append(r.warnings, text)
	}
}

func (r *resultReader) image(c *content) {
	if r.decodes(c.Type, c.Data) {
		r.parts = append(r.parts, callwright.Image{MediaType: c.MIMEType, Data: c.Data})
	}
}

func (r *resultReader) file(name, mediaType, data string) {
	if r.decodes("file", data) {
		r.parts = append(r.parts, callwright.File{Name: name, MediaType: mediaType, Data: data})
	}
}

// decodes reports whether data is non-empty base64. Otherwise it adds a warning.
func (r *resultReader) decodes(kind, data string) bool {
	if _, err := base64.StdEncoding.DecodeString(data); err != nil || data == "" {
		r.warn(fmt.Sprintf("content of the kind %q is left out: its data is no base64", kind))
		return false
	}
	return true
}

func (r *resultReader) resource(c *content) {
	if c.Resource.Blob != "" {
		r.file(c.Resource.URI, c.Resource.MIMEType, c.Resource.Blob)
		return
	}
	r.parts = append(r.parts, callwright.File{Name: c.Resource.URI, MediaType: c.Resource.MIMEType, Text: c.Resource.Text})
}

// link adds a text that describes a resource link. The resource itself is not in the result.
func (r *resultReader) link(c *content) {
	text := "resource " + c.URI
	for _, more := range []string{c.Name, c.MIMEType, c.Description} {
		if more != "" {
			text += ", " + more
		}
	}
	r.texts = append(r.texts, text)
}

// output returns the output of a successful call. structured is the result's structuredContent.
func (r *resultReader) output(structured json.RawMessage) agent.Output {
	out := agent.Output{Parts: r.parts, Warnings: r.warnings}
	if jsonx.IsNull(structured) {
		if len(r.texts) > 0 {
			out.Data = jsonx.AppendQuote(nil, strings.Join(r.texts, "\n"))
		}
		return out
	}
	out.Data = structured
	r.texts = slices.DeleteFunc(r.texts, func(text string) bool { return repeats(text, structured) })
	if len(r.texts) > 0 {
		out.Parts = append([]callwright.Part{callwright.Text{Text: strings.Join(r.texts, "\n")}}, out.Parts...)
	}
	return out
}

// repeats reports whether a text block only repeats the structured content, as a string or as JSON.
func repeats(text string, structured json.RawMessage) bool {
	return holdsOnly(structured, func(v []byte) bool {
		if s, ok := jsonx.String(v); ok && s == text {
			return true
		}
		return jsonx.Valid([]byte(text)) == nil && jsonx.Equal(jsonx.Trim([]byte(text)), v)
	})
}

// holdsOnly reports whether the function same returns true for the structured content, or for its only member: some
// servers wrap the value.
func holdsOnly(structured json.RawMessage, same func(v []byte) bool) bool {
	if same(structured) {
		return true
	}
	var only []byte
	n := 0
	for _, v := range jsonx.Members(structured) {
		only = v
		n++
	}
	return n == 1 && same(only)
}

// failure returns the error of a tools/call result whose isError is true.
func (r *resultReader) failure(structured json.RawMessage) error {
	text := strings.Join(r.texts, "\n")
	switch {
	case strings.TrimSpace(text) != "":
	case !jsonx.IsNull(structured):
		text = string(structured)
	default:
		text = "the tool has failed and does not say why"
	}
	return &agent.ToolError{Code: agent.CodeToolFailed, Message: jsonx.Clip(text, maxErrorText)}
}
