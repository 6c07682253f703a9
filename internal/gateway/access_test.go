package gateway_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/internal/wire/openai"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// noon is the time of the gates of the tests.
var noon = time.Date(2026, 3, 14, 12, 0, 20, 0, time.UTC)

// gated serves simulated models behind a gate with keys, which are their names with a minus before.
func gated(t testing.TB, cfg access.Config) running {
	t.Helper()
	return serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Access: gate(t, cfg)})
}

func gate(t testing.TB, cfg access.Config) *access.Gate {
	t.Helper()
	for i := range cfg.Keys {
		cfg.Keys[i].Hash = access.HashOf("-" + cfg.Keys[i].Name)
	}
	cfg.Now = func() time.Time { return noon }
	if cfg.Prices == nil {
		cfg.Prices = access.NewPrices([]access.PriceRow{{Models: "*/native", Price: access.Price{Input: 1, Output: 1}}})
	}
	g, err := access.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Whatever a key may not, clients of every wire are told in the form of their API, with what is in the way and when to try again.
func TestLimitsOnEveryWire(t *testing.T) {
	over := noon.Add(-time.Hour)
	for _, c := range []struct {
		about string
		key   access.Key
		kind  callwright.Kind
		retry time.Duration
		says  string
		first int // status of a request before it, 0 for none
	}{
		{about: "ended", key: access.Key{Expires: over}, kind: callwright.KindAuth, says: `the key \"k\" expired at 2026-03-14T11:00:20Z`},
		{about: "verb", key: access.Key{Verbs: []access.Verb{access.List}}, kind: callwright.KindPermission, says: `generate is outside the scope of the key \"k\", whose verbs are list`},
		{about: "model", key: access.Key{Models: []string{"fast", "groq/*"}}, kind: callwright.KindPermission, says: `whose models are fast, groq/*: use another key`},
		{about: "provider", key: access.Key{Providers: []string{"groq"}}, kind: callwright.KindPermission, says: `whose providers are groq`},
		{about: "requests", key: access.Key{Limits: access.Limits{Requests: 1}}, kind: callwright.KindRateLimited, retry: 61 * time.Second, first: 200, says: "has used its limit of 1 requests a minute: try again in 1m1s"},
		{about: "tokens", key: access.Key{Limits: access.Limits{Tokens: 250}}, kind: callwright.KindRateLimited, retry: 61 * time.Second, first: 200, says: "has less left of its 250 tokens a minute than this request needs"},
		{about: "spend", key: access.Key{Limits: access.Limits{Spend: access.Spend{USD: 0.000001, Per: access.Day}}}, kind: callwright.KindRateLimited, retry: 12*time.Hour - 20*time.Second, first: 200, says: "has less left of its 0.000001 USD a day"},
		{about: "larger than the limit", key: access.Key{Limits: access.Limits{Tokens: 10}}, kind: callwright.KindTooLarge, says: "is limited to 10 tokens a minute"},
	} {
		for _, codec := range codecs.All() {
			for _, stream := range []bool{false, true} {
				c.key.Name = "k"
				srv := gated(t, access.Config{Keys: []access.Key{c.key}})
				a := askers[codec.Name()]
				path, body := a.ask(string(codec.Name())+"/native", stream)
				if c.first != 0 {
					if got := post(t, srv.URL+path, body, "x-api-key", "-k"); got.status != c.first {
						t.Fatalf("%s %s: got %d %s", c.about, path, got.status, got.body)
					}
				}
				got := post(t, srv.URL+path, body, "x-api-key", "-k")
				e := codec.DecodeError(got.status, got.header, []byte(got.body))
				if got.status != c.kind.Status() || c.kind != callwright.KindTooLarge && e.Kind != c.kind || !strings.Contains(got.body, c.says) || e.RetryAfter != c.retry || e.NoRetry != (c.retry == 0 || c.retry > 61*time.Second) {
					t.Errorf("%s %s: got %d, kind %s, retry after %v, no retry %t, %s", c.about, path, got.status, e.Kind, e.RetryAfter, e.NoRetry, got.body)
				}
			}
		}
	}
}

// A key is for what its verbs say, on every path.
func TestVerbsOfPaths(t *testing.T) {
	question := func(path string) string { return question(path, "openai/native", "") }
	var verbs []access.Key
	for _, v := range access.Verbs() {
		verbs = append(verbs, access.Key{Name: string(v), Verbs: []access.Verb{v}})
	}
	srv := gated(t, access.Config{Keys: verbs})
	for _, c := range []struct {
		method, path string
		body         string
		verb         access.Verb // empty: all
	}{
		{http.MethodPost, chat, question(chat), access.Generate},
		{http.MethodPost, "/chat/completions/", question(chat), access.Generate},
		{http.MethodPost, "/v1beta/models/openai/native:generateContent", `{}`, access.Generate},
		{http.MethodGet, "/v1/responses/resp_1", "", access.Generate},
		{http.MethodDelete, "/v1/responses/resp_1", "", access.Generate},
		{http.MethodPost, "/api/generate", `{"model":"openai/native"}`, access.Generate},
		{http.MethodPost, "/v1/messages/count_tokens", question(messages), access.Count},
		{http.MethodPost, "/v1/responses/input_tokens", `{"model":"openai/native","input":"a"}`, access.Count},
		{http.MethodPost, "/v1beta/models/openai/native:countTokens", `{}`, access.Count},
		{http.MethodGet, "/v1/models", "", access.List},
		{http.MethodGet, "/v1/models/openai/native", "", access.List},
		{http.MethodGet, "/v1beta/models", "", access.List},
		{http.MethodGet, "/api/tags", "", access.List},
		{http.MethodPost, "/api/show", `{"model":"openai/native"}`, access.List},
		{http.MethodGet, "/callwright/models/openai/native/facts", "", access.List},
		{http.MethodDelete, "/callwright/models/openai/native/facts", "", access.Admin},
		{http.MethodPost, "/callwright/explain", question(chat), access.Explain},
		{http.MethodGet, "/callwright/reports/rep_1", "", access.Reports},
		{http.MethodGet, "/callwright/usage", "", ""},
		{http.MethodGet, "/callwright/version", "", ""},
		{http.MethodGet, "/metrics", "", access.Metrics},
		{http.MethodGet, "/ui/", "", access.UI},
	} {
		for _, v := range access.Verbs() {
			r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
			r.Header.Set("Authorization", "Bearer -"+string(v))
			w := httptest.NewRecorder()
			srv.ServeHTTP(w, r)
			if may := c.verb == "" || c.verb == v; may == (w.Code == http.StatusForbidden) {
				t.Errorf("%s %s with %s: got %d %s", c.method, c.path, v, w.Code, w.Body)
			}
		}
	}
}

// A key sees the models that it may ask for, in the lists of all wires, and no others.
func TestModelsInScope(t *testing.T) {
	srv := gated(t, access.Config{Keys: []access.Key{{Name: "one", Providers: []string{"anthropic"}}, {Name: "none", Models: []string{"groq/*"}}, {Name: "all"}}})
	for _, path := range []string{"/v1/models", "/v1beta/models", "/api/tags", "/v1/models?wire=anthropic"} {
		for key, want := range map[string][2]bool{"one": {false, true}, "none": {false, false}, "all": {true, true}} {
			got := get(t, srv.URL+path, "x-api-key", "-"+key)
			if got.status != 200 || strings.Contains(got.body, "openai/native") != want[0] || strings.Contains(got.body, "anthropic/native") != want[1] || strings.Contains(got.body, "null,") && path == "/v1beta/models" {
				t.Errorf("%s with %s: got %d %s", path, key, got.status, got.body)
			}
		}
	}
	for _, path := range []string{"/v1/models/openai/native", "/v1beta/models/openai/native", "/callwright/models/openai/native/facts"} {
		if got := get(t, srv.URL+path, "x-api-key", "-one"); got.status != http.StatusForbidden {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
	}
}

// usage is what /callwright/usage says.
func usage(t *testing.T, url, key string) access.Usage {
	t.Helper()
	var u access.Usage
	got := get(t, url+"/callwright/usage", "x-api-key", key)
	if err := json.Unmarshal([]byte(got.body), &u); err != nil || got.status != 200 {
		t.Fatalf("got %d %s", got.status, got.body)
	}
	return u
}

// All attempts count, and a request for which no model was asked costs no tokens.
func TestUsage(t *testing.T) {
	srv := gated(t, access.Config{Keys: []access.Key{{Name: "k", Limits: access.Limits{Requests: 100, Tokens: 1_000_000, Spend: access.Spend{USD: 100, Per: access.Month, Unpriced: true}}}, {Name: "free"}}})
	for _, body := range []string{`{"model":"openai/native","messages":7}`, question(chat, "nowhere/x", ""), `{`} {
		post(t, srv.URL+chat, body, "x-api-key", "-k")
	}
	if u := usage(t, srv.URL, "-k"); u.Total.Requests != 3 || u.Limits[0].Left != 97 || u.Limits[1].Used != 0 || u.Limits[2].Used != 0 {
		t.Errorf("after requests that failed: %+v", u)
	}
	for _, key := range []string{"-k", "-free"} {
		for _, model := range []string{"openai/native", "openai/hermes"} {
			if got := post(t, srv.URL+chat, question(chat, model, ""), "x-api-key", key); got.status != 200 {
				t.Fatalf("got %d %s", got.status, got.body)
			}
		}
	}
	u, free := usage(t, srv.URL, "-k"), usage(t, srv.URL, "-free")
	tokens := u.Total.InputTokens + u.Total.OutputTokens
	if tokens == 0 || u.Limits[1].Used != float64(tokens) || u.Total.Unknown == 0 || u.Total.Unknown >= tokens || u.Limits[2].Used != u.Total.USD || u.Total.USD <= 0 {
		t.Errorf("got %+v", u)
	}
	if len(free.Limits) != 0 || free.Total.InputTokens != u.Total.InputTokens || free.Total.USD != u.Total.USD || free.Total.Requests != 2 {
		t.Errorf("got %+v", free)
	}
}

// mute is a codec that cannot write answers.
type mute struct{ openai.Codec }

func (mute) EncodeResponse(*callwright.Request, *callwright.Response) ([]byte, []callwright.Note, error) {
	return nil, nil, errors.New("no words")
}

// What a model has used counts, also where the client does not get the answer.
func TestUsageOfAnswersThatAreLost(t *testing.T) {
	g := gate(t, access.Config{Keys: []access.Key{{Name: "k", Limits: access.Limits{Tokens: 100_000}}}})
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Access: g, Codecs: []wire.Codec{mute{}}})
	got := post(t, srv.URL+chat, question(chat, "openai/native", ""), "x-api-key", "-k")
	if u := usage(t, srv.URL, "-k"); got.status != 500 || u.Limits[0].Used == 0 || u.Limits[0].Used != float64(u.Total.InputTokens+u.Total.OutputTokens) {
		t.Errorf("got %d %s, %+v", got.status, got.body, u)
	}
	if report := get(t, srv.URL+"/callwright/reports/"+reportID(got), "x-api-key", "-k"); !strings.Contains(report.body, `"model": "openai/native"`) {
		t.Errorf("got %d %s", report.status, report.body)
	}
}

