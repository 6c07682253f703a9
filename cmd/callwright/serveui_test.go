package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// page gets a page as a browser without a session does.
func (s *served) page(path string) (status int, body string) {
	s.t.Helper()
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Get(s.url + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// The gateway says where its pages are; they show what was asked, each change where it stood, and the models; with keys they ask for one.
func TestServePages(t *testing.T) {
	s := serve(t, "providers: {sim: {}}\nmodels: {fast: {model: sim/hermes-unclosed}}\n", nil, "--trace", t.TempDir()+"/")
	s.until("pages for a browser         " + s.url + "/ui/")
	if status, body := s.ask("fast", ""); status != 200 {
		t.Fatalf("got %d %s", status, body)
	}
	_, list := s.page("/ui/traces")
	_, link, ok := strings.Cut(list, `href="/ui/traces/rep_`)
	id, _, _ := strings.Cut(link, "?")
	if !ok {
		t.Fatal(list)
	}
	for path, want := range map[string]string{
		"/ui/": "Latency", "/ui/traces/rep_" + id: "What is the weather in Oslo?", "/ui/models": "fast", "/ui/models/fast": "sim/hermes-unclosed",
		"/ui/keys": "Everybody", "/ui/playground": "Read the calls", "/ui/explain": "A request, as", "/ui/static/style.css": ":focus-visible",
	} {
		if status, body := s.page(path); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: got %d without %q: %s", path, status, want, body)
		}
	}
	if _, body := s.page("/ui/traces/rep_" + id); !strings.Contains(body, "<del>") || !strings.Contains(body, "Received from the provider") {
		t.Errorf("the trace shows no change: %s", body)
	}
	locked := serve(t, "keys: [sesame]\nproviders: {sim: {}}\n", nil)
	if status, _ := locked.page("/ui/"); status != http.StatusSeeOther {
		t.Errorf("with keys: %d", status)
	}
	off := serve(t, "ui: off\nproviders: {sim: {}}\n", nil)
	if status, _ := off.page("/ui/"); status != http.StatusNotFound {
		t.Errorf("switched off: %d", status)
	}
}
