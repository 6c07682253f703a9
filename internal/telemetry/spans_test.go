package telemetry_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/telemetry"
)

// A span is one as the collector of a test reads it.
type span struct {
	TraceID, SpanID, ParentSpanID, Name string
	Kind                                int
	StartTimeUnixNano, EndTimeUnixNano  json.Number
	Attributes                          []attribute
	Events                              []struct {
		Name       string
		Attributes []attribute
	}
	Status struct {
		Code    int
		Message string
	}
}

type attribute struct {
	Key   string
	Value struct {
		StringValue string
		IntValue    json.Number
		BoolValue   bool
		DoubleValue float64
		ArrayValue  struct {
			Values []struct{ StringValue string }
		}
	}
}

// text returns an attribute as text.
func text(list []attribute, key string) string {
	for _, a := range list {
		switch v := a.Value; {
		case a.Key != key:
		case v.IntValue != "":
			return v.IntValue.String()
		case v.BoolValue:
			return "true"
		default:
			return v.StringValue
		}
	}
	return ""
}

// A collector takes spans by OTLP over HTTP.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	status  []int // of the next requests, 200 when there is none
	header  http.Header
	service string
	raw     string
	spans   []span
}

func collect(t testing.TB) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.status) > 0 {
			status := c.status[0]
			c.status = c.status[1:]
			w.WriteHeader(status)
			return
		}
		var req struct {
			ResourceSpans []struct {
				Resource   struct{ Attributes []attribute }
				ScopeSpans []struct{ Spans []span }
			}
		}
		if err := json.Unmarshal(body, &req); err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("got %s %s: %v", r.URL.Path, body, err)
		}
		for _, rs := range req.ResourceSpans {
			c.service = text(rs.Resource.Attributes, "service.name")
			for _, ss := range rs.ScopeSpans {
				c.spans = append(c.spans, ss.Spans...)
			}
		}
		c.header, c.raw = r.Header, c.raw+string(body)
		_, _ = io.WriteString(w, `{}`)
	}))
	t.Cleanup(c.Close)
	return c
}

// traced runs a gateway whose requests become spans. flush has them sent.
func traced(t testing.TB, c *collector, content bool) (srv *httptest.Server, s *telemetry.Spans) {
	t.Helper()
	s, err := telemetry.NewSpans(telemetry.SpansConfig{Endpoint: c.URL + "/v1/traces", Headers: map[string]string{"x-tenant": "acme"}, Content: content})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return serve(t, gateway.Config{Observers: []gateway.Observer{s}, Record: s.Around}), s
}

// named returns the spans of a name.
func (c *collector) named(name string) []span {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []span
	for _, s := range c.spans {
		if s.Name == name {
			out = append(out, s)
		}
	}
	return out
}

const (
	traceID = "0af7651916cd43dd8448eb211c80319c"
	parent  = "b7ad6b7169203331"
)

// A request is a span of the client's trace, with one below it for each attempt and an event for each note; what was said is not in it.
func TestSpans(t *testing.T) {
	c := collect(t)
	srv, s := traced(t, c, false)
	ask(t, srv, weather("mine", `,"stream":true,"stream_options":{"include_usage":true}`), "traceparent", "00-"+traceID+"-"+parent+"-01")
	if err := s.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	whole, attempts := c.named("chat mine"), c.named("chat hermes-unclosed")
	if len(whole) != 1 || len(attempts) != 1 {
		t.Fatalf("got %+v", c.spans)
	}
	root, below := whole[0], attempts[0]
	if root.TraceID != traceID || root.ParentSpanID != parent || root.Kind != 2 || below.TraceID != traceID || below.ParentSpanID != root.SpanID || below.Kind != 3 {
		t.Errorf("got %+v\nand %+v", root, below)
	}
	if below.StartTimeUnixNano < root.StartTimeUnixNano || below.EndTimeUnixNano > root.EndTimeUnixNano || root.StartTimeUnixNano == "" {
		t.Errorf("the attempt is not within the request: %+v, %+v", root, below)
	}
	for key, want := range map[string]string{
		"gen_ai.operation.name": "chat", "gen_ai.provider.name": "sim", "gen_ai.request.model": "mine", "gen_ai.response.model": "hermes-unclosed",
		"gen_ai.request.stream": "true", "http.response.status_code": "200", "http.request.method": "POST", "url.path": "/v1/chat/completions", "callwright.client.wire": "openai",
	} {
		if got := text(root.Attributes, key); got != want {
			t.Errorf("%s: got %q, want %q", key, got, want)
		}
	}
	if text(below.Attributes, "gen_ai.request.model") != "hermes-unclosed" || text(below.Attributes, "callwright.attempt.why") != "first" || text(below.Attributes, "gen_ai.usage.output_tokens") == "" {
		t.Errorf("got %+v", below.Attributes)
	}
	if len(root.Events) == 0 || !strings.HasPrefix(text(root.Events[0].Attributes, "callwright.note.rule"), "dialect.") {
		t.Errorf("got %+v", root.Events)
	}
	if strings.Contains(c.raw, "Oslo") || strings.Contains(c.raw, "get_weather") {
		t.Errorf("what was said is in the spans: %s", c.raw)
	}
	if c.service != "callwright" || c.header.Get("X-Tenant") != "acme" || s.SentCount() != 2 || s.DroppedCount() != 0 {
		t.Errorf("service %q, header %v, %d sent, %d dropped", c.service, c.header, s.SentCount(), s.DroppedCount())
	}
}