// Two gateways that count together keep the limits within a twentieth, whichever of them is asked.
func TestLimitsOfTwoGateways(t *testing.T) {
	const limit = 400
	shared, up := access.NewMemoryCounters(func() time.Time { return noon }), models(t, simulate.New(simulate.Weather()))
	var gateways []http.Handler
	for range 2 {
		g := gate(t, access.Config{Keys: []access.Key{{Name: "k", Limits: access.Limits{Requests: limit}}}, Counters: shared})
		gateways = append(gateways, gateway.New(gateway.Config{Reuse: gateway.Reuse{Bodies: true}, Models: up, Access: g}))
	}
	passed := 0
	for i := range limit + 100 {
		r := httptest.NewRequest(http.MethodPost, chat, strings.NewReader(`{`)) // requests that are refused count too
		r.Header.Set("X-Api-Key", "-k")
		w := httptest.NewRecorder()
		if gateways[i%2].ServeHTTP(w, r); w.Code == http.StatusBadRequest {
			passed++
		}
	}
	if passed > limit || passed < limit*95/100 {
		t.Errorf("%d of %d passed", passed, limit)
	}
}

// Keys and limits cost little of what a request costs.
func BenchmarkKeys(b *testing.B) {
	p, err := provider.New(provider.Config{Name: "openai", Wire: callwright.WireOpenAI, BaseURL: "http://upstream/v1", APIKey: provider.NewSecret("k"), Transport: benchAnswers()})
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	prices := access.NewPrices([]access.PriceRow{{Models: "*", Price: access.Price{Input: 1e-9, Output: 1e-9}}})
	for _, c := range []struct {
		name string
		key  access.Key
	}{
		{"key", access.Key{}},
		{"limits", access.Key{Limits: access.Limits{Requests: 1 << 40, Tokens: 1 << 50, Spend: access.Spend{USD: 1e6, Per: access.Day}}}},
		{"limits and scope", access.Key{Models: []string{"groq/*", "openai/*"}, Limits: access.Limits{Requests: 1 << 40, Tokens: 1 << 50, Spend: access.Spend{USD: 1e6, Per: access.Day}}}},
	} {
		c.key.Name = "k"
		s := gateway.New(gateway.Config{Reuse: gateway.Reuse{Bodies: true}, Models: cachedDirectory(directory{"openai": p, "anthropic": p}), Access: gate(b, access.Config{Keys: []access.Key{c.key}, Prices: prices})})
		for _, history := range []int{0, 300} {
			b.Run(fmt.Sprintf("%s/%d", c.name, history), func(b *testing.B) {
				body := benchBody(chat, "openai/m", "", history)
				b.ReportAllocs()
				for b.Loop() {
					r := httptest.NewRequest(http.MethodPost, chat, strings.NewReader(body))
					r.Header.Set("Content-Type", "application/json")
					r.Header.Set("Authorization", "Bearer -k")
					w := httptest.NewRecorder()
					if s.ServeHTTP(w, r); w.Code != 200 {
						b.Fatalf("%d %s", w.Code, w.Body)
					}
				}
			})
		}
	}
}

