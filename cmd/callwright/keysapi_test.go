package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/keyapi"
)

// call asks a gateway with a key, "" for none, and returns what is answered.
func (s *served) call(method, path, key, body string, header ...string) (status int, text string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	out, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return resp.StatusCode, string(out)
}

// must is call with the status that is expected.
func (s *served) must(want int, method, path, key, body string) string {
	s.t.Helper()
	status, text := s.call(method, path, key, body)
	if status != want {
		s.t.Fatalf("%s %s: got %d %s, want %d", method, path, status, text, want)
	}
	return text
}

// secret makes a key, or gives it another secret, and returns that.
func (s *served) secret(path, body string) string {
	s.t.Helper()
	status, text := s.call(http.MethodPost, path, "root", body)
	var out keyapi.NewKey
	if err := json.Unmarshal([]byte(text), &out); err != nil || status/100 != 2 || out.Secret == "" {
		s.t.Fatalf("%s %s: got %d %s", path, body, status, text)
	}
	return out.Secret
}

// seenBy waits until every gateway answers a request of a key with a status.
func seenBy(t *testing.T, gateways []*served, key string, want int) {
	t.Helper()
	for _, g := range gateways {
		for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
			status, body := g.ask("sim/native", key)
			if status == want {
				break
			}
			if time.Since(begun) > time.Minute {
				t.Fatalf("got %d %s, want %d", status, body, want)
			}
		}
	}
}

const rootKey = "keys: [{name: operator, key: root, verbs: [generate, list, count, reports, explain, admin, ui, metrics]}]\n"

