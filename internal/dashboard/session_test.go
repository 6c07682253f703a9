package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/dashboard"
)

// keyed is a configuration with keys of several verbs, at a time that may be moved.
func keyed(t testing.TB, now *time.Time) dashboard.Config {
	t.Helper()
	gate, err := access.New(access.Config{Now: func() time.Time { return *now }, Keys: []access.Key{
		{Name: "ops", Hash: access.HashOf("ops-key"), Verbs: []access.Verb{access.UI, access.Admin}},
		{Name: "guest", Hash: access.HashOf("guest-key"), Verbs: []access.Verb{access.UI}, Expires: noon.Add(time.Hour)},
		{Name: "ci", Hash: access.HashOf("ci-key")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	cfg := full(t)
	cfg.Access, cfg.Now = gate, func() time.Time { return *now }
	return cfg
}

func (b *browser) login(key string) answer {
	b.t.Helper()
	return b.do(http.MethodPost, "/ui/login", url.Values{"token": {b.token("/ui/login")}, "key": {key}, "next": {"/ui/keys"}})
}

// Where there are keys nothing is shown before one with the verb was presented, and a session ends with its time and with its key.
func TestLogin(t *testing.T) {
	now := noon
	cfg := keyed(t, &now)
	b := newBrowser(t, cfg)
	b.host = "callwright.example"
	for _, path := range pages {
		if got := b.get(path); got.status != http.StatusSeeOther || !strings.HasPrefix(got.header.Get("Location"), "/ui/login?next=%2Fui%2F") || strings.Contains(got.body, "lab/m") {
			t.Errorf("%s: got %d %v", path, got.status, got.header)
		}
	}
	for key, want := range map[string]int{"": 401, "wrong": 401, strings.Repeat("k", 10000): 401, "ci-key": 403} {
		if got := b.login(key); got.status != want {
			t.Errorf("key %.20q: got %d, want %d", key, got.status, want)
		}
	}
	before := b.cookies["callwright_session"].Value
	got := b.login("guest-key")
	c := b.cookies["callwright_session"]
	if got.status != http.StatusSeeOther || got.header.Get("Location") != "/ui/keys" || c.Value == before || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/ui/" || c.Secure {
		t.Errorf("got %d %v, cookie %+v", got.status, got.header, c)
	}
	if got := b.get("/ui/models/lab/m"); got.status != 200 || !strings.Contains(got.body, "guest") || strings.Contains(got.body, `action="/ui/facts"`) {
		t.Errorf("the page of a key that may only look: %d %s", got.status, got.body)
	}
	now = noon.Add(2 * time.Hour)
	if got := b.get("/ui/"); got.status != http.StatusSeeOther {
		t.Errorf("a key that has ended: %d", got.status)
	}
	if b.login("ops-key"); b.get("/ui/").status != 200 {
		t.Error("ops is not in")
	}
	session := *b.cookies["callwright_session"]
	if b.do(http.MethodPost, "/ui/logout", url.Values{"token": {b.token("/ui/")}}); b.get("/ui/").status != http.StatusSeeOther {
		t.Error("a page after the logout")
	}
	b.cookies["callwright_session"] = &session
	if got := b.get("/ui/"); got.status != http.StatusSeeOther {
		t.Error("the session goes on after the logout")
	}
	b.login("ops-key")
	now = now.Add(9 * time.Hour)
	if got := b.get("/ui/"); got.status != http.StatusSeeOther {
		t.Errorf("a session of yesterday: %d", got.status)
	}
}

// Keys cannot be tried at will: an address whose logins fail has to wait, which it is told, and a right key is not looked at meanwhile.
func TestLoginIsThrottled(t *testing.T) {
	now := noon
	b := newBrowser(t, keyed(t, &now))
	statuses := map[int]int{}
	var last answer
	for range 120 {
		last = b.login("wrong")
		statuses[last.status]++
		now = now.Add(5 * time.Millisecond)
	}
	if statuses[http.StatusUnauthorized] != 10 || statuses[http.StatusTooManyRequests] != 110 {
		t.Errorf("got %v", statuses)
	}
	if wait := last.header.Get("Retry-After"); wait != "6" || !strings.Contains(last.body, "Too many logins from your address failed. Try again in 6 seconds.") {
		t.Errorf("got Retry-After %q and %s", wait, last.body)
	}
	if got := b.login("ops-key"); got.status != http.StatusTooManyRequests {
		t.Errorf("a right key meanwhile: %d", got.status)
	}
	now = now.Add(6 * time.Second)
	if got := b.login("ops-key"); got.status != http.StatusSeeOther {
		t.Errorf("a right key later: %d", got.status)
	}
	other := newBrowser(t, keyed(t, &now))
	other.handler = b.handler
	for range 5 {
		if got := other.login("wrong"); got.status != http.StatusUnauthorized {
			t.Errorf("after a login: %d", got.status)
		}
	}
}

// A login leads to pages of this server alone.
func TestLoginLeadsHome(t *testing.T) {
	now := noon
	for _, next := range []string{"https://evil.example/ui/", "//evil.example/ui/", "/ui/\\evil.example", "javascript:alert(1)", "/v1/models", "/ui/\r\nSet-Cookie: a=b", ""} {
		b := newBrowser(t, keyed(t, &now))
		got := b.do(http.MethodPost, "/ui/login", url.Values{"token": {b.token("/ui/login")}, "key": {"ops-key"}, "next": {next}})
		if got.status != http.StatusSeeOther || got.header.Get("Location") != "/ui/" {
			t.Errorf("%q: got %d %q", next, got.status, got.header.Get("Location"))
		}
	}
}

// A form is taken from pages of this server alone, with the token of its session, and from keys that may.
func TestForgery(t *testing.T) {
	now := noon
	cfg := keyed(t, &now)
	models := cfg.Facts.(*fakeModels)
	form := func(token string) url.Values {
		return url.Values{"token": {token}, "do": {"forget"}, "model": {"lab/m"}, "key": {"json_schema"}}
	}
	ops, other, guest := newBrowser(t, cfg), newBrowser(t, cfg), newBrowser(t, cfg)
	other.handler, guest.handler = ops.handler, ops.handler
	ops.login("ops-key")
	other.login("ops-key")
	guest.login("guest-key")
	own := ops.token("/ui/models/lab/m")
	for _, tc := range []struct {
		name   string
		b      *browser
		header http.Header
		token  string
		status int
	}{
		{"no token", ops, nil, "", 403},
		{"a token of another session", ops, nil, other.token("/ui/models/lab/m"), 403},
		{"a made up token", ops, nil, strings.Repeat("A", len(own)), 403},
		{"another site", ops, http.Header{"Origin": {"https://evil.example"}, "Sec-Fetch-Site": {"cross-site"}}, own, 403},
		{"another site in an old browser", ops, http.Header{"Origin": {"https://evil.example"}, "Sec-Fetch-Site": {""}}, own, 403},
		{"another port of this machine", ops, http.Header{"Origin": {"http://localhost:3000"}, "Sec-Fetch-Site": {"same-site"}}, own, 403},
		{"a page without an origin", ops, http.Header{"Origin": {"null"}, "Sec-Fetch-Site": {""}}, own, 403},
		{"nothing said of where it comes from", ops, http.Header{"Origin": {""}, "Sec-Fetch-Site": {""}}, own, 403},
		{"a key that may only look", guest, nil, guest.token("/ui/playground"), 403},
		{"nobody", newBrowser(t, cfg), nil, own, 401},
		{"its own page", ops, nil, own, 303},
	} {
		tc.b.header = tc.header
		got := tc.b.do(http.MethodPost, "/ui/facts", form(tc.token))
		if changed := len(models.learned) > 0; got.status != tc.status || changed != (tc.status == 303) {
			t.Errorf("%s: got %d, want %d; changed: %v", tc.name, got.status, tc.status, models.learned)
		}
	}
	ops.header = nil
	if got := ops.get("/ui/facts"); got.status != 405 && got.status != 404 {
		t.Errorf("by GET: %d", got.status)
	}
}

// Without keys only names of this machine are answered, and every answer has the policy that forbids what is not the server's own.
func TestHostAndPolicy(t *testing.T) {
	now := noon
	open, locked := newBrowser(t, full(t)), newBrowser(t, keyed(t, &now))
	for _, tc := range []struct {
		host string
		own  bool
	}{{"localhost:8787", true}, {"127.0.0.1:8787", true}, {"[::1]:8787", true}, {"app.localhost", true}, {"evil.example", false}, {"192.168.1.7", false}, {"localhost.evil.example", false}, {"", false}} {
		open.host, locked.host = tc.host, tc.host
		if got := open.get("/ui/"); (got.status == 200) != tc.own {
			t.Errorf("host %q: %d", tc.host, got.status)
		}
		if got := locked.get("/ui/"); got.status != http.StatusSeeOther {
			t.Errorf("host %q with keys: %d", tc.host, got.status)
		}
	}
	open.host = "localhost"
	for _, path := range append([]string{"/ui/nowhere", "/ui/static/style.css", "/ui/static/nothing", "/ui/login", "/ui/static/../../go.mod"}, pages...) {
		got := open.get(path)
		for name, want := range map[string]string{
			"Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
			"X-Content-Type-Options":  "nosniff", "Referrer-Policy": "same-origin",
		} {
			if got.header.Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, got.header.Get(name))
			}
		}
	}
}

// An override says who set it.
func TestWhoSetAnOverride(t *testing.T) {
	now := noon
	cfg := keyed(t, &now)
	models := cfg.Facts.(*fakeModels)
	b := newBrowser(t, cfg)
	b.login("ops-key")
	b.do(http.MethodPost, "/ui/facts", url.Values{"token": {b.token("/ui/models/lab/m")}, "do": {"set"}, "model": {"lab/m"}, "key": {"tools"}, "value": {"no"}})
	if models.last.Evidence != "set on the dashboard by ops" || models.last.Source != caps.Override {
		t.Errorf("%+v", models.last)
	}
}