// Spans that are to have content have messages, answers and what notes quote.
func TestContent(t *testing.T) {
	for _, more := range []string{"", `,"stream":true`} {
		c := collect(t)
		srv, s := traced(t, c, true)
		ask(t, srv, weather("mine", more))
		if err := s.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		root := c.named("chat mine")[0]
		if got, want := text(root.Attributes, "gen_ai.input.messages"), `[{"role":"user","parts":[{"type":"text","content":"What is the weather in Oslo?"}]}]`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		var said []struct {
			Role  string
			Parts []struct {
				Type, Name string
				Arguments  struct{ City string }
			}
		}
		if err := json.Unmarshal([]byte(text(root.Attributes, "gen_ai.output.messages")), &said); err != nil || len(said) != 1 || said[0].Role != "assistant" ||
			len(said[0].Parts) == 0 || said[0].Parts[len(said[0].Parts)-1].Arguments.City != "Oslo" {
			t.Errorf("got %+v, %v", said, err)
		}
	}
}

// Requests are answered whatever the collector does, and what it does not take is counted.
func TestCollectorAway(t *testing.T) {
	for _, tc := range []struct {
		name          string
		status        []int
		away          bool
		sent, dropped uint64
	}{
		{name: "asks for another try", status: []int{503}, sent: 2},
		{name: "refuses", status: []int{400}, dropped: 2},
		{name: "away", away: true, dropped: 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := collect(t)
			c.status = tc.status
			srv, s := traced(t, c, false)
			if tc.away {
				c.Server.Close()
			}
			if status, body := ask(t, srv, weather("mine", "")); status != 200 || !strings.Contains(body, "Oslo") {
				t.Errorf("got %d %s", status, body)
			}
			_ = s.Close(context.Background())
			if s.SentCount() != tc.sent || s.DroppedCount() != tc.dropped {
				t.Errorf("%d sent, %d dropped", s.SentCount(), s.DroppedCount())
			}
		})
	}
}

// A collector that does not answer costs no memory without bound: what finds no room is dropped.
func TestSlowCollector(t *testing.T) {
	release := make(chan struct{})
	var once sync.Once
	slow := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(slow.Close)
	t.Cleanup(func() { once.Do(func() { close(release) }) })
	s, err := telemetry.NewSpans(telemetry.SpansConfig{Endpoint: slow.URL})
	if err != nil {
		t.Fatal(err)
	}
	const many = 10_000
	for range many {
		o := gateway.Observation{Method: http.MethodPost, Path: "/"}
		s.End(s.Begin(context.Background(), o), o)
	}
	if got := s.DroppedCount(); got < many/3 {
		t.Errorf("%d of %d were dropped", got, many)
	}
	once.Do(func() { close(release) })
	if err := s.Close(context.Background()); err != nil || s.SentCount()+s.DroppedCount() != many {
		t.Errorf("%v: %d sent, %d dropped", err, s.SentCount(), s.DroppedCount())
	}
}

func TestBadEndpoint(t *testing.T) {
	for _, endpoint := range []string{"", "collector:4317", "ftp://x", "http://"} {
		if _, err := telemetry.NewSpans(telemetry.SpansConfig{Endpoint: endpoint}); err == nil {
			t.Errorf("%q: no error", endpoint)
		}
	}
}
