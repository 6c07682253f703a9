package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/access"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/keyapi"
	"github.com/callwright/callwright/internal/keyring"
	"github.com/callwright/callwright/internal/ledger"
	"github.com/chromedp/chromedp"
)

// ringed is a configuration with a key of an operator, "ops-key", one of a person who may look, "guest-key", and a ring for more.
func ringed(t testing.TB) dashboard.Config {
	t.Helper()
	ring := keyring.New(&keyring.MemoryLog{}, clock)
	book := ledger.New(&ledger.MemoryStore{}, clock, nil)
	gate, err := access.New(access.Config{Now: clock, Source: ring, Ledger: book, Keys: []access.Key{
		{Name: "ops", Hash: access.HashOf("ops-key"), Verbs: []access.Verb{access.UI, access.Admin}}, {Name: "guest", Hash: access.HashOf("guest-key"), Verbs: []access.Verb{access.UI}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	ring.SetConfigured(gate)
	book.Add(access.Spent{Key: "ci", Model: "lab/m", Requests: 1, Input: 1200, Output: 30, Nanos: 5e8})
	cfg := full(t)
	cfg.Access, cfg.Keys = gate, &keyapi.API{Gate: gate, Ring: ring, Book: book}
	return cfg
}

var secretForm = regexp.MustCompile(`cw_[A-Za-z0-9_-]{43}`)

// All that the API does with keys the page does: it makes, changes, disables, rotates and removes them, and groups, and shows what was used and who changed what.
func TestKeysPage(t *testing.T) {
	cfg := ringed(t)
	b := newBrowser(t, cfg)
	b.login("ops-key")
	send := func(want int, fields ...string) string {
		t.Helper()
		form := url.Values{"token": {b.token("/ui/keys")}}
		for i := 0; i < len(fields); i += 2 {
			form.Add(fields[i], fields[i+1])
		}
		got := b.do(http.MethodPost, "/ui/keys", form)
		if got.status != want {
			t.Fatalf("%v: got %d %s, want %d", fields, got.status, got.body, want)
		}
		return got.body
	}
	known := func(secret string) bool {
		_, err := cfg.Access.Find([][]byte{[]byte(secret)})
		return err == nil
	}
	send(303, "do", "create group", "name", "team", "usd", "5", "per", "day")
	page := send(200, "do", "create", "name", "ci", "group", "team", "models", "fast, lab/*", "verbs", "generate", "verbs", "list", "requests", "60", "expires", "2026-12-31")
	first := secretForm.FindString(page)
	if first == "" || !known(first) || strings.Count(page, first) != 1 {
		t.Errorf("got the secret %q", first)
	}
	k, err := cfg.Keys.Ring.Key("ci")
	if err != nil || k.Group != "team" || len(k.Models) != 2 || len(k.Verbs) != 2 || k.Requests != 60 || !k.Expires.Equal(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("got %+v, %v", k, err)
	}
	send(303, "do", "change", "name", "ci", "models", "fast", "tokens", "1000", "per", "month")
	if k, _ := cfg.Keys.Ring.Key("ci"); k.Group != "" || len(k.Models) != 1 || k.Verbs != nil || k.Requests != 0 || k.Tokens != 1000 || k.Expires != nil {
		t.Errorf("got %+v", k)
	}
	send(303, "do", "disable", "name", "ci")
	if known(first) || !strings.Contains(b.get("/ui/keys").body, ">disabled<") {
		t.Error("it is not disabled")
	}
	send(303, "do", "enable", "name", "ci")
	second := secretForm.FindString(send(200, "do", "rotate", "name", "ci", "overlap", "24h"))
	if !known(first) || !known(second) || first == second {
		t.Error("it is not rotated")
	}
	shown := b.get("/ui/keys").body
	for _, want := range []string{`value="1000"`, "<td>ci</td>", "ops", "rotate key ci", "The replaced secret expires"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	if secretForm.MatchString(shown) || strings.Contains(shown, "sha256") {
		t.Error("a secret is shown again")
	}
	if got := b.get("/ui/keys/usage.csv?by=key&by=model"); got.status != 200 || got.body != "key,model,requests,input_tokens,cached_tokens,output_tokens,usd,unpriced_tokens\r\nci,lab/m,1,1200,0,30,0.5,0\r\n" {
		t.Errorf("got %d %q", got.status, got.body)
	}
	if want := `href="/ui/keys/usage.csv?by=key&amp;by=model&amp;from=&amp;to="`; !strings.Contains(b.get("/ui/keys?by=key&by=model").body, want) {
		t.Errorf("the page of a table does not lead to the same table as CSV: want %s", want)
	}
	if got := b.get("/ui/keys?by=hour"); got.status != 200 || !strings.Contains(got.body, "expected some of key, group, model and day") {
		t.Errorf("got %d", got.status)
	}
	send(303, "do", "change group", "name", "team", "usd", "7", "per", "month")
	send(303, "do", "delete group", "name", "team")
	send(303, "do", "delete", "name", "ci")
	if known(second) {
		t.Error("it is not gone")
	}
	for about, c := range map[string]struct {
		status int
		fields []string
	}{
		"taken": {409, []string{"do", "create", "name", "ops"}}, "no name": {400, []string{"do", "create", "name", ""}}, "no number": {400, []string{"do", "create", "name", "x", "requests", "many"}},
		"no key": {404, []string{"do", "disable", "name", "x"}}, "no change": {400, []string{"do", "fly", "name", "x"}}, "no duration": {400, []string{"do", "rotate", "name", "ci", "overlap", "soon"}},
	} {
		if page := send(c.status, c.fields...); secretForm.MatchString(page) {
			t.Errorf("%s: a secret", about)
		}
	}
	guest := newBrowser(t, cfg)
	guest.login("guest-key")
	if got := guest.get("/ui/keys"); strings.Contains(got.body, `method="post" action="/ui/keys"`) || strings.Contains(got.body, "Last changes") {
		t.Error("who may look may change")
	}
	if got := guest.do(http.MethodPost, "/ui/keys", url.Values{"token": {guest.token("/ui/keys")}, "do": {"disable"}, "name": {"ops"}}); got.status != 403 {
		t.Errorf("got %d", got.status)
	}
}

// Keys are made, disabled and rotated by the keyboard alone, on a desk and on a phone, where the page fits.
func TestKeyboardKeys(t *testing.T) {
	b := openTab(t)
	cfg := ringed(t)
	srv := newServer(t, cfg)
	do(b, chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulatePortrait))
	do(b, chromedp.Navigate(srv.URL+"/ui/login?next=/ui/keys"))
	b.press("o", "p", "s", "-", "k", "e", "y") // the field has the focus
	b.console()                                // which has a hint about passwords
	if page := b.send(); !strings.Contains(page, "Make a key") {
		t.Fatal(page)
	}
	b.reach(`e.name === "name"`)
	b.press("c", "i")
	if page := b.send(); !secretForm.MatchString(page) {
		t.Fatal(page)
	}
	if got := do(b, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`)); got > 390 {
		t.Errorf("it is %d wide, 390 fit", got)
	}
	b.picture("keys-secret")
	for _, c := range []struct{ button, want string }{{"Disable ci", "disabled"}, {"Enable ci", "Disable"}, {"Rotate ci", "The secret of ci"}} {
		b.reach(`e.ariaLabel === "` + c.button + `"`)
		if page := b.send(); !strings.Contains(page, c.want) {
			t.Errorf("%s: the page lacks %q: %s", c.button, c.want, page)
		}
		if got := do(b, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`)); got > 390 {
			t.Errorf("%s: it is %d wide, 390 fit", c.button, got)
		}
	}
	b.picture("keys-rotated")
}
