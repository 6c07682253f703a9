package evalcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
)

// registries contains the model registries of a live run. Cells with equal settings share a registry with its
// connections and learned facts. Cells with different settings have different ones, so that their facts do not mix.
type registries struct {
	m    *measurement
	mu   sync.Mutex
	made map[string]*config.Registry
}

// variant returns a key for the settings of a cell: mode, policy and sampling profile.
func variant(c eval.Cell) string { return strings.Join([]string{c.Mode, c.Policy, c.Profile}, "|") }

// of returns the registry for the settings of a cell. It has an alias for each model.
func (r *registries) of(c eval.Cell) (*config.Registry, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if made := r.made[variant(c)]; made != nil {
		return made, nil
	}
	conf := *r.m.conf
	conf.Models = slices.Clone(conf.Models)
	for i := range r.m.targets {
		m, err := r.m.entry(i, c)
		if err != nil {
			return nil, err
		}
		conf.Models = append(conf.Models, m)
	}
	made, err := config.NewRegistry(&conf, config.WithEnv(r.m.in.Env), config.WithTransport(r.m.around))
	if err == nil {
		r.made[variant(c)] = made
	}
	return made, err
}

func (r *registries) close() {
	for _, made := range r.made {
		made.Close()
	}
}

// live returns the session of a cell with a model at a provider. at is the index of the model.
func (m *measurement) live(t eval.Task, at int) (*eval.Session, error) {
	registry, err := m.registries.of(t.Cell)
	if err != nil {
		return nil, err
	}
	client, err := registry.Resolve(alias(at))
	if err != nil {
		return nil, err
	}
	return &eval.Session{Model: traced{client, recording{t.Trace, m.sizes.begin(t.Cell)}}, Options: m.options(t.Scenario)}, nil
}

// A recording is the destination of the records of a cell's requests.
type recording struct {
	w    *trace.Writer // nil records nothing
	size *size
}

// traced is a reliable.Client whose requests are recorded for a trial.
type traced struct {
	*reliable.Client
	to recording
}

// recordingKey is the context key under which a request's context has a recording.
type recordingKey struct{}

func (t traced) Generate(ctx context.Context, req *callwright.Request) (*callwright.Response, error) {
	return t.Client.Generate(context.WithValue(ctx, recordingKey{}, t.to), req)
}

func (t traced) Stream(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Event, error] {
	return callwright.FlattenBatches(t.Batches(ctx, req))
}

func (t traced) Batches(ctx context.Context, req *callwright.Request) iter.Seq2[callwright.Batch, error] {
	return t.Client.Batches(context.WithValue(ctx, recordingKey{}, t.to), req)
}

// around records the requests to a provider for the cell in their context, and limits the time of each request.
func (m *measurement) around(name string, spoken callwright.WireName, next http.RoundTripper) http.RoundTripper {
	return &recordedTransport{next: &boundedTransport{next, m.s.remote.client}, to: endpointOf(name, spoken)}
}

func endpointOf(name string, spoken callwright.WireName) trace.Endpoint {
	to := trace.Endpoint{Provider: name, Wire: spoken}
	if codec, ok := codecs.Of(spoken); ok {
		to.DecodeError = codec.DecodeError
	}
	return to
}

// A recordedTransport records requests and responses in the recording of their context, if there is one.
type recordedTransport struct {
	next http.RoundTripper
	to   trace.Endpoint
}

func (t *recordedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	r, ok := req.Context().Value(recordingKey{}).(recording)
	if !ok {
		return t.next.RoundTrip(req)
	}
	sized := &sizedTransport{t.next, r.size}
	if r.w == nil {
		return sized.RoundTrip(req)
	}
	return r.w.Transport(sized, t.to).RoundTrip(req)
}

// A boundedTransport limits the time from a request until its response body is read.
type boundedTransport struct {
	next  http.RoundTripper
	limit time.Duration // 0 or less for none
}

func (t *boundedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.limit <= 0 {
		return t.next.RoundTrip(req)
	}
	ctx, cancel := context.WithTimeout(req.Context(), t.limit)
	resp, err := t.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, t.over(ctx, req, err)
	}
	resp.Body = &boundedBody{resp.Body, t, ctx, cancel, req}
	return resp, nil
}

// over returns a timeoutError if the time limit ended the request, else err.
func (t *boundedTransport) over(ctx context.Context, req *http.Request, err error) error {
	if req.Context().Err() == nil && errors.Is(ctx.Err(), context.DeadlineExceeded) && !errors.Is(err, io.EOF) {
		return timeoutError(t.limit)
	}
	return err
}

// A boundedBody is a response body with the time limit of a boundedTransport.
type boundedBody struct {
	io.ReadCloser
	t      *boundedTransport
	ctx    context.Context //nolint:containedctx // of the request: its end is the body's
	cancel context.CancelFunc
	req    *http.Request
}

func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		err = b.t.over(b.ctx, b.req, err)
	}
	return n, err
}

func (b *boundedBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// A timeoutError is the error of a request that exceeded the time limit of its value.
type timeoutError time.Duration

func (e timeoutError) Error() string {
	return fmt.Sprintf("the request took longer than %s", time.Duration(e))
}

// Timeout reports true, see net.Error.
func (e timeoutError) Timeout() bool { return true }

// Temporary reports true, so that the request is retried.
func (e timeoutError) Temporary() bool { return true }

// connect applies the settings of OpenRouter and of connections to the configuration of a live run.
func (s *settings) connect(conf *config.Config, targets []target) {
	conf.State.Dir = "" // gateways and measurements must not share facts
	names := []string{openRouter}
	for _, t := range targets {
		host, _ := resolveAlias(conf, t.model).Split()
		names = append(names, host)
	}
	conf.Providers = slices.Clone(conf.Providers)
	for _, name := range names {
		if !slices.ContainsFunc(conf.Providers, func(p config.Provider) bool { return p.Name == name }) {
			conf.Providers = append(conf.Providers, config.Provider{Name: name})
		}
	}
	read := s.remote.read
	if read == 0 {
		read = s.remote.client
	}
	for i := range conf.Providers {
		p := &conf.Providers[i]
		if !slices.Contains(names, p.Name) {
			continue
		}
		for _, o := range []struct {
			to *time.Duration
			is time.Duration
		}{{&p.Timeouts.Connect, s.remote.open}, {&p.Timeouts.FirstByte, read}, {&p.Timeouts.BetweenBytes, read}} {
			*o.to = o.is
		}
		if p.Name != openRouter {
			continue
		}
		if at := s.remote.url(); at != shippedURL || s.told["base-url"] || s.told["api-prefix"] {
			p.BaseURL = at
		}
		if s.remote.key != "" {
			p.APIKey = provider.NewSecret(s.remote.key)
		}
		p.Request = slices.Concat(p.Request, s.routing())
	}
}

// shippedURL is the default base URL of OpenRouter.
const shippedURL = "https://openrouter.ai/api/v1"
