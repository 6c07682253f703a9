package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/reliable"
	"github.com/callwright/callwright/simulate"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A directory resolves "WIRE/NAME" to models of one upstream.
type directory map[string]*provider.Provider

func (d directory) Resolve(name string) (*reliable.Client, error) {
	p, model := callwright.ModelID(name).Split()
	if model == "panic" {
		panic("a bug")
	}
	if d[p] == nil {
		return nil, &callwright.Error{Kind: callwright.KindNotFound, Message: "no model " + name}
	}
	return reliable.New(d[p].Model(model)), nil
}

func (d directory) List(context.Context) []callwright.ModelID {
	return []callwright.ModelID{"openai/native", "anthropic/native"}
}

// models serves an upstream handler over every wire, by a provider with the wire's name.
func models(t testing.TB, upstream http.Handler) directory {
	t.Helper()
	srv := httptest.NewServer(upstream)
	t.Cleanup(srv.Close)
	d := directory{}
	for _, c := range codecs.All() {
		d[string(c.Name())] = providerAt(t, c.Name(), srv.URL)
	}
	return d
}

// providerAt returns a provider of that wire, and that name, at an address.
func providerAt(t testing.TB, name callwright.WireName, base string) *provider.Provider {
	t.Helper()
	return providerAround(t, name, base, nil)
}

// providerAround is providerAt with something around the transport.
func providerAround(t testing.TB, name callwright.WireName, base string, around func(callwright.WireName, http.RoundTripper) http.RoundTripper) *provider.Provider {
	t.Helper()
	if name == callwright.WireOpenAI || name == callwright.WireResponses {
		base += "/v1"
	}
	retries := 0
	p, err := provider.New(provider.Config{Name: string(name), Wire: name, BaseURL: base,
		APIKey: provider.NewSecret("upstream-key"), MaxRetries: &retries, Around: around})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// A running is a gateway that serves at a URL. Close has it finish what it is doing.
type running struct {
	*gateway.Server
	URL   string
	Close func()
}

// serve starts a gateway, which ends with the test.
func serve(t testing.TB, cfg gateway.Config) running {
	t.Helper()
	cfg.Reuse.Bodies = true
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	s, served := gateway.New(cfg), make(chan error, 1)
	go func() { served <- s.Serve(ctx, ln) }()
	end := sync.OnceFunc(func() {
		stop()
		if err := <-served; err != nil {
			t.Errorf("the gateway ended: %v", err)
		}
	})
	t.Cleanup(func() {
		s.Abort()
		end()
	})
	return running{s, "http://" + ln.Addr().String(), end}
}

func simulated(t testing.TB) running {
	return serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather()))})
}

type answer struct {
	status int
	header http.Header
	body   string
	err    error // while reading the body
}

func post(t testing.TB, url, body string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	raw, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, string(raw), err}
}

// question asks model for the weather over a wire; more are further members of the request.
func question(path, model, more string) string {
	tool := `{"type":"function","function":{"name":"get_weather","parameters":` + simulate.WeatherSchema + `}}`
	if path == messages {
		tool = `{"name":"get_weather","input_schema":` + simulate.WeatherSchema + `}`
		more += `,"max_tokens":1000`
	}
	return `{"model":"` + model + `","messages":[{"role":"user","content":"What is the weather in Oslo?"}],"tools":[` + tool + `]` + more + `}`
}

const (
	chat     = "/v1/chat/completions"
	messages = "/v1/messages"
)

