package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/longtest"
)

// markOf finds the marks by which requests are told apart.
var markOf = regexp.MustCompile(`\[\[\w+\]\]`)

// streamID finds the id of a streamed answer.
var streamID = regexp.MustCompile(`resp_\w+`)

// A picky is a provider that says which marks it was sent, and refuses a member of requests, which a gateway learns of each model.
type picky struct {
	address string

	mu      sync.Mutex
	refused map[string]int // by model
}

func newPicky(t *testing.T) *picky {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &picky{address: "http://" + ln.Addr().String(), refused: map[string]int{}}
	srv := &http.Server{ReadHeaderTimeout: time.Minute, Handler: p}
	go func() { _ = srv.Serve(ln) }()
	t.Cleanup(func() { _ = srv.Close() })
	return p
}

func (p *picky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Model  string
		Effort string `json:"reasoning_effort"`
		Stream bool
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &in)
	if in.Effort != "" {
		p.mu.Lock()
		p.refused[in.Model]++
		p.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"message":"Unsupported parameter: 'reasoning_effort' is not supported with this model.","type":"invalid_request_error","param":"reasoning_effort","code":"unsupported_parameter"}}`)
		return
	}
	said, _ := json.Marshal(string(bytes.Join(markOf.FindAll(body, -1), nil)))
	if in.Stream {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"content":%s},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n", said)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"id":"x","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":%s},"finish_reason":"stop"}]}`, said)
}

func (p *picky) refusals(model string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.refused[model]
}

// An acknowledgment is what a client was told of one request.
type acknowledgment struct {
	model, mark, id, report string
	before                  string // the marks of the conversation up to this one
	at                      time.Time
}

// A killLoad asks a gateway until it is killed, and remembers what was acknowledged.
type killLoad struct {
	far    *picky
	client *http.Client

	mu    sync.Mutex
	acked []acknowledgment // of this round
	first sync.Once
	begun chan struct{} // closed by the first of them
}

