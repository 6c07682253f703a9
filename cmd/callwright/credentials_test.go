package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/provider/auth/authtest"
)

// newSignatures starts a provider that answers requests whose bearer token is valid by holds, and refuses others with 401.
func newSignatures(t *testing.T, holds func(token string) bool) *httptest.Server {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !holds(token) {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"error":{"message":"%s has ended"}}`, token)
			return
		}
		fmt.Fprint(w, `{"id":"1","object":"chat.completion","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Rain."}}]}`)
	}))
	t.Cleanup(srv.Close)
	return srv
}

// A gateway gets tokens with a client secret out of a file, and fetches another one where the provider ends one. What it logs, answers, reports and
// traces has no secret. The checks say where the credentials are from; the one of the configuration asks for none.
func TestServeCredentials(t *testing.T) {
	entra := &authtest.Azure{Issuer: authtest.NewIssuer(authtest.NewClock(time.Now()), time.Hour)}
	tokens := httptest.NewServer(http.StripPrefix("/azure", entra))
	defer tokens.Close()
	signatures := newSignatures(t, entra.IsValid)
	dir := t.TempDir()
	secret, traces := filepath.Join(dir, "secret"), filepath.Join(dir, "trace.jsonl")
	if err := os.WriteFile(secret, []byte(authtest.AzureSecret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := map[string]string{"AZURE_AUTHORITY_HOST": tokens.URL + "/azure"}
	look := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	conf := `providers: {azure: {base_url: "` + signatures.URL + `/openai/v1", discover: off, auth: {azure: {tenant: tenant-1, client: client-1, secret: "file:` + secret + `"}}}}`
	file := filepath.Join(dir, "callwright.yaml")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	const source = "the client secret of client-1"
	check := func(want string, args ...string) string {
		t.Helper()
		var out, errs strings.Builder
		run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &errs}, look)
		if !strings.Contains(out.String(), want) {
			t.Errorf("%v: got %s%s", args, out.String(), errs.String())
		}
		return out.String() + errs.String()
	}
	shown := check("providers.azure: the credentials come from "+source+"\n", "config", "check", file)
	shown += check(`"credentials":[{"provider":"azure","source":"`+source+`"}]`, "config", "check", "--json", file)
	if entra.TokenCount() != 0 {
		t.Error("the check of a configuration asked for a token")
	}
	shown += check(", with credentials from "+source, "check", "--config", file)
	s := serve(t, conf, env, "--trace", traces, "--log-level", "debug")
	revoked := false
	for i := range 40 {
		if i == 20 {
			entra.Revoke()
			revoked = true
		}
		status, body := s.ask("azure/m", "")
		if status != http.StatusOK {
			t.Errorf("%d: %d %s", i, status, body)
		}
		shown += body
	}
	_, _ = s.fetch("/callwright/status", "")
	report := s.do(http.MethodPost, "/v1/chat/completions", `{"model":"azure/m","messages":[{"role":"user","content":"hi"}]}`, map[string]string{"Callwright-Report": "body"})
	entra.Life = -time.Hour // it gives what has ended
	entra.Revoke()
	status, body := s.ask("azure/m", "")
	if status != http.StatusUnauthorized || !revoked {
		t.Errorf("got %d %s", status, body)
	}
	shown += report + body + s.end()
	trace, err := os.ReadFile(traces)
	if err != nil || !strings.Contains(string(trace), "transport.renewed_credentials") {
		t.Errorf("the trace does not say that credentials were renewed: %v", err)
	}
	if all := shown + string(trace); strings.Contains(all, authtest.Canary) {
		at := strings.Index(all, authtest.Canary)
		t.Errorf("a secret is shown: %s", all[max(0, at-200):min(len(all), at+100)])
	}
}

// A key of clients, and the key of a provider, that stand in files are those that the files have: a gateway that runs takes a change up.
func TestServeSecretFiles(t *testing.T) {
	l := newLab(t)
	l.play("Hi.")
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	write("client", "sesame\n")
	write("provider", "sk-one\n")
	s := serve(t, `keys: ["file:`+dir+`/client"]
providers: {lab: {base_url: "`+l.URL+`/v1", discover: off, api_key: "file:`+dir+`/provider"}}`, nil)
	if status, body := s.ask("lab/m", "sesame"); status != http.StatusOK || !strings.Contains(l.asked(), "Bearer sk-one") {
		t.Fatalf("got %d %s, asked %s", status, body, l.asked())
	}
	write("provider", "sk-other\n")
	write("client", "open\n")
	s.until("configuration was reloaded") // the file of the client's key was seen to change
	if status, _ := s.ask("lab/m", "sesame"); status != http.StatusUnauthorized {
		t.Errorf("the old key is taken: %d", status)
	}
	for status := 0; status != http.StatusOK || !strings.Contains(l.asked(), "Bearer sk-other"); {
		status, _ = s.ask("lab/m", "open")
		if t.Context().Err() != nil {
			t.Fatal("the new key of the provider is not used")
		}
	}
	s.end()
}
