package gateway_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/freeport"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
)

// A base URL with a part of the path too many or too few, or a slash after it, still leads to what the client means.
func TestPathsThatClientsMake(t *testing.T) {
	srv := simulated(t)
	for _, c := range codecs.All() {
		a := askers[c.Name()]
		path, body := a.ask("openai/native", false)
		for _, base := range []string{"", "/v1", "/v1/v1", "/v1beta", "/api", "/api/v1", "/", "/v1/", "/openai", "/openai/v1"} {
			if got := post(t, srv.URL+base+path, body); got.status != 200 {
				t.Errorf("%s%s: got %d %s", base, path, got.status, got.body)
			}
		}
		if rest, ok := strings.CutPrefix(path, "/v1/"); ok {
			if got := post(t, srv.URL+"/"+rest, body); got.status != 200 {
				t.Errorf("/%s: got %d %s", rest, got.status, got.body)
			}
		}
	}
	for _, path := range []string{"/models", "/v1/v1/models", "/v1//models", "/models/openai/native", "/v1/v1/models/openai%2Fnative", "/v1/api/tags", "/v1/v1beta/models", "/openai/v1/models", "/openai/v1/models/openai/native"} {
		if got := get(t, srv.URL+path); got.status != 200 {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
	}
	for _, path := range []string{"/v2/models", "/chat", "/modelsx", "/v1/v2/models", "/openai/v2/models", "/openai/chat"} {
		if got := get(t, srv.URL+path); got.status != 404 {
			t.Errorf("%s: got %d %s", path, got.status, got.body)
		}
	}
}

// A missing key and a wrong one are told apart; the scheme of a bearer token is read in any case.
func TestKeysToldApart(t *testing.T) {
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Keys: []string{"sesame"}})
	body := question(chat, "openai/native", "")
	said := map[string]bool{}
	for _, header := range [][]string{nil, {"Authorization", "Bearer open"}, {"X-Api-Key", "Sesame"}} {
		got := post(t, srv.URL+chat, body, header...)
		if got.status != 401 {
			t.Errorf("%v: got %d", header, got.status)
		}
		said[got.body] = true
	}
	if len(said) != 2 {
		t.Errorf("they are not told apart: %v", said)
	}
	for _, v := range []string{"Bearer sesame", "bearer sesame", "BEARER  sesame", "sesame"} {
		if got := post(t, srv.URL+chat, body, "Authorization", v); got.status != 200 {
			t.Errorf("%s: got %d %s", v, got.status, got.body)
		}
	}
}

// A chat without messages is Ollama's way to load a model, or to unload one that is to be kept for no time.
func TestLoadingOllamasWay(t *testing.T) {
	fake := simulate.New(simulate.Weather())
	srv := serve(t, gateway.Config{Models: models(t, fake)})
	for _, c := range []struct{ path, body, reason string }{
		{"/api/chat", `{"model":"openai/native"}`, "load"},
		{"/api/chat", `{"model":"openai/native","messages":[]}`, "load"},
		{"/api/chat", `{"model":"openai/native","messages":[ ],"keep_alive":"5m","stream":true}`, "load"},
		{"/api/chat", `{"model":"openai/native","messages":null,"keep_alive":0}`, "unload"},
		{"/api/chat", `{"model":"openai/native","messages":[],"keep_alive":"0s"}`, "unload"},
		{"/api/generate", `{"model":"openai/native"}`, "load"},
		{"/api/generate", `{"model":"openai/native","prompt":"","keep_alive":0}`, "unload"},
		{"/api/chat", `{"model":"nowhere/x","messages":[]}`, ""},
	} {
		got := post(t, srv.URL+c.path, c.body)
		var said struct {
			Model      string
			Done       bool
			DoneReason string    `json:"done_reason"`
			CreatedAt  time.Time `json:"created_at"`
			Message    *struct{ Role, Content string }
			Response   *string
		}
		err := json.Unmarshal([]byte(got.body), &said)
		if c.reason == "" {
			if got.status != 404 {
				t.Errorf("%s %s: got %d %s", c.path, c.body, got.status, got.body)
			}
			continue
		}
		if err != nil || got.status != 200 || said.Model != "openai/native" || !said.Done || said.DoneReason != c.reason || said.CreatedAt.IsZero() ||
			(said.Message != nil) != (c.path == "/api/chat") || (said.Response != nil) == (c.path == "/api/chat") {
			t.Errorf("%s %s: %v, %d %s", c.path, c.body, err, got.status, got.body)
		}
	}
	if n := len(fake.Requests()); n != 0 {
		t.Errorf("%d requests went to the provider", n)
	}
}

