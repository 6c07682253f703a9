package telemetry

import (
	"context"
	"encoding/json"
	"iter"
	"strings"

	"github.com/callwright/callwright"
	"go.opentelemetry.io/otel/attribute"
)

// mostContent is the maximum size in bytes of the messages in a span, and also of the answer. If a conversation is
// larger, the span has its newest messages.
const mostContent = 128 << 10

// Around returns a model that adds the messages and the answer of each request to its span. If SpansConfig.Content is
// not set, it returns m itself.
func (s *Spans) Around(m callwright.Model) callwright.Model {
	if !s.content {
		return m
	}
	return speaker{m}
}

// A speaker wraps a model and adds the content of each request to its span.
type speaker struct{ callwright.Model }

// Generate implements callwright.Model.
func (m speaker) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	recordRequest(ctx, req)
	resp, err := m.Model.Generate(ctx, req)
	if err == nil {
		recordAnswer(ctx, resp)
	}
	return resp, err
}

// Stream implements callwright.Model.
func (m speaker) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(m.Batches(ctx, req))
}

// Batches is like Stream but yields batches of events.
func (m speaker) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return func(yield func(callwright.Batch, error) bool) {
		recordRequest(ctx, req)
		var c callwright.Collector
		defer func() { recordAnswer(ctx, c.Response()) }()
		for b, err := range callwright.Batches(ctx, m.Model, req) {
			for _, ev := range b.Events {
				c.Add(ev)
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

func recordRequest(ctx context.Context, req *callwright.Request) {
	span := spanOf(ctx)
	if span == nil {
		return
	}
	if history, err := req.History(); err == nil {
		span.set(messagesAttribute(keyInputMessages, history, ""))
	}
}

func recordAnswer(ctx context.Context, resp *callwright.Response) {
	span := spanOf(ctx)
	if span == nil {
		return
	}
	if resp.Finish != "" {
		span.set(keyFinishReasons.StringSlice([]string{string(resp.Finish)}))
	}
	span.set(messagesAttribute(keyOutputMessages, []callwright.Message{resp.Message()}, resp.Finish))
}

// The JSON of messages and their parts in span attributes, by the semantic conventions.
//
// Source: https://github.com/open-telemetry/semantic-conventions/blob/main/docs/gen-ai/gen-ai-input-messages.json
type (
	saidMessage struct {
		Role   string            `json:"role"`
		Parts  []any             `json:"parts"`
		Finish callwright.Finish `json:"finish_reason,omitempty"`
	}
	saidText struct {
		Type    string `json:"type"` // "text" or "reasoning"
		Content string `json:"content"`
	}
	saidCall struct {
		Type      string `json:"type"`
		ID        string `json:"id,omitempty"`
		Name      string `json:"name"`
		Arguments any    `json:"arguments,omitempty"`
	}
	saidResult struct {
		Type     string `json:"type"`
		ID       string `json:"id,omitempty"`
		Response string `json:"response"`
	}
	saidFile struct {
		Type     string `json:"type"`
		Modality string `json:"modality"`
		MIME     string `json:"mime_type,omitempty"`
		URI      string `json:"uri,omitempty"`
	}
)

// messagesAttribute returns the newest messages as JSON, at most mostContent bytes.
func messagesAttribute(key attribute.Key, list []callwright.Message, finish callwright.Finish) attribute.KeyValue {
	var out []string
	room := mostContent
	for i := len(list) - 1; i >= 0; i-- {
		said := saidMessage{Role: string(list[i].Role), Parts: saidParts(list[i].Parts), Finish: finish}
		text, err := json.Marshal(said)
		if room -= len(text); err != nil || room < 0 {
			break
		}
		out = append(out, string(text))
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return key.String("[" + strings.Join(out, ",") + "]")
}

func saidParts(parts []callwright.Part) []any {
	out := []any{}
	for _, p := range parts {
		switch p := p.(type) {
		case callwright.Text:
			out = append(out, saidText{"text", p.Text})
		case callwright.Reasoning:
			if p.Text != "" {
				out = append(out, saidText{"reasoning", p.Text})
			}
		case callwright.Call:
			out = append(out, saidCall{"tool_call", p.ID, p.Name, argumentsOf(&p)})
		case callwright.Result:
			out = append(out, saidResult{"tool_call_response", p.CallID, p.Text()})
		case callwright.Image: // images and files are too large: only their type is recorded
			out = append(out, saidFile{"uri", "image", p.MediaType, p.URL})
		case callwright.File:
			out = append(out, saidFile{"uri", "file", p.MediaType, p.URL})
		}
	}
	return out
}

// argumentsOf returns the arguments of a call as JSON, or as a string if they are not valid JSON.
func argumentsOf(c *callwright.Call) any {
	switch {
	case c.Type == callwright.CustomTool:
		return c.Input
	case json.Valid(c.Arguments):
		return c.Arguments
	}
	return string(c.Arguments)
}