// A thousand clients at the same time, of one key, pass no limit, and miss none by more than a hundredth.
func TestThousandClients(t *testing.T) {
	answers := canned{chat: {`{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"Gone."},"finish_reason":"stop"}],"usage":{"prompt_tokens":10,"completion_tokens":10,"total_tokens":20}}`}}
	p, err := provider.New(provider.Config{Name: "openai", Wire: callwright.WireOpenAI, BaseURL: "http://upstream/v1", APIKey: provider.NewSecret("k"), Transport: answers})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	const clients = 1000
	body := `{"model":"openai/m","max_tokens":10,"messages":[{"role":"user","content":"Go."}]}`
	for about, l := range map[string]access.Limits{
		"requests": {Requests: 700},
		"tokens":   {Tokens: 10_000},
		"spend":    {Spend: access.Spend{USD: 0.01, Per: access.Day}},
	} {
		prices := access.NewPrices([]access.PriceRow{{Models: "openai/m", Price: access.Price{Input: 1, Output: 1}}})
		s := gateway.New(gateway.Config{Models: directory{"openai": p}, Access: gate(t, access.Config{Keys: []access.Key{{Name: "k", Limits: l}}, Prices: prices})})
		var passed, refused atomic.Int64
		var all sync.WaitGroup
		for range clients {
			all.Go(func() {
				r := httptest.NewRequest(http.MethodPost, chat, strings.NewReader(body))
				r.Header.Set("X-Api-Key", "-k")
				w := httptest.NewRecorder()
				switch s.ServeHTTP(w, r); w.Code {
				case http.StatusOK:
					passed.Add(1)
				case http.StatusTooManyRequests:
					refused.Add(1)
				default:
					t.Errorf("got %d %s", w.Code, w.Body)
				}
			})
		}
		all.Wait()
		most := l.Requests
		if most == 0 {
			most = 500 // a request comes to twenty tokens, for as many millionths of a dollar
		}
		if got := passed.Load(); got > most || about == "requests" && got < most || got < most/2 || got+refused.Load() != clients {
			t.Errorf("%s: %d of %d passed, %d were refused", about, got, most, refused.Load())
		}
	}
}