// Keys and groups that are made and changed at one gateway hold at another one of the same state.
func TestKeysOfGateways(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	_, address := startNATS(t)
	prices := filepath.Join(t.TempDir(), "prices.yaml")
	if err := os.WriteFile(prices, []byte("sim/native: {input: 1, output: 2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	conf := fmt.Sprintf("state: {nats: %q}\nprices_file: %q\nproviders: {sim: {}}\n", address, prices) + rootKey
	both := []*served{serve(t, conf, nil, "--log-level", "error"), serve(t, conf, nil, "--log-level", "error")} // nobody reads what it says
	a, b := both[0], both[1]

	// Who may: a key with the verb admin.
	a.must(401, http.MethodGet, "/callwright/keys", "", "")
	ci := a.secret("/callwright/keys", `{"name": "ci", "models": ["sim/*"], "labels": {"team": "x"}}`)
	seenBy(t, both, ci, 200)
	b.must(403, http.MethodPost, "/callwright/keys", ci, `{"name": "more"}`)
	b.must(409, http.MethodPost, "/callwright/keys", "root", `{"name": "ci"}`)
	b.must(409, http.MethodPost, "/callwright/keys", "root", `{"name": "operator"}`)
	b.must(400, http.MethodPost, "/callwright/keys", "root", `{"name": "x", "modles": []}`)
	for _, none := range []string{`"requests_per_minute": 0`, `"tokens_per_minute": 0`, `"spend": {"usd": 0}`, `"limits": [{"models": "*", "spend": {"usd": 0}}]`} { // which would be no limit
		b.must(400, http.MethodPost, "/callwright/keys", "root", `{"name": "x", `+none+`}`)
	}
	b.must(404, http.MethodGet, "/callwright/keys/nobody", "root", "")
	b.must(405, http.MethodPut, "/callwright/keys/ci", "root", "")
	b.must(409, http.MethodPatch, "/callwright/keys/operator", "root", `{"disabled": true}`)

	// Scope, disable and enable, rotate with overlap, delete: each made at one gateway, and seen by both.
	b.must(200, http.MethodPatch, "/callwright/keys/ci", "root", `{"models": ["other"]}`)
	seenBy(t, both, ci, 403)
	a.must(200, http.MethodPatch, "/callwright/keys/ci", "root", `{"models": null, "disabled": true}`)
	seenBy(t, both, ci, 401)
	b.must(200, http.MethodPatch, "/callwright/keys/ci", "root", `{"disabled": false}`)
	seenBy(t, both, ci, 200)
	second := a.secret("/callwright/keys/ci/rotate", `{"overlap": "1h"}`)
	seenBy(t, both, second, 200)
	seenBy(t, both, ci, 200)
	third := b.secret("/callwright/keys/ci/rotate", ``)
	seenBy(t, both, third, 200)
	seenBy(t, both, second, 401)
	a.must(204, http.MethodDelete, "/callwright/keys/ci", "root", "")
	seenBy(t, both, third, 401)

	// A group: its keys share a limit of requests, at both gateways.
	a.must(201, http.MethodPost, "/callwright/groups", "root", `{"name": "team", "requests_per_minute": 6}`)
	grouped := []string{a.secret("/callwright/keys", `{"name": "one", "group": "team"}`), a.secret("/callwright/keys", `{"name": "two", "group": "team"}`)}
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) { // until the other gateway has read them
		if status, text := b.call(http.MethodGet, "/callwright/groups/team", "root", ""); status == 200 && strings.Contains(text, `"keys":["one","two"]`) {
			break
		}
		if time.Since(begun) > time.Minute {
			t.Fatal("the group is not seen")
		}
	}
	passed := 0
	for i := range 24 {
		if status, _ := both[i%2].ask("sim/native", grouped[i/2%2]); status == 200 {
			passed++
		}
	}
	if passed != 6 {
		t.Errorf("%d requests of a group with 6 were let through", passed)
	}
	b.must(409, http.MethodDelete, "/callwright/groups/team", "root", "")
	b.must(409, http.MethodPost, "/callwright/keys", "root", `{"name": "x", "group": "none"}`)

	// A budget that is shared: three hundred requests at once of keys nobody used before, at both gateways.
	spendTogether(t, both)

	// The list, the usage and the audit are the same at both.
	for _, g := range both {
		if text := g.must(200, http.MethodGet, "/callwright/keys", "root", ""); !strings.Contains(text, `{"name":"operator","source":"configuration"`) || !strings.Contains(text, `{"name":"one","source":"state"`) {
			t.Errorf("got %s", text)
		}
		text := g.must(200, http.MethodGet, "/callwright/audit?name=ci", "root", "")
		if got := actions(t, text); !slices.Equal(got, []string{"delete", "rotate", "rotate", "enable", "disable", "change", "create"}) {
			t.Errorf("got %v", got)
		}
		g.must(400, http.MethodGet, "/callwright/audit?limit=0", "root", "")
		g.must(403, http.MethodGet, "/callwright/usage?by=key&key=operator", grouped[0], "")
		if text := g.must(200, http.MethodGet, "/callwright/usage?by=key", grouped[0], ""); strings.Contains(text, `"key":"two"`) || !strings.Contains(text, `"key":"one"`) {
			t.Errorf("got %s", text)
		}
	}
	usageOfBoth(t, both)
}

// actions returns what the events of an audit did.
func actions(t *testing.T, text string) (out []string) {
	t.Helper()
	var list keyapi.Audit
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	for _, e := range list.Events {
		out = append(out, string(e.Action))
		if e.Who != "operator" {
			t.Errorf("%s was made by %q", e.Action, e.Who)
		}
	}
	return out
}

// spendTogether has new keys of a group ask both gateways at once, and looks what they spent.
func spendTogether(t *testing.T, both []*served) {
	t.Helper()
	const limit = 0.01
	both[0].must(201, http.MethodPost, "/callwright/groups", "root", fmt.Sprintf(`{"name": "spenders", "spend": {"usd": %v, "per": "day"}}`, limit))
	var secrets []string
	for i := range 3 {
		secrets = append(secrets, both[0].secret("/callwright/keys", fmt.Sprintf(`{"name": "spender %d", "group": "spenders"}`, i)))
	}
	for _, secret := range secrets { // until both know them: this request is refused, as the model has no price
		for _, g := range both {
			for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
				if status, _ := g.call(http.MethodGet, "/callwright/usage", secret, ""); status == 200 {
					break
				}
				if time.Since(begun) > time.Minute {
					t.Fatal("a key is not seen")
				}
			}
		}
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	passed := 0
	for i := range 300 {
		wg.Go(func() {
			status, text := both[i%2].ask("sim/native", secrets[i%3])
			mu.Lock()
			defer mu.Unlock()
			switch status {
			case 200:
				passed++
			case 429:
			default:
				t.Errorf("got %d %s", status, text)
			}
		})
	}
	wg.Wait()
	spent := 0.0
	for _, secret := range secrets {
		for _, g := range both {
			var u struct{ Total struct{ USD float64 } }
			if err := json.Unmarshal([]byte(g.must(200, http.MethodGet, "/callwright/usage", secret, "")), &u); err != nil {
				t.Fatal(err)
			}
			spent += u.Total.USD
		}
	}
	if passed == 0 || spent > limit+1.01*spent/float64(passed) {
		t.Errorf("%d requests cost %v USD of %v", passed, spent, limit)
	}
}

// usageOfBoth waits until each gateway tells what was used at both.
func usageOfBoth(t *testing.T, both []*served) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		_, one := both[0].call(http.MethodGet, "/callwright/usage?by=key,model,day", "root", "")
		_, other := both[1].call(http.MethodGet, "/callwright/usage?by=key,model,day", "root", "")
		if one == other && strings.Contains(one, `"key":"two"`) && strings.Contains(one, `"model":"sim/native"`) {
			break
		}
		if time.Since(begun) > time.Minute {
			t.Fatalf("got %s and %s", one, other)
		}
	}
	status, text := both[0].call(http.MethodGet, "/callwright/usage?by=model", "root", "", "Accept", "text/csv")
	if lines := strings.Split(strings.TrimSpace(text), "\r\n"); status != 200 || len(lines) != 2 || lines[0] != "model,requests,input_tokens,cached_tokens,output_tokens,usd,unpriced_tokens" || !strings.HasPrefix(lines[1], "sim/native,") {
		t.Errorf("got %d %q", status, text)
	}
}

