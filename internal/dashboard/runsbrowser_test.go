package dashboard_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// press presses keys one after the other.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, k := range keys {
		do(b, chromedp.KeyEvent(k))
	}
}

// reach goes from stop to stop until an expression about the one it is at, e, is true. Each stop has to be seen.
func (b *tab) reach(expression string) {
	b.t.Helper()
	for range 60 {
		b.press(kb.Tab)
		if !do(b, chromedp.Evaluate[bool](`(e => e.matches(":focus-visible") && getComputedStyle(e).outlineStyle !== "none")(document.activeElement)`)) {
			b.t.Errorf("a stop is not seen: %s", do(b, chromedp.Evaluate[string](`document.activeElement.outerHTML`)))
		}
		if do(b, chromedp.Evaluate[bool](fmt.Sprintf(`(e => %s)(document.activeElement)`, expression))) {
			return
		}
	}
	b.t.Fatalf("no stop at which %s", expression)
}

// send sends the form of the button that it is at, and gives what the page says that comes of it.
func (b *tab) send() string {
	b.t.Helper()
	if _, err := chromedp.RunResponse(b.ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
		b.t.Fatal(err)
	}
	if said := b.console(); said != "" {
		b.t.Error(said)
	}
	return do(b, chromedp.Text(chromedp.CSS("main")))
}

// What a run waits for is answered, and a fact overridden and let go again, by the keyboard alone.
func TestKeyboardDecides(t *testing.T) {
	b := openTab(t)
	cfg := full(t)
	models, j := cfg.Models.(*fakeModels), cfg.Runs.(*heardJournal)
	srv := newServer(t, cfg)
	do(b, chromedp.Navigate(srv.URL+"/ui/runs?show=waiting"))
	b.reach(`e.matches('a[href="/ui/runs/` + waitingRun + `"]')`)
	if page := b.send(); !strings.Contains(page, "Waiting for a person") {
		t.Fatal(page)
	}
	b.reach(`e.name === "decision0"`)
	b.press(kb.ArrowDown) // from the last one to the first
	b.reach(`e.name === "decision1"`)
	b.press(kb.ArrowUp, kb.ArrowUp)
	b.picture("run-decided")
	b.reach(`e.type === "submit" && e.textContent === "Record the answers"`)
	if page := b.send(); !strings.Contains(page, "All questions are answered") || !strings.Contains(page, "--resume "+waitingRun) {
		t.Errorf("the run still waits: %s", page)
	}
	b.picture("run-answered")
	s, err := agent.Status(t.Context(), j, waitingRun)
	if err != nil || len(s.Decided) != 2 || s.Decided[0].Decision != agent.Yes || s.Decided[1].Decision != agent.No {
		t.Errorf("%+v, %v", s, err)
	}
	do(b, chromedp.Navigate(srv.URL+"/ui/models/lab/m"))
	b.reach(`e.name === "value" && e.ariaLabel === "Value of tools"`)
	b.press(kb.Backspace, "n", "o")
	b.reach(`e.ariaLabel === "Override tools"`)
	b.send()
	if models.last.Key != "tools" || models.last.Value != "no" || models.last.Source != caps.Override {
		t.Errorf("%+v is set", models.last)
	}
	b.reach(`e.ariaLabel === "Drop the override of images"`)
	b.send()
	if models.last.Key != "images" || !models.last.Expires.Equal(noon) {
		t.Errorf("%+v is set", models.last)
	}
}

// The list of runs takes in what goes on while it is looked at, and the page of a run that a process works on does until it waits or ends; the form that
// a person fills in is left alone.
func TestLiveRuns(t *testing.T) {
	b := openTab(t)
	j := &heardJournal{MemoryJournal: agent.NewMemory()}
	srv := newServer(t, dashboard.Config{Runs: j, RunCommand: "callwright run"})
	said := map[string]any{"messages": []any{map[string]any{"role": "user", "parts": []any{map[string]any{"type": "text", "text": "Drop it."}}}}}
	call := map[string]any{"type": "call", "id": "a", "name": "drop", "arguments": map[string]any{}}
	j.record(t, "run_1", "begun", "", said)
	b.open(srv.URL + "/ui/runs")
	b.is(`(document.querySelector("#run_1 a").focus(), true)`)
	j.record(t, "run_2", "begun", "", said)
	b.until(`document.querySelector("tbody tr").id === "run_2"`)
	b.is(`window.marked && document.activeElement.closest("tr")?.id === "run_1"`)
	b.open(srv.URL + "/ui/runs/run_1")
	b.is(`!document.querySelector("fieldset")`)
	j.record(t, "run_1", "answered", "", map[string]any{"response": map[string]any{"parts": []any{call}, "finish": "calls"}})
	j.record(t, "run_1", "asked", "a", map[string]any{"why": "the tool may destroy something"})
	b.until(`!!document.querySelector("fieldset") && !document.getElementById("poll")`)
	b.is(`window.marked && document.querySelectorAll("details").length === 2`)
	b.is(`(document.querySelector("[value=yes]").click(), document.querySelector("form[action='/ui/runs/run_1']").requestSubmit(), true)`)
	b.until(`!!document.getElementById("poll") && document.querySelector("main").innerText.includes("callwright run --resume run_1")`)
	b.is(`(window.marked = true)`)
	j.record(t, "run_1", "stopped", "", map[string]any{"stop": "answered"})
	b.until(`document.querySelector("main").innerText.includes("done") && !document.getElementById("poll")`)
	b.is(`window.marked`)
	if said := b.console(); said != "" {
		t.Error(said)
	}
}