// Requests that all wait for their first answer, of a key without history, at one gateway or at two, pass a limit by at most what one of them comes to: by what
// the client allows, else by what the model writes at most, else by the bound that the documentation says.
func TestFirstRequestsAtOnce(t *testing.T) {
	for _, c := range []struct {
		about, allowed string
		known          int // tokens that the model writes at most
		input, output  int
	}{
		{about: "a small bound", allowed: `,"max_tokens":200`, input: 60, output: 200},
		{about: "a large bound", allowed: `,"max_completion_tokens":12000`, input: 30, output: 12_000},
		{about: "the model's bound", known: 16_000, input: 30, output: 15_000},
		{about: "no bound", input: 30, output: 1400},
		{about: "no bound, a long answer", input: 30, output: 8192},
	} {
		for _, limits := range []access.Limits{{Tokens: 50_000}, {Spend: access.Spend{USD: 0.05, Per: access.Day}}} {
			for gateways := 1; gateways <= 2; gateways++ {
				one := c.input + c.output
				passed := passAtOnce(t, gateways, limits, c.known, `{"model":"openai/m"`+c.allowed+`,"messages":[{"role":"user","content":"Go."}]}`,
					fmt.Sprintf(`"usage":{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d}`, c.input, c.output, one))
				if passed == 0 || (passed-1)*one > 50_000 {
					t.Errorf("%s, %d gateways, %+v: %d requests of %d tokens passed", c.about, gateways, limits, passed, one)
				}
			}
		}
	}
}

