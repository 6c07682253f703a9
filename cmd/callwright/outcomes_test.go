package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
	"github.com/callwright/callwright/simulate"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A clientAPI is how clients of an API ask for the weather. MODEL and STREAM in its texts are the model's name, and what asks for a stream; CITY
// tells requests apart, and PREVIOUS is the answer that one goes on from.
type clientAPI struct {
	name, path, body string
	streams          [2]string
}

// clientAPIs are five APIs, and two forms of requests that the gateway turns into others before a model is asked.
var clientAPIs = []clientAPI{
	{"openai", "/v1/chat/completions", `{"model":"MODEL","stream":STREAM,"messages":[{"role":"user","content":"What is the weather in CITY?"}],"tools":[{"type":"function","function":{"name":"get_weather","parameters":SCHEMA}}]}`, [2]string{"false", "true"}},
	{"anthropic", "/v1/messages", `{"model":"MODEL","stream":STREAM,"max_tokens":1000,"messages":[{"role":"user","content":"What is the weather in CITY?"}],"tools":[{"name":"get_weather","input_schema":SCHEMA}]}`, [2]string{"false", "true"}},
	{"responses", "/v1/responses", `{"model":"MODEL","stream":STREAM,"store":false,"input":"What is the weather in CITY?","tools":[{"type":"function","name":"get_weather","parameters":SCHEMA}]}`, [2]string{"false", "true"}},
	{"gemini", "/v1beta/models/MODEL:STREAM", `{"contents":[{"role":"user","parts":[{"text":"What is the weather in CITY?"}]}],"tools":[{"functionDeclarations":[{"name":"get_weather","parametersJsonSchema":SCHEMA}]}]}`, [2]string{"generateContent", "streamGenerateContent?alt=sse"}},
	{"ollama", "/api/chat", `{"model":"MODEL","stream":STREAM,"messages":[{"role":"user","content":"What is the weather in CITY?"}],"tools":[{"type":"function","function":{"name":"get_weather","parameters":SCHEMA}}]}`, [2]string{"false", "true"}},
	{"continued", "/v1/responses", `{"model":"MODEL","stream":STREAM,"previous_response_id":"PREVIOUS","input":"What is the weather in CITY?","tools":[{"type":"function","name":"get_weather","parameters":SCHEMA}]}`, [2]string{"false", "true"}},
	{"completion", "/api/generate", `{"model":"MODEL","stream":STREAM,"prompt":"The weather in CITY is"}`, [2]string{"false", "true"}},
}

// A tallied is a gateway whose outcomes are compared in all places that tell them.
type tallied struct {
	*served
	traces   string
	read     chan int // the exit status, when all of its log is read
	sent     int
	previous string
	client   map[string]outcome.Outcome // by the id of the report, as clients were told

	mu  sync.Mutex
	log map[string]outcome.Outcome // by the id of the report
}

// serveTallied runs a gateway that records traces. Its log is read as it is written.
func serveTallied(t *testing.T, conf string) *tallied {
	t.Helper()
	g := &tallied{traces: filepath.Join(t.TempDir(), "traces"), read: make(chan int, 1), client: map[string]outcome.Outcome{}, log: map[string]outcome.Outcome{}}
	g.served = serve(t, conf, nil, "--trace", g.traces+"/")
	line := regexp.MustCompile(` outcome=(\w+) .*\breport=(\w+)`)
	go func() {
		for g.lines.Scan() {
			if m := line.FindStringSubmatch(g.lines.Text()); m != nil && strings.Contains(g.lines.Text(), " msg=request ") {
				g.mu.Lock()
				g.log[m[2]] = outcome.Outcome(m[1])
				g.mu.Unlock()
			}
		}
		g.read <- <-g.exit
	}()
	_, text, err := g.post("/v1/responses", `{"model":"responses/native","input":"Hello"}`)
	id := regexp.MustCompile(`"id":"(resp_\w+)"`).FindStringSubmatch(text)
	if err != nil || id == nil {
		t.Fatal(err, text)
	}
	g.previous = id[1]
	return g
}

// logged waits for the log lines of so many requests.
func (g *tallied) logged(n int) map[string]outcome.Outcome {
	g.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		g.mu.Lock()
		log := maps.Clone(g.log)
		g.mu.Unlock()
		if len(log) >= n {
			return log
		}
		if time.Now().After(deadline) {
			g.t.Fatalf("%d of %d requests are in the log", len(log), n)
		}
	}
}

var headOutcome = regexp.MustCompile(`^id=(\w+);.* outcome=(\w+)$`)