// A body that is said to have no type, or the one that curl says of every body, is taken as JSON if it is an object.
func TestBodiesWithoutAType(t *testing.T) {
	srv := simulated(t)
	for _, c := range codecs.All() {
		a := askers[c.Name()]
		path, body := a.ask("openai/native", false)
		for _, kind := range []string{"", "application/x-www-form-urlencoded", "application/json; charset=utf-8"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if kind != "" {
				req.Header.Set("Content-Type", kind)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != 200 {
				t.Errorf("%s as %q: got %d", path, kind, resp.StatusCode)
			}
		}
	}
	if got := post(t, srv.URL+chat, "model=x", "Content-Type", "application/x-www-form-urlencoded"); got.status != http.StatusUnsupportedMediaType {
		t.Errorf("a form: got %d", got.status)
	}
	http.DefaultClient.CloseIdleConnections()
}

// Clients that try a web socket first are told to go on by HTTP; who looks whether somebody is there is answered without a key.
func TestUpgradeAndHello(t *testing.T) {
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Keys: []string{"k"}})
	got := get(t, srv.URL+"/v1/responses", "X-Api-Key", "k", "Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "x")
	if got.status != http.StatusUpgradeRequired || got.header.Get("Upgrade") == "" || !strings.Contains(got.body, `"error"`) {
		t.Errorf("got %d %v %s", got.status, got.header, got.body)
	}
	if got := get(t, srv.URL+"/v1/responses", "X-Api-Key", "k"); got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != "POST" {
		t.Errorf("got %d %v", got.status, got.header)
	}
	for _, method := range []string{http.MethodHead, http.MethodGet} {
		req, _ := http.NewRequestWithContext(t.Context(), method, srv.URL+"/api/hello", nil)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 200 {
			t.Errorf("%s: got %d", method, resp.StatusCode)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// Lists beyond the limits are refused, whatever the API calls them, before they are decoded; at the limits they pass.
func TestListsAreBounded(t *testing.T) {
	up := models(t, simulate.New(simulate.Weather()))
	limits := gateway.Limits{Messages: 10, Parts: 20, Tools: 5}
	srv := serve(t, gateway.Config{Models: up, Limits: limits})
	many := func(n int, one string) string { return "[" + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + "]" }
	for path, lists := range map[string]map[string][2]string{
		chat: {
			"messages": {`{"messages":`, `{}`}, "parts": {`{"messages":[{"role":"user","content":`, `{}`}, "tools": {`{"tools":`, `{}`},
			"tool_calls": {`{"messages":[{"role":"assistant","tool_calls":`, `{}`}, "functions": {`{"functions":`, `{}`},
		},
		messages:        {"messages": {`{"messages":`, `{}`}, "results": {`{"messages":[{"content":[{"type":"tool_result","content":`, `0`}, "system": {`{"system":`, `{}`}},
		"/v1/responses": {"input": {`{"input":`, `{}`}, "content": {`{"input":[{"content":`, `{}`}, "namespace": {`{"tools":[{"tools":`, `{}`}},
		"/v1beta/models/openai/native:generateContent": {"contents": {`{"contents":`, `{}`}, "parts": {`{"contents":[{"parts":`, `{}`},
			"declarations": {`{"tools":[{"functionDeclarations":`, `{}`}, "system": {`{"systemInstruction":{"parts":`, `{}`}},
		"/api/chat": {"messages": {`{"messages":`, `{}`}, "images": {`{"messages":[{"images":`, `""`}},
	} {
		for name, l := range lists {
			open := strings.Count(l[0], "[")
			closing := ""
			for i := len(l[0]) - 1; i >= 0; i-- { // closes what the beginning opens
				switch l[0][i] {
				case '[':
					closing += "]"
				case '{':
					if !strings.Contains(l[0][i:], "}") {
						closing += "}"
					}
				}
			}
			if got := post(t, srv.URL+path, l[0]+many(21, l[1])+closing); got.status != http.StatusRequestEntityTooLarge || !strings.Contains(got.body, "at most") {
				t.Errorf("%s %s (%d): got %d %s", path, name, open, got.status, got.body)
			}
		}
	}
	turns := many(10, `{"role":"user","content":[{"type":"text","text":"a, b, c, d"},{"type":"text","text":"x"}]}`)
	if got := post(t, srv.URL+chat, `{"model":"openai/native","messages":`+turns+`}`); got.status != 200 {
		t.Errorf("at the limits: got %d %s", got.status, got.body)
	}
}

// A flood of empty objects is refused at the default limits, within a small multiple of its own size.
func TestFloodsOfEmptyObjects(t *testing.T) {
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather()))})
	flood := `{"model":"openai/native","messages":[` + strings.Repeat("{},", 5<<20/3) + `{}]}`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := post(t, srv.URL+chat, flood)
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; got.status != http.StatusRequestEntityTooLarge || grown > 10*uint64(len(flood)) {
		t.Errorf("got %d after %d times the body", got.status, grown/uint64(len(flood)))
	}
}

