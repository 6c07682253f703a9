package dashboard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/dashboard"
	"github.com/callwright/callwright/internal/trace"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// A liveSource is a gateway that is asked while somebody looks at it.
type liveSource struct {
	t       *testing.T
	log     *trace.Folder
	reports *archive.MemoryReports
	n       int
}

func newLive(t *testing.T) *liveSource {
	return &liveSource{t: t, log: openLog(t, nil), reports: archive.NewMemoryReports(nil, archive.Limits{})}
}

func (l *liveSource) config() dashboard.Config {
	return dashboard.Config{Traces: l.log, Reports: l.reports, Replayer: &fakeReplayer{out: &dashboard.Replayed{Same: true}}}
}

// ask has a request of a model made.
func (l *liveSource) ask(model callwright.ModelID) {
	l.t.Helper()
	l.n++
	id, now := fmt.Sprintf("rep_%d", l.n), time.Now()
	rep := &callwright.Report{ID: id, Model: model, Untouched: true}
	report, err := json.Marshal(rep)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, e := range []trace.Entry{
		{Kind: trace.KindRequest, ID: id, Time: now, Model: model, Data: json.RawMessage(`{"messages":[{"role":"user","parts":[{"type":"text","text":"Hello"}]}]}`)},
		{Kind: trace.KindAnswer, ID: id, Time: now, Duration: time.Second, Data: json.RawMessage(`{"parts":[{"type":"text","text":"Hi"}],"report":` + string(report) + `}`)},
	} {
		if err := l.log.Append(e); err != nil {
			l.t.Fatal(err)
		}
	}
	if err := l.reports.Keep(l.t.Context(), &archive.Report{Time: now, Duration: time.Second, Usage: archive.Usage{Input: 10, Output: 5}, Report: rep}); err != nil {
		l.t.Fatal(err)
	}
}

// newServer serves the pages until the test ends.
func newServer(t *testing.T, cfg dashboard.Config) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(dashboard.New(cfg))
	t.Cleanup(srv.Close)
	return srv
}

