package config_test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
	"github.com/google/go-cmp/cmp"
)

func TestList(t *testing.T) {
	var asked atomic.Int32 // providers are asked at the same time
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path == "/v1/models" {
			io.WriteString(w, `{"data":[{"id":"b"},{"id":"a"}]}`)
			return
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	defer srv.Close()
	now := time.Unix(0, 0)
	r := registry(t, parse(t, `
providers: {lab: {base_url: "`+srv.URL+`/v1"}, broken: {base_url: "`+srv.URL+`/nothing"}, groq: {}}
models: {fast: {model: lab/a}, "x*": {model: fast}, lab/b: {mode: text}}
`), config.WithClock(func() time.Time { return now }))
	want := []callwright.ModelID{"fast", "lab/b", "lab/a"}
	for range 3 {
		if diff := cmp.Diff(want, r.List(t.Context())); diff != "" {
			t.Fatal(diff)
		}
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("asked %d times, want once for each provider", n)
	}
	for _, e := range r.Providers() {
		if unlisted := strings.Contains(e.Problem, "provider broken: its list of models cannot be read: "); unlisted != (e.Name == "broken") {
			t.Errorf("got %+v", e)
		}
	}
	now = now.Add(time.Hour)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if got := r.List(gone); len(got) != 3 || asked.Load() != 4 {
		t.Errorf("an hour later: %v, asked %d times", got, asked.Load())
	}
}

// What is known of models is what is shipped, under what their provider lists, under what is configured; only their own providers are asked.
func TestKnown(t *testing.T) {
	var asked atomic.Int32
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		io.WriteString(w, `{"data":[{"id":"a","max_model_len":4096},{"id":"claude-sonnet-4-5","max_model_len":8192}]}`)
	}))
	defer srv.Close()
	r := registry(t, parse(t, `
providers: {lab: {base_url: "`+srv.URL+`/v1"}, other: {base_url: "`+srv.URL+`/v1"}}
models: {fast: {model: lab/a}, own: {model: lab/a, caps: {max_context: 1000, max_output: 10}}}
`), config.WithoutKeys())
	names := []callwright.ModelID{"lab/a", "fast", "own", "lab/claude-sonnet-4-5", "anthropic/claude-sonnet-4-5", "nowhere/x", "lab/new"}
	want := [][2]int{{4096, 0}, {4096, 0}, {1000, 10}, {8192, 64000}, {200000, 64000}, {}, {}}
	got := r.KnownCaps(t.Context(), names[:4])
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
	for i, c := range append(got, r.KnownCaps(t.Context(), names[4:])...) {
		if c.MaxContext != want[i][0] || c.MaxOutput != want[i][1] {
			t.Errorf("%s: got %d and %d, want %v", names[i], c.MaxContext, c.MaxOutput, want[i])
		}
	}
}

func TestCards(t *testing.T) {
	r := registry(t, parse(t, `
providers: {sim: {}, groq: {}}
models: {soft: {model: sim/no_tools_400, fallbacks: [sim/native], caps: {max_tools: 3}}, lost: {model: groq/x}}
`))
	ask(t, r, "soft")
	cards := map[callwright.ModelID]config.Card{}
	for _, c := range r.Cards(t.Context()) {
		cards[c.Name] = c
	}
	soft := cards["soft"]
	if soft.Model != "sim/no_tools_400" || !slices.Equal(soft.Fallbacks, []callwright.ModelID{"sim/native"}) || soft.Facts["max_tools"] != "3 (configured)" ||
		soft.Facts["tools"] != "no (learned)" || len(soft.Learned) == 0 || soft.Problem != "" {
		t.Errorf("got %+v", soft)
	}
	if lost := cards["lost"]; !strings.Contains(lost.Problem, "GROQ_API_KEY") {
		t.Errorf("got %+v", lost)
	}
	if _, ok := cards["sim/native"]; !ok {
		t.Error("the simulator's models are not listed")
	}
	want := []config.Endpoint{{Name: "sim"}, {Name: "groq", Problem: "providers.groq.api_key: GROQ_API_KEY is not set: export GROQ_API_KEY=... with a key of groq"}}
	if diff := cmp.Diff(want, r.Providers()); diff != "" {
		t.Error(diff)
	}
}

