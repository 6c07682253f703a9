package dashboard_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/dashboard"
	"github.com/chromedp/chromedp"
)

var staticPath = regexp.MustCompile(`/ui/static/[^"]+`)

// The files of pages have names that say what is in them, and are kept by browsers; pages are not.
func TestStatic(t *testing.T) {
	b := newBrowser(t, full(t))
	page := b.get("/ui/")
	if got := page.header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a page: %q", got)
	}
	kinds := map[string]int{}
	for _, path := range staticPath.FindAllString(page.body, -1) {
		got := b.get(path)
		if got.status != 200 || got.body == "" || got.header.Get("Cache-Control") != "public, max-age=31536000, immutable" || got.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: got %d %v", path, got.status, got.header)
		}
		kinds[got.header.Get("Content-Type")]++
	}
	if kinds["text/javascript; charset=utf-8"] != 4 || kinds["text/css; charset=utf-8"] != 2 || kinds["image/svg+xml"] != 1 {
		t.Errorf("got %v", kinds)
	}
	for _, path := range []string{"/ui/static/style.css", "/ui/static/style.000000000000.css", "/ui/static/htmx.LICENSE", "/ui/static/README.md", "/ui/static/", "/ui/static/vendor/htmx.min.js", "/ui/static/..%2ftemplates%2flayout.html"} {
		if got := b.get(path); got.status != http.StatusNotFound || got.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: got %d %v", path, got.status, got.header)
		}
	}
}

// What a script asks for and may not have makes it load the page, which says why.
func TestPartsOfPages(t *testing.T) {
	now := noon
	b := newBrowser(t, keyed(t, &now))
	b.header = http.Header{"Hx-Request": {"true"}}
	if got := b.get("/ui/traces"); got.status != http.StatusUnauthorized || got.header.Get("HX-Refresh") != "true" || got.header.Get("Location") != "" || strings.Contains(got.body, "<table") {
		t.Errorf("without a session: %d %v", got.status, got.header)
	}
	b = newBrowser(t, dashboard.Config{Now: clock})
	b.header = http.Header{"Hx-Request": {"true"}}
	if got := b.get("/ui/traces/rep_1"); got.status != http.StatusNotFound || got.header.Get("HX-Refresh") != "true" {
		t.Errorf("what is not kept: %d %v", got.status, got.header)
	}
	if got := b.get("/ui/"); got.status != http.StatusOK || got.header.Get("HX-Refresh") != "" {
		t.Errorf("a page: %d %v", got.status, got.header)
	}
}

// A list that is live is loaded anew by browsers without scripts where that was asked for, and the first one only.
func TestReloadWithoutScripts(t *testing.T) {
	b := newBrowser(t, dashboard.Config{Traces: &fakeTraces{rows: 60}, Now: clock})
	for path, want := range map[string][2]bool{
		"/ui/traces": {true, false}, "/ui/traces?live=on": {true, true}, "/ui/traces?model=": {false, false}, "/ui/traces?live=on&before=" + noon.Format(time.RFC3339): {false, false},
	} {
		got := b.get(path)
		if live, reloads := strings.Contains(got.body, `id="poll"`), strings.Contains(got.body, `<noscript><meta http-equiv="refresh"`); live != want[0] || reloads != want[1] || got.header.Get("Refresh") != "" {
			t.Errorf("%s: live %t, loaded anew %t", path, live, reloads)
		}
	}
}

// The browser keeps the policy of the pages, and says so on its console, by which the other tests know that no page breaks it.
func TestBrowserKeepsPolicy(t *testing.T) {
	b, live := openTab(t), newLive(t)
	srv := newServer(t, live.config())
	for _, tc := range []struct{ name, script string }{
		{"a style in an element", `document.body.insertAdjacentHTML("beforeend", "<p style='color: red'>x</p>")`},
		{"a script in an element", `document.body.insertAdjacentHTML("beforeend", "<p onclick='window.hit = 1'>x</p>"), document.body.lastElementChild.click()`},
		{"a script of the page", `document.body.append(Object.assign(document.createElement("script"), {textContent: "window.hit = 1"}))`},
		{"a picture of others", `document.body.append(Object.assign(new Image(), {src: "https://evil.example/x.png"}))`},
		{"a request to others", `fetch("https://evil.example/").catch(() => {})`},
	} {
		do(b, chromedp.Navigate(srv.URL+"/ui/traces"))
		do(b, chromedp.Evaluate[bool]("("+tc.script+", true)"))
		b.until("window.hit === undefined")
		heard := ""
		for range 50 {
			if heard += b.console(); heard != "" {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if !strings.Contains(heard, "Content Security Policy") {
			t.Errorf("%s: the console says %q", tc.name, heard)
		}
	}
}
