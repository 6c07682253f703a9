package demo

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/sse"
)

// A Sent is the part of a model's response that is printed: selected members of its JSON.
type Sent struct {
	Status int      `json:"status"`
	Lines  []string `json:"lines"`
	Cut    bool     `json:"cut,omitempty"` // the connection broke after Lines
}

// buildSent returns the part of a recorded model response to print.
func (r *recording) buildSent() Sent {
	body, cut := r.bytes()
	out := Sent{Status: r.status, Cut: cut}
	if !r.stream {
		out.Lines = wholeLines(body)
		return out
	}
	for events := sse.NewReader(bytes.NewReader(body)); ; {
		ev, err := events.Next()
		if err != nil {
			return out
		}
		out.Lines = append(out.Lines, eventLines(ev.Data)...)
	}
}

// wholeLines returns the members to print of a response or error that was not streamed.
func wholeLines(body []byte) []string {
	if jsonx.Valid(body) != nil {
		return []string{string(body)}
	}
	if lines := errorLines(body); lines != nil {
		return lines
	}
	var out []string
	if choice, ok := firstChoice(body); ok {
		message, _ := jsonx.Find(choice, "message")
		out = members(message, "reasoning_content", "content", "tool_calls")
		return append(out, members(choice, "finish_reason")...)
	}
	content, _ := jsonx.Find(body, "content")
	for block := range jsonx.Elements(content) {
		out = append(out, string(block))
	}
	return append(out, members(body, "stop_reason")...)
}

// eventLines returns the members to print of one event of a stream.
func eventLines(data []byte) []string {
	if jsonx.Valid(data) != nil {
		return nil // such as [DONE] at the end of a stream
	}
	if lines := errorLines(data); lines != nil {
		return lines
	}
	if choice, ok := firstChoice(data); ok {
		var out []string
		delta, _ := jsonx.Find(choice, "delta")
		if members(delta, "reasoning_content", "content", "tool_calls") != nil {
			out = append(out, string(delta))
		}
		return append(out, members(choice, "finish_reason")...)
	}
	if block, ok := jsonx.Find(data, "content_block"); ok {
		if kind, _ := jsonx.Find(block, "type"); string(kind) == `"tool_use"` {
			return []string{string(block)}
		}
		return nil
	}
	delta, ok := jsonx.Find(data, "delta")
	if !ok {
		return nil
	}
	if out := members(delta, "stop_reason"); out != nil || members(delta, "text", "partial_json", "thinking") == nil {
		return out
	}
	return []string{string(delta)}
}

func firstChoice(doc []byte) ([]byte, bool) {
	choices, _ := jsonx.Find(doc, "choices")
	for c := range jsonx.Elements(choices) {
		return c, true
	}
	return nil, false
}

// errorLines returns the members that describe an error response, nil if doc is no error.
func errorLines(doc []byte) []string {
	e, ok := jsonx.Find(doc, "error")
	if !ok {
		return nil
	}
	if out := members(e, "failed_generation"); out != nil {
		return out
	}
	return members(e, "message")
}

// members returns the named members of an object as raw JSON. It omits null and "".
func members(object []byte, names ...string) []string {
	var out []string
	for key, v := range jsonx.Members(object) {
		if string(v) == "null" || string(v) == `""` || !slices.ContainsFunc(names, key.Is) {
			continue
		}
		from, _ := jsonx.Span(object, key)
		_, to := jsonx.Span(object, v)
		out = append(out, string(object[from:to]))
	}
	return out
}