// A provider's answer to a client of its own wire is the same byte for byte when nothing has to be changed, and so is the
// request but for the model's name.
func TestUntouchedIsExact(t *testing.T) {
	answers := map[string]string{
		chat: "{ \"id\" : \"chatcmpl-1\",\"object\":\"chat.completion\",\"created\":1,\"model\":\"m\",\n\"odd\":[1e2, 9007199254740993],\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\"," +
			"\"content\":null,\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"get_weather\",\"arguments\":\"{ \\\"city\\\": \\\"Oslo\\\" }\"}}]},\"finish_reason\":\"tool_calls\"}]}  \n",
		messages: "{\"id\":\"msg_1\" ,\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"get_weather\",\"input\":{ \"city\" :\"Oslo\"}}]," +
			"\"stop_reason\":\"tool_use\",\"stop_sequence\":null,\"usage\":{\"input_tokens\":1,\"output_tokens\":2,\"odd\":9007199254740993}}",
	}
	streams := map[string]string{
		chat: ": hello\n\ndata: {\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"a < b\"},\"finish_reason\":null}], \"x\":1}\n\n" +
			"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" <tool\"},\"finish_reason\":null}]}\r\n\r\ndata: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" shed\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
		messages: "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"content\":[],\"model\":\"m\",\"usage\":{\"input_tokens\":1,\"output_tokens\":1}}   }\n\n" +
			"event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"get_weather\",\"input\":{}}}\n\n" +
			"event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"city\\\":\\\"Oslo\\\"}\"}}\n\n" +
			"event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\nevent: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":9}}\n\n" +
			"event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
	}
	var seen string
	srv := serve(t, gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		seen = string(raw)
		if strings.Contains(seen, `"stream":true`) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, streams[r.URL.Path])
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answers[r.URL.Path])
	}))})
	for _, path := range []string{chat, messages} {
		provider := map[string]string{chat: "openai", messages: "anthropic"}[path]
		for way, want := range map[string]string{"": answers[path], `,"stream":true`: streams[path]} {
			body := question(path, provider+"/m-1", way+`, "seed" : 12345678901234567890 `)
			if path == messages {
				body = question(path, provider+"/m-1", way+`, "metadata" : {"user_id": "ü" } `)
			}
			got := post(t, srv.URL+path, body)
			if got.body != want {
				t.Errorf("%s%s: the answer changed\nwant %q\ngot  %q", path, way, want, got.body)
			}
			if sent := strings.Replace(body, provider+"/m-1", "m-1", 1); seen != sent {
				t.Errorf("%s%s: the request changed\nwant %q\ngot  %q", path, way, sent, seen)
			}
			if h := got.header.Get("Callwright-Report"); way == "" && !strings.Contains(h, "untouched=true; outcome=passed") {
				t.Errorf("%s: report header %q", path, h)
			}
		}
	}
}

// What the cases of TestBadInput are made of.
var (
	key  = []string{"Authorization", "Bearer sesame"}
	tool = func(t string) string {
		return `{"model":"openai/native","messages":[{"role":"user","content":"hi"}],"tools":[` + t + `]}`
	}
)

// badInputCases are those of TestBadInput.
var badInputCases = []struct {
	name, body string
	header     []string
	status     int
	says       string
}{
	{"no key", question(chat, "openai/native", ""), nil, 401, "key"},
	{"a wrong key", question(chat, "openai/native", ""), []string{"x-api-key", "sesam"}, 401, "key"},
	{"malformed JSON", `{"model":"openai/native",`, key, 400, "JSON"},
	{"not an object", `[1]`, key, 400, "object"},
	{"no model", `{"messages":[{"role":"user","content":"hi"}]}`, key, 400, "model"},
	{"unknown model", question(chat, "nowhere/x", ""), key, 404, "nowhere/x"},
	{"wrong content type", "model=x", append([]string{"Content-Type", "text/plain"}, key...), 415, "text/plain"},
	{"body too large", `{"model":"` + strings.Repeat("x", 5000) + `"}`, key, 413, "4096"},
	{"wrong type of a message", `{"model":"openai/native","messages":[{"role":"user","content":7}]}`, key, 400, "/messages/0/content"},
	{"schema does not compile", tool(`{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"a":{"type":7}}}}}`), key, 400, "properties/a/type"},
	{"duplicate tools", tool(`{"type":"function","function":{"name":"f"}},{"type":"function","function":{"name":"f"}}`), key, 400, `\"f\"`},
	{"a panic inside", question(chat, "openai/panic", ""), key, 500, "failed with an internal error"},
}

