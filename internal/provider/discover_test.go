package provider_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/provider"
)

// An engine is a server as its makers describe it: what it answers beside requests for answers, by method and path.
type engine struct {
	pages map[string]string

	mu    sync.Mutex
	asked []string
}

const (
	vllmList = `{"object":"list","data":[{"id":"Qwen/Qwen3-8B","object":"model","created":1,"owned_by":"vllm","root":"Qwen/Qwen3-8B","parent":null,"max_model_len":40960,"permission":[]}]}`

	llamaList = `{"models":[{"name":"own.gguf","capabilities":["completion"]}],"object":"list","data":[{"id":"own.gguf","object":"model","owned_by":"llamacpp","meta":{"n_ctx_train":131072}}]}`

	llamaProps = `{"default_generation_settings":{"id":0,"n_ctx":8192,"params":{}},"total_slots":4,"model_path":"own.gguf",
		"chat_template":"{% if tools %}<tool_call>{\"name\":..., \"arguments\":...}</tool_call>{% endif %}",
		"chat_template_caps":{"supports_tools":true,"supports_tool_calls":true,"supports_system_role":true,"supports_parallel_tool_calls":false},
		"modalities":{"vision":false,"audio":false},"build_info":"b7000"}`

	studioCards = `{"object":"list","data":[{"id":"qwen3-vl","object":"model","type":"vlm","arch":"qwen3","state":"loaded","max_context_length":262144,"loaded_context_length":16384,"capabilities":["tool_use"]},
		{"id":"other","type":"embeddings","max_context_length":512}]}`

	routerList = `{"data":[{"id":"a/b","context_length":64000,"architecture":{"input_modalities":["text"]},"top_provider":{"max_completion_tokens":8000},
		"supported_parameters":["tools","tool_choice","structured_outputs","temperature"]}]}`

	routerHosts = `{"data":{"endpoints":[{"context_length":32000,"supported_parameters":["tools"],"supports_tool_choice":{"required":false,"function":false}}]}}`
)

func (e *engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, ok := e.pages[r.Method+" "+r.URL.RequestURI()]
	if !ok && r.Method == http.MethodPost && !strings.Contains(r.URL.Path, "/api/show") {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			io.WriteString(w, `{"model":"m","message":{"role":"assistant","content":"Good day."},"done":true,"done_reason":"stop"}`+"\n")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, wholeAnswer)
		return
	}
	e.mu.Lock()
	e.asked = append(e.asked, r.Method+" "+r.URL.RequestURI())
	e.mu.Unlock()
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	io.WriteString(w, page)
}

func (e *engine) asks() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.asked)
}

// discovered are the facts about a model that were discovered.
func discovered(c caps.Caps) map[string]string {
	out := map[string]string{}
	for key, value := range c.KnownFacts() {
		if value, ok := strings.CutSuffix(value, " (discovered)"); ok {
			out[key] = value
		}
	}
	return out
}

// What the cases of TestDiscovery are made of.
var (
	show           = `{"capabilities":["completion","tools","vision"],"template":"{{ .Prompt }}","model_info":{"general.architecture":"gemma3","gemma3.context_length":131072}}`
	discoveryProps = map[string]string{"max_context": "8192", "tools": "yes", "parallel_tools": "no", "images": "no", "dialect": "hermes"}
)