// A gateway that drains says when to try again, and does not wait for ever for what runs.
func TestDrainHasABound(t *testing.T) {
	arrived := make(chan struct{}, 1)
	s := gateway.New(gateway.Config{DrainTime: 300 * time.Millisecond, Models: models(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		arrived <- struct{}{}
		<-r.Context().Done()
	}))})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served, asked := make(chan error, 1), make(chan struct{})
	go func() { served <- s.Serve(ctx, ln) }()
	url := "http://" + ln.Addr().String()
	go func() {
		defer close(asked)
		if resp, err := http.Post(url+chat, "application/json", strings.NewReader(question(chat, "openai/m", ""))); err == nil {
			resp.Body.Close()
		}
	}()
	<-arrived
	stop()
	for _, c := range codecs.All() {
		a := askers[c.Name()]
		path, body := a.ask("openai/m", false)
		http.DefaultClient.CloseIdleConnections() // the server closes them at any moment
		late := post(t, url+path, body)
		if late.status != 503 && late.status != 529 || late.header.Get("Retry-After") == "" || late.header.Get("X-Should-Retry") == "false" {
			t.Errorf("%s: got %d %v", c.Name(), late.status, late.header)
		}
	}
	select {
	case err := <-served:
		if !errors.Is(err, gateway.ErrDrained) {
			t.Errorf("got %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it never ends")
	}
	<-asked
	http.DefaultClient.CloseIdleConnections()
}

