package gateway_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/simulate"
)

// request sends a request without a body; header are names and values in turn.
func request(t testing.TB, method, url string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, string(raw), err}
}

// Where nothing is served the error still has the client's own shape, told by what only its wire sends.
func TestErrorsOfNowhereAreTheClients(t *testing.T) {
	url, _ := spoken(t, gateway.Config{})
	for _, c := range []struct {
		path   string
		header []string
		of     string
	}{
		{"/v1/embeddings", nil, ""},
		{"/v1/messages/drafts", nil, "anthropic"},
		{"/v1/responses/resp_1/cancel", nil, "responses"},
		{"/v1beta/corpora", nil, "gemini"},
		{"/api/nothing", nil, "ollama"},
		{"/v1/nothing", []string{"anthropic-version", "2023-06-01"}, "anthropic"},
		{"/v1/nothing", []string{"x-goog-api-key", "k"}, "gemini"},
		{"/v1/nothing", []string{"x-goog-api-client", "genai-js/3"}, "gemini"},
		{"/v1/nothing?key=k", nil, "gemini"},
		{"/v1/nothing?wire=ollama", []string{"x-goog-api-key", "k"}, "ollama"},
		{"/v1/nothing?wire=telepathy", nil, ""},
	} {
		got := request(t, http.MethodDelete, url+c.path, c.header...)
		if got.status != 404 && got.status != 405 || strings.Contains(got.body, `"of"`) != (c.of != "") || c.of != "" && !strings.Contains(got.body, `"of":"`+c.of+`"`) {
			t.Errorf("%s %v: got %d %s", c.path, c.header, got.status, got.body)
		}
	}
}

func TestMethodsOfAPath(t *testing.T) {
	url, _ := spoken(t, gateway.Config{})
	for path, allowed := range map[string]string{"/v1/chat/completions": "POST", "/v1/responses/x": "DELETE, GET", "/v1/models/x": "GET, POST", "/api/tags": "GET"} {
		got := request(t, http.MethodPut, url+path)
		if got.status != http.StatusMethodNotAllowed || got.header.Get("Allow") != allowed {
			t.Errorf("%s: got %d, allowed %q", path, got.status, got.header.Get("Allow"))
		}
	}
	if got := request(t, http.MethodHead, url+"/v1/models"); got.status != 200 {
		t.Errorf("HEAD: got %d", got.status)
	}
}

// A key is taken from wherever the SDKs put theirs, and is not said again.
func TestKeysOfEveryClient(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	url, _ := spoken(t, gateway.Config{Keys: []string{"other", "sesame"}, Logger: logger})
	for _, c := range []struct {
		query  string
		header []string
		status int
	}{
		{"", nil, 401},
		{"", []string{"Authorization", "Bearer sesame"}, 200},
		{"", []string{"x-api-key", "sesame"}, 200},
		{"", []string{"x-goog-api-key", "sesame"}, 200},
		{"", []string{"api-key", "sesame"}, 200},
		{"?key=sesame", nil, 200},
		{"?key=sesame", []string{"Authorization", "Bearer of-the-vendor"}, 200},
		{"?key=sesam", []string{"x-goog-api-key", "sesamee"}, 401},
		{"?key=", []string{"x-goog-api-key", ""}, 401},
	} {
		for _, path := range []string{"/v1beta/models/openai/m:generateContent", "/v1beta/models/nowhere/m:generateContent"} {
			got := post(t, url+path+c.query, hello, c.header...)
			if want := map[bool]int{true: 404, false: c.status}[c.status == 200 && strings.Contains(path, "nowhere")]; got.status != want {
				t.Errorf("%s%s %v: got %d %s, want %d", path, c.query, c.header, got.status, got.body, want)
			}
			if strings.Contains(got.body, "sesam") {
				t.Errorf("the answer has the key: %s", got.body)
			}
		}
	}
	if log.Len() == 0 || strings.Contains(log.String(), "sesam") {
		t.Errorf("the log is empty or has the key: %s", log.String())
	}
	if strings.Contains(log.String(), `model=""`) {
		t.Errorf("the log has a model without a name: %s", log.String())
	}
}