// discoveryCases are those of TestDiscovery.
var discoveryCases = map[string]struct {
	model     string
	base      string
	wire      callwright.WireName
	discovery provider.Discovery
	pages     map[string]string
	want      map[string]string
	part      bool // want is a part of what is discovered
	asked     []string
}{
	"vLLM": {model: "vllm/Qwen/Qwen3-8B", pages: map[string]string{"GET /v1/models": vllmList}, want: map[string]string{"max_context": "40960"}, asked: []string{"GET /v1/models"}},
	"vLLM by another name": {model: "lab/Qwen/Qwen3-8B", pages: map[string]string{"GET /v1/models": vllmList}, part: true,
		want: map[string]string{"max_context": "40960", "one_system": "true", "choice_forced": "yes", "custom_tools": "no"}, asked: []string{"GET /v1/models"}},
	"llama-server": {model: "llamacpp/own.gguf", pages: map[string]string{"GET /props?model=own.gguf&autoload=false": llamaProps}, want: discoveryProps, asked: []string{"GET /props?model=own.gguf&autoload=false"}},
	"llama-server by another name": {model: "lab/own.gguf", pages: map[string]string{"GET /v1/models": llamaList, "GET /props?model=own.gguf&autoload=false": llamaProps}, part: true,
		want: map[string]string{"max_context": "8192", "parallel_unasked": "no", "tools": "yes"}, asked: []string{"GET /v1/models", "GET /props?model=own.gguf&autoload=false"}},
	"llama-server below a path": {model: "llamacpp/own.gguf", base: "/gpu/v1", pages: map[string]string{"GET /gpu/props?model=own.gguf&autoload=false": llamaProps}, want: discoveryProps,
		asked: []string{"GET /gpu/props?model=own.gguf&autoload=false"}},
	"a template without tools": {model: "llamacpp/own.gguf", want: map[string]string{"tools": "no", "system_role": "user"}, asked: []string{"GET /props?model=own.gguf&autoload=false"},
		pages: map[string]string{"GET /props?model=own.gguf&autoload=false": `{"chat_template":"x","chat_template_caps":{"supports_tools":false,"supports_tool_calls":true,"supports_system_role":false}}`}},
	"Ollama": {model: "ollama/my:latest", base: "/", pages: map[string]string{"POST /api/show": show}, asked: []string{"POST /api/show"},
		want: map[string]string{"tools": "yes", "images": "yes", "max_context": "131072", "drop_fields": "think", "dialect": "pythonic"}},
	"Ollama by its other surface": {model: "ollama-openai/my", pages: map[string]string{"POST /api/show": show}, asked: []string{"POST /api/show"},
		want: map[string]string{"tools": "yes", "images": "yes", "max_context": "131072", "dialect": "pythonic"}},
	"a model of several parts": {model: "ollama/eyes", base: "/", part: true, asked: []string{"POST /api/show"}, want: map[string]string{"max_context": "40960"},
		pages: map[string]string{"POST /api/show": `{"model_info":{"clip.context_length":77,"general.architecture":"qwen3","qwen3.context_length":40960,"zz.context_length":512}}`}},
	"Ollama by another name": {model: "lab/my", base: "/", wire: callwright.WireOllama, pages: map[string]string{"POST /api/show": show}, part: true, want: map[string]string{"tools": "yes"}, asked: []string{"POST /api/show"}},
	"LM Studio": {model: "lmstudio/qwen3-vl", pages: map[string]string{"GET /api/v0/models": studioCards}, asked: []string{"GET /api/v0/models"},
		want: map[string]string{"tools": "yes", "images": "yes", "max_context": "16384"}},
	"OpenRouter": {model: "openrouter/a/b:nitro", pages: map[string]string{"GET /v1/models": routerList, "GET /v1/models/a/b/endpoints": routerHosts}, asked: []string{"GET /v1/models", "GET /v1/models/a/b/endpoints"},
		want: map[string]string{"tools": "yes", "choice_field": "yes", "choice_forced": "no", "json_schema": "yes", "json_object": "no", "parallel_field": "no", "images": "no", "max_context": "64000", "max_output": "8000"}},
	"hosts beyond those that count": {model: "openrouter/a/b", pages: map[string]string{"GET /v1/models": routerList, "GET /v1/models/a/b/endpoints": `{"data":{"endpoints":[` + strings.Repeat(`{"supports_tool_choice":{"required":true,"function":true}},`, 256) + `{"supports_tool_choice":{}}]}}`},
		asked: []string{"GET /v1/models", "GET /v1/models/a/b/endpoints"}, part: true, want: map[string]string{"choice_forced": "yes"}},
	"a name with signs of addresses": {model: "openrouter/../b?c#d", pages: map[string]string{"GET /v1/models/%2E%2E/b%3Fc%23d/endpoints": routerHosts, "GET /v1/models": routerList},
		asked: []string{"GET /v1/models", "GET /v1/models/%2E%2E/b%3Fc%23d/endpoints"}, part: true, want: map[string]string{"max_context": "32000"}},
	"a card that is none":     {model: "lmstudio/m", pages: map[string]string{"GET /api/v0/models": `{"data":[7,{"id":"m","loaded_context_length":4096}]}`}, asked: []string{"GET /api/v0/models"}, want: map[string]string{"max_context": "4096"}},
	"a list of names":         {model: "lab/m-1", pages: map[string]string{"GET /v1/models": `{"data":[{"id":"m-1"}]}`}, asked: []string{"GET /v1/models"}},
	"nothing can be learned":  {model: "openai/gpt-4o", discovery: provider.DiscoverOn},
	"it is off":               {model: "vllm/Qwen/Qwen3-8B", discovery: provider.DiscoverOff},
	"nobody turned it on":     {model: "vllm/Qwen/Qwen3-8B", discovery: "none"},
	"a page of something":     {model: "lab/m-1", pages: map[string]string{"GET /v1/models": "<html>"}, asked: []string{"GET /v1/models"}},
	"limits that cannot be":   {model: "lab/m-1", pages: map[string]string{"GET /v1/models": `{"data":[{"id":"m-1","max_model_len":1,"max_tokens":-4}]}`}, asked: []string{"GET /v1/models"}},
	"numbers beyond all":      {model: "lab/m-1", pages: map[string]string{"GET /v1/models": `{"data":[{"id":"m-1","max_model_len":1e300}]}`}, asked: []string{"GET /v1/models"}},
	"more than may be read":   {model: "lab/m-1", pages: map[string]string{"GET /v1/models": `{"data":[{"id":"m-1","max_model_len":4096}` + strings.Repeat(" ", 9<<20) + `]}`}, asked: []string{"GET /v1/models"}},
	"more than may be listed": {model: "lab/zz", pages: map[string]string{"GET /v1/models": `{"data":[` + strings.Repeat(`{"id":"a","max_model_len":4096},`, 20_000) + `{"id":"zz","max_model_len":4096}]}`}, asked: []string{"GET /v1/models"}},
}

