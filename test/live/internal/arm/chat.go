package arm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/callwright/callwright/internal/bfcl"
	"github.com/callwright/callwright/sse"
	"github.com/callwright/callwright/test/live/internal/question"
)

// A chat is a client of OpenAI's Chat Completions that shares no code with the gateway's.
type chat struct {
	url, model string
	stream     bool
	http       *http.Client // nil: http.DefaultClient
}

// The members of a request and of an answer that the client writes and reads.
type (
	chatRequest struct {
		Model         string          `json:"model"`
		Messages      []chatMessage   `json:"messages"`
		Tools         json.RawMessage `json:"tools,omitempty"`
		Temperature   json.Number     `json:"temperature"`
		Seed          json.Number     `json:"seed"`
		MaxTokens     json.Number     `json:"max_tokens"`
		Stream        bool            `json:"stream,omitempty"`
		StreamOptions *streamOptions  `json:"stream_options,omitempty"`
	}
	streamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	}
	chatMessage struct {
		Role    string     `json:"role"`
		Content *string    `json:"content"`
		Calls   []chatCall `json:"tool_calls,omitempty"`
		CallID  string     `json:"tool_call_id,omitempty"`
	}
	chatCall struct {
		Index    *int         `json:"index,omitempty"`
		ID       string       `json:"id"`
		Type     string       `json:"type"`
		Function chatFunction `json:"function"`
	}
	chatFunction struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	chatChoice struct {
		Message chatMessage `json:"message"`
		Delta   chatMessage `json:"delta"`
	}
	chatAnswer struct {
		Choices []chatChoice    `json:"choices"`
		Error   json.RawMessage `json:"error"`
	}
)

func (c chat) ask(ctx context.Context, q *question.Question) reply {
	body, err := json.Marshal(c.request(q))
	if err != nil {
		return reply{err: err.Error()}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return reply{err: err.Error()}
	}
	req.Header.Set("Content-Type", "application/json")
	client := c.http
	if client == nil {
		client = http.DefaultClient
	}
	resp, err := client.Do(req)
	if err != nil {
		return reply{err: err.Error()}
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(resp.Body, 4096))
		return reply{err: fmt.Sprintf("%s: %s", resp.Status, text)}
	}
	if c.stream {
		return readStream(resp.Body)
	}
	var got chatAnswer
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		return reply{err: err.Error()}
	}
	if len(got.Choices) == 0 {
		return reply{err: "the answer has no choice"}
	}
	m := got.Choices[0].Message
	out := reply{}
	if m.Content != nil {
		out.text = *m.Content
	}
	for _, call := range m.Calls {
		out.calls = append(out.calls, bfcl.Call{Name: call.Function.Name, Arguments: json.RawMessage(call.Function.Arguments)})
	}
	return out
}

// request is the body for a question.
func (c chat) request(q *question.Question) chatRequest {
	out := chatRequest{Model: c.model, Temperature: temperature, Seed: seed, MaxTokens: maxTokens}
	if string(q.Tools) != "[]" {
		out.Tools = q.Tools
	}
	if c.stream {
		out.Stream, out.StreamOptions = true, &streamOptions{IncludeUsage: true}
	}
	for _, m := range q.Messages {
		turn := chatMessage{Role: m.Role}
		switch m.Role {
		case "assistant":
			for i, call := range m.Calls {
				turn.Calls = append(turn.Calls, chatCall{ID: callID(i), Type: "function", Function: chatFunction{call.Name, string(call.Arguments)}})
			}
		case "tool":
			turn.CallID, turn.Content = callID(m.Call), &m.Content
		default:
			turn.Content = &m.Content
		}
		out.Messages = append(out.Messages, turn)
	}
	return out
}

// readStream reads the events of a stream to their end.
func readStream(from io.Reader) (out reply) {
	events := sse.NewReader(from)
	var calls []chatCall
	for {
		ev, err := events.Next()
		switch {
		case errors.Is(err, io.EOF):
			return reply{err: "the stream broke off"}
		case err != nil:
			return reply{err: err.Error()}
		case string(ev.Data) == "[DONE]":
			for _, c := range calls {
				out.calls = append(out.calls, bfcl.Call{Name: c.Function.Name, Arguments: json.RawMessage(c.Function.Arguments)})
			}
			return out
		case len(ev.Data) == 0:
			continue // a comment
		}
		var got chatAnswer
		if err := json.Unmarshal(ev.Data, &got); err != nil {
			return reply{err: err.Error()}
		}
		if len(got.Error) > 0 {
			return reply{err: string(got.Error)}
		}
		for _, choice := range got.Choices {
			if choice.Delta.Content != nil {
				out.text += *choice.Delta.Content
			}
			calls = withDeltas(calls, choice.Delta.Calls)
		}
	}
}

// withDeltas adds pieces of calls to the calls so far, by their index.
func withDeltas(calls, deltas []chatCall) []chatCall {
	for _, d := range deltas {
		at := 0
		if d.Index != nil && *d.Index >= 0 {
			at = *d.Index
		}
		for len(calls) <= at && at < 1000 {
			calls = append(calls, chatCall{})
		}
		if at >= len(calls) {
			continue
		}
		calls[at].Function.Name += d.Function.Name
		calls[at].Function.Arguments += d.Function.Arguments
	}
	return calls
}
