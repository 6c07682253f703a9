package gateway_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/gateway"
	"github.com/callwright/callwright/internal/provider"
)

// passing serves models whose provider answers every request with these bytes, and tells what came: path, content type, body.
func passing(t *testing.T, answer string, cfg gateway.Config) (url string, came func() [3]string) {
	t.Helper()
	var seen [3]string
	cfg.Models = models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		seen = [3]string{r.URL.String(), r.Header.Get("Content-Type"), string(raw)}
		for _, name := range []string{"Authorization", "X-Goog-Api-Key", "X-Api-Key"} {
			if strings.Contains(r.Header.Get(name), "mine") {
				t.Errorf("%s: the client's key went on", r.URL)
			}
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = io.WriteString(w, answer)
	}))
	return serve(t, cfg).URL, func() [3]string { return seen }
}

// Requests of other kinds go to the provider of the model that they name, byte for byte but for the name, and so do the answers.
func TestPassedOn(t *testing.T) {
	const answer = "\x00\xff{ \"n\" : 1e2 }\n"
	url, came := passing(t, answer, gateway.Config{Passthrough: provider.PassageNames()})
	form := func(model string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"model\"\r\n\r\nmodel\x00\r\n--b\r\nContent-Disposition: form-data; name=\"model\"\r\n\r\n" + model + "\r\n--b--\r\n"
	}
	for _, c := range []struct{ path, body, to, sent, kind string }{
		{"/v1/embeddings", `{"input" : [[1,2]], "model": "openai/m"}`, "/v1/embeddings", `{"input" : [[1,2]], "model": "m"}`, ""},
		{"/embeddings", `{"model":"responses/m"}`, "/v1/embeddings", `{"model":"m"}`, ""},
		{"/v1/embeddings", `{"model":"ollama/m"}`, "/v1/embeddings", `{"model":"m"}`, ""},
		{"/v1/embeddings?model=openai/q", `{"model":"x"}`, "/v1/embeddings", `{"model":"q"}`, ""},
		{"/v1/moderations?model=openai/q", `{"input":"x"}`, "/v1/moderations", `{"input":"x"}`, ""},
		{"/v1/rerank", `{"model":"openai/a/b"}`, "/v1/rerank", `{"model":"a/b"}`, ""},
		{"/v1/completions", `{"model":"openai/m","stream":true}`, "/v1/completions", `{"model":"m","stream":true}`, ""},
		{"/v1/images/generations", `{"model":"openai/m"}`, "/v1/images/generations", `{"model":"m"}`, ""},
		{"/v1/audio/transcriptions", form("openai/m"), "/v1/audio/transcriptions", form("m"), "multipart/form-data; boundary=b"},
		{"/v1/audio/speech", `{"model":"openai/m"}`, "/v1/audio/speech", `{"model":"m"}`, ""},
		{"/v1beta/models/gemini/m:embedContent?key=mine", `{"model":"models/gemini/m","content":{}}`, "/v1beta/models/m:embedContent", `{"model":"models/m","content":{}}`, ""},
		{"/v1beta/gemini/m:batchEmbedContents", `{"requests":[{"model":"models/x"},{"n":1e2}] }`, "/v1beta/models/m:batchEmbedContents", `{"requests":[{"model":"models/m"},{"n":1e2}] }`, ""},
		{"/api/embed", `{"model":"ollama/m:1b","input":"x"}`, "/api/embed", `{"model":"m:1b","input":"x"}`, ""},
		{"/api/embeddings", `{"model":"ollama/m","prompt":"x"}`, "/api/embeddings", `{"model":"m","prompt":"x"}`, ""},
	} {
		header := []string{"Authorization", "Bearer mine"}
		if c.kind != "" {
			header = append(header, "Content-Type", c.kind)
		}
		got := post(t, url+c.path, c.body, header...)
		if got.status != 200 || got.body != answer || got.header.Get("Content-Type") != "application/octet-stream" || !strings.HasPrefix(got.header.Get("Callwright-Report"), "passed=") {
			t.Errorf("%s: got %d %v %q", c.path, got.status, got.header, got.body)
		}
		if seen := came(); seen[0] != c.to || seen[2] != c.sent || c.kind != "" && seen[1] != c.kind {
			t.Errorf("%s: sent %q", c.path, seen)
		}
	}
}

