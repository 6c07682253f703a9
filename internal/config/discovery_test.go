package config_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
)

// A templateless server is llama-server with a model whose template knows no tools: it takes them and leaves them out. It answers in the
// form that is asked for.
type templateless struct {
	mu     sync.Mutex
	native int // requests with tools
	beside int // requests for what the model can do
}

func (s *templateless) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.Method == http.MethodGet {
		s.beside++
		switch r.URL.Path {
		case "/v1/models":
			io.WriteString(w, `{"data":[{"id":"own","owned_by":"llamacpp"}]}`)
		case "/props":
			io.WriteString(w, `{"chat_template":"x","chat_template_caps":{"supports_tools":false},"default_generation_settings":{"n_ctx":4096}}`)
		}
		return
	}
	body, _ := io.ReadAll(r.Body)
	text := `It is cold.`
	if strings.Contains(string(body), `"tools"`) {
		s.native++
	}
	if strings.Contains(string(body), `"json_schema"`) {
		text = `{\"toolCalls\":[{\"name\":\"get_weather\",\"arguments\":{\"city\":\"Oslo\"}}]}`
	}
	io.WriteString(w, `{"id":"x","object":"chat.completion","model":"own","choices":[{"index":0,"message":{"role":"assistant","content":"`+text+`"},"finish_reason":"stop"}]}`)
}

// What a server says of its model feeds the plan: from the requests on that follow the first one, unless that is turned off, or a probe or
// the user knows better.
func TestDiscoveryFeedsThePlan(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		probe *caps.Fact
		mode  caps.Mode
		tools string // the fact on the card, as far as a card asks
	}{
		"by itself":            {"providers: {lab: {base_url: URL}}", nil, caps.JSONSchema, "no (discovered)"},
		"off":                  {"discover: off\nproviders: {lab: {base_url: URL}}", nil, caps.Native, "no (discovered)"},
		"off for the provider": {"discover: on\nproviders: {lab: {base_url: URL, discover: off}}", nil, caps.Native, "no (discovered)"},
		"on for the provider":  {"discover: off\nproviders: {lab: {base_url: URL, discover: on}}", nil, caps.JSONSchema, "no (discovered)"},
		"a probe knows better": {"providers: {lab: {base_url: URL}}", &caps.Fact{Key: "tools", Value: "yes", Source: caps.Probed}, caps.Native, "yes (probed)"},
		"the user does":        {"providers: {lab: {base_url: URL, caps: {tools: yes}}}", nil, caps.Native, "yes (configured)"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &templateless{}
			srv := httptest.NewServer(s)
			defer srv.Close()
			r := registry(t, parse(t, strings.ReplaceAll(c.text, "URL", `"`+srv.URL+`/v1"`)))
			defer r.Close()
			if c.probe != nil {
				if err := r.Learn(t.Context(), "lab/own", []caps.Fact{*c.probe}); err != nil {
					t.Fatal(err)
				}
			}
			client, err := r.Resolve("lab/own")
			if err != nil {
				t.Fatal(err)
			}
			mode := func() caps.Mode {
				resp, err := client.Generate(t.Context(), weather("lab/own"))
				if err != nil {
					t.Fatal(err)
				}
				return resp.Report.Mode
			}
			if got := mode(); got != caps.Native {
				t.Errorf("the first request is made in mode %s", got)
			}
			off := strings.Contains(name, "off")
			for range 200 {
				s.mu.Lock()
				done := off || s.beside == 2
				s.mu.Unlock()
				if time.Sleep(5 * time.Millisecond); done {
					break
				}
			}
			if got := mode(); got != c.mode {
				t.Errorf("the second request is made in mode %s, want %s", got, c.mode)
			}
			if s.beside > 0 == off {
				t.Errorf("asked %d times beside the requests", s.beside)
			}
			if got := r.Cards(t.Context(), "lab/own")[0].Facts["tools"]; got != c.tools {
				t.Errorf("the card says %q, want %q", got, c.tools)
			}
		})
	}
}

// What may be said about discovery is checked.
func TestDiscoverIsChecked(t *testing.T) {
	for text, want := range map[string]string{
		"discover: maybe": "expected off, auto or on", "discover: atuo": "did you mean auto?", "discover: true": "expected text", "providers: {groq: {discover: 3}}": "expected text",
	} {
		if _, err := config.Parse([]byte(text), env("GROQ_API_KEY=k")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
