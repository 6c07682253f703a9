package gateway_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/hosted"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/provider"
	"github.com/callwright/callwright/internal/trace"
	"github.com/google/go-cmp/cmp"
)

// A search that a client's API has its provider run is run by what was configured for a model of another API, and shown in the form of the
// client's; without a configuration, and at a provider of that API, it is as it was.
func TestHostedSearch(t *testing.T) {
	var asked []string
	upstream := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		asked = append(asked, string(raw))
		message, finish := `{"role":"assistant","content":"Oslo won."}`, "stop"
		if strings.Contains(string(raw), `"tools"`) && !strings.Contains(string(raw), `"role":"tool"`) {
			message, finish = `{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"web_search","arguments":"{\"query\":\"who won\"}"}}]}`, "tool_calls"
		}
		if strings.Contains(string(raw), `"stream":true`) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, `data: {"id":"c","choices":[{"index":0,"delta":`+message+`,"finish_reason":"`+finish+`"}]}`+"\n\ndata: [DONE]\n\n")
			return
		}
		_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":`+message+`,"finish_reason":"`+finish+`"}],"usage":{"prompt_tokens":9,"completion_tokens":4}}`)
	})
	run, err := hosted.New(hosted.Config{Tools: map[string]hosted.Tool{hosted.WebSearch: {
		Name: "search/web", Schema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`),
		Run: func(_ context.Context, arguments json.RawMessage) (string, error) {
			return "https://a.test says Oslo, asked for " + string(arguments), nil
		},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	known := models(t, upstream)
	known["lab"] = labOf(t, upstream)
	dir := t.TempDir()
	recorded, err := trace.OpenFolder(dir, nil, trace.LogLimits{})
	if err != nil {
		t.Fatal(err)
	}
	defer recorded.Close()
	w := trace.NewWriter(recorded)
	url := serve(t, gateway.Config{Models: known, Hosted: run, Record: func(m callwright.Model) callwright.Model { return trace.Record(m, w) }}).URL
	outcomes := map[string]outcome.Outcome{}
	for _, c := range []struct{ path, body, stream, shown string }{
		{chat, `{"model":"lab/m","messages":[{"role":"user","content":"Who?"}],"web_search_options":{"search_context_size":"low"}`, `,"stream":true`,
			`"annotations":[{"type":"url_citation","url_citation":{"start_index":0,"end_index":0,"title":"https://a.test","url":"https://a.test"}}]`},
		{chat, `{"model":"lab/m","messages":[{"role":"user","content":"Who?"}],"web_search_options":{},"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`, `,"stream":true`, "Oslo won."},
		{"/v1beta/models/lab/m:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"Who?"}]}],"tools":[{"googleSearch":{}}]`, "",
			`"groundingMetadata":{"groundingChunks":[{"web":{"title":"https://a.test","uri":"https://a.test"}}],"webSearchQueries":["who won"]}`},
		{messages, `{"model":"openai/m","max_tokens":9,"messages":[{"role":"user","content":"Who?"}],"tools":[{"type":"web_search_20250305","name":"web_search"}]`, `,"stream":true`, "web_search_tool_result"},
		{"/v1/responses", `{"model":"openai/m","input":"Who?","tools":[{"type":"web_search"}]`, `,"stream":true`, "web_search_call"},
		{"/v1beta/models/openai/m:generateContent", `{"contents":[{"role":"user","parts":[{"text":"Who?"}]}],"tools":[{"googleSearch":{}}]`, "",
			`"groundingMetadata":{"groundingChunks":[{"web":{"title":"https://a.test","uri":"https://a.test"}}],"webSearchQueries":["who won"]}`},
	} {
		for _, more := range []string{"", c.stream} {
			asked = nil
			got := post(t, url+c.path, c.body+more+"}", "Callwright-Report", "body")
			if got.status != 200 || !strings.Contains(got.body, c.shown) || !strings.Contains(got.body, "Oslo won.") || !strings.Contains(got.body, `"hosted.ran"`) || strings.Contains(got.body, "function_call\"") || strings.Contains(got.body, `{"candidate"`) {
				t.Errorf("%s%s: got %d %s", c.path, more, got.status, got.body)
			}
			outcomes[reportID(got)] = reportIn(got).Outcome
			if len(asked) != 2 || strings.Contains(asked[0], "web_search_options") || !strings.Contains(asked[1], "https://a.test says Oslo, asked for") {
				t.Errorf("%s%s: asked %q", c.path, more, asked)
			}
		}
	}
	// The model was asked twice for each: it is one request, and ended as the client was told.
	traces := map[string]outcome.Outcome{}
	list, err := recorded.List(t.Context(), trace.Query{})
	for _, s := range list {
		traces[s.ID] = s.Outcome
	}
	if d := cmp.Diff(outcomes, traces); d != "" || err != nil || len(list) != len(outcomes) {
		t.Errorf("%d traces of %d requests, %v (-clients +traces)\n%s", len(list), len(outcomes), err, d)
	}
	// A provider that is known to search by itself does.
	asked = nil
	if got := post(t, url+chat, `{"model":"openai/m","messages":[{"role":"user","content":"Who?"}],"web_search_options":{}}`); len(asked) != 1 || !strings.Contains(asked[0], `"web_search_options":{}`) {
		t.Errorf("asked %q, got %s", asked, got.body)
	}
	asked = nil
	plain := serve(t, gateway.Config{Models: models(t, upstream)}).URL
	if got := post(t, plain+"/v1/responses", `{"model":"openai/m","input":"Who?","tools":[{"type":"web_search"}]}`, "Callwright-Report", "body"); len(asked) != 1 || strings.Contains(asked[0], "web_search") || !strings.Contains(got.body, "tools.hosted") {
		t.Errorf("without a configuration: asked %q, got %s", asked, got.body)
	}
}

// labOf is a provider of Chat Completions of which nothing is known.
func labOf(t *testing.T, upstream http.Handler) *provider.Provider {
	t.Helper()
	srv := httptest.NewServer(upstream)
	t.Cleanup(srv.Close)
	p, err := provider.New(provider.Config{Name: "lab", Wire: callwright.WireOpenAI, BaseURL: srv.URL + "/v1", APIKey: provider.NewSecret("k")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}
