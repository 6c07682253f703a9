package simulate_test

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/callwright/callwright/simulate"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Forms of an answer.
var streamed = map[string]bool{"whole": false, "streamed": true}

var wires = []string{simulate.OpenAI, simulate.Responses, simulate.Anthropic, simulate.Gemini, simulate.Ollama}

type object = map[string]any

// A conversation is a request that can be written on every wire.
type conversation struct {
	model    string
	stream   bool
	tools    bool // declares get_weather
	choice   string
	serial   bool
	system   string
	messages []object // of text, or in the wire's own form
	members  object   // further members
	format   func(wire string) object
}

func (c conversation) body(wire string) object {
	body := dresses[wire].body(c)
	body["model"], body["stream"] = c.model, c.stream
	maps.Copy(body, c.members)
	if c.format != nil {
		maps.Copy(body, c.format(wire))
	}
	return body
}

func ask(text string) []object { return []object{{"role": "user", "content": text}} }

// post makes a request of a body.
func post(t testing.TB, base, wire string, body object) *http.Request {
	t.Helper()
	path, sent := request(t, wire, body)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+path, bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for k, v := range dresses[wire].heads {
		req.Header.Set(k, v)
	}
	return req
}

// send posts a body and reads the answer.
func send(t testing.TB, base, wire string, body object) *reply {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	resp, err := transport.RoundTrip(post(t, base, wire, body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	r := &reply{status: resp.StatusCode, header: resp.Header, raw: string(raw), broken: err}
	switch {
	case resp.StatusCode != http.StatusOK:
		r.err = errorText(raw)
	case body["stream"] == true:
		r.readStream(t, wire)
	case err == nil:
		r.readWhole(t, wire)
	}
	return r
}

// start serves a script for the length of a test.
func start(t testing.TB, script simulate.Script, opts ...simulate.Option) (base string, s *simulate.Server) {
	t.Helper()
	s = simulate.New(script, opts...)
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	return srv.URL, s
}
