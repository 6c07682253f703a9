package replay_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A recordedGateway is a gateway whose requests are recorded.
type recordedGateway struct {
	conf  *config.Config
	file  bytes.Buffer
	w     *trace.Writer
	model *config.Registry
	http.Handler
}

// newGateway makes a gateway by a configuration, for which UPSTREAM is the address of upstream.
func newGateway(t *testing.T, text string, upstream http.Handler, opts ...trace.Option) *recordedGateway {
	t.Helper()
	srv := httptest.NewServer(upstream)
	t.Cleanup(srv.Close)
	env := func(name string) (string, bool) { return srv.URL, name == "UPSTREAM" }
	conf, err := config.Parse([]byte(text), env)
	if err != nil {
		t.Fatal(err)
	}
	h := &recordedGateway{conf: conf}
	h.w = trace.NewWriter(&h.file, opts...)
	h.model, err = config.NewRegistry(conf, config.WithEnv(env), config.WithTransport(func(name string, spoken callwright.WireName, next http.RoundTripper) http.RoundTripper {
		codec, _ := codecs.Of(spoken)
		return h.w.Transport(next, trace.Endpoint{Provider: name, Wire: spoken, DecodeError: codec.DecodeError})
	}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.model.Close)
	h.Handler = gateway.New(gateway.Config{Reuse: gateway.Reuse{Bodies: true}, Models: h.model, Record: func(m callwright.Model) callwright.Model { return trace.Record(m, h.w) }})
	return h
}

// everyWire lists a provider of each wire, named after it.
const everyWire = `providers:
  far-openai: {wire: openai, base_url: "${UPSTREAM}/v1", max_retries: 0}
  far-responses: {wire: responses, base_url: "${UPSTREAM}/v1", max_retries: 0}
  far-anthropic: {wire: anthropic, base_url: "${UPSTREAM}", max_retries: 0}
  far-gemini: {wire: gemini, base_url: "${UPSTREAM}", max_retries: 0}
  far-ollama: {wire: ollama, base_url: "${UPSTREAM}", max_retries: 0, discover: off}
`

// ask asks a model of the gateway for the weather, as a client of a wire.
func (h *recordedGateway) ask(t *testing.T, client wire.Codec, model string, stream bool) {
	t.Helper()
	body, _, err := client.EncodeRequest(&callwright.Request{
		Messages: []callwright.Message{callwright.UserText("What is the weather in Oslo?")},
		Tools:    []callwright.Tool{{Name: "get_weather", Description: "Tells the weather", Schema: []byte(simulate.WeatherSchema)}},
		Params:   callwright.Params{MaxTokens: "300", Stream: stream},
	}, model, caps.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	h.post(t, client, model, stream, body)
}

// post posts a body and waits for the whole answer, whatever it is.
func (h *recordedGateway) post(t *testing.T, client wire.Codec, model string, stream bool, body []byte) {
	t.Helper()
	path, query := client.Target(model, stream)
	if n := client.Name(); n == callwright.WireOpenAI || n == callwright.WireResponses {
		path = "/v1" + path
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path+"?"+query, bytes.NewReader(body))
	r.Host = "localhost"
	r.Header.Set("Content-Type", "application/json")
	defer func() { _ = recover() }() // a stream that was cut
	h.ServeHTTP(httptest.NewRecorder(), r)
}
