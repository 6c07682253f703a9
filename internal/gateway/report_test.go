package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/simulate"
)

func get(t testing.TB, url string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if req.Header.Set(header[i], header[i+1]); header[i] == "Host" {
			req.Host = header[i+1]
		}
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

// reportID returns the id in an answer's header.
func reportID(a answer) string {
	id, _, _ := strings.Cut(strings.TrimPrefix(a.header.Get("Callwright-Report"), "id="), ";")
	return id
}

// Whoever got an answer, or an error, whole or streamed, reads its report; nobody else's key does.
func TestReportsBelongToTheKey(t *testing.T) {
	up := models(t, simulate.New(simulate.Weather()))
	srv := serve(t, gateway.Config{Models: up, Keys: []string{"mine", "theirs"}})
	for name, body := range map[string]string{
		"whole": question(chat, "openai/hermes", ""), "streamed": question(chat, "openai/hermes", `,"stream":true`),
		"failed": question(chat, "openai/nothing-like-it", ""), "refused": `{"model":"openai/native","messages":7}`, "no model": question(chat, "nowhere/x", ""),
	} {
		got := post(t, srv.URL+chat, body, "Authorization", "bearer mine")
		id := reportID(got)
		if id == "" {
			t.Errorf("%s: no report: %d %s", name, got.status, got.body)
			continue
		}
		for key, want := range map[string]int{"mine": 200, "theirs": 404} {
			if shown := get(t, srv.URL+"/callwright/reports/"+id, "X-Api-Key", key); shown.status != want {
				t.Errorf("%s: %s: got %d %s", name, key, shown.status, shown.body)
			}
		}
	}
	open := simulated(t)
	got := post(t, open.URL+chat, question(chat, "openai/hermes", ""), "Authorization", "Bearer any")
	if shown := get(t, open.URL+"/callwright/reports/"+reportID(got)); shown.status != 200 {
		t.Errorf("without keys: got %d %s", shown.status, shown.body)
	}
}

// An error before a model was asked has a report that says why, on every API; who shows no key has none.
func TestErrorsBeforeAModelHaveReports(t *testing.T) {
	up := models(t, simulate.New(simulate.Weather()))
	srv, keyed := serve(t, gateway.Config{Models: up}), serve(t, gateway.Config{Models: up, Keys: []string{"k"}})
	for _, c := range codecs.All() {
		a := askers[c.Name()]
		path, body := a.ask("nowhere/m", false)
		for name, body := range map[string]string{"an unknown model": body, "no JSON": "{"} {
			got := post(t, srv.URL+path, body)
			id := reportID(got)
			var rep callwright.Report
			if err := json.Unmarshal([]byte(get(t, srv.URL+"/callwright/reports/"+id).body), &rep); err != nil || id == "" || rep.ID != id {
				t.Errorf("%s: %s: report %q: %v", c.Name(), name, id, err)
			}
			if len(rep.Notes) != 1 || rep.Notes[0].Rule != "request.refused" || rep.Notes[0].Why == "" || len(rep.Attempts) != 0 {
				t.Errorf("%s: %s: %+v", c.Name(), name, rep)
			}
		}
		if got := post(t, keyed.URL+path, body); got.header.Get("Callwright-Report") != "" {
			t.Errorf("%s: a report for who has no key", c.Name())
		}
	}
}

// Reports cost no more memory than their share, however many notes a body makes and however often it comes; what they hold is what was
// asked last.
func TestReportsAreBoundedInBytes(t *testing.T) {
	if !longtest.IsEnabled() {
		t.Skip("one client, and megabytes of notes")
	}
	srv := gateway.New(gateway.Config{Models: models(t, simulate.New(simulate.Weather()))})
	manyMembers := func(n int) string {
		var more strings.Builder
		for i := range n {
			fmt.Fprintf(&more, `,"unknown_member_%d":"%s"`, i, strings.Repeat("x", 150))
		}
		return question(messages, "openai/native", more.String())
	}
	used := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	ask := func(path, body string) *httptest.ResponseRecorder {
		method := http.MethodPost
		if body == "" {
			method = http.MethodGet
		}
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Host = "localhost"
		r.Header.Set("Callwright-Report", "body")
		last := httptest.NewRecorder()
		srv.ServeHTTP(last, r)
		return last
	}
	id := func(a *httptest.ResponseRecorder) string { return reportID(answer{header: a.Header()}) }
	var rep callwright.Report
	flood := ask(messages, manyMembers(30_000))
	if err := json.Unmarshal(ask("/callwright/reports/"+id(flood), "").Body.Bytes(), &rep); err != nil || flood.Code != 200 || flood.Body.Len() > 1<<20 || len(rep.Notes) != 300 {
		t.Errorf("got %d, %d bytes, %d notes (%v)", flood.Code, flood.Body.Len(), len(rep.Notes), err)
	}
	large := manyMembers(400)
	before := used()
	for range 300 {
		ask(messages, large)
	}
	newest := id(ask(messages, large))
	if after := used(); after > before+12<<20 {
		t.Errorf("%d MiB are kept", (after-before)>>20)
	}
	for id, want := range map[string]int{newest: 200, id(flood): 404} {
		if got := ask("/callwright/reports/"+id, ""); got.Code != want {
			t.Errorf("%s: got %d", id, got.Code)
		}
	}
}

// What the client's API has no place for in an answer is counted among the notes of its request, within the same bound.
func TestNotesOfTheAnswerAreBounded(t *testing.T) {
	srv := serve(t, gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"Hello."}`)
		for i := range 500 {
			_, _ = fmt.Fprintf(w, `,{"type":"server_tool_use","id":"srvtoolu_%d","name":"web_search","input":{"query":"%d"}}`, i, i)
		}
		_, _ = io.WriteString(w, `],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}}`)
	}))})
	var more strings.Builder
	for i := range 400 {
		fmt.Fprintf(&more, `,"unknown_member_%d":1`, i)
	}
	got := post(t, srv.URL+chat, question(chat, "anthropic/m", more.String()))
	var rep callwright.Report
	if err := json.Unmarshal([]byte(get(t, srv.URL+"/callwright/reports/"+reportID(got)).body), &rep); err != nil || got.status != 200 {
		t.Fatalf("got %d %s, %v", got.status, got.body, err)
	}
	total := 0
	for _, n := range rep.Notes {
		total += max(n.Count, 1)
	}
	if len(rep.Notes) != 300 || total < 900 {
		t.Errorf("%d notes that stand for %d", len(rep.Notes), total)
	}
}

// A stream of Ollama's ends with the report where it was asked for, on a line of its own after the last one, and nowhere else.
func TestLinesCarryTheReport(t *testing.T) {
	srv := simulated(t)
	ollama := askers[callwright.WireOllama]
	path, body := ollama.ask("openai/hermes", true)
	plain, with := post(t, srv.URL+path, body), post(t, srv.URL+path, body, "Callwright-Report", "body")
	lines := strings.Split(strings.TrimSuffix(with.body, "\n"), "\n")
	var last struct{ Callwright *callwright.Report }
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Callwright == nil || last.Callwright.ID != reportID(with) {
		t.Errorf("%v: %s", err, with.body)
	}
	if !strings.Contains(lines[len(lines)-2], `"done":true`) || strings.Contains(plain.body, `"callwright"`) {
		t.Errorf("got %s\nand %s", with.body, plain.body)
	}
}

// A logged keeps the lines of a log.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// lines returns what was logged, and forgets it.
func (l *logged) lines(t *testing.T) (out []map[string]any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range strings.Split(strings.TrimSpace(l.text.String()), "\n") {
		var m map[string]any
		if line == "" {
			continue
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Error(err)
		}
		out = append(out, m)
	}
	l.text.Reset()
	return out
}

// one waits for the line of a request, and expects no other.
func (l *logged) one(t *testing.T, name string) map[string]any {
	t.Helper()
	var lines []map[string]any
	for range 200 {
		if lines = append(lines, l.lines(t)...); len(lines) > 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	if len(lines) != 1 || lines[0]["msg"] != "request" || lines[0]["duration_ms"] == nil || lines[0]["status"] == nil {
		t.Fatalf("%s: got %v", name, lines)
	}
	for k, v := range lines[0] {
		if v == 0.0 || v == "" || v == false || v == nil {
			t.Errorf("%s: %s is %v", name, k, v)
		}
	}
	return lines[0]
}

// oneLineARequestCases are those of TestOneLineARequest.
var oneLineARequestCases = map[string]struct {
	body, path, level string
	status            float64
}{
	"an unknown model": {question(chat, "nowhere/x", ""), chat, "WARN", 404},
	"a bug":            {question(chat, "openai/panic", ""), chat, "ERROR", 500},
	"nowhere":          {"{}", "/v2/x", "WARN", 404},
}

// Each request has one line that says what became of it: answered, changed, failed, refused, or left by its client.
func TestOneLineARequest(t *testing.T) {
	log, arrived := &logged{}, make(chan struct{}, 1)
	fake := simulate.New(simulate.Weather())
	up := models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		if bytes.Contains(raw, []byte(`"hang"`)) {
			arrived <- struct{}{}
			<-r.Context().Done()
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
		fake.ServeHTTP(w, r)
	}))
	srv := serve(t, gateway.Config{Models: up, Keys: []string{"k"}, Logger: slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	key := []string{"X-Api-Key", "k"}
	for _, stream := range []string{"", `,"stream":true`} {
		got := post(t, srv.URL+chat, question(chat, "anthropic/hermes", stream), key...)
		line := log.one(t, "answered"+stream)
		for k, want := range map[string]any{"status": 200.0, "level": "INFO", "wire": "openai", "model": "anthropic/hermes", "served": "anthropic/hermes", "attempts": 1.0, "report": reportID(got)} {
			if line[k] != want {
				t.Errorf("answered%s: %s is %v, want %v", stream, k, line[k], want)
			}
		}
		if n, _ := line["output_tokens"].(float64); n == 0 {
			t.Errorf("no tokens: %v", line)
		}
	}
	for name, c := range oneLineARequestCases {
		post(t, srv.URL+c.path, c.body, key...)
		lines := log.lines(t)
		line := lines[len(lines)-1]
		if line["status"] != c.status || line["level"] != c.level || line["error"] == nil {
			t.Errorf("%s: got %v", name, line)
		}
	}
	if get(t, srv.URL+"/healthz"); log.one(t, "a probe")["level"] != "DEBUG" {
		t.Error("a probe is told of")
	}
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		<-arrived
		leave()
	}()
	req, _ := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL+chat, strings.NewReader(question(chat, "openai/hang", "")))
	req.Header.Set("X-Api-Key", "k")
	if resp, err := http.DefaultClient.Do(req); err == nil {
		resp.Body.Close()
	}
	if line := log.one(t, "a client that left"); line["aborted"] != true || line["status"] != 499.0 || line["model"] != "openai/hang" {
		t.Errorf("got %v", line)
	}
	http.DefaultClient.CloseIdleConnections()
}
