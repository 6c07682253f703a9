package mcptool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Servers request input in two ways. Up to protocol version 2025-11-25 they send an elicitation/create request during a
// call. From 2026-07-28 the result of the call contains the requests, and the client repeats the call with the
// responses.

// methodElicit is the MCP method with which a server requests input from a person.
const methodElicit = "elicitation/create"

// maxRounds is the maximum number of times that a call is sent whose results keep requesting input.
const maxRounds = 10

// elicitHandler returns the SDK's handler of elicitation requests, nil without Config.Elicit.
func (l *link) elicitHandler() func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	if l.conf.Elicit == nil {
		return nil
	}
	return func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		if err := checkMode(req.Params.Mode); err != nil {
			return nil, err
		}
		wanted, err := json.Marshal(req.Params.RequestedSchema)
		if err != nil {
			return nil, err
		}
		action, content, err := l.elicit(ctx, req.Params.Message, wanted)
		if err != nil {
			return nil, err
		}
		out := &mcp.ElicitResult{Action: action}
		if content != nil {
			out.Content, err = contentOf(content)
		}
		return out, err
	}
}

// A questions value tracks the input requests that wait for a person. When the last running call ends, it cancels all
// of them, because a server may not withdraw the requests of a canceled call. The zero value is ready for use.
type questions struct {
	mu    sync.Mutex
	calls int
	open  map[int]context.CancelFunc
	asked int
}

// begin registers a running call, and end removes it. The last end cancels all waiting requests.
func (q *questions) begin() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.calls++
}

func (q *questions) end() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.calls--; q.calls == 0 {
		for _, cancel := range q.open {
			cancel()
		}
	}
}

// scope returns a context that is canceled with ctx and when the last running call ends. The caller must call done.
func (q *questions) scope(ctx context.Context) (scoped context.Context, done func()) {
	scoped, cancel := context.WithCancel(ctx)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.open == nil {
		q.open = map[int]context.CancelFunc{}
	}
	q.asked++
	n := q.asked
	q.open[n] = cancel
	return scoped, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		delete(q.open, n)
		cancel()
	}
}

// checkMode returns an error for an elicitation mode other than "form", the only one that the client declares.
func checkMode(mode string) error {
	if mode != "" && mode != "form" {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("elicitation by %q is not supported, only by form", mode)}
	}
	return nil
}

// elicit calls Config.Elicit. content is nil unless the action is "accept".
func (l *link) elicit(ctx context.Context, message string, wanted json.RawMessage) (action string, content json.RawMessage, err error) {
	ctx, done := l.asking.scope(ctx)
	defer done()
	if action, content, err = l.conf.Elicit(ctx, l.conf.Name, message, wanted); err != nil {
		return "", nil, err
	}
	if action != "accept" {
		return action, nil, nil
	}
	if len(content) == 0 {
		content = json.RawMessage("{}")
	}
	return action, content, nil
}

// contentOf decodes an object for the SDK. Integers become int64, not float64.
func contentOf(text json.RawMessage) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var out map[string]any
	if err := dec.Decode(&out); err != nil {
		return nil, err
	}
	for name, v := range out {
		n, ok := v.(json.Number)
		if !ok {
			continue
		}
		if whole, err := n.Int64(); err == nil {
			out[name] = whole
			continue
		}
		float, err := n.Float64()
		if err != nil {
			return nil, err
		}
		out[name] = float
	}
	return out, nil
}

// An inputRequired is a tools/call result that requests input before the call continues.
type inputRequired struct {
	Type     string          `json:"resultType"`
	Requests json.RawMessage `json:"inputRequests"`
	State    json.RawMessage `json:"requestState"`
}

// asks reports whether a result requests input. For sessions of earlier protocol versions the SDK removes resultType.
func (r *inputRequired) asks() bool {
	return r.Type == "input_required" || r.Type == "" && r.hasRequests()
}

// hasRequests reports whether the result contains at least one input request.
func (r *inputRequired) hasRequests() bool {
	return jsonx.KindOf(r.Requests) == jsonx.Object && !jsonx.Equal(r.Requests, []byte("{}"))
}

// fulfil obtains the input that a result requests. more is true if the call must be repeated with the parameters next.
// It is false if the result requests no input or Config.Elicit is nil.
func (l *link) fulfil(ctx context.Context, p callParams, result json.RawMessage) (next callParams, more bool, err error) {
	var in inputRequired
	if l.conf.Elicit == nil || !jsonx.Mentions(result, "inputRequests") || json.Unmarshal(result, &in) != nil || !in.asks() ||
		!in.hasRequests() {
		return p, false, nil
	}
	p.State = in.State
	responses := []byte{'{'}
	for key, request := range jsonx.Members(in.Requests) {
		var r struct {
			Method string `json:"method"`
			Params struct {
				Mode    string          `json:"mode"`
				Message string          `json:"message"`
				Schema  json.RawMessage `json:"requestedSchema"`
			} `json:"params"`
		}
		if err := json.Unmarshal(request, &r); err != nil {
			return p, false, unanswerable("something that cannot be read: " + err.Error())
		}
		if r.Method != methodElicit {
			return p, false, unanswerable(r.Method)
		}
		if checkMode(r.Params.Mode) != nil {
			return p, false, unanswerable("input by " + r.Params.Mode)
		}
		action, content, err := l.elicit(ctx, r.Params.Message, r.Params.Schema)
		if err != nil {
			return p, false, &agent.ToolError{Code: agent.CodeToolFailed, Message: "nobody could be asked for what the tool needs: " + err.Error()}
		}
		if len(responses) > 1 {
			responses = append(responses, ',')
		}
		responses = slices.Concat(responses, key, []byte(`:{"action":`), jsonx.AppendQuote(nil, action))
		if content != nil {
			responses = slices.Concat(responses, []byte(`,"content":`), content)
		}
		responses = append(responses, '}')
	}
	p.Responses = append(responses, '}')
	return p, true, nil
}

// unanswerable returns the error of a call that requests something that this client does not support.
func unanswerable(what string) error {
	return &agent.ToolError{Code: agent.CodeToolFailed,
		Message: "the tool asks its client for " + jsonx.Clip(what, 200) + " before it goes on, which there is not"}
}

// errRounds returns the error of a call whose result requested input maxRounds times.
func errRounds() error {
	return &agent.ToolError{Code: agent.CodeToolFailed,
		Message: fmt.Sprintf("the tool asked for input more than %d times in one call", maxRounds)}
}
