package provider_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	testKey = "sk-very-secret-0123456789"

	wholeAnswer = `{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m-1","choices":[{"index":0,` +
		`"message":{"role":"assistant","content":"Good day.","refusal":null},"finish_reason":"stop"}],` +
		`"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`

	failedGeneration = `{"error":{"message":"Tool call validation failed","type":"invalid_request_error",` +
		`"code":"tool_use_failed","failed_generation":"<function=open_gate{\"gate\":\"B7\"}</function>"}}`
)

// chunks returns a streamed answer of these pieces of text.
func chunks(pieces ...string) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(`data: {"id":"chatcmpl-2","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[{"index":0,` +
			`"delta":{"role":"assistant","content":"` + p + `"},"finish_reason":null}]}` + "\n\n")
	}
	b.WriteString(`data: {"id":"chatcmpl-2","object":"chat.completion.chunk","created":1,"model":"m-1","choices":[{"index":0,` +
		`"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n")
	return b.String()
}

// A reply is one scripted answer.
type reply struct {
	status int // 0 for 200
	header map[string]string
	body   string
	err    error
}

// A script answers requests in memory, one reply after the other; the last one again and again. It keeps what was sent.
type script struct {
	replies []reply
	bodies  []string
	last    *http.Request
}

func (s *script) RoundTrip(req *http.Request) (*http.Response, error) {
	var sent []byte
	if req.Body != nil {
		sent, _ = io.ReadAll(req.Body)
	}
	s.bodies, s.last = append(s.bodies, string(sent)), req
	r := s.replies[min(len(s.bodies), len(s.replies))-1]
	if r.err != nil {
		return nil, r.err
	}
	return r.response(req), nil
}

func (r reply) response(req *http.Request) *http.Response {
	resp := &http.Response{
		StatusCode: r.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Request: req,
		Body: io.NopCloser(strings.NewReader(r.body)), ContentLength: int64(len(r.body)),
	}
	if resp.StatusCode == 0 {
		resp.StatusCode = 200
	}
	if resp.Header.Set("Content-Type", "application/json"); strings.HasPrefix(r.body, "data:") || strings.HasPrefix(r.body, "event:") {
		resp.Header.Set("Content-Type", "text/event-stream")
		resp.ContentLength = -1
	}
	for k, v := range r.header {
		resp.Header.Set(k, v)
	}
	return resp
}

// scripted returns a model of the provider whose answers are scripted.
func scripted(t testing.TB, name string, replies ...reply) (*provider.Remote, *script) {
	t.Helper()
	s := &script{replies: replies}
	base := "http://" + name + ".test/v1"
	if name == "anthropic" {
		base = "http://anthropic.test"
	}
	return open(t, name+"/m-1", withTransport(s), withBaseURL(base)), s
}

// open is Open with a key and without the environment.
func open(t testing.TB, model string, opts ...option) *provider.Remote {
	t.Helper()
	opts = append([]option{withKey(testKey), withEnv(noEnv)}, opts...)
	m, err := openModel(model, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func noEnv(string) (string, bool) { return "", false }

// serve returns a model behind a real server on the loopback.
func serve(t *testing.T, h http.HandlerFunc, opts ...option) *provider.Remote {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	m := open(t, "lab/m-1", append([]option{withBaseURL(srv.URL + "/v1")}, opts...)...)
	t.Cleanup(m.Provider().Close)
	return m
}

// ask returns a small request.
func ask() *callwright.Request {
	return &callwright.Request{
		Model:    "lab/m-1",
		Messages: []callwright.Message{{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: "Good day!"}}}},
	}
}

// errorOf returns the *callwright.Error in err, which there has to be.
func errorOf(t *testing.T, err error) *callwright.Error {
	t.Helper()
	e, ok := errors.AsType[*callwright.Error](err)
	if !ok {
		t.Fatalf("expected a *callwright.Error, got %v", err)
	}
	return e
}

// A gathered stream is what came out of it.
type gathered struct {
	text    string
	notes   []callwright.Note
	finish  callwright.Finish
	events  []callwright.Event
	batches []callwright.Batch
	err     error
}

func gather(ctx context.Context, m callwright.Model) gathered {
	var g gathered
	for b, err := range callwright.Batches(ctx, m, ask()) {
		if err != nil {
			g.err = err
			continue
		}
		for _, ev := range b.Events {
			switch ev := ev.(type) {
			case callwright.TextDelta:
				g.text += ev.Text
			case callwright.End:
				g.finish = ev.Finish
			}
		}
		g.notes, g.events, g.batches = append(g.notes, b.Notes...), append(g.events, b.Events...), append(g.batches, b.Clone())
	}
	return g
}
