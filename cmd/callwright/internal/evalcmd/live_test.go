package evalcmd_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
)

// member is a member of a body, "" where it has none.
func member(body string, path ...string) string {
	v, _ := jsonx.Lookup([]byte(body), path...)
	return string(v)
}

// Requests go to base, prefix and endpoint, each part once.
func TestAddresses(t *testing.T) {
	h := newHost(t)
	for _, c := range []struct{ base, prefix, want string }{
		{"", "unset", "/v1/chat/completions"},
		{"/", "/v1/", "/v1/chat/completions"},
		{"/api", "unset", "/api/v1/chat/completions"},
		{"/api", "/api/v1", "/api/v1/chat/completions"},
		{"/api/v1", "unset", "/api/v1/chat/completions"},
		{"/api/v1", "", "/api/v1/chat/completions"},
		{"/proxy", "openai/v1", "/proxy/openai/v1/chat/completions"},
		{"", "", "/chat/completions"},
	} {
		env := map[string]string{"OPENROUTER_API_KEY": "sk-or-secret", "OPENROUTER_BASE_URL": h.URL + c.base}
		if c.prefix != "unset" {
			env["OPENROUTER_API_PREFIX"] = c.prefix
		}
		before := len(h.asked())
		_ = (&bench{env: env}).run(t.Context(), "--model-filter", "x-ai/grok-4.3", "--scenarios", "chat_only")
		seen := h.asked()[before:]
		if len(seen) == 0 || seen[0].path != c.want || seen[0].key != "Bearer sk-or-secret" || member(seen[0].body, "model") != `"x-ai/grok-4.3"` {
			t.Errorf("%+v: got %+v", c, seen)
		}
	}
}

// What is said of requests stands in them: parameters in their order, hosts, and nothing that the evaluation decides.
func TestLiveRequests(t *testing.T) {
	h := newHost(t)
	b := bench{env: map[string]string{
		"OPENROUTER_API_KEY": "sk-or-secret", "OPENROUTER_BASE_URL": h.URL, "OPENROUTER_MODEL_FILTER": "qwen/qwen3-235b-a22b-2507",
		"OPENROUTER_SCENARIOS": "chat_only", "OPENROUTER_SAMPLING_PROFILE_FILTER": "qwen_recommended", "OPENROUTER_TOP_P": "0.50",
		"OPENROUTER_LLM_OPTIONS_DEFAULTS_JSON": `{"top_p":0.1,"top_k":7,"repetition_penalty":1.1}`,
		"OPENROUTER_REQUEST_OVERRIDES_JSON":    `{"model":"other","stream":true,"provider":{"sort":"price"},"min_p":0.25}`,
		"OPENROUTER_ROUTE":                     "fallback", "OPENROUTER_TRANSFORMS": "middle-out",
		"OPENROUTER_PROVIDER_ONLY": "alpha, beta", "OPENROUTER_PROVIDER_IGNORE": "gamma", "OPENROUTER_HTTP_ADAPTER": "httpx",
	}}
	_ = b.run(t.Context())
	seen := h.asked()
	if len(seen) == 0 {
		t.Fatalf("nothing was asked:\n%s", b.err.String())
	}
	for path, want := range map[string]string{
		"model": `"qwen/qwen3-235b-a22b-2507"`, "stream": "", "temperature": "0.7", "top_p": "0.50", "top_k": "7", "min_p": "0.25", "repetition_penalty": "1.1",
		"route": `"fallback"`, "transforms": `["middle-out"]`, "provider.only": `["alpha","beta"]`, "provider.ignore": `["gamma"]`, "provider.sort": `"price"`, "provider.order": "",
	} {
		if got := member(seen[0].body, strings.Split(path, ".")...); got != want && !(want == "" && got == "false") {
			t.Errorf("%s is %s, want %s, in %s", path, got, want, seen[0].body)
		}
	}
	for _, want := range []string{
		"live: 1 model at openrouter; 1 scenario, 1 trial\n", "request-overrides-json: model is ignored: the evaluation sets it\n",
		"request-overrides-json: stream is ignored: the evaluation sets it\n", "http-adapter: httpx has no effect: there is one HTTP client\n",
	} {
		if !strings.Contains(b.err.String(), want) {
			t.Errorf("standard error lacks %q:\n%s", want, b.err.String())
		}
	}
	if strings.Contains(b.err.String()+b.out.String(), "sk-or-secret") {
		t.Error("the key is shown")
	}
}

// Without being asked to, nothing is asked of providers.
func TestOfflineUnlessAsked(t *testing.T) {
	h := newHost(t)
	for env, want := range map[string]string{
		"OPENROUTER_API_KEY=k":           "offline: ",
		"OPENROUTER_MODEL_FILTER=x-ai":   "offline: ", // without a key
		"OPENROUTER_SCENARIOS=chat_only": "offline: ",
	} {
		name, value, _ := strings.Cut(env, "=")
		b := bench{env: map[string]string{name: value, "OPENROUTER_BASE_URL": h.URL}}
		if err := b.run(t.Context(), "--scenarios", "chat_only"); err != nil || !strings.HasPrefix(b.err.String(), want) {
			t.Errorf("%s: %v, %s", env, err, b.err.String())
		}
	}
	if seen := h.asked(); len(seen) > 0 {
		t.Errorf("a provider was asked: %v", seen)
	}
}

