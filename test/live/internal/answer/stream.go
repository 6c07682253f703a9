package answer

import (
	"encoding/json"
	"net/http"
	"strings"
)

// pieceBytes bounds the pieces into which texts of a stream are cut. It is small, so that marks of calls are cut too.
const pieceBytes = 7

// wantsStream reports whether a request asks for a stream.
func wantsStream(path string, body []byte) bool {
	var asks struct{ Stream *bool }
	if json.Unmarshal(body, &asks) != nil {
		return false
	}
	if asks.Stream == nil {
		return strings.HasSuffix(path, "/api/chat") // the default of Ollama's API
	}
	return *asks.Stream
}

// isWhole reports whether an answer is one JSON document that a stream can be made of.
func isWhole(a *Answer) bool {
	return a.Status == http.StatusOK && strings.HasPrefix(a.Type, "application/json") && json.Valid([]byte(a.Body))
}

// A turn is the message of an assistant, in both APIs.
type turn struct {
	Content   string           `json:"content"`
	Reasoning string           `json:"reasoning_content"`
	Thinking  string           `json:"thinking"`
	ToolCalls []map[string]any `json:"tool_calls"`
}

// Said is the text and the calls of a whole answer, without the ids of calls; the body of one that is no JSON.
func (a *Answer) Said() string {
	var chat struct {
		Choices []struct{ Message turn } `json:"choices"`
		Message turn                     `json:"message"`
	}
	if json.Unmarshal([]byte(a.Body), &chat) != nil {
		return a.Body
	}
	t := chat.Message
	if len(chat.Choices) > 0 {
		t = chat.Choices[0].Message
	}
	said := t.Content
	for _, c := range t.ToolCalls {
		call, _ := json.Marshal(c["function"])
		said += "\n" + string(call)
	}
	return said
}

// streamed makes a stream of a whole answer, as its API streams. Calls come whole in Ollama's API, and in pieces in
// OpenAI's.
func (a *Answer) streamed() (*Answer, error) {
	out := *a
	if strings.HasSuffix(a.Path, "/api/chat") {
		body, err := ollamaStream(a.Body)
		out.Body, out.Type = body, "application/x-ndjson"
		return &out, err
	}
	body, err := chatStream(a.Body)
	out.Body, out.Type = body, "text/event-stream"
	return &out, err
}

// pieces cuts a text between characters.
func pieces(text string) (out []string) {
	from := 0
	for i := range text {
		if i-from >= pieceBytes {
			out, from = append(out, text[from:i]), i
		}
	}
	if from < len(text) {
		out = append(out, text[from:])
	}
	return out
}

// chatStream makes events of a chat completion.
func chatStream(body string) (string, error) {
	var whole struct {
		ID, Model string
		Created   json.Number
		Choices   []struct {
			Message turn
			Finish  string `json:"finish_reason"`
		}
		Usage json.RawMessage
	}
	if err := json.Unmarshal([]byte(body), &whole); err != nil {
		return "", err
	}
	var out strings.Builder
	event := func(delta map[string]any, finish any) error {
		text, err := json.Marshal(map[string]any{"id": whole.ID, "object": "chat.completion.chunk", "created": whole.Created,
			"model":   whole.Model,
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		out.WriteString("data: " + string(text) + "\n\n")
		return err
	}
	for _, c := range whole.Choices {
		deltas := []map[string]any{{"role": "assistant"}}
		for _, p := range pieces(c.Message.Reasoning) {
			deltas = append(deltas, map[string]any{"reasoning_content": p})
		}
		for _, p := range pieces(c.Message.Content) {
			deltas = append(deltas, map[string]any{"content": p})
		}
		for i, call := range c.Message.ToolCalls {
			deltas = append(deltas, callDeltas(i, call)...)
		}
		for _, d := range deltas {
			if err := event(d, nil); err != nil {
				return "", err
			}
		}
		if err := event(map[string]any{}, c.Finish); err != nil {
			return "", err
		}
	}
	if whole.Usage != nil {
		text, err := json.Marshal(map[string]any{"id": whole.ID, "object": "chat.completion.chunk", "created": whole.Created,
			"model": whole.Model, "choices": []any{}, "usage": whole.Usage})
		if err != nil {
			return "", err
		}
		out.WriteString("data: " + string(text) + "\n\n")
	}
	out.WriteString("data: [DONE]\n\n")
	return out.String(), nil
}

// callDeltas are the deltas of a call: its head, and pieces of its arguments.
func callDeltas(index int, call map[string]any) []map[string]any {
	function, _ := call["function"].(map[string]any)
	args, _ := function["arguments"].(string)
	head := map[string]any{"index": index, "id": call["id"], "type": "function",
		"function": map[string]any{"name": function["name"], "arguments": ""}}
	out := []map[string]any{{"tool_calls": []any{head}}}
	for _, p := range pieces(args) {
		out = append(out, map[string]any{"tool_calls": []any{map[string]any{"index": index, "function": map[string]any{"arguments": p}}}})
	}
	return out
}

// ollamaStream makes lines of an answer of Ollama's API.
func ollamaStream(body string) (string, error) {
	var end map[string]any
	var whole struct{ Message turn }
	if err := json.Unmarshal([]byte(body), &end); err != nil {
		return "", err
	}
	if err := json.Unmarshal([]byte(body), &whole); err != nil {
		return "", err
	}
	var messages []map[string]any
	for _, p := range pieces(whole.Message.Thinking) {
		messages = append(messages, map[string]any{"role": "assistant", "content": "", "thinking": p})
	}
	for _, p := range pieces(whole.Message.Content) {
		messages = append(messages, map[string]any{"role": "assistant", "content": p})
	}
	if len(whole.Message.ToolCalls) > 0 {
		messages = append(messages, map[string]any{"role": "assistant", "content": "", "tool_calls": whole.Message.ToolCalls})
	}
	var out strings.Builder
	for _, m := range messages {
		text, err := json.Marshal(map[string]any{"model": end["model"], "created_at": end["created_at"], "message": m, "done": false})
		if err != nil {
			return "", err
		}
		out.WriteString(string(text) + "\n")
	}
	end["message"] = map[string]any{"role": "assistant", "content": ""}
	text, err := json.Marshal(end)
	out.WriteString(string(text) + "\n")
	return out.String(), err
}
