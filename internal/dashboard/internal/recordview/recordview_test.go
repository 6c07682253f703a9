package recordview_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/dashboard/internal/recordview"
	"github.com/callwright/callwright/internal/trace"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestOf(t *testing.T) {
	entries := []trace.Entry{
		{Kind: trace.KindRequest, Wire: callwright.WireAnthropic, Model: "a/m", Header: map[string]string{"User-Agent": "claude-cli/2", "Anthropic-Version": "2023-06-01"}, Body: json.RawMessage(`{"model":"it's"}`)},
		{Kind: trace.KindReceived, Data: json.RawMessage(`{"provider":"a","status":429,"sent_header":{"Content-Type":"application/json"},"header":{"Retry-After":"3","Date":"d"}}`)},
		{Kind: trace.KindReceived, Data: json.RawMessage(`{"provider":"b","skipped_ns":5}`)},
		{Kind: trace.KindAnswer, Streamed: true, Data: json.RawMessage(`{}`), Usage: []trace.ModelUsage{{Model: "a/m", Input: 10}, {Model: "b/n", Input: 20, Output: 5}}},
	}
	price := func(m callwright.ModelID, u callwright.Usage) (float64, bool) {
		return float64(u.Input) / 10, m == "a/m"
	}
	got := recordview.Of(entries, "http://localhost:8787", price)
	want := &recordview.View{
		Headers: []recordview.Header{
			{"From the client", []recordview.Field{{"Anthropic-Version", "2023-06-01"}, {"User-Agent", "claude-cli/2"}}},
			{"To a", []recordview.Field{{"Content-Type", "application/json"}}},
			{"From a", []recordview.Field{{"Date", "d"}, {"Retry-After", "3"}}},
		},
		Usage: []recordview.Usage{{trace.ModelUsage{Model: "a/m", Input: 10}, 1, true}, {trace.ModelUsage{Model: "b/n", Input: 20, Output: 5}, 2, false}},
		Curl: "curl -sS -N 'http://localhost:8787/v1/messages' \\\n  -H \"Authorization: Bearer $CALLWRIGHT_KEY\" \\\n  -H 'anthropic-version: 2023-06-01' \\\n" +
			"  -H 'content-type: application/json' \\\n  --data-binary '{\"model\":\"it'\\''s\"}'\n",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for name, change := range map[string]func(e *trace.Entry){"no body": func(e *trace.Entry) { e.Body = nil }, "no contents": func(e *trace.Entry) { e.Redacted = true }} {
		e := entries[0]
		change(&e)
		if got := recordview.Of([]trace.Entry{e}, "", nil).Curl; got != "" {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// A request whose command is run by a shell comes to the path of its API, with the key and with every byte of its body.
func TestCurlRuns(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("it needs a shell")
	}
	// A program in place of curl writes its arguments to a file, with a zero byte behind each.
	dir := t.TempDir()
	args := filepath.Join(dir, "args")
	if err := os.WriteFile(filepath.Join(dir, "curl"), []byte("#!/bin/sh\nprintf '%s\\0' \"$@\" > "+args+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	texts := rapid.OneOf(rapid.SampledFrom([]string{"it's", "$(touch x) `y` \"z\" \\", "é\u202e\n\t", "'; exit 1; '", "EOF\n"}), rapid.String())
	rapid.Check(t, func(rt *rapid.T) {
		body, err := json.Marshal(map[string]string{"text": texts.Draw(rt, "text")})
		if err != nil {
			rt.Fatal(err)
		}
		wire := rapid.SampledFrom([]callwright.WireName{callwright.WireOpenAI, callwright.WireResponses, callwright.WireAnthropic, callwright.WireGemini, callwright.WireOllama}).Draw(rt, "wire")
		streamed := rapid.Bool().Draw(rt, "streamed")
		e := &trace.Entry{Wire: wire, Model: "lab/it's", Body: body}
		cmd := exec.CommandContext(t.Context(), shell, "-c", recordview.Curl("http://h:1", e, streamed))
		cmd.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "CALLWRIGHT_KEY=the key"}
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			rt.Fatalf("%v: %s", err, out)
		}
		text, err := os.ReadFile(args)
		if err != nil {
			rt.Fatal(err)
		}
		got := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
		want := []string{"-sS"}
		if streamed {
			want = append(want, "-N")
		}
		path := map[callwright.WireName]string{callwright.WireOpenAI: "/v1/chat/completions", callwright.WireResponses: "/v1/responses", callwright.WireAnthropic: "/v1/messages", callwright.WireOllama: "/api/chat"}[wire]
		if path == "" {
			path = "/v1beta/models/lab/it%27s:generateContent"
			if streamed {
				path = "/v1beta/models/lab/it%27s:streamGenerateContent?alt=sse"
			}
		}
		want = append(want, "http://h:1"+path, "-H", "Authorization: Bearer the key", "-H", "content-type: application/json", "--data-binary", string(body))
		if d := cmp.Diff(want, got); d != "" {
			rt.Fatal(d)
		}
	})
}

func TestGateway(t *testing.T) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://gate.example/ui/", http.NoBody)
	if got := recordview.Gateway(r); got != "https://gate.example" {
		t.Errorf("got %s", got)
	}
	r.TLS = nil
	if got := recordview.Gateway(r); got != "http://gate.example" {
		t.Errorf("got %s", got)
	}
}
