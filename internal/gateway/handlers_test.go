package gateway_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/simulate"
)

// Handlers of a program answer behind the fence of a gateway without keys, and the keyed ones behind the keys of one that has them.
func TestHandlers(t *testing.T) {
	says := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
	}
	cfg := gateway.Config{Models: models(t, simulate.New(simulate.Weather())),
		Handlers:      map[string]http.Handler{"GET /ui/": says("page"), "GET /ui/broken": http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("broken") })},
		KeyedHandlers: map[string]http.Handler{"GET /metrics": says("figures")}}
	open := serve(t, cfg)
	cfg.Keys = []string{"sesame"}
	keyed := serve(t, cfg)
	for _, tc := range []struct {
		name, url, host string
		header          []string
		status          int
		body            string
	}{
		{"open", open.URL + "/ui/x", "localhost", nil, 200, "page"},
		{"open, for a key", open.URL + "/metrics", "localhost", nil, 200, "figures"},
		{"another name of the machine", open.URL + "/metrics", "evil.example", nil, 403, ""},
		{"another name of the machine", open.URL + "/ui/", "evil.example", nil, 403, ""},
		{"a page of its own", keyed.URL + "/ui/", "callwright.example", nil, 200, "page"},
		{"one that panics", open.URL + "/ui/broken", "localhost", nil, 500, ""},
		{"asked by a page of another origin", open.URL + "/metrics", "localhost", []string{"Origin", "https://evil.example"}, 403, ""},
		{"no key", keyed.URL + "/metrics", "localhost", nil, 401, ""},
		{"a wrong key", keyed.URL + "/metrics", "localhost", []string{"Authorization", "Bearer simsalabim"}, 401, ""},
		{"a key", keyed.URL + "/metrics", "callwright.example", []string{"Authorization", "Bearer sesame"}, 200, "figures"},
	} {
		if got := get(t, tc.url, append(tc.header, "Host", tc.host)...); got.status != tc.status || tc.body != "" && got.body != tc.body {
			t.Errorf("%s: got %d %q, want %d %q", tc.name, got.status, got.body, tc.status, tc.body)
		}
	}
}

// A gateway whose state is not shared yet is not ready, though it answers.
func TestNotReady(t *testing.T) {
	var why []string
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Unshared: func(context.Context) []string { return why },
		Health: func() []string { return []string{"the store is away"} }})
	why = []string{"the counts are not shared", "the store is away"}
	if got := get(t, srv.URL+"/readyz"); got.status != 503 || got.body != "not ready\nthe counts are not shared\nthe store is away\n" {
		t.Errorf("got %d %q", got.status, got.body)
	}
	if got := post(t, srv.URL+chat, question(chat, "openai/native", "")); got.status != 200 {
		t.Errorf("got %d %s", got.status, got.body)
	}
	why = nil
	if got := get(t, srv.URL+"/readyz"); got.status != 200 || got.body != "degraded\nthe store is away\n" {
		t.Errorf("got %d %q", got.status, got.body)
	}
}

// A gateway that can answer and has problems says which, and is still ready.
func TestDegraded(t *testing.T) {
	var problems []string
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Health: func() []string { return problems }})
	if got := get(t, srv.URL+"/readyz"); got.status != 200 || got.body != "ready\n" {
		t.Errorf("got %d %q", got.status, got.body)
	}
	problems = []string{"the store is away", "provider lab: open"}
	if got := get(t, srv.URL+"/readyz"); got.status != 200 || got.body != "degraded\n"+strings.Join(problems, "\n")+"\n" {
		t.Errorf("got %d %q", got.status, got.body)
	}
}