// An override stands over the configuration, for each name of its model; a card says what would hold without it.
func TestOverride(t *testing.T) {
	r := registry(t, parse(t, `
discover: off
providers: {sim: {}}
models: {soft: {model: sim/native, caps: {max_tools: 3, max_context: 4000}}}
`))
	set := func(facts ...caps.Fact) {
		t.Helper()
		if err := r.Learn(t.Context(), "soft", facts); err != nil {
			t.Fatal(err)
		}
	}
	set(caps.Fact{Key: "max_tools", Value: "9", Source: caps.Override}, caps.Fact{Key: "tools", Value: "no", Source: caps.Override}, caps.Fact{Key: "max_context", Value: "5000", Source: caps.Learned})
	for _, name := range []callwright.ModelID{"soft", "sim/native"} {
		card := r.Cards(t.Context(), name)[0]
		under := map[string]string{"max_tools": "", "tools": ""}
		if name == "soft" {
			under["max_tools"] = "3 (configured)"
		}
		if card.Facts["max_tools"] != "9 (override)" || card.Facts["tools"] != "no (override)" || !maps.Equal(card.Overridden, under) {
			t.Errorf("%s: got %v over %v", name, card.Facts, card.Overridden)
		}
	}
	if c := r.KnownCaps(t.Context(), []callwright.ModelID{"soft"})[0]; c.MaxTools != 9 || c.MaxContext != 4000 {
		t.Errorf("got %d tools and a context of %d", c.MaxTools, c.MaxContext)
	}
	client, err := r.Resolve("soft")
	if err != nil {
		t.Fatal(err)
	}
	req := &callwright.Request{Model: "soft", Messages: []callwright.Message{callwright.UserText("Hi.")}, Tools: []callwright.Tool{{Name: "go"}}}
	for _, want := range []caps.Mode{caps.Text, caps.Native} {
		out, err := client.Explain(t.Context(), req)
		if err != nil || out.Chain[0].Mode != want {
			t.Errorf("asked in the mode %s, not %s: %v", out.Chain[0].Mode, want, err)
		}
		if _, err := r.Forget(t.Context(), "soft", ""); err != nil {
			t.Fatal(err)
		}
	}
	if card := r.Cards(t.Context(), "soft")[0]; card.Facts["max_tools"] != "3 (configured)" || card.Overridden != nil {
		t.Errorf("once it is forgotten: %v over %v", card.Facts, card.Overridden)
	}
}

func TestDiscover(t *testing.T) {
	none := func(string) bool { return false }
	for _, c := range []struct {
		env   func(string) (string, bool)
		probe func(string) bool
		want  []string
		hint  string
	}{
		{env(), none, []string{"sim"}, "only simulated models"},
		{env("GROQ_API_KEY= ", "AZURE_OPENAI_API_KEY=x", "VLLM_API_KEY=x"), none, []string{"sim"}, "only simulated models"},
		{env("GROQ_API_KEY=a", "ANTHROPIC_API_KEY=b"), none, []string{"anthropic", "groq", "sim"}, "found anthropic, groq"},
		{env(), func(addr string) bool { return addr == "127.0.0.1:11434" }, []string{"ollama", "sim"}, "found ollama"},
	} {
		conf, hint := config.Discover(t.Context(), c.env, c.probe)
		var names []string
		for _, p := range conf.Providers {
			names = append(names, p.Name)
		}
		if diff := cmp.Diff(c.want, names); diff != "" || !strings.Contains(hint, c.hint) {
			t.Errorf("%s, hint %q", diff, hint)
		}
		registry(t, conf, config.WithEnv(c.env))
	}
}

// TestDiscoverOllamaElsewhere: OLLAMA_HOST is read as Ollama reads it.
func TestDiscoverOllamaElsewhere(t *testing.T) {
	for said, want := range map[string][2]string{
		"":                              {"", "127.0.0.1:11434"},
		"box":                           {"http://box:11434", "box:11434"},
		"box:8080":                      {"http://box:8080", "box:8080"},
		":8080":                         {"http://127.0.0.1:8080", "127.0.0.1:8080"},
		"0.0.0.0":                       {"http://127.0.0.1:11434", "127.0.0.1:11434"},
		"[::]:8080":                     {"http://127.0.0.1:8080", "127.0.0.1:8080"},
		"::1":                           {"http://[::1]:11434", "[::1]:11434"},
		" \"http://box\" ":              {"http://box:80", "box:80"},
		"https://ollama.example/proxy/": {"https://ollama.example:443/proxy", "ollama.example:443"},
		"box:port":                      {"http://box:11434", "box:11434"},
		"ftp://box":                     {"", "127.0.0.1:11434"},
	} {
		var asked string
		conf, _ := config.Discover(t.Context(), env("OLLAMA_HOST="+said), func(address string) bool { asked = address; return true })
		if p := conf.Providers[0]; p.Name != "ollama" || p.BaseURL != want[0] || asked != want[1] {
			t.Errorf("%q: got %q, asked %q", said, p.BaseURL, asked)
		}
		registry(t, conf)
	}
}

// TestDiscoverLooksForOllama: without a probe the address is tried.
func TestDiscoverLooksForOllama(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if conf, _ := config.Discover(ctx, env(), nil); len(conf.Providers) != 1 {
		t.Errorf("got %v", conf.Providers)
	}
}