// ask makes one request in a conversation, and remembers it where it was acknowledged whole.
func (l *killLoad) ask(p *process, a acknowledgment, previous string, stream bool) (acknowledgment, bool) {
	body := map[string]any{"model": "far/" + a.model, "input": a.mark, "stream": stream, "reasoning": map[string]any{"effort": "low"},
		"tools": []any{map[string]any{"type": "function", "name": "f", "parameters": map[string]any{"type": "object"}}}}
	if previous != "" {
		body["previous_response_id"] = previous
	}
	raw, _ := json.Marshal(body)
	resp, err := l.client.Post(p.url+"/v1/responses", "application/json", bytes.NewReader(raw))
	if err != nil {
		return a, false
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || stream && !bytes.Contains(text, []byte("response.completed")) {
		return a, false
	}
	a.id, a.at = streamID.FindString(string(text)), time.Now()
	a.report, _, _ = strings.Cut(strings.TrimPrefix(resp.Header.Get("Callwright-Report"), "id="), ";")
	a.before += a.mark
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acked = append(l.acked, a)
	l.first.Do(func() { close(l.begun) })
	return a, true
}

// untilKilled has clients ask, and kills the gateway some time after the first was answered.
func (l *killLoad) untilKilled(t *testing.T, p *process, round int) (killed time.Time) {
	t.Helper()
	l.acked, l.first, l.begun = nil, sync.Once{}, make(chan struct{})
	var clients sync.WaitGroup
	for client := range 4 {
		clients.Go(func() {
			var last acknowledgment
			for n := 0; ; n++ {
				if n%6 == 0 { // another conversation, with a model that nothing is known of
					last = acknowledgment{model: fmt.Sprintf("m%dx%dx%d", round, client, n)}
				}
				last.mark = fmt.Sprintf("[[%dx%dx%d]]", round, client, n)
				var ok bool
				if last, ok = l.ask(p, last, last.id, client%2 == 1); !ok {
					return
				}
			}
		})
	}
	select {
	case <-l.begun:
	case <-time.After(time.Minute):
		t.Error("nothing was answered")
	}
	time.Sleep(lastMoment/2 + rand.N(2*lastMoment))
	killed = time.Now()
	_ = p.Process.Kill()
	clients.Wait()
	_ = p.Wait()
	return killed
}

// check expects all that was acknowledged before the gateway was killed. What is written beside answers, reports, may lack the last moment.
func (l *killLoad) check(t *testing.T, p *process, all []acknowledgment, killed time.Time) {
	t.Helper()
	conversations := map[string]acknowledgment{}
	for _, a := range all {
		conversations[a.model] = a
		if status, text := p.get(t, http.MethodGet, "/v1/responses/"+a.id, "", ""); status != http.StatusOK || !strings.Contains(text, a.mark) {
			t.Errorf("answer %s: got %d %.200s", a.mark, status, text)
		}
		if killed.Sub(a.at) < lastMoment {
			continue
		}
		if status, text := p.get(t, http.MethodGet, "/callwright/reports/"+a.report, "", ""); status != http.StatusOK {
			t.Errorf("the report of %s, %v before: got %d %.200s", a.mark, killed.Sub(a.at), status, text)
		}
	}
	for model, a := range conversations {
		refused := l.far.refusals(model)
		next := acknowledgment{model: model, mark: "[[again]]", before: a.before}
		next, ok := l.ask(p, next, a.id, false)
		if !ok {
			t.Errorf("%s: its conversation does not go on", model)
			continue
		}
		if _, text := p.get(t, http.MethodGet, "/v1/responses/"+next.id, "", ""); !strings.Contains(text, next.before) {
			t.Errorf("%s: expected %s, got %s", model, next.before, text)
		}
		if now := l.far.refusals(model); now != refused || now != 1 {
			t.Errorf("%s: it was learned %d times what the model refuses, before %d", model, now, refused)
		}
	}
}

// lastMoment is how long before its end a gateway may have answered what it had not written of beside.
const lastMoment = 200 * time.Millisecond

// A gateway is killed at any moment while clients ask it, again and again: each time it comes back with every answer that clients were given, with what was learned, and
// with the reports and traces up to the last moment.
func TestServeKilled(t *testing.T) {
	rounds := 3
	switch {
	case !longtest.IsEnabled(): // a process of the race detector takes a second to start
		rounds = 1
	case *wholeTests:
		rounds = 50
	}
	far, dir := newPicky(t), t.TempDir()
	traces := filepath.Join(dir, "trace")
	conf := fmt.Sprintf("state: {dir: %s, answers: {count: 1000000, bytes: 1000000000}, reports: {count: 1000000, bytes: 1000000000}}\n"+
		"trace: {file: %s/}\nproviders: {far: {base_url: %q, discover: off}}\n", filepath.Join(dir, "state"), traces, far.address+"/v1")
	l := &killLoad{far: far, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}}
	acked, longest := 0, time.Duration(0)
	var marks []string
	for round := range rounds {
		p := startGateway(t, "", conf, "--log-level", "error")
		killed := l.untilKilled(t, p, round)
		all := l.acked
		for _, a := range all {
			if killed.Sub(a.at) >= lastMoment {
				marks = append(marks, a.mark)
			}
		}
		begun := time.Now()
		p = startGateway(t, "", conf, "--log-level", "error")
		longest = max(longest, time.Since(begun))
		l.check(t, p, all, killed)
		acked += len(all)
		_ = p.Process.Kill()
		_ = p.Wait()
		http.DefaultClient.CloseIdleConnections()
		l.client.CloseIdleConnections()
		if t.Failed() {
			t.Fatalf("round %d", round)
		}
	}
	written := readAll(t, filepath.Join(traces, "*.jsonl"))
	for _, mark := range marks {
		if !strings.Contains(written, mark) {
			t.Errorf("%s is in no trace", mark)
		}
	}
	t.Logf("%d answers were acknowledged in %d rounds; the longest start took %v", acked, rounds, longest)
}

// readAll reads the files whose names fit a pattern, of which there has to be one.
func readAll(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}