// Text pieces flow as they come, whatever they end with.
func TestPiecesFlow(t *testing.T) {
	next := make(chan struct{})
	srv := serve(t, gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{"one ", "two ", "three\\n"} {
			_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"`+piece+`"}}]}`+"\n\n")
			w.(http.Flusher).Flush()
			select {
			case <-next:
			case <-time.After(3 * time.Second):
			}
		}
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))})
	for _, path := range []string{chat, messages} {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+path, strings.NewReader(question(path, "openai/m", `,"stream":true`)))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		lines, late := bufio.NewScanner(resp.Body), time.Now()
		for _, want := range []string{"one", "two", "three"} {
			for lines.Scan() && !strings.Contains(lines.Text(), want) {
			}
			if wait := time.Since(late); wait > 2*time.Second {
				t.Errorf("%s: %q came after %s", path, want, wait)
			}
			late = time.Now()
			select {
			case next <- struct{}{}:
			case <-time.After(3 * time.Second):
			}
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	http.DefaultClient.CloseIdleConnections()
}

// The provider that does not accept the gateway's key is not the client's fault, and its words about the key stay here.
func TestRefusedKeysOfTheGateway(t *testing.T) {
	const refusal = `{"error":{"message":"Incorrect API key provided: sk-proj-ab***yz","type":"invalid_request_error","code":"invalid_api_key"}}`
	srv := serve(t, gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if raw, _ := io.ReadAll(r.Body); bytes.Contains(raw, []byte(`"late"`)) { // once the answer has begun
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: "+refusal+"\n\n")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, refusal)
	}))})
	for _, c := range codecs.All() {
		a := askers[c.Name()]
		for _, model := range []string{"openai/m", "openai/late"} {
			for _, stream := range []bool{false, true} {
				if model == "openai/late" && !stream {
					continue
				}
				path, body := a.ask(model, stream)
				got := post(t, srv.URL+path, body)
				shown := get(t, srv.URL+"/callwright/reports/"+reportID(got))
				if got.status != http.StatusUnauthorized || shown.status != 200 || strings.Contains(got.body+shown.body, "***") || !strings.Contains(got.body, "provider openai does not accept the key") {
					t.Errorf("%s, %s: got %d %s\nreport %d %s", c.Name(), model, got.status, got.body, shown.status, shown.body)
				}
			}
		}
	}
}

// A lackingKey is a model whose key the configuration does not find.
type lackingKey struct{ callwright.Model }

func (lackingKey) Generate(context.Context, *callwright.Request) (*callwright.Response, error) {
	return nil, &callwright.Error{Op: "config.resolve", Kind: callwright.KindAuth, Model: "groq/m", Message: "provider groq: environment variable GROQ_API_KEY is not set", NoRetry: true}
}

// A key that is not there is an error of authentication, and the client is told which.
func TestMissingKeysOfTheGateway(t *testing.T) {
	srv := serve(t, gateway.Config{Models: fixedModels{clients: map[string]*reliable.Client{"groq/m": reliable.New(lackingKey{})}}})
	for _, c := range codecs.All() {
		a := askers[c.Name()]
		path, body := a.ask("groq/m", false)
		if got := post(t, srv.URL+path, body); got.status != http.StatusUnauthorized || !strings.Contains(got.body, "GROQ_API_KEY is not set") {
			t.Errorf("%s: got %d %s", c.Name(), got.status, got.body)
		}
	}
}

// A provider that is not there is told of without its address.
func TestErrorsShowNoAddresses(t *testing.T) {
	ports, err := freeport.Find(1)
	if err != nil {
		t.Fatal(err)
	}
	address := freeport.Address(ports[0])
	cut := models(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		panic(http.ErrAbortHandler)
	}))
	gone := models(t, http.NotFoundHandler())
	for what, d := range map[string]directory{"cut off": cut, "gone": gone} {
		srv := serve(t, gateway.Config{Models: d})
		if what == "gone" {
			for name := range d {
				d[name] = providerAt(t, callwright.WireName(name), "http://"+address)
			}
		}
		for _, c := range codecs.All() {
			a := askers[c.Name()]
			path, body := a.ask("openai/m", false)
			got := post(t, srv.URL+path, body)
			shown := get(t, srv.URL+"/callwright/reports/"+reportID(got))
			if got.status < 500 || strings.Contains(got.body+shown.body, "127.0.0.1") || strings.Contains(got.body+shown.body, strings.TrimPrefix(address, "127.0.0.1:")) {
				t.Errorf("%s: got %d %s\nreport %s", what, got.status, got.body, shown.body)
			}
		}
	}
}

// What is wrong with the client's request is the client's to hear as such, also of providers that answer 500 to it.
func TestClientsFaultsAreNoServerErrors(t *testing.T) {
	srv := serve(t, gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, `{"error":"invalid JSON schema in format"}`)
	}))})
	for _, c := range codecs.All() {
		a := askers[c.Name()]
		for _, stream := range []bool{false, true} {
			path, body := a.ask("ollama/m", stream)
			if got := post(t, srv.URL+path, body); got.status != http.StatusBadRequest {
				t.Errorf("%s: got %d %s", c.Name(), got.status, got.body)
			}
		}
	}
}

// A client that asks for a web socket first is told at once, goes on by POST, and nobody is warned of it.
func TestUpgradeFallsBack(t *testing.T) {
	var log strings.Builder
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Logger: slog.New(slog.NewTextHandler(&log, nil))})
	got := get(t, srv.URL+"/v1/responses", "Connection", "Upgrade", "Upgrade", "websocket", "Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "x", "OpenAI-Beta", "responses_websockets=2026-02-06")
	if got.status != http.StatusUpgradeRequired || log.Len() > 0 {
		t.Errorf("got %d, logged %s", got.status, log.String())
	}
	if got := post(t, srv.URL+"/v1/responses", `{"model":"openai/native","input":"Hello"}`); got.status != 200 {
		t.Errorf("got %d %s", got.status, got.body)
	}
}
