package main

import (
	"context"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/cmd/callwright/internal/runcmd"
)

// The gateway says where its pages are; they show what was asked, each change where it stood, and the models; with keys they ask for one.
func TestServePages(t *testing.T) {
	s := serve(t, "providers: {sim: {}}\nmodels: {fast: {model: sim/hermes-unclosed}}\n", nil, "--trace", t.TempDir()+"/")
	s.until("pages for a browser         " + s.url + "/ui/")
	if status, body := s.ask("fast", ""); status != 200 {
		t.Fatalf("got %d %s", status, body)
	}
	_, list := s.fetch("/ui/traces", "")
	_, link, ok := strings.Cut(list, `href="/ui/traces/rep_`)
	id, _, _ := strings.Cut(link, "?")
	if !ok {
		t.Fatal(list)
	}
	for path, want := range map[string]string{
		"/ui/": "Latency", "/ui/traces/rep_" + id: "What is the weather in Oslo?", "/ui/models": "fast", "/ui/models/fast": "sim/hermes-unclosed",
		"/ui/keys": "Everybody", "/ui/playground": "Read the calls", "/ui/explain": "A request, in the form",
	} {
		if status, body := s.fetch(path, ""); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: got %d without %q: %s", path, status, want, body)
		}
	}
	if _, body := s.fetch("/ui/traces/rep_"+id, ""); !strings.Contains(body, "<del>") || !strings.Contains(body, "Received from the provider") {
		t.Errorf("the trace shows no change: %s", body)
	}
	s.replays("rep_" + id)
	locked := serve(t, "keys: [sesame]\nproviders: {sim: {}}\n", nil)
	if status, body := locked.fetch("/ui/", ""); status != http.StatusOK || !strings.Contains(body, `type="password"`) {
		t.Errorf("with keys: %d %s", status, body)
	}
	off := serve(t, "ui: off\nproviders: {sim: {}}\n", nil)
	if status, _ := off.fetch("/ui/", ""); status != http.StatusNotFound {
		t.Errorf("switched off: %d", status)
	}
}

// A run that waits is answered on the pages, and goes on in another process without further answers, by the command line that they say.
func TestAnswerARunOnThePages(t *testing.T) {
	t.Run("in a folder", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "kept here")
		answerOnThePages(t, "state: {dir: '"+dir+"'}\n", func(*served) []string { return []string{"--state", dir} })
	})
	t.Run("on NATS", func(t *testing.T) {
		needsLong(t)
		_, address := startNATS(t)
		answerOnThePages(t, fmt.Sprintf("state: {nats: %q}\n", address), func(s *served) []string { return []string{"--config", s.config} })
	})
}

// answerOnThePages has a run wait, answers it on the pages of a gateway with a state, and has it go on. where says on a command line where runs are kept.
func answerOnThePages(t *testing.T, conf string, where func(*served) []string) {
	s := serve(t, conf+"providers: {sim: {}}\n", nil)
	if _, list := s.fetch("/ui/runs", ""); !strings.Contains(list, "There are no runs yet") {
		t.Error(list)
	}
	words := append([]string{"run"}, where(s)...)
	command := func(args ...string) (int, string) {
		var out strings.Builder
		code := run(t.Context(), append(slices.Clone(words), args...), streams{in: strings.NewReader(""), out: &out, err: &out}, noEnv)
		return code, out.String()
	}
	code, said := command("--model", "sim/native", "--tools", weatherToAsk, "What is the weather in Oslo?")
	if code != exitParked {
		t.Fatalf("the run does not wait: %d %s", code, said)
	}
	id := asked(t, said)
	path := "/ui/runs/" + id
	if _, list := s.fetch("/ui/runs?show=waiting", ""); !strings.Contains(list, path) {
		t.Fatal(list)
	}
	body := postForm(t, s.url+path, "", url.Values{"decision0": {"yes"}}, "token", "call")
	if want := html.EscapeString("callwright run " + words[1] + " " + runcmd.ShellWord(words[2]) + " --resume " + id); !strings.Contains(body, want) {
		t.Errorf("the page lacks %q: %s", want, body)
	}
	if code, said = command("--resume", id); code != exitDone || !strings.Contains(said, "3 degrees") {
		t.Errorf("it goes on with %d %s", code, said)
	}
	if _, body = s.fetch(path, ""); !strings.Contains(body, ">done<") {
		t.Errorf("the page does not say that it is done: %s", body)
	}
}

