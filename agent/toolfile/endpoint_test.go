package toolfile_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/agent/toolfile"
	"github.com/google/go-cmp/cmp"
)

// serve answers at its paths.
func serve(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	mux.HandleFunc("/seen", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_ = json.NewEncoder(w).Encode([]string{r.Method, r.URL.RawQuery, string(body), r.Header.Get("Content-Type"), r.Header.Get("X-Key")})
	})
	mux.HandleFunc("/text", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "a <b>") })
	mux.HandleFunc("/empty", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/refused", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
		fmt.Fprint(w, strings.Repeat("no ", 10_000))
	})
	mux.HandleFunc("/bare", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })
	mux.HandleFunc("/long", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("x", 2000)) })
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // until then the server does not see that the client has left
		<-r.Context().Done()
	})
	mux.Handle("/near", http.RedirectHandler("/seen", http.StatusTemporaryRedirect))
	mux.Handle("/round", http.RedirectHandler("/round", http.StatusTemporaryRedirect))
	return s
}

// ask calls an endpoint, whose URL follows the given text, and returns the output or the error in words.
func ask(t *testing.T, s *httptest.Server, path, more, arguments string) string {
	t.Helper()
	tool := parse(t, []byte(`{"name": "a", "run": {"url": "`+s.URL+path+`"`+more), toolfile.Options{
		Client: s.Client(), MaxOutput: 1000, Env: func(name string) (string, bool) { return "key of " + name, true },
	})
	out, err := tool.Run(t.Context(), json.RawMessage(arguments))
	if err != nil {
		return message(err)
	}
	return string(out.Data)
}

func TestEndpoint(t *testing.T) {
	s := serve(t)
	for _, c := range []struct{ path, more, arguments, want string }{
		{"/seen", `}`, `{"a": 1.0}`, `["POST","","{\"a\": 1.0}","application/json",""]`},
		{"/seen", `}`, ``, `["POST","","{}","application/json",""]`},
		{"/seen", `, "method": "PUT", "headers": {"x-key": "env:LAB", "content-type": "a/b"}}`, `{}`, `["PUT","","{}","a/b","key of LAB"]`},
		{"/seen?k=1", `, "method": "GET"}`, `{"q": "a b&c=é", "n": 12345678901234567890, "t": true, "none": null}`,
			`["GET","k=1\u0026q=a+b%26c%3D%C3%A9\u0026n=12345678901234567890\u0026t=true","","",""]`},
		{"/seen", `, "method": "GET"}`, `{"list/s": [1]}`, `INVALID_ARGUMENTS: expected a scalar, got array`},
		{"/seen?k=1", `, "method": "GET"}`, `{"k": 2}`, `INVALID_ARGUMENTS: this parameter cannot be set`},
		{"/near", `, "headers": {"X-Key": "k"}}`, `{"a":1}`, `["POST","","{\"a\":1}","application/json","k"]`},
		{"/text", `}`, `{}`, `"a <b>"`},
		{"/empty", `}`, `{}`, `""`},
		{"/bare", `}`, `{}`, `TOOL_FAILED: HTTP 404 Not Found`},
		{"/round", `}`, `{}`, `TOOL_FAILED: HTTP 307 Temporary Redirect`},
		{"/long", `}`, `{}`, `TOOL_OUTPUT_TOO_LARGE: expected at most 1000 bytes of output, got more`},
	} {
		if got := ask(t, s, c.path, c.more+"}", c.arguments); got != c.want {
			t.Errorf("%s: got %s, want %s", c.path, got, c.want)
		}
	}
	if got := ask(t, s, "/refused", "}}", "{}"); !strings.HasPrefix(got, "TOOL_FAILED: HTTP 418 I'm a teapot: no no ") || len(got) > 5000 {
		t.Errorf("got %.200s", got)
	}
}

// Nothing is sent to another host that a redirect leads to.
func TestRedirectsStayOnTheirHost(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	s := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	if got := ask(t, s, "/", `, "headers": {"Authorization": "secret"}}}`, "{}"); got != "TOOL_FAILED: HTTP 307 Temporary Redirect" || asked {
		t.Errorf("got %s, asked %t", got, asked)
	}
}

// What cannot be reached is told without the URL, in which there may be a key.
func TestEndpointIsNotThere(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	got := ask(t, s, "/?key=secret", "}}", "{}")
	if !strings.HasPrefix(got, "TOOL_FAILED: POST failed: ") || strings.Contains(got, "secret") {
		t.Errorf("got %s", got)
	}
}

// What the file says beside run is that of the tool.
func TestParseReadsMembers(t *testing.T) {
	text := `{"tools": [{"type": "function", "function": {"name": "a", "description": "d", "parameters": {"type":"object","properties":{"run":{"type":"string"}}}, "strict": true},
		"run": {"url": "https://example.com"}, "timeout": "1m30s", "effects": "destructive", "approve": "once", "polling": true, "run_argument": "run"}]}`
	got := parse(t, []byte("\ufeff"+text), toolfile.Options{})
	want := agent.Tool{Name: "a", Description: "d", Schema: json.RawMessage(`{"type":"object","properties":{"run":{"type":"string"}}}`),
		Timeout: 90 * time.Second, Effects: agent.EffectsDestructive, Approval: agent.ApproveOnce, Polling: true, RunArgument: "run"}
	if got.Run == nil {
		t.Error("got nothing to run")
	}
	got.Run = nil
	if got.Err() != nil || cmp.Diff(fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got)) != "" {
		t.Errorf("got %+v", got)
	}
}

func TestApproveIf(t *testing.T) {
	for _, c := range []struct {
		conditions, arguments string
		want                  bool
	}{
		{`{"/path": "^/etc/"}`, `{"path": "/etc/passwd"}`, true},
		{`{"/path": "^/etc/"}`, `{"path": "\u002fetc/passwd"}`, true},
		{`{"/path": "^/etc/"}`, `{"path": "/tmp", "\u0070ath": "/etc/x"}`, true},
		{`{"/path": "^/etc/"}`, `{"path": "/tmp"}`, false},
		{`{"/path": "^/etc/"}`, `{}`, false},
		{`{"/path": "^/etc/", "/force": "^true$"}`, `{"path": "/etc/x", "force": true}`, true},
		{`{"/path": "^/etc/", "/force": "^true$"}`, `{"path": "/etc/x", "force": false}`, false},
		{`{"/a~1b/1/c": "^[0-9]{3,}$"}`, `{"a/b": [0, {"c": 1000}]}`, true},
		{`{"/a~1b/01/c": "."}`, `{"a/b": [0, {"c": 1000}]}`, false},
		{`{"": "DROP"}`, `{"sql": "DROP TABLE"}`, true},
	} {
		tool := parse(t, []byte(`{"name": "a", "run": {"command": ["x"]}, "approve_if": `+c.conditions+`}`), toolfile.Options{})
		if got := tool.ApproveIf(json.RawMessage(c.arguments)); got != c.want || tool.Approval != agent.ApproveAlways {
			t.Errorf("%s of %s: got %t, approval %q", c.conditions, c.arguments, got, tool.Approval)
		}
	}
}
