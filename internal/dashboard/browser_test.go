package dashboard_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/prerequisite"
)

// shotsFolder names the variable that has the folder for pictures of the pages, for a person to look at.
const shotsFolder = "CALLWRIGHT_SCREENSHOTS"

// chromiumTime bounds what a browser may take for all pages.
const chromiumTime = 3 * time.Minute

// A tab is a page in a real browser that keeps what its console said.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu   sync.Mutex
	said []string
}

// openTab starts a browser; the test is skipped where there is none.
func openTab(t *testing.T) *tab {
	t.Helper()
	longtest.Only(t)
	path := prerequisite.Program(t, "chromium", "chromium-browser", "google-chrome")
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox)
	allocated, stop := chromedp.NewExecAllocator(t.Context(), opts...)
	t.Cleanup(stop)
	ctx, end := chromedp.NewContext(allocated)
	t.Cleanup(end)
	b := &tab{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	var cancel context.CancelFunc
	b.ctx, cancel = context.WithTimeout(ctx, chromiumTime)
	t.Cleanup(cancel)
	return b
}

func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *log.EventEntryAdded:
		b.said = append(b.said, fmt.Sprintf("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL))
	case *runtime.EventExceptionThrown:
		b.said = append(b.said, e.ExceptionDetails.Text)
	}
}

// console is what was said since it was asked for last.
func (b *tab) console() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := strings.Join(b.said, "\n")
	b.said = nil
	return out
}

func do[T any](b *tab, a chromedp.Action[T]) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, a)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// scheme makes the browser prefer light or dark pages.
func (b *tab) scheme(name string) {
	b.t.Helper()
	params := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}}
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, params); err != nil {
		b.t.Fatal(err)
	}
}

// picture writes the page to a file, where pictures are wanted.
func (b *tab) picture(name string) {
	b.t.Helper()
	dir := os.Getenv(shotsFolder)
	if dir == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), do(b, chromedp.FullScreenshot(100)), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// Every page fits into its window on a desk and on a phone, in light and in dark, and the browser has nothing against it.
func TestBrowser(t *testing.T) {
	b := openTab(t)
	srv := newServer(t, full(t))
	backgrounds := map[string]string{}
	phone := []chromedp.EmulateViewportOption{chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulatePortrait}
	for _, at := range []struct {
		name          string
		width, height int64
		opts          []chromedp.EmulateViewportOption
	}{{"desktop", 1280, 800, nil}, {"phone", 390, 844, phone}, {"small phone", 375, 812, phone}} {
		do(b, chromedp.EmulateViewport(at.width, at.height, at.opts...))
		for _, scheme := range []string{"light", "dark"} {
			b.scheme(scheme)
			for i, path := range pages {
				do(b, chromedp.Navigate(srv.URL+path))
				if got := do(b, chromedp.Evaluate[int64](`document.documentElement.scrollWidth`)); got > at.width {
					t.Errorf("%s on %s is %d wide, %d fit", path, at.name, got, at.width)
				}
				if said := b.console(); said != "" {
					t.Errorf("%s: %s", path, said)
				}
				b.picture(fmt.Sprintf("%s-%s-%d%s", at.name, scheme, i, strings.ReplaceAll(strings.SplitN(path, "?", 2)[0], "/", "-")))
			}
			backgrounds[scheme] = do(b, chromedp.Evaluate[string](`getComputedStyle(document.documentElement).backgroundColor`))
		}
	}
	if backgrounds["light"] == backgrounds["dark"] {
		t.Errorf("light and dark are both %s", backgrounds["light"])
	}
}

// tabbable counts what the Tab key reaches on a page: of the choices of a group one.
const tabbable = `[...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")].
	filter(e => e.checkVisibility() && (e.type !== "radio" || e === e.form.querySelector("[type=radio][name='" + e.name + "']"))).length`