// postForm sends the form of a page to what is below it as a browser does, with the hidden members of these names, and gives the page that comes of it.
func postForm(t *testing.T, address, below string, form url.Values, hidden ...string) string {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	page := func(r *http.Response, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		body, err := io.ReadAll(r.Body)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%d %s %v", r.StatusCode, body, err)
		}
		return string(body)
	}
	body := page(browser.Get(address))
	for _, name := range hidden {
		_, rest, _ := strings.Cut(body, `name="`+name+`" value="`)
		value, _, _ := strings.Cut(rest, `"`)
		form.Set(name, html.UnescapeString(value))
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+below, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	return page(browser.Do(req))
}

// An evaluation that is kept beside what the gateway keeps is on its pages, with the report of callwright eval.
func TestEvaluationsOnThePages(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, "state: {dir: '"+dir+"'}\nproviders: {sim: {}}\n", nil)
	if _, list := s.fetch("/ui/evals", ""); !strings.Contains(list, "There are no evaluations yet") {
		t.Error(list)
	}
	code := run(t.Context(), []string{"eval", "--model", "sim/native", "--scenarios", "happy_path", "--trials", "2", "--state", filepath.Join(dir, "evals", "first")},
		streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, noEnv)
	if code != 0 {
		t.Fatalf("the evaluation ended with %d", code)
	}
	for path, want := range map[string]string{"/ui/evals": "2 of 2", "/ui/evals/first": "Tool scenarios alone", "/ui/report.css": ".evaluation {"} {
		if status, body := s.fetch(path, ""); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: got %d without %q: %s", path, status, want, body)
		}
	}
	for _, name := range []string{"..", ".", "..%2Fruns", "second"} {
		if status, _ := s.fetch("/ui/evals/"+name, ""); status == http.StatusInternalServerError {
			t.Errorf("%s: got %d", name, status)
		}
	}
}

// replays plays a trace again on its page, which shows each step and that the same comes out.
func (s *served) replays(id string) {
	s.t.Helper()
	got := postForm(s.t, s.url+"/ui/traces/"+id, "/replay", url.Values{}, "token")
	for _, want := range []string{">the same<", "The current configuration would send the same bytes to the provider and to the client", `id="now-raw"`, `id="now-found"`, `id="now-mended"`, `id="now-judged"`, `id="now-sent"`, "accepted"} {
		if !strings.Contains(got, want) {
			s.t.Errorf("the trace that was played again lacks %q: %s", want, got)
		}
	}
}

// What a probe finds is kept beside what the gateway keeps, and is on its pages.
func TestProbeOnThePages(t *testing.T) {
	s := serve(t, "state: {dir: '"+t.TempDir()+"'}\nproviders: {sim: {}}\nmodels: {fast: {model: sim/native}}\n", nil)
	for _, path := range []string{"/ui/probes/fast", "/ui/probes/sim/native"} {
		if _, page := s.fetch(path, ""); !strings.Contains(page, "No probe of this model is kept") {
			t.Errorf("%s: %s", path, page)
		}
	}
	if code := run(t.Context(), []string{"probe", "--config", s.config, "fast"}, streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}, noEnv); code != exitDone {
		t.Fatalf("the probe ended with %d", code)
	}
	for _, path := range []string{"/ui/probes/fast", "/ui/probes/sim/native"} {
		if _, page := s.fetch(path, ""); !strings.Contains(page, "<small> of 100</small>") {
			t.Errorf("%s: %s", path, page)
		}
	}
}

// With --wait a run that waits goes on by itself when it is answered on the pages: by what was said about each call.
func TestRunWaitsForThePages(t *testing.T) {
	dir := t.TempDir()
	s := serve(t, "state: {dir: '"+dir+"'}\nproviders: {sim: {}}\n", nil)
	type outcome struct {
		code int
		said string
	}
	done := make(chan outcome)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		var out strings.Builder
		code := run(ctx, []string{"run", "--wait", "--state", dir, "--model", "sim/native", "--tools", weatherToAsk, "What is the weather in Oslo?"}, streams{in: strings.NewReader(""), out: &out, err: &out}, noEnv)
		done <- outcome{code, out.String()}
	}()
	path := ""
	for path == "" {
		_, list := s.fetch("/ui/runs?show=waiting", "")
		if _, rest, ok := strings.Cut(list, `<a href="/ui/runs/run_`); ok {
			id, _, _ := strings.Cut(rest, `"`)
			path = "/ui/runs/run_" + id
		}
		select {
		case got := <-done:
			t.Fatalf("it has ended: %d %s", got.code, got.said)
		case <-time.After(20 * time.Millisecond):
		}
	}
	postForm(t, s.url+path, "", url.Values{"decision0": {"yes"}}, "token", "call")
	if got := <-done; got.code != exitDone || !strings.Contains(got.said, "waits: get_weather") || !strings.Contains(got.said, "3 degrees") {
		t.Errorf("it ended with %d: %s", got.code, got.said)
	}
}