// What a server says of a model is known after the first request that it answers, of a server under its own name and under any.
func TestDiscovery(t *testing.T) {
	for name, c := range discoveryCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := &engine{pages: c.pages}
			srv := httptest.NewServer(e)
			defer srv.Close()
			if c.base == "" {
				c.base = "/v1"
			}
			if c.discovery == "" {
				c.discovery = provider.DiscoverAuto
			}
			m := open(t, c.model, withBaseURL(srv.URL+strings.TrimSuffix(c.base, "/")), withWire(c.wire), withDiscovery(c.discovery))
			before := m.SharedCaps()
			if _, err := m.Generate(t.Context(), ask()); err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(5 * time.Second); time.Now().Before(end) && (len(e.asks()) < len(c.asked) || len(c.want) > 0 && m.SharedCaps() == before); {
				time.Sleep(time.Millisecond)
			}
			m.Provider().Close()
			got := discovered(m.Caps(t.Context()))
			for key := range got {
				if _, ok := c.want[key]; c.part && !ok {
					delete(got, key)
				}
			}
			if c.want == nil {
				c.want = map[string]string{}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("discovered (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(c.asked, e.asks()); diff != "" {
				t.Errorf("asked (-want +got)\n%s", diff)
			}
		})
	}
}

// What is configured outranks what is discovered, which outranks what is shipped.
func TestDiscoveredFactsHaveTheirRank(t *testing.T) {
	e := &engine{pages: map[string]string{"GET /v1/models": routerList}}
	srv := httptest.NewServer(e)
	defer srv.Close()
	configured := caps.Caps{MaxContext: 1000}
	m := open(t, "openrouter/a/b", withBaseURL(srv.URL+"/v1"), withDiscovery(provider.DiscoverOn), withCaps(configured))
	e.pages["GET /v1/models/a/b/endpoints"] = routerHosts
	before := m.SharedCaps()
	if _, err := callwright.Collect(m.Stream(t.Context(), ask())); err != nil {
		t.Fatal(err)
	}
	for range 5000 {
		if m.SharedCaps() != before {
			break
		}
		time.Sleep(time.Millisecond)
	}
	m.Provider().Close()
	known := m.Caps(t.Context()).KnownFacts()
	for key, want := range map[string]string{"max_context": "1000 (configured)", "parallel_field": "no (discovered)", "stream_tools": "yes (shipped)"} {
		if known[key] != want {
			t.Errorf("%s is %s, want %s", key, known[key], want)
		}
	}
}