// lab is a configuration with a host as its provider, whose requests are tried once.
func lab(at string) config.Config {
	return config.Config{
		Discover: provider.DiscoverOff,
		Providers: config.Providers{
			{Name: "lab", Wire: callwright.WireOpenAI, BaseURL: at + "/v1", Settings: config.Settings{MaxRetries: new(int)}},
			{Name: "openrouter", Settings: config.Settings{MaxRetries: new(int)}},
		},
		Models: config.Models{{Name: "mine", Model: "lab/native"}},
	}
}

// A model of the configuration is asked by its name, and what its native calls were worth is kept where a gateway finds it.
func TestFeed(t *testing.T) {
	h := newHost(t)
	b := bench{conf: lab(h.URL)}
	b.conf.State.Dir = t.TempDir()
	_ = b.run(t.Context(), "--model", "mine", "--scenarios", "parallel_ten", "--trials", "3", "--feed")
	if want := "mine: tool_call_reliable: yes is kept in " + b.conf.State.Dir; !strings.Contains(b.err.String(), want) {
		t.Fatalf("standard error lacks %q:\n%s", want, b.err.String())
	}
	registry, err := config.NewRegistry(&b.conf)
	if err != nil {
		t.Fatal(err)
	}
	defer registry.Close()
	if card := registry.Cards(t.Context(), "lab/native")[0]; card.Facts["tool_call_reliable"] != "yes (probed)" {
		t.Errorf("a gateway finds %v", card.Facts)
	}
}

// Too few calls say nothing.
func TestFeedKeepsNothing(t *testing.T) {
	b := bench{conf: lab(newHost(t).URL)}
	b.conf.State.Dir = t.TempDir()
	_ = b.run(t.Context(), "--model", "mine", "--scenarios", "chat_only", "--feed")
	if !strings.Contains(b.err.String(), "mine: no fact is kept: 0 of 0 native calls were damaged, which is not conclusive\n") {
		t.Errorf("it says\n%s", b.err.String())
	}
}

// A provider that says nothing is left at its time, and a refusal is no failure of the model.
func TestProvidersThatFail(t *testing.T) {
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then the server sees that the client has gone
		<-r.Context().Done()
	}))
	defer silent.Close()
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = w.Write([]byte(`{"error":{"message":"flagged","code":403}}`))
	}))
	defer refusing.Close()
	for _, c := range []struct {
		at, limit, reason string
		refused, broken   int
	}{
		{silent.URL, "--client-timeout=0.05 --read-timeout=0", "took longer than 50ms", 0, 1},
		{silent.URL, "--read-timeout=0.05", "", 0, 1},
		{refusing.URL, "--client-timeout=0", "flagged", 1, 0},
	} {
		b := bench{conf: lab(""), env: map[string]string{"OPENROUTER_API_KEY": "k", "OPENROUTER_BASE_URL": c.at}}
		err := b.run(t.Context(), strings.Fields("--model-filter x-ai/grok-4.3 --scenarios chat_only --json --verbose 2 "+c.limit)...)
		s, failed := report.Parse(b.out.Bytes())
		if err == nil || failed != nil || s.Total.Refused != c.refused || s.Total.Broken != c.broken || !strings.Contains(b.err.String(), c.reason) {
			t.Errorf("%s: %v, %v\n%s\n%s", c.limit, err, failed, b.out.String(), b.err.String())
		}
	}
}

// Traces of a live run have the bytes that the provider sent.
func TestLiveTraces(t *testing.T) {
	h := newHost(t)
	b, dir := bench{conf: lab(h.URL)}, t.TempDir()
	_ = b.run(t.Context(), "--model", "lab/native", "--scenarios", "chat_only", "--trials", "2", "--jobs", "2", "--state", dir, "--trace")
	texts := tracesIn(t, dir)
	if len(texts) != 2 || slices.ContainsFunc(texts, func(text string) bool { return strings.Count(text, `"kind":"received"`) != 1 }) {
		t.Errorf("got %d traces: %s", len(texts), strings.Join(texts, "\n---\n"))
	}
}

// A line of --verbose 2 has the bytes of the bodies that a trial sent to its provider, over all its requests.
func TestVerboseSizes(t *testing.T) {
	for _, env := range []map[string]string{{"VERBOSE": "2"}, {"VERBOSE": "1"}} {
		h := newHost(t)
		env["OPENROUTER_API_KEY"], env["OPENROUTER_BASE_URL"] = "k", h.URL
		b := bench{env: env}
		_ = b.run(t.Context(), "--model-filter", "x-ai/grok-4.3", "--scenarios", "chat_only,happy_path")
		sent, lines := 0, regexp.MustCompile(`\((\d+) requests?, (\d+) bytes sent, (\d+) received\)`).FindAllStringSubmatch(b.err.String(), -1)
		for _, r := range h.asked() {
			sent += len(r.body)
		}
		requests := 0
		for _, l := range lines {
			n, _ := strconv.Atoi(l[1])
			bytes, _ := strconv.Atoi(l[2])
			requests, sent = requests+n, sent-bytes
			if l[3] == "0" {
				t.Errorf("nothing was received: %s", l[0])
			}
		}
		if env["VERBOSE"] == "1" && len(lines) == 0 {
			continue
		}
		if len(lines) != 2 || requests != len(h.asked()) || sent != 0 {
			t.Errorf("%v: %d requests, and %d bytes more were sent than said:\n%s", env, len(h.asked()), sent, b.err.String())
		}
	}
}
