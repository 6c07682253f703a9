package gateway_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/version"
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

// The version is told to whoever may ask the gateway at all: with keys, to a key of any verb.
func TestShowVersion(t *testing.T) {
	keyed := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Keys: []string{"sesame"}})
	if got := get(t, keyed.URL+"/callwright/version"); got.status != 401 {
		t.Errorf("without a key: got %d %q", got.status, got.body)
	}
	got := get(t, keyed.URL+"/callwright/version", "Authorization", "Bearer sesame")
	var b version.Build
	if err := json.Unmarshal([]byte(got.body), &b); err != nil || got.status != 200 || b != version.This() {
		t.Errorf("got %d %q, %v", got.status, got.body, err)
	}
}

// A gateway that cannot answer yet is not ready, and one that shuts down says so.
func TestNotReady(t *testing.T) {
	var why []string
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Unready: func(context.Context) []string { return why },
		Health: problems("store", "it is away")})
	why = []string{"the counts are not shared", "the store is away"}
	if got := get(t, srv.URL+"/readyz"); got.status != 503 || got.body != `{"status":"not ready","reasons":["the counts are not shared","the store is away"]}`+"\n" {
		t.Errorf("got %d %q", got.status, got.body)
	}
	if got := post(t, srv.URL+chat, question(chat, "openai/native", "")); got.status != 200 {
		t.Errorf("got %d %s", got.status, got.body)
	}
	why = nil
	if got := get(t, srv.URL+"/readyz"); got.status != 200 || got.body != `{"status":"degraded","reasons":["store: it is away"]}`+"\n" {
		t.Errorf("got %d %q", got.status, got.body)
	}
}

// problems returns a Monitor with problems: the subject of each, and its cause.
func problems(list ...string) *health.Monitor {
	m := health.New(health.Config{Version: "v1"})
	m.Watch(func() (out []health.Problem) {
		for i := 0; i < len(list); i += 2 {
			out = append(out, health.Problem{Severity: health.Degraded, Subject: list[i], Cause: list[i+1], Remedy: "mend it"})
		}
		return out
	})
	return m
}

// A gateway that can answer and has problems says which, and is still ready.
func TestDegraded(t *testing.T) {
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather()))})
	if got := get(t, srv.URL+"/readyz"); got.status != 200 || got.body != `{"status":"ready"}`+"\n" || got.header.Get("Content-Type") != "application/json" {
		t.Errorf("got %d %q", got.status, got.body)
	}
	srv = serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Health: problems("store", "away", "provider lab", "open")})
	if got := get(t, srv.URL+"/readyz"); got.status != 200 || got.body != `{"status":"degraded","reasons":["provider lab: open","store: away"]}`+"\n" {
		t.Errorf("got %d %q", got.status, got.body)
	}
}

// The status counts requests by outcome and lists problems, for keys with the verb metrics.
func TestStatus(t *testing.T) {
	free, err := access.New(access.Config{Keys: []access.Key{
		{Name: "scrape", Hash: access.HashOf("scrape"), Verbs: []access.Verb{access.Metrics}}, {Name: "usual", Hash: access.HashOf("usual")}, access.NewUnlimitedKey("all", access.HashOf("all")),
	}})
	if err != nil {
		t.Fatal(err)
	}
	srv := serve(t, gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Access: free, Health: problems("store", "away")})
	for key, want := range map[string]int{"": 401, "wrong": 401, "usual": 403, "scrape": 200, "all": 200} {
		if got := get(t, srv.URL+"/callwright/status", "Authorization", "Bearer "+key); got.status != want {
			t.Errorf("key %q: got %d %s", key, got.status, got.body)
		}
	}
	for _, model := range []string{"openai/native", "openai/native", "openai/hermes", "nobody"} {
		post(t, srv.URL+chat, question(chat, model, ""), "Authorization", "Bearer all")
	}
	var got health.Status
	if err := json.Unmarshal([]byte(get(t, srv.URL+"/callwright/status", "Authorization", "Bearer all").body), &got); err != nil {
		t.Fatal(err)
	}
	if got.State != health.DegradedNow || got.Version != "v1" || got.Requests.Recent != (health.Requests{Passed: 2, Healed: 1, Failed: 1}) || got.Requests.All != got.Requests.Recent ||
		got.Started.IsZero() || !slices.Equal(health.Lines(got.Problems), []string{"store: away"}) {
		t.Errorf("got %+v", got)
	}
}