// A secret is shown once: it is in no log, audit, list, trace, page or file. Its key outlives the gateway.
func TestSecretsOfKeys(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	dir := t.TempDir()
	conf := "state: {dir: " + dir + "/state}\ntrace: {file: " + dir + "/traces/, content: true}\nproviders: {sim: {}}\n" + rootKey
	s := serve(t, conf, nil, "--log-level", "debug")
	secrets := []string{s.secret("/callwright/keys", `{"name": "ci"}`)}
	if status, text := s.ask("sim/native", secrets[0]); status != 200 {
		t.Fatalf("got %d %s", status, text)
	}
	secrets = append(secrets, s.secret("/callwright/keys/ci/rotate", `{"overlap": "24h"}`))
	for _, secret := range secrets {
		if status, text := s.ask("sim/hermes", secret); status != 200 {
			t.Fatalf("got %d %s", status, text)
		}
	}
	var said strings.Builder
	for _, path := range []string{"/callwright/keys", "/callwright/keys/ci", "/callwright/audit", "/callwright/usage?by=key,model,day", "/callwright/status", "/metrics"} {
		said.WriteString(s.must(200, http.MethodGet, path, "root", ""))
	}
	s.must(400, http.MethodPatch, "/callwright/keys/ci", "root", `{"no": "`+secrets[0]+`"}`)
	s.stop()
	if code := s.rest(); code != 0 {
		t.Errorf("it ended with %d", code)
	}
	said.WriteString(s.said)
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files++
		for _, secret := range secrets {
			if bytes.Contains(text, []byte(secret)) {
				t.Errorf("%s has a secret", path)
			}
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files: %v", files, err)
	}
	for _, secret := range secrets {
		if strings.Contains(said.String(), secret) {
			t.Errorf("it was said again")
		}
	}
	again := serve(t, conf, nil)
	for _, secret := range secrets {
		if status, text := again.ask("sim/native", secret); status != 200 {
			t.Errorf("after a restart: got %d %s", status, text)
		}
	}
	again.stop()
	if code := again.rest(); code != 0 { // it writes its state until then
		t.Errorf("after a restart it ended with %d", code)
	}
}