// passAtOnce sends a request 300 times to gateways that count together, and has none of them answered before all were sent or refused. It returns how many
// passed. A token costs a millionth of a dollar.
func passAtOnce(t *testing.T, gateways int, limits access.Limits, most int, body, usage string) int {
	t.Helper()
	const clients = 300
	var decided, all sync.WaitGroup
	decided.Add(clients)
	answer := make(chan bool)
	upstream := models(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		decided.Done()
		<-answer
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"Gone."},"finish_reason":"stop"}],`+usage+`}`)
	}))
	shared := access.NewMemoryCounters(func() time.Time { return noon })
	var servers []http.Handler
	for range gateways {
		g := gate(t, access.Config{Keys: []access.Key{{Name: "k", Limits: limits}}, Counters: shared,
			Prices: access.NewPrices([]access.PriceRow{{Models: "*", Price: access.Price{Input: 1, Output: 1}}})})
		servers = append(servers, gateway.New(gateway.Config{Models: bounded{upstream, most}, Access: g}))
	}
	var passed atomic.Int64
	for i := range clients {
		all.Go(func() {
			r := httptest.NewRequest(http.MethodPost, chat, strings.NewReader(body))
			r.Header.Set("X-Api-Key", "-k")
			w := httptest.NewRecorder()
			switch servers[i%gateways].ServeHTTP(w, r); w.Code {
			case http.StatusOK:
				passed.Add(1)
			case http.StatusTooManyRequests:
				decided.Done()
			default:
				t.Errorf("got %d %s", w.Code, w.Body)
			}
		})
	}
	decided.Wait()
	close(answer)
	all.Wait()
	return int(passed.Load())
}

// bounded are models of which it is known how many tokens they write at most; 0 for not known.
type bounded struct {
	directory
	most int
}

func (b bounded) Resolve(name string) (*reliable.Client, error) {
	provider, model := callwright.ModelID(name).Split()
	if b.most == 0 {
		return b.directory.Resolve(name)
	}
	return reliable.New(b.directory[provider].Model(model), reliable.WithFacts(caps.Fact{Key: "max_output", Value: strconv.Itoa(b.most)})), nil
}

// Pictures count by the piece, not by their length.
func TestPicturesInRequests(t *testing.T) {
	picture, long := strings.Repeat("iVBORw0K", 40_000), strings.Repeat("a word ", 20_000)
	for _, c := range []struct {
		about, path, body string
		status            int
	}{
		{"openai", chat, `{"model":"openai/native","messages":[{"role":"user","content":[{"type":"text","text":"What is it?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,` + picture + `"}}]}]}`, 200},
		{"anthropic", messages, `{"model":"anthropic/native","max_tokens":10,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data" : "` + picture + `"}}]}]}`, 200},
		{"gemini", "/v1beta/models/gemini/native:generateContent", `{"contents":[{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"` + picture + `"}},{"text":"What is it?"}]}]}`, 200},
		{"ollama, two", "/api/chat", `{"model":"ollama/native","stream":false,"messages":[{"role":"user","content":"What is it?","images":["` + picture + `", "` + picture + `"]}]}`, 200},
		{"a text", chat, `{"model":"openai/native","messages":[{"role":"user","content":"` + long + `"}]}`, 413},
		{"a text of that name", chat, `{"model":"openai/native","messages":[{"role":"user","content":[{"type":"text","text":"x","data":"` + long + `"}]}]}`, 413},
	} {
		srv := gated(t, access.Config{Keys: []access.Key{{Name: "k", Limits: access.Limits{Tokens: 20_000}}}})
		if got := post(t, srv.URL+c.path, c.body, "x-api-key", "-k"); got.status != c.status {
			t.Errorf("%s: got %d %s", c.about, got.status, callwright.Excerpt(got.body))
		}
	}
}