func TestBadInput(t *testing.T) {
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Keys: []string{"sesame"}, Limits: gateway.Limits{Body: 4096}})
	deep := strings.Repeat("[", 10000) + strings.Repeat("]", 10000)
	for _, tc := range badInputCases {
		t.Run(tc.name, func(t *testing.T) {
			got := post(t, srv.URL+chat, tc.body, tc.header...)
			if got.status != tc.status || !strings.Contains(got.body, tc.says) {
				t.Errorf("expected %d with %q, got %d: %s", tc.status, tc.says, got.status, got.body)
			}
			var shape struct {
				Error struct{ Message, Type, Code string }
			}
			if err := json.Unmarshal([]byte(got.body), &shape); err != nil || shape.Error.Message == "" || shape.Error.Code == "" {
				t.Errorf("not the client's error shape (%v): %s", err, got.body)
			}
		})
	}
	t.Run("nested too deeply", func(t *testing.T) {
		srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather()))})
		for _, path := range []string{chat, messages} {
			if got := post(t, srv.URL+path, `{"model":"openai/native","messages":`+deep+`}`); got.status != 400 {
				t.Errorf("%s: %d %s", path, got.status, got.body)
			}
		}
	})
	t.Run("an Anthropic client sees its own shape", func(t *testing.T) {
		got := post(t, srv.URL+messages, `{}`, key...)
		var shape struct {
			Type  string
			Error struct{ Type, Message string }
		}
		if err := json.Unmarshal([]byte(got.body), &shape); err != nil || shape.Type != "error" || got.status != 400 || shape.Error.Type != "invalid_request_error" {
			t.Errorf("%d %s", got.status, got.body)
		}
	})
	t.Run("wrong method and nowhere", func(t *testing.T) {
		for path, want := range map[string]int{chat: 405, "/v2/none": 404} {
			req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+path, nil)
			req.Header.Set("x-api-key", "sesame")
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != want {
				t.Errorf("%s: %d", path, resp.StatusCode)
			}
		}
		http.DefaultClient.CloseIdleConnections()
	})
}