// The commands make, list, rotate, disable, enable and remove keys of a running gateway, and show what was used.
func TestKeysCommands(t *testing.T) {
	defer http.DefaultClient.CloseIdleConnections()
	s := serve(t, "providers: {sim: {}}\n"+rootKey, nil)
	at := func(args ...string) []string { return append(args, "--url", s.url, "--key", "root") }
	must := func(args ...string) string {
		t.Helper()
		code, out, said := command(t, "", at(args...)...)
		if code != 0 {
			t.Fatalf("%v: %d %s", args, code, said)
		}
		return out
	}
	secret, _, _ := strings.Cut(must("keys", "new", "ci", "--models", "sim/*", "--usd", "5", "--per", "day", "--requests-per-minute", "100", "--label", "team=x"), "\n")
	if status, text := s.ask("sim/native", secret); status != 200 {
		t.Fatalf("got %d %s", status, text)
	}
	if out := must("keys", "list"); !strings.Contains(out, "ci        state          enabled  -      sim/*") || !strings.Contains(out, "100 requests a minute, 5 USD a day") || !strings.Contains(out, "operator  configuration") {
		t.Errorf("got %s", out)
	}
	if out := must("keys", "disable", "ci"); out != "the key ci is disabled\n" {
		t.Errorf("got %s", out)
	}
	if status, _ := s.ask("sim/native", secret); status != 401 {
		t.Errorf("disabled: got %d", status)
	}
	must("keys", "enable", "ci")
	next, said, _ := strings.Cut(must("keys", "rotate", "ci", "--overlap", "24h"), "\n")
	if !strings.Contains(said, "The previous secret is accepted until ") {
		t.Errorf("got %s", said)
	}
	for _, one := range []string{secret, next} {
		if status, _ := s.ask("sim/native", one); status != 200 {
			t.Errorf("rotated: got %d", status)
		}
	}
	if out := must("keys", "usage", "--by", "key,model"); !strings.Contains(out, "ci     sim/native  3") || !strings.Contains(out, "total") {
		t.Errorf("got %s", out)
	}
	if out := must("keys", "usage", "--by", "model", "--format", "csv"); !strings.HasPrefix(out, "model,requests,") {
		t.Errorf("got %s", out)
	}
	if out := must("keys", "list", "--json"); strings.Count(out, "\n") != 2 || !strings.Contains(out, `"labels":{"team":"x"}`) {
		t.Errorf("got %s", out)
	}
	must("keys", "delete", "ci")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{at("keys", "delete", "ci"), 1, `there is no key "ci"`},
		{at("keys", "rotate"), 2, "expected the name of a key"},
		{at("keys", "usage", "--format", "xml"), 2, "expected json or csv"},
		{at("keys", "usage", "--by", "hour"), 1, "expected some of key, group, model and day"},
		{[]string{"keys", "new", "ci", "--usd", "5"}, 2, "--usd needs a running gateway"},
		{at("keys", "new", "ci", "--usd", "0"), 2, "--usd: expected more than 0, got 0: omit the flag for no limit"},
		{at("keys", "new", "ci", "--tokens-per-minute=-5"), 2, "--tokens-per-minute: expected more than 0, got -5"},
		{[]string{"keys", "disable", "ci", "--url", s.url}, 1, "rejects the key"},
		{[]string{"keys", "disable", "ci", "--url", "http://127.0.0.1:1"}, 1, "no gateway answers at"},
	} {
		if code, _, said := command(t, "", c.args...); code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("%v: got %d %s, want %d %s", c.args, code, said, c.code, c.want)
		}
	}
}
