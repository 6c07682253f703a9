package main

import (
	"net/http"
	"strings"
	"testing"
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
		"/ui/keys": "Everybody", "/ui/playground": "Read the calls", "/ui/explain": "A request, as", "/ui/static/style.css": ":focus-visible",
	} {
		if status, body := s.fetch(path, ""); status != 200 || !strings.Contains(body, want) {
			t.Errorf("%s: got %d without %q: %s", path, status, want, body)
		}
	}
	if _, body := s.fetch("/ui/traces/rep_"+id, ""); !strings.Contains(body, "<del>") || !strings.Contains(body, "Received from the provider") {
		t.Errorf("the trace shows no change: %s", body)
	}
	locked := serve(t, "keys: [sesame]\nproviders: {sim: {}}\n", nil)
	if status, body := locked.fetch("/ui/", ""); status != http.StatusOK || !strings.Contains(body, `type="password"`) {
		t.Errorf("with keys: %d %s", status, body)
	}
	off := serve(t, "ui: off\nproviders: {sim: {}}\n", nil)
	if status, _ := off.fetch("/ui/", ""); status != http.StatusNotFound {
		t.Errorf("switched off: %d", status)
	}
}
