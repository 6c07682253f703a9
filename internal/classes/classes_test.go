package classes_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// allScenes are the scenes of all classes.
func allScenes() []scene {
	return slices.Concat(textScenes, answerScenes, argumentScenes, swallowedScenes, streamScenes, refusalScenes, historyScenes, transportScenes)
}

// Every failure class ends right, or in the error that its kind of failure has, and the report names the class.
func TestClasses(t *testing.T) {
	seen := map[string]int{}
	names := map[string]bool{}
	for i, s := range allScenes() {
		seen[s.class]++
		id := s.class + " " + s.name
		if names[id] {
			t.Errorf("%s: two scenes", id)
		}
		names[id] = true
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			s.run(t, i)
		})
	}
	for n := 1; n <= 60; n++ {
		if class := fmt.Sprintf("F%02d", n); seen[class] < 2 {
			t.Errorf("%s has %d forms, at least 2", class, seen[class])
		}
	}
	for id := range known {
		if !names[id] {
			t.Errorf("known[%q]: no such scene", id)
		}
	}
}

// run plays the scene with every API, whole and streamed.
func (s scene) run(t *testing.T, place int) {
	ats := s.at
	if ats == nil {
		ats = []api{chat}
	}
	for i, at := range ats {
		doors := s.doors
		if doors == nil {
			doors = []api{at, apis[(slices.Index(apis, at)+1+(place+i)%4)%5]}
		}
		for _, door := range doors {
			for _, form := range []string{"whole", "stream"} {
				if s.only != "" && s.only != form {
					continue
				}
				t.Run(fmt.Sprintf("%s from %s %s", door, at, form), func(t *testing.T) {
					why := s.once(t, at, door, form == "stream")
					reason := known[s.class+" "+s.name]
					switch {
					case why != "" && reason == "":
						t.Error(why)
					case why == "" && reason != "":
						t.Errorf("is right, and still listed as known: %s", reason)
					}
				})
			}
		}
	}
}

// once asks once, and returns what is wrong.
func (s scene) once(t *testing.T, at, door api, stream bool) string {
	up := newUpstream(&s)
	defer up.Close()
	base := up.URL
	if at == chat || at == responses {
		base += "/v1"
	}
	provider := cmp.Or(s.provider, "lab")
	settings := fmt.Sprintf("base_url: %q, api_key: x, wire: %s", base, at)
	if s.settings != "" {
		settings += ", " + s.settings
	}
	if !strings.Contains(settings, "max_retries") {
		settings += ", max_retries: 0"
	}
	gw := startGateway(t, fmt.Sprintf("discover: off\nproviders: {%s: {%s}}\n%s", provider, settings, strings.ReplaceAll(s.config, "BASE", base)), 50*time.Millisecond)
	model := provider + "/" + cmp.Or(s.model, "m")
	asked := s.ask
	for i, q := range s.before {
		g := ask(t, gw, q, door, model, stream, nil)
		if g.failed() {
			return fmt.Sprintf("request %d before failed: %d %s", i, g.status, g.message)
		}
		if s.onward {
			asked.turns = append(slices.Clone(asked.turns), g.turns()...)
		}
	}
	seen := sync.OnceFunc(func() { close(up.alive) })
	g := ask(t, gw, asked, door, model, stream, func(raw string) {
		if isAlive(door, raw) {
			seen()
		}
	})
	why := s.want.wrong(g, door)
	rep := reportOf(t, gw, g.id)
	if why == "" {
		why = s.reported(rep)
	}
	if why == "" && s.want.sent != nil {
		why = s.want.sent(up.received())
	}
	if why == "" {
		return ""
	}
	var log strings.Builder
	for _, r := range up.received() {
		fmt.Fprintf(&log, "\n  asked: %s %s", r.path, clip(string(r.raw)))
	}
	return fmt.Sprintf("%s\n  got: %d %s%s\n  report: %s", why, g.status, clip(g.raw), &log, clip(text(rep)))
}

// turns are an answer's calls as a client puts them into its history, with a result of each.
func (g *got) turns() []turn {
	made, answered := turn{role: "assistant", text: g.text, calls: g.calls}, turn{role: "tool"}
	for _, c := range g.calls {
		answered.results = append(answered.results, result{id: c.id, name: c.name, text: "12"})
	}
	return []turn{made, answered}
}

func clip(s string) string {
	if len(s) > 3000 {
		return s[:3000] + "..."
	}
	return s
}

// ask sends a request and reads the answer. watch is called with all bytes of the answer so far, whenever some come; nil for none.
func ask(t *testing.T, gw string, q request, door api, model string, stream bool, watch func(raw string)) *got {
	t.Helper()
	path, body := q.body(door, model, stream)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, gw+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if door == anthropic {
		req.Header.Set("Anthropic-Version", "2023-06-01")
	}
	transport := &http.Transport{DisableKeepAlives: true}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if watch != nil {
		resp.Body = &watched{ReadCloser: resp.Body, watch: watch}
	}
	return read(door, stream, resp)
}