func TestModelsInTheClientsShape(t *testing.T) {
	cfg := gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Codecs: pretended()}
	url := serve(t, cfg).URL
	for _, c := range []struct {
		path   string
		header []string
		want   string
	}{
		{"/v1/models", nil, `{"data":[{"created":0,"id":"openai/native","object":"model","owned_by":"openai"},{"created":0,"id":"anthropic/native","object":"model","owned_by":"anthropic"}],"object":"list"}`},
		{"/v1/models/openai/native", nil, `{"created":0,"id":"openai/native","object":"model","owned_by":"openai"}`},
		{"/v1/models", []string{"anthropic-version", "2026-10-21"}, `"first_id":"openai/native","has_more":false,"last_id":"anthropic/native"`},
		{"/v1/models/openai/native", []string{"anthropic-version", "2026-10-21"}, `{"capabilities":null,"created_at":"1970-01-01T00:00:00Z","display_name":"openai/native","id":"openai/native","max_input_tokens":null,"max_tokens":null,"type":"model"}`},
		{"/v1beta/models", nil, `{"models":[{"displayName":"openai/native","name":"models/openai/native","supportedGenerationMethods":["generateContent","streamGenerateContent","countTokens"],"version":""},`},
		{"/v1/models?key=k", nil, `{"models":[{"displayName":"openai/native","name":"models/openai/native",`},
		{"/v1beta/models/openai%2Fnative", nil, `{"displayName":"openai/native","name":"models/openai/native",`},
		{"/api/tags", nil, `"model":"anthropic/native","modified_at":"1970-01-01T00:00:00Z","name":"anthropic/native","size":0}]}`},
		{"/api/ps", nil, `{"models":[]}`},
		{"/api/version", nil, `{"version":"0.`},
		{"/", nil, "callwright is running\n"},
		{"/v1beta/models/nowhere/x", nil, `"of":"gemini"`},
	} {
		got := request(t, http.MethodGet, url+c.path, c.header...)
		if !strings.Contains(got.body, c.want) || (got.status == 200) == strings.Contains(c.want, `"of"`) {
			t.Errorf("%s %v: got %d %s", c.path, c.header, got.status, got.body)
		}
	}
	for body, want := range map[string]string{
		`{"model":"openai/native"}`: `"capabilities":["completion","tools"]`, `{"name":"openai/native"}`: `"general.basename":"openai/native"`,
		`{"model":"nowhere/x"}`: "nowhere/x", `{`: "JSON object",
	} {
		if got := post(t, url+"/api/show", body); !strings.Contains(got.body, want) {
			t.Errorf("%s: got %d %s", body, got.status, got.body)
		}
	}
	if got := request(t, http.MethodHead, url+"/"); got.status != 200 {
		t.Errorf("HEAD /: got %d", got.status)
	}
}

// The wire of what is to be explained is told by the query, a header, or the shape of the body.
func TestExplainTellsTheWire(t *testing.T) {
	cfg := gateway.Config{Models: models(t, simulate.New(simulate.Weather())), Codecs: pretended()}
	url := serve(t, cfg).URL + "/callwright/explain"
	openai := question(chat, "openai/native", "")
	for _, c := range []struct {
		query, body string
		header      []string
		status      int
		says        string
	}{
		{"", openai, nil, 200, `"mode":"native"`},
		{"?model=anthropic/native", openai, nil, 200, `"model":"anthropic/native"`},
		{"?wire=ollama", `{`, nil, 400, `"of":"ollama"`},
		{"", `{`, []string{"x-goog-api-key", "k"}, 400, `"of":"gemini"`},
		{"", `{"contents":[],"messages":[{"role":"user","content":"hi"}]}`, nil, 400, `?model=NAME`},
		{"?model=openai/native", `{"contents":[],"messages":[{"role":"user","content":"hi"}]}`, nil, 200, `"model":"openai/native"`},
	} {
		got := post(t, url+c.query, c.body, c.header...)
		if got.status != c.status || !strings.Contains(got.body, c.says) {
			t.Errorf("%s %s: got %d %s", c.query, c.body, got.status, got.body)
		}
	}
}

// A base URL that leads elsewhere is named, in the form of the API whose path the client added to it: for each path at which models are asked.
func TestWrongBaseURLs(t *testing.T) {
	url, _ := spoken(t, gateway.Config{})
	for path, of := range map[string]string{
		"/v1/chat/completions": "openai", "/v1/responses": "responses", "/v1/responses/input_tokens": "responses",
		"/v1/messages": "anthropic", "/v1/messages/count_tokens": "anthropic", "/api/chat": "ollama", "/api/generate": "ollama",
	} {
		tail := strings.TrimPrefix(path, "/v1")
		for _, base := range []string{"/v2", "/api", "/v1beta/openai", "/proxy/v1", "/v1/chat/completions", "/ui"} {
			at := base + tail
			if base == "/api" && of == "ollama" {
				continue // the gateway takes it for the path without the second /api
			}
			got := request(t, http.MethodPost, url+at)
			if want := "nothing is served at POST " + at + ": did you mean " + path + "? Correct the base URL"; got.status != 404 || !strings.Contains(got.body, want) {
				t.Errorf("%s: got %d %s", at, got.status, got.body)
			}
			if base == "/v1beta/openai" {
				continue // a path of Gemini's API, whose form all errors below it have
			}
			if of != "openai" && !strings.Contains(got.body, `"of":"`+of+`"`) || of == "openai" && strings.Contains(got.body, `"of"`) {
				t.Errorf("%s: expected the form of %s, got %s", at, of, got.body)
			}
		}
	}
}
