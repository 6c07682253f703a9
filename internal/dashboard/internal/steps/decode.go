package steps

import (
	"context"
	"net/http"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/trace"
)

// nowhere is the base URL of a provider that is never contacted, because its transport replays the response.
const nowhere = "http://recorded.invalid"

// decode decodes a recorded response with the codec of its API. It may return a partial response with an error.
func decode(ctx context.Context, r *trace.Received) (*callwright.Response, error) {
	p, err := provider.New(provider.Config{Name: "recorded", Wire: r.Wire, BaseURL: nowhere, MaxRetries: new(int), Transport: recorded{r}})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	m, req := p.Model("recorded"), &callwright.Request{Messages: []callwright.Message{callwright.UserText("?")}}
	if kind := r.Header.Get("Content-Type"); strings.HasPrefix(kind, "text/event-stream") || strings.Contains(kind, "ndjson") {
		return callwright.Collect(m.Stream(ctx, req))
	}
	return m.Generate(ctx, req)
}

// A recorded is a transport that replays one response.
type recorded struct{ answer *trace.Received }

func (t recorded) RoundTrip(req *http.Request) (*http.Response, error) { return t.answer.Response(req) }