// The Tab key reaches everything on every page, each stop is seen, and none is a trap.
func TestKeyboardReachesAll(t *testing.T) {
	b := openTab(t)
	srv := newServer(t, full(t))
	for _, path := range pages {
		do(b, chromedp.Navigate(srv.URL+path))
		do(b, chromedp.Evaluate[bool](`(document.getElementById("poll")?.remove(), true)`)) // what it adds would be reached, too
		want := do(b, chromedp.Evaluate[int](tabbable))
		for n := range want {
			do(b, chromedp.KeyEvent(kb.Tab))
			if got := do(b, chromedp.Evaluate[string](`(e => {
				if (e === document.body || e.reached) return "nothing new: " + e.outerHTML.slice(0, 200);
				e.reached = true;
				const style = getComputedStyle(e);
				return e.matches(":focus-visible") && (style.outlineStyle !== "none" || e.tagName === "MAIN") ? "" : "it is not seen: " + e.outerHTML.slice(0, 200);
			})(document.activeElement)`)); got != "" {
				t.Errorf("%s: stop %d of %d: %s", path, n+1, want, got)
				break
			}
		}
	}
}

// The command that sends a request again is copied by the keyboard, or selected where the browser does not let pages copy.
func TestCopyByKeyboard(t *testing.T) {
	b := openTab(t)
	srv := newServer(t, full(t))
	do(b, chromedp.Navigate(srv.URL+"/ui/traces/rep_1"))
	do(b, chromedp.Evaluate[bool](`(document.querySelector("[data-copy]").focus(), true)`))
	do(b, chromedp.KeyEvent(kb.Enter))
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		got := do(b, chromedp.Evaluate[string](`document.activeElement.textContent + "|" + window.getSelection().toString().slice(0, 5)`))
		if got == "Copied|" || got == "Selected: copy it|curl " {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the button says %q", got)
		}
	}
	if said := b.console(); said != "" {
		t.Error(said)
	}
}

// The pages are used by the keyboard alone: the first key leads past the navigation, each stop is seen, and forms are sent.
func TestKeyboard(t *testing.T) {
	b := openTab(t)
	srv := newServer(t, full(t))
	do(b, chromedp.Navigate(srv.URL+"/ui/playground"))
	do(b, chromedp.KeyEvent(kb.Tab))
	if got := do(b, chromedp.Evaluate[string](`document.activeElement.className`)); got != "skip" {
		t.Errorf("the first stop is %q", got)
	}
	do(b, chromedp.KeyEvent(kb.Enter))
	for range 10 {
		do(b, chromedp.KeyEvent(kb.Tab))
		if got := do(b, chromedp.Evaluate[bool](`(e => e.matches(":focus-visible") && getComputedStyle(e).outlineStyle !== "none")(document.activeElement)`)); !got {
			t.Errorf("a stop is not seen: %s", do(b, chromedp.Evaluate[string](`document.activeElement.outerHTML`)))
		}
		if do(b, chromedp.Evaluate[bool](`document.activeElement.type === "submit"`)) {
			break
		}
	}
	if _, err := chromedp.RunResponse(b.ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
		t.Fatal(err)
	}
	got := do(b, chromedp.Text(chromedp.CSS("main")))
	for _, want := range []string{"call get_weather", `"days": 3`, "anthropic", "json."} {
		if !strings.Contains(got, want) {
			t.Errorf("the page lacks %q: %s", want, got)
		}
	}
	if said := b.console(); said != "" {
		t.Error(said)
	}
	b.picture("playground-read")
}

// The facts behind a model open by the keyboard, and a failing cell of an evaluation leads to its row.
func TestKeyboardUnfolds(t *testing.T) {
	b := openTab(t)
	srv := newServer(t, full(t))
	do(b, chromedp.Navigate(srv.URL+"/ui/models"))
	shown := `document.querySelector(".models .facts").checkVisibility()`
	if do(b, chromedp.Evaluate[bool](shown)) {
		t.Error("the facts are not folded away")
	}
	do(b, chromedp.Evaluate[bool](`(document.querySelector(".models summary").focus(), true)`))
	do(b, chromedp.KeyEvent(kb.Enter))
	if !do(b, chromedp.Evaluate[bool](shown)) {
		t.Error("the facts do not open")
	}
	b.picture("models-unfolded")
	do(b, chromedp.Navigate(srv.URL+"/ui/evals/nightly"))
	do(b, chromedp.Evaluate[bool](`(document.querySelector(".heat td a").focus(), true)`))
	do(b, chromedp.KeyEvent(kb.Enter))
	if got := do(b, chromedp.Evaluate[string](`document.querySelector("tr:target")?.id ?? ""`)); got != "failing-1" {
		t.Errorf("the cell leads to %q", got)
	}
}
