package arm

import (
	"context"
	"fmt"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/bfcl"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/interop"
	"github.com/callwright/callwright/test/live/internal/question"
)

// A client asks a server a question over one API.
type client interface {
	ask(ctx context.Context, q *question.Question) reply
}

// newClient makes the client of a gateway. The one of OpenAI's API is a plain program, which also asks servers
// directly; the others are the providers of this module.
func newClient(spec Spec, url string) (client, error) {
	base := url
	switch spec.Client {
	case "openai":
		return chat{url: url + "/v1", model: alias, stream: spec.Stream}, nil
	case "responses":
		base += "/v1"
	}
	p, err := provider.New(provider.Config{Name: "gateway", Wire: callwright.WireName(spec.Client), BaseURL: base,
		APIKey: provider.NewSecret("none"), MaxRetries: new(int)})
	if err != nil {
		return nil, err
	}
	return remote{model: p.Model(alias), stream: spec.Stream}, nil
}

// A remote is a client by a provider of this module.
type remote struct {
	model  callwright.Model
	stream bool
}

func (r remote) ask(ctx context.Context, q *question.Question) reply {
	req, err := request(q)
	if err != nil {
		return reply{err: err.Error()}
	}
	var resp *callwright.Response
	if r.stream {
		resp, err = callwright.Collect(r.model.Stream(ctx, req))
	} else {
		resp, err = r.model.Generate(ctx, req)
	}
	if err != nil {
		return reply{err: err.Error()}
	}
	out := reply{text: resp.Text()}
	for _, c := range resp.Calls() {
		out.calls = append(out.calls, bfcl.Call{Name: c.Name, Arguments: c.Arguments})
	}
	return out
}

// request is a question in the words of the library.
func request(q *question.Question) (*callwright.Request, error) {
	tools, err := interop.ReadTools(q.Tools)
	if err != nil {
		return nil, err
	}
	req := &callwright.Request{Tools: tools, Params: callwright.Params{MaxTokens: maxTokens, Temperature: temperature}}
	var calls []bfcl.Call
	for _, m := range q.Messages {
		switch m.Role {
		case "user":
			req.Messages = append(req.Messages, callwright.UserText(m.Content))
		case "assistant":
			calls = m.Calls
			said := callwright.Message{Role: callwright.RoleAssistant}
			for i, c := range calls {
				said.Parts = append(said.Parts, callwright.Call{ID: callID(i), Name: c.Name, Arguments: c.Arguments})
			}
			req.Messages = append(req.Messages, said)
		case "tool":
			result := callwright.Result{CallID: callID(m.Call), Name: calls[m.Call].Name, Parts: []callwright.Part{callwright.Text{Text: m.Content}}}
			req.Messages = append(req.Messages, callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{result}})
		}
	}
	return req, nil
}

// callID is the id of a call of the history.
func callID(i int) string { return fmt.Sprintf("call_%d", i+1) }