// What cannot go on is refused in the client's form, with what to do.
func TestNotPassedOn(t *testing.T) {
	url, _ := passing(t, "{}", gateway.Config{Codecs: nil})
	for _, c := range []struct {
		path, body, kind string
		status           int
		says             string
	}{
		{"/v1/audio/speech", `{"model":"openai/m"}`, "", 501, "passthrough"},
		{"/v1beta/models/gemini/m:predict", `{}`, "", 501, "passthrough"},
		{"/v1/embeddings", `{"model":"anthropic/m"}`, "", 501, "anthropic/m"},
		{"/api/embed", `{"model":"openai/m"}`, "", 501, "openai/m"},
		{"/v1/embeddings", `{"input":"x"}`, "", 400, "model"},
		{"/v1/embeddings", `{"model":"openai/m","model":"openai/n"}`, "", 400, "once"},
		{"/v1/embeddings", `{"model":`, "", 400, "JSON"},
		{"/v1/embeddings", `{"model":"nowhere/m"}`, "", 404, "nowhere/m"},
		{"/v1/embeddings", `x`, "text/plain", 415, "text/plain"},
		{"/v1/embeddings", `--b`, "multipart/form-data; boundary=b", 400, "header"},
		{"/v1/embeddings", `x`, "multipart/form-data", 400, "boundary"},
	} {
		header := []string{}
		if c.kind != "" {
			header = []string{"Content-Type", c.kind}
		}
		if got := post(t, url+c.path, c.body, header...); got.status != c.status || !strings.Contains(got.body, c.says) || !strings.Contains(got.body, `"error"`) {
			t.Errorf("%s %s: got %d %s", c.path, c.body, got.status, got.body)
		}
	}
}

// The provider's refusals come in the client's form, without its key, and an answer that breaks off ends the connection.
func TestPassedOnFails(t *testing.T) {
	answers := map[string]http.HandlerFunc{
		"busy": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(429)
			_, _ = io.WriteString(w, `{"error":{"message":"slow down"}}`)
		},
		"auth": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(401)
			_, _ = io.WriteString(w, `{"error":{"message":"bad key upstream-key"}}`)
		},
		"cut": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, `{"half":`)
		},
	}
	url := serve(t, gateway.Config{Models: models(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		for name, answer := range answers {
			if strings.Contains(string(raw), name) {
				answer(w, r)
			}
		}
	}))}).URL + "/v1/embeddings"
	busy := post(t, url, `{"model":"openai/busy"}`)
	if busy.status != 429 || !strings.Contains(busy.body, "slow down") || busy.header.Get("Retry-After") != "7" {
		t.Errorf("busy: got %d %v %s", busy.status, busy.header, busy.body)
	}
	if got := post(t, url, `{"model":"openai/auth"}`); got.status != 401 || strings.Contains(got.body, "upstream-key") {
		t.Errorf("auth: got %d %s", got.status, got.body)
	}
	if got := post(t, url, `{"model":"openai/cut"}`); got.err == nil {
		t.Errorf("cut: got %d %s", got.status, got.body)
	}
}

// What is not served says so in each client's form, with what to do in its place, and that another try is of no use.
func TestNotServed(t *testing.T) {
	url := serve(t, gateway.Config{Models: directory{}}).URL
	for _, c := range []struct {
		method, path string
		header       []string
		marks, says  string
	}{
		{"POST", "/v1/batches", nil, `"code":"not_implemented"`, "one by one"},
		{"GET", "/v1/batches/b_1/cancel", nil, `"code":"not_implemented"`, "one by one"},
		{"POST", "/v1/files", nil, `"code":"not_implemented"`, "inside the request"},
		{"GET", "/v1/files/f/content", []string{"anthropic-version", "2023-06-01"}, `"type":"error"`, "inside the request"},
		{"POST", "/v1/messages/batches", nil, `"type":"error"`, "one by one"},
		{"DELETE", "/v1/vector_stores/v", nil, `"error"`, "declare a tool"},
		{"POST", "/v1/conversations", nil, `"error"`, "previous_response_id"},
		{"POST", "/v1beta/models/openai/m:batchGenerateContent", nil, `"status":`, "one by one"},
		{"GET", "/v1beta/files/f", nil, `"status":`, "inside the request"},
		{"POST", "/upload/v1beta/files", nil, `"status":`, "inside the request"},
		{"POST", "/v1beta/cachedContents", nil, `"status":`, "cache it"},
		{"POST", "/api/pull", nil, `"error"`, "Ollama server"},
		{"POST", "/api/blobs/sha256:1", nil, `"error"`, "Ollama server"},
	} {
		got := request(t, c.method, url+c.path, c.header...)
		if got.status != 501 || !strings.Contains(got.body, c.marks) || !strings.Contains(got.body, c.says) || got.header.Get("X-Should-Retry") != "false" {
			t.Errorf("%s %s: got %d %v %s", c.method, c.path, got.status, got.header, got.body)
		}
	}
}