// Of the streams of one key so many run at a time, and another may when one has ended.
func TestStreamsOfAKey(t *testing.T) {
	begun, end := make(chan bool), make(chan bool)
	upstream := models(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write([]byte(`data: {"id":"s","choices":[{"index":0,"delta":{"role":"assistant","content":"one"}}]}` + "\n\n"))
		_ = http.NewResponseController(w).Flush()
		begun <- true
		<-end
		_, _ = w.Write([]byte(`data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"))
	}))
	srv := serve(t, gateway.Config{Models: upstream, Access: gate(t, access.Config{Keys: []access.Key{{Name: "k"}, {Name: "other"}}, Streams: 1})})
	body := question(chat, "openai/m", `,"stream":true`)
	var streams sync.WaitGroup
	ask := func(key string) {
		streams.Go(func() {
			if got := post(t, srv.URL+chat, body, "x-api-key", key); got.status != 200 {
				t.Errorf("%s: got %d %s", key, got.status, got.body)
			}
		})
		<-begun
	}
	ask("-k")
	ask("-other")
	got := post(t, srv.URL+chat, body, "x-api-key", "-k")
	if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") != "1" || !strings.Contains(got.body, "limit of 1 concurrent streams") {
		t.Errorf("got %d %v %s", got.status, got.header, got.body)
	}
	end <- true
	end <- true
	streams.Wait()
	ask("-k")
	end <- true
	streams.Wait()
}