// send sends a request and returns the id of its report.
func (g *tallied) send(api *clientAPI, model string, stream bool) (id string, err error) {
	g.sent++
	way := api.streams[0]
	if stream {
		way = api.streams[1]
	}
	r := strings.NewReplacer("MODEL", model, "STREAM", way, "SCHEMA", simulate.WeatherSchema, "CITY", "Town"+strconv.Itoa(g.sent), "PREVIOUS", g.previous)
	id, _, err = g.post(r.Replace(api.path), r.Replace(api.body))
	return id, err
}

// post sends a body, and notes the outcome that the header of the answer says or, of a stream, the report at its end.
func (g *tallied) post(path, body string) (id, answer string, err error) {
	req, err := http.NewRequestWithContext(g.t.Context(), http.MethodPost, g.url+path, strings.NewReader(body))
	if err != nil {
		return "", "", err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Callwright-Report", "body")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", "", err
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body) // an answer that breaks off is an error
	head := resp.Header.Get("Callwright-Report")
	if m := headOutcome.FindStringSubmatch(head); m != nil {
		g.client[m[1]] = outcome.Outcome(m[2])
		return m[1], string(text), nil
	}
	for line := range strings.Lines(string(text)) {
		var rep struct {
			ID         string
			Outcome    outcome.Outcome
			Callwright *struct {
				ID      string
				Outcome outcome.Outcome
			}
		}
		if json.Unmarshal([]byte(strings.TrimPrefix(line, ": callwright ")), &rep) != nil {
			continue
		}
		if rep.Callwright != nil {
			rep.ID, rep.Outcome = rep.Callwright.ID, rep.Callwright.Outcome
		}
		if head == "id="+rep.ID {
			g.client[rep.ID] = rep.Outcome
			return rep.ID, string(text), nil
		}
	}
	return "", "", fmt.Errorf("%s: status %d has no outcome: %q, %s", body, resp.StatusCode, head, text)
}

// leave asks for a stream and leaves in the middle of it.
func (g *tallied) leave(model string) error {
	ctx, cancel := context.WithCancel(g.t.Context())
	defer cancel()
	body := `{"model":"` + model + `","stream":true,"messages":[{"role":"user","content":"Hello"}]}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, g.url+"/v1/chat/completions", strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.ReadFull(resp.Body, make([]byte, 10))
	g.client[strings.TrimPrefix(resp.Header.Get("Callwright-Report"), "id=")] = outcome.Failed
	return err
}

// kept is the outcome of a kept report.
func (g *tallied) kept(id string) outcome.Outcome {
	var rep struct{ Outcome outcome.Outcome }
	if status, body := g.fetch("/callwright/reports/"+id, ""); status == http.StatusOK {
		_ = json.Unmarshal([]byte(body), &rep)
	}
	return rep.Outcome
}

// recorded are the outcomes of traces.
func (g *tallied) recorded() map[string]outcome.Outcome {
	g.t.Helper()
	list, err := trace.NewFolderReader(g.traces, nil, trace.LogLimits{Age: -1}).List(g.t.Context(), trace.Query{Limit: trace.MostListed})
	if err != nil {
		g.t.Fatal(err)
	}
	out := map[string]outcome.Outcome{}
	for _, s := range list {
		out[s.ID] = s.Outcome
	}
	return out
}

// hasUnfinished reports whether a request has no end yet.
func hasUnfinished(traces map[string]outcome.Outcome) bool {
	for _, o := range traces {
		if o == outcome.Unfinished {
			return true
		}
	}
	return false
}

// metrics are the counts of callwright_outcomes_total.
func (g *tallied) metrics() map[outcome.Outcome]int {
	g.t.Helper()
	_, body := g.fetch("/metrics", "")
	out := map[outcome.Outcome]int{}
	for _, m := range regexp.MustCompile(`(?m)^callwright_outcomes_total\{.*outcome="(\w+)".*\} (\d+)$`).FindAllStringSubmatch(body, -1) {
		n, _ := strconv.Atoi(m[2])
		out[outcome.Outcome(m[1])] += n
	}
	return out
}

var (
	seriesHead = regexp.MustCompile(`data-series="(\w+)"`)
	seriesRow  = regexp.MustCompile(`(?s)<tr><th scope="row"><time .*?</tr>`)
	seriesCell = regexp.MustCompile(`<td class="n"(?: data-value="([^"]*)")?>`)
)

