package arm

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/test/live/internal/answer"
	"github.com/callwright/callwright/test/live/internal/question"
)

// A Tap carries the requests to a server, and tells which answers it gave. Recorder and Player of package answer are
// Taps.
type Tap interface {
	http.RoundTripper
	// Taken returns the answers that were given since it was called last.
	Taken() []*answer.Answer
}

// A Server is an inference server with one model, as arms ask it.
type Server struct {
	Model string // the name at the server
	URL   string // without a path
	Tap   Tap
	// Pinned has the gateway try these modes alone, with this dialect, and ask nothing beside requests: for answers
	// that are played again.
	Pinned  bool
	Modes   []string
	Dialect string
}

// alias is the name under which clients ask the gateway for the model.
const alias = "model"

// The sampling parameters of every question.
const (
	maxTokens   = "400"
	temperature = "0"
	seed        = "1"
)

// An Arm asks questions in one way. It is for one question at a time.
type Arm struct {
	spec     Spec
	server   Server
	registry *config.Registry
	gateway  *httptest.Server
	done     chan gateway.Observation
	client   client
	minted   atomic.Int64 // ids since the question began
}

// Open starts the gateway of an arm, if it has one. The caller closes the Arm.
func Open(ctx context.Context, spec Spec, server Server) (*Arm, error) {
	a := &Arm{spec: spec, server: server, done: make(chan gateway.Observation, 16)}
	if spec.Kind == Direct {
		a.client = chat{url: server.URL + "/v1", model: server.Model, stream: spec.Stream, http: &http.Client{Transport: server.Tap}}
		return a, nil
	}
	text, err := json.Marshal(a.settings())
	if err != nil {
		return nil, err
	}
	cfg, err := config.Parse(text, func(string) (string, bool) { return "", false })
	if err != nil {
		return nil, err
	}
	opts := []config.Option{config.WithTransport(func(_ string, _ callwright.WireName, next http.RoundTripper) http.RoundTripper {
		if r, ok := server.Tap.(*answer.Recorder); ok {
			r.Next = next
		}
		return server.Tap
	}), config.WithIDs(a.mint)}
	if server.Pinned {
		opts = append(opts, config.Offline())
	}
	if a.registry, err = config.NewRegistry(cfg, opts...); err != nil {
		return nil, err
	}
	a.gateway = httptest.NewServer(gateway.New(gateway.Config{Models: a.registry, Observers: []gateway.Observer{a}, KeepAlive: time.Minute}))
	if a.client, err = newClient(spec, a.gateway.URL); err != nil {
		a.Close()
		return nil, err
	}
	return a, a.discover(ctx)
}

// mint makes ids that are the same each time that a question is asked: those of calls stand in the requests for
// corrections.
func (a *Arm) mint(prefix string) string { return fmt.Sprintf("%s%024d", prefix, a.minted.Add(1)) }

// settings are the configuration of the gateway.
func (a *Arm) settings() map[string]any {
	provider, base := "llamacpp", a.server.URL+"/v1"
	if a.spec.Engine == Ollama {
		provider, base = "ollama", a.server.URL
	}
	model := map[string]any{"model": provider + "/" + a.server.Model,
		"params": map[string]any{"temperature": json.Number(temperature), "seed": json.Number(seed), "max_tokens": json.Number(maxTokens)}}
	switch {
	case a.spec.Kind == Off:
		model["policy"] = "off"
	case a.server.Pinned && len(a.server.Modes) > 0:
		model["mode"] = a.server.Modes
	case a.spec.Kind != Auto:
		model["mode"] = a.spec.Kind
	}
	if a.spec.Free {
		model["caps"] = map[string]any{"constraint": "none"}
	}
	if a.spec.Words {
		rules := map[string]any{}
		for _, r := range callwright.Rules() {
			if strings.HasPrefix(r.ID, "remedy.") {
				rules[r.ID] = false
			}
		}
		model["rules"] = rules
	}
	dialect := a.spec.Dialect
	if a.server.Pinned {
		dialect = a.server.Dialect
	}
	if dialect != "" {
		model["dialect"] = dialect
	}
	return map[string]any{"providers": map[string]any{provider: map[string]any{"base_url": base, "api_key": "none"}},
		"models": map[string]any{alias: model}}
}

// discover has the gateway ask the server about the model, which it does beside the first request, so that all
// questions are asked alike.
func (a *Arm) discover(ctx context.Context) error {
	r, ok := a.server.Tap.(*answer.Recorder)
	if !ok {
		return nil
	}
	hello := question.Question{Messages: []question.Message{{Role: "user", Content: "Say yes."}}}
	hello.Tools = json.RawMessage("[]")
	if got := a.client.ask(ctx, &hello); got.err != "" {
		return &callwright.Error{Kind: callwright.KindBadAnswer, Message: a.spec.String() + ": " + got.err}
	}
	<-a.done
	for quiet := 0; quiet < 5; quiet++ {
		if !r.IsIdle() {
			quiet = 0
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
	r.Taken()
	return nil
}

// Ask asks a question.
func (a *Arm) Ask(ctx context.Context, q *question.Question) Trial {
	t := Trial{Model: a.server.Model, Arm: a.spec.String(), Question: q.ID, Category: q.Category}
	a.minted.Store(0)
	got := a.client.ask(ctx, q)
	if a.gateway != nil {
		t.reported(<-a.done)
	}
	t.judged(q, got, a.server.Tap.Taken())
	if p, ok := a.server.Tap.(*answer.Player); ok && p.Missing() {
		t.Verdict = Unrecorded
	}
	return t
}

// reported fills a Trial with what the gateway reports.
func (t *Trial) reported(o gateway.Observation) {
	if o.Report == nil {
		return
	}
	t.Invalid = len(o.Report.Invalid)
	for _, at := range o.Report.Attempts {
		if !slices.Contains(t.Modes, string(at.Mode)) {
			t.Modes = append(t.Modes, string(at.Mode))
		}
		if at.Dialect != "" {
			t.Dialect = at.Dialect
		}
	}
}

// Begin does nothing. It makes an Arm a gateway.Observer.
func (a *Arm) Begin(ctx context.Context, _ gateway.Observation) context.Context { return ctx }

// End keeps what became of a request.
func (a *Arm) End(_ context.Context, o gateway.Observation) {
	a.done <- o
}

// Close ends the gateway.
func (a *Arm) Close() {
	if a.gateway != nil {
		a.gateway.Close()
	}
	if a.registry != nil {
		a.registry.Close()
	}
}