// Only servers nearby, and providers that hand requests on, are asked by themselves; with on every one is that has something to say.
func TestWhoIsAsked(t *testing.T) {
	for _, c := range []struct {
		model, base string
		auto, on    bool
	}{
		{"lab/m", "http://127.0.0.1:1/v1", true, true}, {"lab/m", "http://[::1]:1/v1", true, true}, {"lab/m", "http://localhost/v1", true, true}, {"lab/m", "http://10.1.2.3/v1", true, true},
		{"lab/m", "http://192.168.0.9/v1", true, true}, {"lab/m", "http://[fd00::1]/v1", true, true}, {"lab/m", "http://gpu-box/v1", true, true}, {"lab/m", "http://gpu.lan/v1", true, true},
		{"lab/m", "http://host.docker.internal/v1", true, true}, {"lab/m", "http://box.local./v1", true, true}, {"lab/m", "https://llm.example.com/v1", false, true}, {"lab/m", "https://8.8.8.8/v1", false, true},
		{"lab/m", "https://172.32.0.1/v1", false, true}, {"openrouter/m", "", true, true}, {"openrouter/m", "http://127.0.0.1:1/v1", true, true}, {"openai/m", "http://127.0.0.1:1/v1", false, false},
		{"openai/m", "", false, false}, {"mistral/m", "", false, true}, {"ollama/m", "", true, true}, {"ollama-cloud/m", "", false, true}, {"cerebras/m", "", false, false},
	} {
		for d, want := range map[provider.Discovery]bool{provider.DiscoverAuto: c.auto, provider.DiscoverOn: c.on, provider.DiscoverOff: false, "": false} {
			synctest.Test(t, func(t *testing.T) {
				s := &answering{}
				m := open(t, c.model, withTransport(s), withBaseURL(c.base), withDiscovery(d))
				_, _ = m.Generate(t.Context(), ask())
				synctest.Wait()
				m.Provider().Close()
				if asked := s.beside > 0; asked != want {
					t.Errorf("%s at %q, %q: asked %t, want %t", c.model, c.base, d, asked, want)
				}
			})
		}
	}
}

// answering answers requests, and everything beside them by a function, or never.
type answering struct {
	mu     sync.Mutex
	beside int
	status int
	hangs  bool
}

func (s *answering) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method == http.MethodPost && req.URL.Path != "/api/show" {
		if strings.HasSuffix(req.URL.Path, "/api/chat") {
			return reply{body: `{"message":{"role":"assistant","content":"x"},"done":true}`}.response(req), nil
		}
		return reply{body: wholeAnswer}.response(req), nil
	}
	s.mu.Lock()
	s.beside++
	s.mu.Unlock()
	if s.hangs {
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	return reply{status: s.status, body: `{"data":[{"id":"m","max_model_len":4096}]}`}.response(req), nil
}