// shown are the counts of the dashboard's overview: the sums of the columns of its table.
func (g *tallied) shown(window string) map[outcome.Outcome]int {
	g.t.Helper()
	_, page := g.fetch("/ui/?window="+window, "")
	_, table, _ := strings.Cut(page, `<table id="series">`)
	table, _, _ = strings.Cut(table, "</table>")
	head, _, _ := strings.Cut(table, "</thead>")
	var columns []string
	for _, m := range seriesHead.FindAllStringSubmatch(head, -1) {
		columns = append(columns, m[1])
	}
	out := map[outcome.Outcome]int{}
	for _, row := range seriesRow.FindAllString(table, -1) {
		for i, cell := range seriesCell.FindAllStringSubmatch(row, -1) {
			if slices.Contains(outcome.Names(), columns[i]) {
				n, _ := strconv.Atoi(cell[1])
				out[outcome.Outcome(columns[i])] += n
			}
		}
	}
	maps.DeleteFunc(out, func(_ outcome.Outcome, n int) bool { return n == 0 })
	return out
}

// tally counts outcomes.
func tally(all map[string]outcome.Outcome) map[outcome.Outcome]int {
	out := map[outcome.Outcome]int{}
	for _, came := range all {
		out[came]++
	}
	return out
}

// talliedConfig has a provider of each API at the same simulator, and settings of which each makes another kind of request.
func talliedConfig(upstream string) string {
	var conf strings.Builder
	conf.WriteString("metrics: on\nproviders:\n")
	for _, p := range []struct{ name, wire, base, more string }{
		{"near", "openai", "/v1", ""}, {"far", "anthropic", "", ""}, {"responses", "responses", "/v1", ""}, {"gemini", "gemini", "", ""}, {"ollama", "ollama", "", ""},
		{"text", "openai", "/v1", ", mode: text"}, {"prompt", "anthropic", "", ", mode: text"}, {"observe", "openai", "/v1", ", policy: observe"},
		{"strict", "openai", "/v1", ", policy: strict"}, {"again", "openai", "/v1", ", max_retries: 1"}, {"down", "openai", "/v1", ""},
	} {
		if !strings.Contains(p.more, "max_retries") {
			p.more += ", max_retries: 0"
		}
		fmt.Fprintf(&conf, "  %s: {wire: %s, base_url: %q, api_key: any, discover: off%s}\n", p.name, p.wire, upstream+p.base, p.more)
	}
	conf.WriteString("models:\n  chain: {model: down/500, fallbacks: [near/native]}\n")
	return conf.String()
}

// newTalliedUpstream is a simulator with a model "endless" beside it, whose stream does not end.
func newTalliedUpstream(t *testing.T) string {
	t.Helper()
	sim := simulate.New(simulate.Weather(), simulate.OnlyKnown())
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer endless" {
			sim.ServeHTTP(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, `data: {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"content":"Hello. "}}]}`+"\n\n")
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}