func TestReportReachesTheClient(t *testing.T) {
	srv := simulated(t)
	got := post(t, srv.URL+chat, question(chat, "openai/hermes", ""), "Callwright-Report", "body")
	var with struct {
		Callwright struct {
			ID        string
			Untouched bool
			Notes     []callwright.Note
		}
	}
	if err := json.Unmarshal([]byte(got.body), &with); err != nil || len(with.Callwright.Notes) == 0 || with.Callwright.Untouched {
		t.Fatalf("%v: %s", err, got.body)
	}
	if h := got.header.Get("Callwright-Report"); !strings.HasPrefix(h, "id="+with.Callwright.ID+"; attempts=1; notes=") {
		t.Errorf("header %q", h)
	}
	resp, err := http.Get(srv.URL + "/callwright/reports/" + with.Callwright.ID)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if shown, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 200 || !bytes.HasPrefix(shown, []byte("{\n  \"id\": \"rep_")) || !bytes.HasSuffix(shown, []byte("\n}\n")) {
		t.Errorf("the report is not kept, or not shown for people: %d %v %s", resp.StatusCode, err, shown)
	}
	stream := post(t, srv.URL+chat, question(chat, "openai/hermes", `,"stream":true`), "Callwright-Report", "body")
	if !strings.Contains(stream.body, "\n: callwright {") {
		t.Errorf("no report at the end of the stream: %s", stream.body)
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestExplainSendsNothing(t *testing.T) {
	fake := simulate.New(simulate.Weather())
	srv := serve(t, gateway.Config{Models: models(t, fake)})
	got := post(t, srv.URL+"/callwright/explain", question(chat, "openai/native", ""))
	if !json.Valid([]byte(got.body)) {
		t.Fatalf("not JSON: %s", got.body)
	}
	for _, want := range []string{`"mode":"native"`, `"mode":"text"`, `"get_weather"`, `"fingerprint":"`} {
		if !strings.Contains(got.body, want) {
			t.Errorf("the explanation lacks %s: %s", want, got.body)
		}
	}
	if strings.Contains(got.body, "upstream-key") {
		t.Error("the explanation shows a credential")
	}
	if n := len(fake.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// What is explained of a request that goes on from an earlier answer is what is sent for it, whichever API the provider speaks.
func TestExplainContinues(t *testing.T) {
	for _, far := range codecs.All() {
		var sent [][]byte
		fake := simulate.New(simulate.Weather())
		srv := serve(t, gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			sent = append(sent, body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			fake.ServeHTTP(w, r)
		}))})
		model := string(far.Name()) + "/native"
		first := post(t, srv.URL+answersPath, `{"model":"`+model+`","input":"My number is 4711."}`)
		id, _ := jsonx.Find([]byte(first.body), "id")
		second := `{"model":"` + model + `","previous_response_id":` + string(id) + `,"input":"What is it?"}`
		explained := post(t, srv.URL+"/callwright/explain", second)
		var got struct {
			Chain []struct{ Body json.RawMessage } `json:"ladder"`
			Notes []callwright.Note
		}
		if err := json.Unmarshal([]byte(explained.body), &got); err != nil || explained.status != 200 || len(got.Chain) == 0 || len(sent) != 1 {
			t.Fatalf("%s: %v, %d requests were sent: %d %s", far.Name(), err, len(sent), explained.status, explained.body)
		}
		post(t, srv.URL+answersPath, second)
		if want := sent[len(sent)-1]; !jsonx.Equal(got.Chain[0].Body, want) || !bytes.Contains(want, []byte("4711")) {
			t.Errorf("%s: explained %s\nsent %s", far.Name(), got.Chain[0].Body, want)
		}
		if len(got.Notes) == 0 || got.Notes[0].Rule != "history.continued" {
			t.Errorf("%s: notes %v", far.Name(), got.Notes)
		}
		if got := post(t, srv.URL+"/callwright/explain", `{"model":"`+model+`","previous_response_id":"resp_none","input":"What is it?"}`); got.status != 400 || !strings.Contains(got.body, "previous_response_not_found") {
			t.Errorf("%s: of an answer that is not kept: %d %s", far.Name(), got.status, got.body)
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// A draining gateway finishes what runs and refuses what is new.
func TestDrain(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	var asked atomic.Int32
	d := models(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) > 1 { // a request before the gateway drains
			http.Error(w, "late", http.StatusTeapot)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"one\"}}]}\n\n")
		w.(http.Flusher).Flush()
		arrived <- struct{}{}
		<-release
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\" two\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	s := gateway.New(gateway.Config{Models: d})
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + ln.Addr().String()
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, ln) }()
	running := make(chan answer, 1)
	go func() { running <- post(t, url+chat, question(chat, "openai/m", `,"stream":true`)) }()
	<-arrived
	stop()
	late := post(t, url+chat, question(chat, "openai/m", ""))
	for end := time.Now().Add(10 * time.Second); late.status != http.StatusServiceUnavailable && time.Now().Before(end); {
		late = post(t, url+chat, question(chat, "openai/m", ""))
	}
	if late.status != http.StatusServiceUnavailable || !strings.Contains(late.body, "shutting_down") {
		t.Errorf("a late request got %d: %s", late.status, late.body)
	}
	close(release)
	if got := <-running; got.err != nil || !strings.HasSuffix(got.body, "[DONE]\n\n") {
		t.Errorf("the running stream was cut: %v %s", got.err, got.body)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}