// A provider is asked again when a quarter of an hour is over; after failures sooner, and ever later. Slow answers delay no request and
// are given up, and nothing is asked of a provider that fails.
func TestDiscoveryInTime(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		hangs  bool
		want   map[time.Duration]int // how often it was asked by then
	}{
		"it answers": {want: map[time.Duration]int{0: 1, 14 * time.Minute: 1, 16 * time.Minute: 2, 32 * time.Minute: 3}},
		"it refuses": {status: 500, want: map[time.Duration]int{0: 1, 30 * time.Second: 1, 62 * time.Second: 2, 2 * time.Minute: 2, 200 * time.Second: 3, 61 * time.Minute: 8}},
		"it hangs":   {hangs: true, want: map[time.Duration]int{0: 1, 30 * time.Second: 1, 75 * time.Second: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &answering{status: c.status, hangs: c.hangs}
				m := open(t, "vllm/m", withTransport(s), withDiscovery(provider.DiscoverAuto))
				defer m.Provider().Close()
				began, last := time.Now(), time.Duration(0)
				for at := range c.want {
					last = max(last, at)
				}
				for {
					now := time.Now()
					if _, err := m.Generate(t.Context(), ask()); err != nil {
						t.Fatal(err)
					}
					if waited := time.Since(now); waited > 0 {
						t.Fatalf("a request waited %s", waited)
					}
					synctest.Wait()
					at := time.Since(began)
					if want, ok := c.want[at]; ok && s.beside != want {
						t.Errorf("after %s it was asked %d times, want %d", at, s.beside, want)
					}
					if at >= last {
						return
					}
					time.Sleep(time.Second)
				}
			})
		})
	}
}

// A provider that was closed is not asked any more, and what was under way has ended.
func TestDiscoveryEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &answering{hangs: true}
		m := open(t, "vllm/m", withTransport(s), withDiscovery(provider.DiscoverOn))
		for range 2 {
			if _, err := m.Generate(t.Context(), ask()); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
			m.Provider().Close()
			time.Sleep(time.Hour)
		}
		if s.beside != 1 {
			t.Errorf("asked %d times", s.beside)
		}
	})
}

// Many models at once are asked about a few at a time, each in the end.
func TestDiscoveriesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &answering{hangs: true}
		p, err := provider.New(provider.Config{Name: "llamacpp", Transport: s, Discovery: provider.DiscoverOn, Env: noEnv})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		for i := range 20 {
			if _, err := p.Model(fmt.Sprint("m", i)).Generate(t.Context(), ask()); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if s.beside != 2 {
			t.Errorf("%d at once", s.beside)
		}
	})
}

// Every dialect that a template gives away can be asked for.
func TestTemplatesNameDialects(t *testing.T) {
	for template, want := range map[string]string{
		"<tool_call>{\\\"name\\\": x, \\\"arguments\\\": y}</tool_call>": "hermes", "<tool_call>\\n<function=x>\\n<parameter=y>": "qwen3_coder", "<tool_call>x<arg_key>": "glm45",
		"[TOOL_CALLS]x[ARGS]{}": "mistral_args", "[TOOL_CALLS][{}]": "mistral_array", "<|tool_calls_section_begin|>": "kimi_k2", "<|channel|>commentary<|call|>": "harmony",
		"<minimax:tool_call>": "minimax_m2", "<|START_ACTION|>": "cohere_cmd3", "<|python_tag|>": "llama3_json", "<｜tool▁calls▁begin｜>function```json": "deepseek_v3",
		"<｜tool▁calls▁begin｜>x": "deepseek_v31", "{{ messages }}": "",
	} {
		s := &script{replies: []reply{{body: `{"chat_template":"` + template + `"}`}}}
		got, err := open(t, "llamacpp/own", withTransport(s)).Provider().Describe(t.Context(), "own")
		if err != nil || got.Dialect != want {
			t.Errorf("%s: got %q, %v; want %q", template, got.Dialect, err, want)
		}
		if f, ok := dialect.Lookup(got.Dialect); want != "" && (!ok || !f.Renders()) {
			t.Errorf("%s cannot be asked for", got.Dialect)
		}
	}
}