// Every place that tells the outcome of a request tells the same one: the header or the report at the end of a stream, the kept report, the
// trace, the log; the metrics and the dashboard count so many of each.
func TestOutcomesAgree(t *testing.T) {
	const each = 5
	upstream := newTalliedUpstream(t)
	g := serveTallied(t, strings.Replace(talliedConfig(upstream), "models:\n", "  endless: {wire: openai, base_url: \""+upstream+"/v1\", api_key: endless, discover: off}\nmodels:\n", 1))
	kinds := []struct {
		name, model string
		want        outcome.Outcome // "" where it depends on the API of the client
		alike       string          // the API whose requests pass
	}{
		{"native", "near/native", "", "openai"},
		{"translated", "far/native", "", "anthropic"},
		{"text", "near/hermes-unclosed", outcome.Healed, ""},
		{"retry", "again/429-retry_after_ms", "", "openai"},
		{"fallback", "chain", outcome.Translated, ""},
		{"refused", "near/nothing-like-it", outcome.Failed, ""},
		{"failed", "far/500", outcome.Failed, ""},
		{"cut", "near/midstream-cut", outcome.Failed, ""},
	}
	for _, kind := range kinds {
		for i := range clientAPIs[:5] {
			want := kind.want
			switch {
			case want == "" && kind.alike == clientAPIs[i].name:
				want = outcome.Passed
			case want == "":
				want = outcome.Translated
			}
			for n := range 2 * each {
				id, err := g.send(&clientAPIs[i], kind.model, n%2 == 0)
				if err != nil {
					t.Fatalf("%s: %v", kind.name, err)
				}
				if g.client[id] != want {
					t.Errorf("%s over %s, stream %t: expected %s, got %s", kind.name, clientAPIs[i].name, n%2 == 0, want, g.client[id])
				}
			}
		}
	}
	for range each {
		for _, api := range clientAPIs[5:] { // what the gateway does to them is noted after the model has answered
			for _, stream := range []bool{false, true} {
				if id, err := g.send(&api, map[string]string{"continued": "responses/native", "completion": "ollama/native"}[api.name], stream); err != nil || g.client[id] != outcome.Translated {
					t.Errorf("%s, stream %t: got %s, %v", api.name, stream, g.client[id], err)
				}
			}
		}
		if err := g.leave("endless/m"); err != nil { // these have no header and no end to tell it
			t.Error(err)
		}
	}
	client := g.client
	if want := 1 + 400 + 5*each; len(client) != want {
		t.Fatalf("%d of %d requests have reports of their own", len(client), want)
	}
	log := g.logged(len(client))
	places := map[string]map[string]outcome.Outcome{"log": log, "kept reports": {}}
	for id := range client {
		places["kept reports"][id] = g.kept(id)
	}
	metrics, shown := g.metrics(), g.shown("day")
	http.DefaultClient.CloseIdleConnections()
	g.stop()
	if code := <-g.read; code != exitDone {
		t.Errorf("exit status %d", code)
	}
	places["traces"], places["callwright trace"] = g.recorded(), map[string]outcome.Outcome{}
	for _, s := range listRequests(t, g.traces, "--limit", "1000") {
		places["callwright trace"][s.ID] = s.Outcome
	}
	for name, got := range places {
		if d := cmp.Diff(client, got); d != "" {
			t.Errorf("%s (-clients +%s)\n%s", name, name, d)
		}
	}
	for name, got := range map[string]map[outcome.Outcome]int{"metrics": metrics, "dashboard": shown} {
		if d := cmp.Diff(tally(client), got); d != "" {
			t.Errorf("%s (-clients +%s)\n%s", name, name, d)
		}
	}
}

// Whatever models do and clients speak, all places agree. A gateway refuses some requests before it asks a model: these have no trace.
func TestOutcomesAgreeInAnyTraffic(t *testing.T) {
	g := serveTallied(t, talliedConfig(newTalliedUpstream(t)))
	var faults []string
	for _, f := range simulate.Faults() {
		if name := f.Model(); !f.Stalls && !strings.HasSuffix(name, "retry_after") {
			faults = append(faults, name)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		fresh := map[string]bool{}
		for range rapid.IntRange(1, 6).Draw(rt, "requests") {
			api := &clientAPIs[rapid.IntRange(0, len(clientAPIs)-1).Draw(rt, "api")]
			model := rapid.SampledFrom([]string{"near", "far", "responses", "gemini", "ollama", "text", "prompt", "observe", "strict"}).Draw(rt, "provider") + "/" +
				rapid.SampledFrom(faults).Draw(rt, "fault")
			switch rapid.IntRange(0, 19).Draw(rt, "refused") {
			case 0:
				model = "nowhere/m"
			case 1:
				broken := *api
				broken.body, api, model = strings.TrimSuffix(api.body, "}"), &broken, "nowhere/m"
			}
			id, err := g.send(api, model, rapid.Bool().Draw(rt, "stream"))
			if err != nil {
				rt.Fatal(err)
			}
			fresh[id] = model != "nowhere/m"
		}
		log := g.logged(len(g.client))
		traces := g.recorded()
		for deadline := time.Now().Add(30 * time.Second); hasUnfinished(traces) && time.Now().Before(deadline); traces = g.recorded() {
			time.Sleep(time.Millisecond) // the end of a request is recorded after its answer
		}
		for id, asked := range fresh {
			places := map[string]outcome.Outcome{"log": log[id], "kept report": g.kept(id), "trace": traces[id]}
			if !asked {
				delete(places, "trace")
				if _, ok := traces[id]; ok {
					rt.Errorf("%s has a trace", id)
				}
			}
			for name, got := range places {
				if got != g.client[id] {
					rt.Errorf("%s: the client got %s, the %s says %q", id, g.client[id], name, got)
				}
			}
		}
		if d := cmp.Diff(tally(g.client), g.metrics()); d != "" {
			rt.Errorf("metrics (-clients +metrics)\n%s", d)
		}
	})
	const kept = 1000 // reports
	if d := cmp.Diff(tally(g.client), g.shown("week")); d != "" && len(g.client) <= kept {
		t.Errorf("dashboard (-clients +dashboard)\n%s", d)
	}
}