// until waits until an expression of the page is true.
func (b *tab) until(what string) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 20*time.Second)
	defer cancel()
	for {
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](what))
		if err == nil && ok {
			return
		}
		select {
		case <-ctx.Done():
			b.t.Fatalf("it never holds that %s: %s", what, do(b, chromedp.Evaluate[string](`document.querySelector("main").innerText`)))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// is expects an expression of the page to be true.
func (b *tab) is(what string) {
	b.t.Helper()
	if !do(b, chromedp.Evaluate[bool](what)) {
		b.t.Errorf("it does not hold that %s: %s", what, do(b, chromedp.Evaluate[string](`document.activeElement.outerHTML.slice(0, 300)`)))
	}
}

// open opens a page and marks it, so that it can be told whether it was loaded anew.
func (b *tab) open(url string) {
	b.t.Helper()
	do(b, chromedp.Navigate(url))
	b.is(`(window.marked = true)`)
}

// New requests come in on top of the list while the focus stays where it is, and a filter is applied as it is typed; the page is not loaded anew.
func TestLiveTraces(t *testing.T) {
	b, live := openTab(t), newLive(t)
	srv := newServer(t, live.config())
	live.ask("lab/one")
	b.open(srv.URL + "/ui/traces")
	b.is(`(document.querySelector("#row-rep_1 a").focus(), document.activeElement.closest("tr").id === "row-rep_1")`)
	live.ask("lab/two")
	b.until(`document.querySelector("tbody tr").id === "row-rep_2"`)
	b.is(`window.marked && document.activeElement.closest("tr")?.id === "row-rep_1"`)
	b.is(`(document.querySelector("[name=model]").focus(), true)`)
	do(b, chromedp.KeyEvent("lab/two"))
	b.until(`document.querySelectorAll("tbody tr").length === 1 && location.search.includes("model=lab%2Ftwo")`)
	live.ask("lab/one")
	live.ask("lab/two")
	b.until(`document.querySelectorAll("tbody tr").length === 2 && document.querySelector("tbody tr").id === "row-rep_4"`)
	b.is(`window.marked && document.activeElement.name === "model" && document.activeElement.value === "lab/two"`)
	do(b, chromedp.Evaluate[bool](`(document.querySelector("[name=live]").click(), true)`))
	b.until(`!document.getElementById("poll")`)
	live.ask("lab/two")
	time.Sleep(2500 * time.Millisecond)
	b.is(`window.marked && document.querySelectorAll("tbody tr").length === 2`)
	if said := b.console(); said != "" {
		t.Error(said)
	}
}

// The page of a request that has not ended shows the end when it comes, and is left alone from then on.
func TestLiveTrace(t *testing.T) {
	b, live := openTab(t), newLive(t)
	srv := newServer(t, live.config())
	asked := trace.Entry{Kind: trace.KindRequest, ID: "rep_9", Time: time.Now(), Model: "lab/one", Data: json.RawMessage(`{"messages":[{"role":"user","parts":[{"type":"text","text":"Hello"}]}]}`)}
	if err := live.log.Append(asked); err != nil {
		t.Fatal(err)
	}
	b.open(srv.URL + "/ui/traces/rep_9")
	b.is(`!!document.getElementById("running") && !document.querySelector("#then-sent pre")`)
	if err := live.log.Append(trace.Entry{Kind: trace.KindAnswer, ID: "rep_9", Time: time.Now(), Duration: time.Second, Data: json.RawMessage(`{"parts":[{"type":"text","text":"It rains."}]}`)}); err != nil {
		t.Fatal(err)
	}
	b.until(`document.querySelector("#then-sent pre")?.innerText.includes("It rains.") && !document.getElementById("running")`)
	b.is(`window.marked`)
	if said := b.console(); said != "" {
		t.Error(said)
	}
}

// The overview keeps its figures and its charts up to date, also what is opened on it, and says when the gateway does not answer any more.
func TestLiveOverview(t *testing.T) {
	b, live := openTab(t), newLive(t)
	srv := newServer(t, live.config())
	live.ask("lab/one")
	b.open(srv.URL + "/ui/")
	const requests = `document.querySelector("dl.figures dd").textContent`
	b.until(requests + ` === "1" && document.querySelectorAll(".plot canvas").length === 4`)
	b.is(`document.querySelector("noscript").offsetHeight === 0`)
	do(b, chromedp.Evaluate[bool](`(document.querySelector("#series-details summary").click(), true)`))
	live.ask("lab/one")
	b.until(requests + ` === "2"`)
	b.is(`window.marked && document.querySelectorAll(".plot canvas").length === 4 && document.getElementById("series-details").open`)
	if said := b.console(); said != "" {
		t.Error(said)
	}
	b.is(`document.getElementById("away").hidden`)
	srv.CloseClientConnections()
	srv.Close()
	b.until(`!document.getElementById("away").hidden`)
}

// A page that is kept up to date leads to the login when the session has ended.
func TestLiveWithoutSession(t *testing.T) {
	b := openTab(t)
	now := atomic.Int64{}
	clock := noon
	cfg := keyed(t, &clock)
	cfg.Now = func() time.Time { return noon.Add(time.Duration(now.Load())) }
	srv := newServer(t, cfg)
	do(b, chromedp.Navigate(srv.URL+"/ui/traces"))
	do(b, chromedp.Evaluate[bool](`(document.querySelector("[name=key]").focus(), true)`))
	do(b, chromedp.KeyEvent("ops-key"))
	if _, err := chromedp.RunResponse(b.ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
		t.Fatal(err)
	}
	b.until(`!!document.getElementById("poll")`)
	now.Store(int64(9 * time.Hour))
	b.until(`location.pathname === "/ui/login"`)
}

// A trace is played again by the keyboard, in place; and without scripts by a form.
func TestReplayByKeyboard(t *testing.T) {
	b, live := openTab(t), newLive(t)
	srv := newServer(t, live.config())
	live.ask("lab/one")
	b.open(srv.URL + "/ui/traces/rep_1")
	b.is(`(document.querySelector("#replay button").focus(), document.activeElement.textContent === "Replay")`)
	do(b, chromedp.KeyEvent(kb.Enter))
	b.until(`document.querySelector("#replay [role=status]")?.innerText.includes("the same")`)
	b.is(`window.marked && location.pathname === "/ui/traces/rep_1"`)
	if said := b.console(); said != "" {
		t.Error(said)
	}
	if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	do(b, chromedp.Navigate(srv.URL+"/ui/traces/rep_1"))
	do(b, chromedp.Focus(chromedp.CSS("#replay button")))
	if _, err := chromedp.RunResponse(b.ctx, chromedp.KeyEvent(kb.Enter)); err != nil {
		t.Fatal(err)
	}
	if got := do(b, chromedp.Text(chromedp.CSS("#replay"))); !strings.Contains(got, "the same") {
		t.Errorf("without scripts: %s", got)
	}
	do(b, chromedp.Navigate(srv.URL+"/ui/"))
	if got := do(b, chromedp.Text(chromedp.CSS(".chart figcaption"))); !strings.Contains(got, "the highest 1 request") {
		t.Errorf("the chart without scripts: %s", got)
	}
	b.picture("overview-without-scripts")
}