// A watched body tells what came of it.
type watched struct {
	io.ReadCloser
	raw   strings.Builder
	watch func(raw string)
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.ReadCloser.Read(p)
	w.raw.Write(p[:n])
	w.watch(w.raw.String())
	return n, err
}

// A report is what the gateway reports, as the documentation has it.
type report struct {
	Attempts []struct{ Why, Kind, Error string }
	Notes    []struct{ Rule, Fault, Was, Now, Why string }
	Invalid  []struct{ Name, Why string }
}

func reportOf(t *testing.T, gw, id string) (out report) {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true}
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, gw+"/callwright/reports/"+id, nil)
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, _ := io.ReadAll(resp.Body)
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Logf("report %q: %v: %s", id, err, raw)
	}
	return out
}

// reported says whether the report names the class.
func (s scene) reported(r report) string {
	named := false
	for _, n := range r.Notes {
		named = named || n.Fault == cmp.Or(s.want.named, s.class)
	}
	switch {
	case s.want.quiet == "" && !named:
		return "the report does not name " + cmp.Or(s.want.named, s.class)
	case s.want.quiet != "" && named:
		return "the report names " + s.class + ", and the scene says that it does not: " + s.want.quiet
	}
	return ""
}

// wrong is how an answer differs from what is wanted.
func (w want) wrong(g *got, door api) string {
	if g.broken != "" {
		return g.broken
	}
	if g.failed() {
		return w.wrongError(g, door)
	}
	if len(w.fails) > 0 && !w.either {
		return "no error, where one is due: " + strings.Join(w.fails, ", ")
	}
	if !g.ended {
		return "the answer does not end"
	}
	if why := w.wrongCalls(g.calls); why != "" {
		return why
	}
	text, wanted := flat(g.text), flat(w.text)
	if w.loose && !strings.Contains(text, wanted) || !w.loose && text != wanted {
		return fmt.Sprintf("text %q, want %q", g.text, w.text)
	}
	if w.alive && !isAlive(door, g.raw) {
		return "no sign of life before the answer"
	}
	return w.wrongFinish(g, door)
}

func (w want) wrongError(g *got, door api) string {
	if len(w.fails) == 0 {
		return fmt.Sprintf("an error: %d %s %s", g.status, g.code, g.message)
	}
	if len(g.calls) > 0 {
		return "calls beside an error"
	}
	if strings.HasPrefix(g.message, "connection:") {
		return g.message
	}
	if door != gemini && door != ollama && !slices.Contains(w.fails, g.code) {
		return fmt.Sprintf("the error's code is %q, want one of %q: %s", g.code, w.fails, g.message)
	}
	return ""
}

func (w want) wrongCalls(calls []call) string {
	ids := map[string]bool{}
	if len(calls) != len(w.calls) {
		return fmt.Sprintf("%d calls %q, want %d", len(calls), calls, len(w.calls))
	}
	for i, c := range calls {
		wanted := w.calls[i]
		if c.id != "" && ids[c.id] {
			return "two calls have the id " + c.id
		}
		ids[c.id] = true
		if c.name != wanted.name || !sameJSON(c.args, wanted.args) {
			return fmt.Sprintf("call %d is %s %s, want %s %s", i, c.name, c.args, wanted.name, wanted.args)
		}
	}
	return ""
}

// sameJSON compares documents; numbers are compared as text.
func sameJSON(a, b string) bool {
	var docs [2]any
	for i, s := range []string{a, b} {
		d := json.NewDecoder(strings.NewReader(s))
		d.UseNumber()
		if d.Decode(&docs[i]) != nil || d.More() {
			return false
		}
	}
	return reflect.DeepEqual(docs[0], docs[1])
}

// wrongFinish says whether the finish reason fits the calls.
func (w want) wrongFinish(g *got, door api) string {
	reasons := map[api]map[string]string{
		chat:      {"": "stop", "calls": "tool_calls", "length": "length"},
		responses: {"": "completed", "calls": "completed", "length": "incomplete"},
		anthropic: {"": "end_turn", "calls": "tool_use", "length": "max_tokens"},
		gemini:    {"": "STOP", "calls": "STOP", "length": "MAX_TOKENS"},
		ollama:    {"": "stop", "calls": "stop", "length": "length"},
	}
	kind := w.finish
	if kind == "" && len(w.calls) > 0 {
		kind = "calls"
	}
	if wanted := reasons[door][kind]; g.finish != wanted {
		return fmt.Sprintf("the finish reason is %q, want %q", g.finish, wanted)
	}
	return ""
}

// expect is the complaint unless ok.
func expect(ok bool, format string, args ...any) string {
	if ok {
		return ""
	}
	return fmt.Sprintf(format, args...)
}