// The limits of facts are told in the members that the clients of each wire read.
func TestLimitsOfModels(t *testing.T) {
	url := serve(t, gateway.Config{Models: models(t, http.NotFoundHandler())}).URL
	const model = "anthropic/claude-sonnet-4-5"
	for path, want := range map[string][]string{
		"/v1/models/" + model:                                {`"context_length":200000`, `"max_model_len":200000`, `"max_completion_tokens":64000`},
		"/v1beta/models/" + model:                            {`"inputTokenLimit":200000`, `"outputTokenLimit":64000`},
		"/v1/models/" + model + "?wire=anthropic":            {`"max_input_tokens":200000`, `"max_tokens":64000`},
		"/v1/models/openai/nobody-knows?wire=anthropic":      {`"max_input_tokens":null`, `"max_tokens":null`},
		"/v1/models/" + string(callwright.WireOllama) + "/m": {`"owned_by":"ollama"`},
	} {
		got := request(t, http.MethodGet, url+path)
		for _, w := range want {
			if !strings.Contains(got.body, w) {
				t.Errorf("%s: got %d %s, without %s", path, got.status, got.body, w)
			}
		}
	}
	if got := post(t, url+"/api/show", `{"model":"`+model+`"}`); !strings.Contains(got.body, `"callwright.context_length":200000`) || !strings.Contains(got.body, `"vision"`) {
		t.Errorf("got %s", got.body)
	}
}

// Nothing that a client says of itself goes on with a request but its content, and nothing that a provider says of itself comes back: no keys,
// no cookies, and no headers that are for one connection alone.
func TestPassedOnWithoutTheRest(t *testing.T) {
	said := []string{
		"Authorization", "Bearer sesame", "X-Api-Key", "sesame", "Api-Key", "sesame", "X-Goog-Api-Key", "sesame", "Proxy-Authorization", "Basic sesame", "Cookie", "session=sesame",
		"Connection", "close, X-Hop", "X-Hop", "sesame", "Keep-Alive", "timeout=77", "Te", "trailers", "Upgrade", "sesame", "Forwarded", "for=sesame", "X-Forwarded-For", "sesame",
		"Origin", "http://sesame.localhost", "Referer", "http://sesame.localhost/", "Callwright-Report", "sesame",
	}
	var asked http.Header
	var query string
	upstream := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, query = r.Header.Clone(), r.URL.RawQuery
		for name, value := range map[string]string{"Set-Cookie": "vendor=1", "Server": "vendor", "Www-Authenticate": "Bearer vendor", "Keep-Alive": "timeout=vendor", "X-Request-Id": "vendor"} {
			w.Header().Set(name, value)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]}`)
	})
	url := serve(t, gateway.Config{Models: models(t, upstream), Passthrough: provider.PassageNames(), Keys: []string{"sesame"}}).URL
	for _, c := range [][2]string{
		{"/v1/embeddings?key=sesame&trace=sesame", `{"model":"openai/m","input":"x"}`},
		{"/v1beta/models/gemini/m:embedContent?key=sesame&alt=sesame", `{"content":{}}`},
		{"/api/embed?key=sesame", `{"model":"ollama/m","input":"x"}`},
		{chat + "?key=sesame", question(chat, "openai/m", "")},
	} {
		got := post(t, url+c[0], c[1], said...)
		if got.status != 200 {
			t.Fatalf("%s: got %d %s", c[0], got.status, got.body)
		}
		for name, values := range asked {
			if all := strings.Join(values, ", "); strings.Contains(all, "sesame") || strings.Contains(all, "timeout=77") || name == "Te" || name == "Upgrade" {
				t.Errorf("%s: %s: %s went on", c[0], name, all)
			}
		}
		if strings.Contains(query, "sesame") {
			t.Errorf("%s: %s went on", c[0], query)
		}
		for name, values := range got.header {
			if all := strings.Join(values, ", "); strings.Contains(all, "vendor") {
				t.Errorf("%s: %s: %s came back", c[0], name, all)
			}
		}
	}
}
