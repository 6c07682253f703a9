package config_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func registry(t *testing.T, c *config.Config, opts ...config.Option) *config.Registry {
	t.Helper()
	r, err := config.NewRegistry(c, append([]config.Option{config.WithEnv(env())}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// upstream returns a model server that keeps what it is sent.
func upstream(t *testing.T) (*simulate.Server, string) {
	t.Helper()
	llm := simulate.New(simulate.Weather())
	srv := httptest.NewServer(llm)
	t.Cleanup(srv.Close)
	return llm, srv.URL
}

func weather(model string) *callwright.Request {
	return &callwright.Request{
		Model:    callwright.ModelID(model),
		Messages: []callwright.Message{{Role: callwright.RoleUser, Parts: []callwright.Part{callwright.Text{Text: "What is the weather in Oslo?"}}}},
		Tools:    []callwright.Tool{{Name: "get_weather", Schema: json.RawMessage(simulate.WeatherSchema)}},
	}
}

// ask resolves a model and asks it for the weather, whole and streamed.
func ask(t *testing.T, r *config.Registry, model string) *callwright.Response {
	t.Helper()
	client, err := r.Resolve(model)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Generate(t.Context(), weather(model))
	if err != nil {
		t.Fatalf("%s: %v", model, err)
	}
	streamed, err := callwright.Collect(client.Stream(t.Context(), weather(model)))
	if err != nil {
		t.Fatalf("%s: %v", model, err)
	}
	for _, got := range []*callwright.Response{resp, streamed} {
		if calls := got.Calls(); len(calls) != 1 || calls[0].Name != "get_weather" || !strings.Contains(string(calls[0].Arguments), "Oslo") {
			t.Errorf("%s: got calls %v and text %q", model, calls, got.Text())
		}
	}
	return resp
}

// last returns the body of the last request that the server saw.
func last(t *testing.T, llm *simulate.Server) map[string]json.RawMessage {
	t.Helper()
	seen := llm.Requests()
	if len(seen) == 0 {
		t.Fatal("nothing was asked")
	}
	var body map[string]json.RawMessage
	if err := json.Unmarshal(seen[len(seen)-1].Body, &body); err != nil {
		t.Fatal(err)
	}
	return body
}

func TestSimulatorInProcess(t *testing.T) {
	for _, c := range []*config.Config{
		parse(t, "providers: {sim: {}}\nmodels: {easy: {model: sim/native}}"),
		parse(t, "providers: {sim: {wire: anthropic}}\nmodels: {easy: {model: sim/native}}"),
	} {
		r := registry(t, c)
		for _, model := range []string{"easy", "sim/native", "sim/hermes-unclosed", "sim/json_damage-trailing_comma", "sim/no_tools_400"} {
			resp := ask(t, r, model)
			if fault := model != "easy" && model != "sim/native"; fault && resp.Report.Untouched {
				t.Errorf("%s: untouched, notes %v", model, resp.Report.Notes)
			}
		}
	}
}

// TestSimulatorBreaks: a connection that breaks is an error, and stopping early leaves nothing after.
func TestSimulatorBreaks(t *testing.T) {
	r := registry(t, parse(t, "providers: {sim: {max_retries: 0}}"))
	client, err := r.Resolve("sim/midstream-cut")
	if err != nil {
		t.Fatal(err)
	}
	req := weather("sim/midstream-cut")
	if _, err := callwright.Collect(client.Stream(t.Context(), req)); callwright.KindOf(err) != callwright.KindTruncated {
		t.Errorf("got %v", err)
	}
	client, err = r.Resolve("sim/native")
	if err != nil {
		t.Fatal(err)
	}
	for range client.Stream(t.Context(), weather("sim/native")) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Generate(ctx, weather("sim/native")); callwright.KindOf(err) != callwright.KindCanceled {
		t.Errorf("got %v", err)
	}
}

func TestResolveNames(t *testing.T) {
	r := registry(t, parse(t, `
providers: {sim: {}, groq: {api_key: k}}
models:
  fast: {model: sim/native}
  faster: {model: fast}
  "claude-*": {model: faster}
  sim/x: {mode: text}
  "gpt-*-mini": {model: groq/small}
`))
	for name, want := range map[string]callwright.ModelID{
		"fast": "sim/native", "faster": "sim/native", "claude-anything-at-all": "sim/native", "sim/x": "sim/x", "sim/y/z": "sim/y/z",
		"groq/a": "groq/a", "gpt-4o-mini": "groq/small",
	} {
		client, err := r.Resolve(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if client.ID() != want {
			t.Errorf("%s: got %s, want %s", name, client.ID(), want)
		}
		if again, _ := r.Resolve(name); again != client {
			t.Errorf("%s: got another client", name)
		}
	}
	for name, want := range map[string]string{
		"": `model "" is not known`, "nobody": "fast, faster, claude-*", "nowhere/x": "unknown provider", "sim/": "model sim/ is not known", "gpt-4o": "model gpt-4o is not known",
	} {
		_, err := r.Resolve(name)
		if callwright.KindOf(err) != callwright.KindNotFound || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", name, err)
		}
	}
}

// TestUnknownNamesSayWhatIsKnown: whatever is configured, the error of an unknown name counts every provider that has its key, once, and
// each name that it says leads to a model.
func TestUnknownNamesSayWhatIsKnown(t *testing.T) {
	var keys []string
	for _, r := range provider.Rows() {
		if r.Key != "" {
			keys = append(keys, r.Key+"=k")
		}
	}
	for _, variables := range [][]string{nil, {"GROQ_API_KEY=k"}, {"OPENAI_API_KEY=k", "GROQ_API_KEY=k"}, keys} {
		for _, text := range []string{"", "providers: {sim: {}}", "providers: {groq: {}, sim: {}}", "providers: {lab: {base_url: \"http://127.0.0.1:1/v1\"}}\nmodels: {fast: {model: lab/x}}"} {
			c := parse(t, text)
			r := registry(t, c, config.WithEnv(env(variables...)))
			want := len(c.Models)
			for _, row := range provider.Rows() {
				if row.Base != "" && !row.Local && row.Beside == "" && slices.Contains(variables, row.Key+"=k") {
					want++
				}
			}
			for _, p := range c.Providers {
				if p.Name != "groq" {
					want++
				}
			}
			for _, unknown := range []string{"telepathy/x", "telepathy"} {
				_, err := r.Resolve(unknown)
				_, said, _ := strings.Cut(err.Error(), ": expected ")
				if want == 0 {
					if !strings.Contains(said, "GROQ_API_KEY") {
						t.Errorf("%q: %v", text, err)
					}
					continue
				}
				names := strings.Split(strings.ReplaceAll(said, " or ", ", "), ", ")
				more, isCount := strings.CutSuffix(names[len(names)-1], " more")
				got := len(names)
				if isCount {
					names = names[:len(names)-1]
					count, _ := strconv.Atoi(more)
					got += count - 1
				}
				if got != want {
					t.Errorf("%q: %q: got %d names, want %d: %v", text, unknown, got, want, err)
				}
				for _, name := range names {
					if _, err := r.Resolve(strings.Replace(name, "NAME", "x", 1)); err != nil {
						t.Errorf("%q: %s was offered: %v", text, name, err)
					}
				}
			}
		}
	}
}

// TestOrderOfSettings: provider, then patterns in their order, then the model's entry, then the alias.
func TestOrderOfSettings(t *testing.T) {
	llm, url := upstream(t)
	r := registry(t, parse(t, `
providers:
  lab: {base_url: "`+url+`/v1", request: {a: 1, b: 1, c: 1, d: 1, e: 1}}
models:
  "lab/*": {request: {b: 2, c: 2, d: 2, e: 2}}
  "*/native": {request: {c: 3, d: 3, e: 3}}
  lab/native: {request: {d: 4, e: 4}}
  alias: {model: lab/native, request: {e: 5}}
`))
	ask(t, r, "alias")
	body := last(t, llm)
	got := map[string]string{}
	for _, k := range []string{"a", "b", "c", "d", "e"} {
		got[k] = string(body[k])
	}
	if diff := cmp.Diff(map[string]string{"a": "1", "b": "2", "c": "3", "d": "4", "e": "5"}, got); diff != "" {
		t.Error(diff)
	}
	ask(t, r, "lab/hermes")
	if body := last(t, llm); string(body["b"]) != "2" || string(body["c"]) != "2" || string(body["a"]) != "1" {
		t.Errorf("got %s", llm.Requests()[len(llm.Requests())-1].Body)
	}
}

func TestModesAndDialect(t *testing.T) {
	llm, url := upstream(t)
	r := registry(t, parse(t, `
providers: {lab: {base_url: "`+url+`/v1"}}
models:
  words: {model: lab/native, mode: text, dialect: anthropic_invoke}
  json: {model: lab/native, modes: [json_object]}
`))
	resp := ask(t, r, "words")
	seen := llm.Requests()[0]
	if len(seen.Tools) != 0 || !strings.Contains(string(seen.Body), "invoke") {
		t.Errorf("tools %v in %s", seen.Tools, seen.Body)
	}
	if resp.Report.Mode != caps.Text || resp.Report.Attempts[0].Dialect != "anthropic_invoke" {
		t.Errorf("got %+v", resp.Report)
	}
	if resp := ask(t, r, "json"); resp.Report.Mode != caps.JSONObject {
		t.Errorf("got mode %s", resp.Report.Mode)
	}
}

// TestRequestMembers: objects are merged, what the client said stays, null removes, and each change is a note.
func TestRequestMembers(t *testing.T) {
	llm, url := upstream(t)
	text := `
providers: {lab: {base_url: "` + url + `/v1"}}
models:
  m:
    model: lab/native
    request: {temperature: 0.10, top_p: 0.5, deep: {a: [1], b: {c: "x"}}, stop: null}
`
	for _, policy := range []callwright.Policy{callwright.PolicyHeal, callwright.PolicyStrict} {
		r := registry(t, parse(t, text+"    policy: "+string(policy)))
		client, err := r.Resolve("m")
		if err != nil {
			t.Fatal(err)
		}
		req := weather("m")
		req.Params.TopP, req.Params.Stop = "0.9", []string{"never"}
		resp, err := client.Generate(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		body := last(t, llm)
		got := []string{string(body["temperature"]), string(body["top_p"]), string(body["deep"]), string(body["stop"])}
		if diff := cmp.Diff([]string{"0.10", "0.9", `{"a":[1],"b":{"c":"x"}}`, ""}, got); diff != "" {
			t.Error(diff)
		}
		var notes []string
		for _, n := range resp.Report.Notes {
			if n.Rule == "request.configured" {
				notes = append(notes, n.Path+" "+n.Now)
			}
		}
		if diff := cmp.Diff([]string{"/temperature 0.10", "/deep/a [1]", `/deep/b/c "x"`, "/stop "}, notes); diff != "" {
			t.Error(diff)
		}
		if policy == callwright.PolicyHeal && resp.Report.Untouched {
			t.Error("the request was changed and is said to be untouched")
		}
		streamed, err := callwright.Collect(client.Stream(t.Context(), req))
		if err != nil || len(streamed.Calls()) != 1 {
			t.Errorf("streamed: %v, %v", streamed, err)
		}
	}
}

func TestCapsReachPlanAndEncoder(t *testing.T) {
	llm, url := upstream(t)
	r := registry(t, parse(t, `
providers: {lab: {base_url: "`+url+`/v1"}}
models:
  none: {model: lab/native, caps: {tools: no}}
  key: {model: lab/native, caps: {max_tokens_key: max_completion_tokens}}
  plain: {model: lab/native}
`))
	ask(t, r, "none")
	if tools := llm.Requests()[0].Tools; len(tools) != 0 {
		t.Errorf("tools %v were sent to a model that has none", tools)
	}
	for model, want := range map[string]string{"key": "max_completion_tokens", "plain": "max_tokens"} {
		client, err := r.Resolve(model)
		if err != nil {
			t.Fatal(err)
		}
		req := weather(model)
		req.Params.MaxTokens = "77"
		if _, err := client.Generate(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		if body := last(t, llm); string(body[want]) != "77" {
			t.Errorf("%s: got %s", model, llm.Requests()[len(llm.Requests())-1].Body)
		}
	}
}

// TestFallbacks: the next model answers where the first cannot, and fallbacks of fallbacks count.
func TestFallbacks(t *testing.T) {
	llm, url := upstream(t)
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"error":{"message":"no"}}`)
	}))
	defer down.Close()
	r := registry(t, parse(t, `
providers:
  bad: {base_url: "`+down.URL+`/v1", fallbacks: [second]}
  lab: {base_url: "`+url+`/v1", fallbacks: [lab/native]}
models:
  first: {model: bad/one, max_retries: 0}
  second: {model: bad/two, fallbacks: [xai/keyless, lab/native]}
`))
	resp := ask(t, r, "first")
	var models []callwright.ModelID
	for _, a := range resp.Report.Attempts {
		models = append(models, a.Model)
	}
	if diff := cmp.Diff([]callwright.ModelID{"bad/one", "bad/two", "lab/native"}, slices.Compact(models)); diff != "" {
		t.Error(diff)
	}
	if len(llm.Requests()) == 0 {
		t.Error("the last fallback was not asked")
	}
	ask(t, r, "lab/native")
}

// TestSharedFallbacks: what a provider or a pattern gives to all its models may name some of them.
func TestSharedFallbacks(t *testing.T) {
	r := registry(t, parse(t, `
providers: {sim: {fallbacks: [sim/a, sim/b]}}
models:
  x: {model: sim/x}
  "y*": {model: sim/y, fallbacks: [ya, sim/z]}
  "sim/n*": {model: sim/native}
`))
	for name, want := range map[callwright.ModelID][]callwright.ModelID{
		"x": {"sim/a", "sim/b"}, "sim/a": {"sim/b"}, "ya": {"sim/z", "sim/a", "sim/b"}, "sim/nothing": {"sim/a", "sim/b"}, "sim/native": {"sim/a", "sim/b"},
	} {
		if diff := cmp.Diff(want, r.Cards(t.Context(), name)[0].Fallbacks); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestMaxRetries(t *testing.T) {
	for retries, want := range []int{1, 2} {
		var tries atomic.Int32
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			tries.Add(1)
			w.Header().Set("retry-after-ms", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			io.WriteString(w, `{"error":{"message":"slow down"}}`)
		}))
		r := registry(t, parse(t, fmt.Sprintf("providers: {lab: {base_url: '%s/v1'}}\nmodels: {m: {model: lab/x, max_retries: %d}}", srv.URL, retries)))
		client, err := r.Resolve("m")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Generate(t.Context(), weather("m")); callwright.KindOf(err) != callwright.KindRateLimited || tries.Load() != int32(want) {
			t.Errorf("%d retries: %d tries, %v", retries, tries.Load(), err)
		}
		srv.Close()
	}
}

func TestReliableLetsCallsFlow(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"tool_call_reliable: true", "yes (configured)"}, {"tool_call_reliable: false", "no (configured)"}, {"tool_calling_reliable: true", "yes (configured)"}, {"mode: native", ""},
	} {
		r := registry(t, parse(t, "providers: {sim: {}}\nmodels: {m: {model: sim/native, "+c.text+"}}"))
		for _, card := range r.Cards(t.Context()) {
			if card.Name == "m" && card.Facts["tool_call_reliable"] != c.want {
				t.Errorf("%s: got %q", c.text, card.Facts["tool_call_reliable"])
			}
		}
	}
}

// TestManyNames: names come from outside, at the same time and without end.
func TestManyNames(t *testing.T) {
	r := registry(t, parse(t, "providers: {sim: {}}\nmodels: {'m*': {model: sim/native}}"))
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 400 {
				if _, err := r.Resolve(fmt.Sprintf("m%d", g*200+i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestRegistryRefusesCircles(t *testing.T) {
	c := &config.Config{Models: config.Models{{Name: "a", Model: "b"}, {Name: "b", Model: "a"}}}
	if _, err := config.NewRegistry(c, config.WithEnv(env())); err == nil || !strings.Contains(err.Error(), "cycle") {
		t.Errorf("got %v", err)
	}
}

func TestWithoutKeys(t *testing.T) {
	r := registry(t, parse(t, "providers: {groq: {}}"), config.WithoutKeys())
	client, err := r.Resolve("groq/llama-3.3-70b-versatile")
	if err != nil {
		t.Fatal(err)
	}
	ex, err := client.Explain(t.Context(), weather("x"))
	if err != nil || len(ex.Chain) == 0 || ex.Chain[0].URL != "https://api.groq.com/openai/v1/chat/completions" {
		t.Errorf("got %+v, %v", ex, err)
	}
}

func ExampleRegistry() {
	c, err := config.Parse([]byte("providers: {sim: {}}\nmodels: {fast: {model: sim/hermes-unclosed}}"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := config.NewRegistry(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer r.Close()
	client, err := r.Resolve("fast")
	if err != nil {
		fmt.Println(err)
		return
	}
	resp, err := client.Generate(context.Background(), weather("fast"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, call := range resp.Calls() {
		fmt.Println(call.Name, string(call.Arguments))
	}
	// Output: get_weather {"city": "Oslo"}
}

func BenchmarkResolve(b *testing.B) {
	c, _ := config.Parse([]byte("providers: {sim: {}}\nmodels: {fast: {model: sim/native}}"), env())
	r, err := config.NewRegistry(c, config.WithEnv(env()))
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Resolve("fast"); err != nil {
			b.Fatal(err)
		}
	}
}

// A model itself is what its provider has: nothing of its answers is mended, but what the configuration says of it holds.
func TestDirect(t *testing.T) {
	c := parse(t, "providers: {sim: {}}\nmodels: {words: {model: sim/hermes, caps: {max_tools: 7}, fallbacks: [sim/native]}}")
	r := registry(t, c)
	m, err := r.Direct("words")
	if err != nil {
		t.Fatal(err)
	}
	resp, err := m.Generate(t.Context(), weather("words"))
	if err != nil || len(resp.Calls()) != 0 || !strings.Contains(resp.Text(), "<tool_call>") {
		t.Errorf("%v %v", resp, err)
	}
	if known := m.(callwright.Describer).Caps(t.Context()); known.MaxTools != 7 {
		t.Errorf("%+v", known)
	}
	if _, err := r.Direct("nobody"); callwright.KindOf(err) != callwright.KindNotFound {
		t.Errorf("%v", err)
	}
	if _, err := r.Direct("groq/any"); callwright.KindOf(err) != callwright.KindAuth {
		t.Errorf("%v", err)
	}
}

// What a probe found about an alias is known of the model that it stands for.
func TestLearn(t *testing.T) {
	r := registry(t, parse(t, "providers: {sim: {}}\nmodels: {words: {model: sim/hermes}}"))
	found := []caps.Fact{{Key: "tools", Value: "no", Source: caps.Probed, Evidence: "it was asked"}}
	if err := r.Learn(t.Context(), "words", found); err != nil {
		t.Fatal(err)
	}
	card := r.Cards(t.Context(), "sim/hermes")[0]
	if card.Facts["tools"] != "no (probed)" || len(card.Learned) != 1 || card.Learned[0].Evidence != "it was asked" {
		t.Errorf("%+v", card)
	}
	if err := r.Learn(t.Context(), "words", []caps.Fact{{Key: "wings", Value: "yes"}}); err == nil {
		t.Error("a fact that does not exist was kept")
	}
	if err := r.Learn(t.Context(), "nobody", found); err == nil {
		t.Error("a fact about nobody was kept")
	}
}
