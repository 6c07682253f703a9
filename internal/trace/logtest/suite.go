package logtest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/conversation"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/testclock"
	"github.com/callwright/callwright/internal/trace"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Open opens an empty log that gets the time from now. It must close the log by t.Cleanup.
type Open func(t *testing.T, now func() time.Time, l trace.LogLimits) trace.Log

// laws are the properties that every log must have, with their tests.
var laws = []struct {
	name string
	test func(l *log, t *testing.T)
}{
	{"content", (*log).content},
	{"apart", (*log).apart},
	{"copies", (*log).copies},
	{"listing", (*log).listing},
	{"pages", (*log).pages},
	{"unfinished", (*log).testUnfinished},
	{"continued", (*log).testContinuation},
	{"age", (*log).age},
	{"bytes", (*log).bytes},
	{"recorded", (*log).testRecording},
	{"canceled", (*log).testCancellation},
	{"together", (*log).together},
}

// Run tests an implementation of trace.Log.
func Run(t *testing.T, open Open) {
	t.Helper()
	for _, law := range laws {
		t.Run(law.name, func(t *testing.T) { law.test(&log{t: t, open: open, Clock: testclock.At(begin)}, t) })
	}
}

// begin is the initial time of each test.
var begin = time.Date(2026, 3, 29, 1, 59, 59, 123456789, time.UTC)

// A log is the log under test with its clock.
type log struct {
	t    *testing.T
	open Open
	*testclock.Clock
	trace.Log
}

// with opens the log with limits.
func (l *log) with(limits trace.LogLimits) {
	l.Log = l.open(l.t, l.Now, limits)
}

// report returns the report of a request.
func report(id string) *callwright.Report {
	return &callwright.Report{ID: id, Model: "lab/one", Mode: caps.Native, Fingerprint: "f",
		Attempts: []callwright.Attempt{{Model: "lab/zero", Mode: caps.Text}, {Model: "lab/one", Mode: caps.Native}},
		Notes: []callwright.Note{{Rule: "json.trailing_comma", Risk: callwright.RiskLossless, Was: "1,", Now: "1"},
			{Rule: "json.trailing_comma"}, {Rule: "plan.fallback"}}}
}

func (l *log) entry(kind trace.Kind, id, data string) trace.Entry {
	return trace.Entry{Time: l.Now(), Kind: kind, ID: id, Data: json.RawMessage(data)}
}

// request returns the entries of an answered request.
func (l *log) request(id string) []trace.Entry {
	model := l.entry(trace.KindModel, id, `{"id":"lab/one"}`)
	model.Model = "lab/one"
	asked := l.entry(trace.KindRequest, id, `{"messages":[]}`)
	asked.Model, asked.Fingerprint, asked.Wire, asked.Body = "lab/one", "f", callwright.WireGemini, json.RawMessage(`{ "a" : 1.0 }`)
	sent, received := l.entry(trace.KindSent, id, `{"b":"é\u0000<&>"}`), l.entry(trace.KindReceived, id, `{"status":200}`)
	return []trace.Entry{model, asked, sent, received, l.answer(report(id))}
}

// answer returns the entry of an answer with a report and calls of tools.
func (l *log) answer(r *callwright.Report, tools ...string) trace.Entry {
	l.t.Helper()
	parts := []callwright.Part{callwright.Text{Text: "Hello."}}
	for _, name := range tools {
		parts = append(parts, callwright.Call{ID: "c", Name: name, Arguments: json.RawMessage(`{}`)})
	}
	form, err := conversation.MarshalResponse(&callwright.Response{ID: "resp", Model: "one", Parts: parts, Report: r})
	if err != nil {
		l.t.Fatal(err)
	}
	e := l.entry(trace.KindAnswer, r.ID, string(form))
	e.Duration, e.Streamed, e.RawReceived = 1500*time.Millisecond, true, true
	e.Usage = []trace.ModelUsage{{Model: "lab/zero", Input: 7},
		{Model: "lab/one", Input: 20, CacheRead: 10, CacheWrite: 5, Output: 3, Reasoning: 1}}
	return e
}

// failure returns the entry of an error with a report.
func (l *log) failure(r *callwright.Report) trace.Entry {
	e := l.entry(trace.KindError, r.ID, "")
	e.Data, e.Duration = nil, time.Second
	e.Failure = &callwright.Error{Op: "provider.send", Kind: callwright.KindTimeout, Message: "no answer", Status: 504, Report: r}
	return e
}

func (l *log) append(entries ...trace.Entry) []trace.Entry {
	l.t.Helper()
	for _, e := range entries {
		if err := l.Append(e); err != nil {
			l.t.Fatalf("append %s of %q: %v", e.Kind, e.ID, err)
		}
	}
	return entries
}

// same compares entries without their Seq.
var same = gocmp.Options{cmpopts.IgnoreFields(trace.Entry{}, "Seq"), cmpopts.EquateEmpty(),
	gocmp.Comparer(func(a, b error) bool { return a == b || a != nil && b != nil && a.Error() == b.Error() })}

// expect fails the test unless the entries of the request id in the log equal want.
func (l *log) expect(id string, want []trace.Entry) {
	l.t.Helper()
	got, err := l.Entries(l.t.Context(), id)
	if err != nil {
		l.t.Fatalf("entries of %q: %v", id, err)
	}
	if d := gocmp.Diff(want, got, same); d != "" {
		l.t.Fatalf("entries of %q (-want +got)\n%s", id, d)
	}
}

func (l *log) expectMissing(id string) {
	l.t.Helper()
	got, err := l.Entries(l.t.Context(), id)
	expectKind(l.t, err, callwright.KindNotFound)
	if len(got) > 0 {
		l.t.Fatalf("%q is gone, got %v", id, got)
	}
}

func expectKind(t *testing.T, err error, want callwright.Kind) {
	t.Helper()
	if callwright.KindOf(err) != want {
		t.Fatalf("expected an error of kind %q, got %v", want, err)
	}
}

// clearOpenCounts returns the summaries without the entry counts of unfinished requests, which may differ between logs.
func clearOpenCounts(list []trace.Summary) []trace.Summary {
	out := slices.Clone(list)
	for i := range out {
		if out[i].Outcome == outcome.Unfinished {
			out[i].Entries = 0
		}
	}
	return out
}

// list fails the test unless the summaries that a query returns equal want.
func (l *log) list(q trace.Query, want ...trace.Summary) {
	l.t.Helper()
	got, err := l.List(l.t.Context(), q)
	if err != nil {
		l.t.Fatal(err)
	}
	if d := gocmp.Diff(clearOpenCounts(want), clearOpenCounts(got), cmpopts.EquateEmpty()); d != "" {
		l.t.Fatalf("%+v (-want +got)\n%s", q, d)
	}
}

func (l *log) content(t *testing.T) {
	l.with(trace.LogLimits{})
	l.expectMissing("rep_1")
	l.list(trace.Query{})
	all := l.append(l.request("rep_1")...)
	l.expect("rep_1", all)
	l.list(trace.Query{}, trace.Summary{ID: "rep_1", Time: begin, Duration: 1500 * time.Millisecond, Model: "lab/one",
		Served: "lab/one", Wire: callwright.WireGemini, Mode: caps.Native,
		Status: 200, Usage: l.answer(report("rep_1")).Usage, Outcome: outcome.Translated, Streamed: true, Attempts: 2, Notes: 3,
		Rules: []string{"json.trailing_comma", "plan.fallback"}, Entries: 5})
	l.Add(time.Second)
	failed := append(l.request("rep_2")[1:3], l.failure(report("rep_2")))
	failed[2].Data, failed[2].Partial = l.answer(report("rep_2")).Data, true
	l.append(failed...)
	l.expect("rep_2", failed)
	l.expect("rep_1", all)
	got, err := l.List(t.Context(), trace.Query{Limit: 1})
	if err != nil || len(got) != 1 || got[0].ID != "rep_2" || got[0].Outcome != outcome.Failed ||
		got[0].Kind != callwright.KindTimeout || got[0].Error == "" {
		t.Errorf("got %+v and %v", got, err)
	}
	l.expectMissing("rep_")
	l.expectMissing("")
}

// apart tests that entries of concurrent requests are not mixed up.
func (l *log) apart(*testing.T) {
	l.with(trace.LogLimits{})
	ids := []string{"rep_1", "rep_11", "rep_1a", "REP_1", "rep 1", "rep_1\n", "rep\t1", "é"}
	want := map[string][]trace.Entry{}
	for step := range 5 {
		for _, id := range ids {
			want[id] = append(want[id], l.append(l.request(id)[step])...)
		}
	}
	for _, id := range ids {
		l.expect(id, want[id])
	}
}

// copies tests that the log does not retain Data and Body of an appended entry.
func (l *log) copies(*testing.T) {
	l.with(trace.LogLimits{})
	mine := l.append(l.request("rep_1")...)
	for _, e := range mine {
		for _, b := range []json.RawMessage{e.Data, e.Body} {
			clear(b)
		}
	}
	l.expect("rep_1", l.request("rep_1"))
}

// pages tests that a query with Before set to the Time of the last result returns the next page.
func (l *log) pages(*testing.T) {
	l.with(trace.LogLimits{})
	var all []trace.Summary
	for i := range 10 {
		l.Add(time.Millisecond)
		all = append(all, trace.Summarize(l.append(l.request(fmt.Sprintf("rep_%d", i))...)))
	}
	slices.SortFunc(all, trace.Latest)
	q := trace.Query{Limit: 4}
	for page := range slices.Chunk(all, 4) {
		l.list(q, page...)
		q.Before = page[len(page)-1].Time
	}
	l.list(q)
}

func (l *log) testUnfinished(*testing.T) {
	l.with(trace.LogLimits{})
	l.append(l.entry(trace.KindSent, "rep_0", `{}`), l.entry(trace.KindModel, "", `{}`), l.entry(trace.KindLost, "", `{"entries":3}`))
	l.list(trace.Query{})
	some := l.append(l.request("rep_1")[:3]...)
	l.expect("rep_1", some)
	l.list(trace.Query{Outcome: outcome.Unfinished}, trace.Summarize(some))
	l.append(l.answer(report("rep_1")))
	l.list(trace.Query{Outcome: outcome.Unfinished})
}

// testContinuation tests that a request whose model is called again is listed as one request with its last answer.
func (l *log) testContinuation(*testing.T) {
	l.with(trace.LogLimits{})
	rounds := l.request("rep_1")
	rounds[4].Continued = true
	l.append(rounds...)
	l.list(trace.Query{Outcome: outcome.Unfinished}, trace.Summarize(rounds))
	l.list(trace.Query{Outcome: outcome.Answered})
	l.Add(time.Second)
	more := l.request("rep_1")[1:]
	more[3].Outcome, more[3].Class = outcome.Healed, "F02"
	all := append(rounds, l.append(more...)...)
	l.expect("rep_1", all)
	got := trace.Summarize(all)
	l.list(trace.Query{}, got)
	l.list(trace.Query{Outcome: outcome.Unfinished})
	l.list(trace.Query{Outcome: outcome.Healed}, got)
	if !got.Time.Equal(begin) || got.Duration != 3*time.Second || got.Attempts != 4 || got.Outcome != outcome.Healed || got.Class != "F02" {
		l.t.Errorf("got %+v", got)
	}
}

func (l *log) age(*testing.T) {
	l.with(trace.LogLimits{Age: 48 * time.Hour})
	a := trace.Summarize(l.append(l.request("rep_a")...))
	l.Add(48*time.Hour - time.Second)
	entries := l.append(l.request("rep_b")...)
	b := trace.Summarize(entries)
	l.list(trace.Query{}, b, a)
	l.Add(time.Second)
	l.list(trace.Query{}, b)
	l.expectMissing("rep_a")
	l.expect("rep_b", entries)
	l.Add(48 * time.Hour)
	l.list(trace.Query{})
	l.expectMissing("rep_b")
}

func (l *log) bytes(t *testing.T) {
	const bound, each, many = 4 << 20, 20_000, 1000
	l.with(trace.LogLimits{Bytes: bound})
	for i := range many {
		l.Add(time.Millisecond)
		entries := l.request(fmt.Sprintf("rep_%d", i))
		entries[2].Data = json.RawMessage(`"` + strings.Repeat("x", each) + `"`)
		l.append(entries...)
	}
	got := l.listSettled(bound / each * 5 / 4)
	if n := len(got); n < bound/each/4 || n > bound/each*5/4 {
		t.Errorf("%d requests of %d bytes are kept, the bound is %d", n, each, bound)
	}
	for i, s := range got {
		if want := fmt.Sprintf("rep_%d", many-1-i); s.ID != want {
			t.Fatalf("the %dth is %s, want %s", i+1, s.ID, want)
		}
	}
	l.expectMissing("rep_0")
	if entries, err := l.Entries(t.Context(), got[len(got)-1].ID); err != nil || len(entries) != 5 {
		t.Errorf("the oldest that is listed has %d entries, and %v", len(entries), err)
	}
}

// listSettled returns all requests once their number is stable and does not exceed the limit most, or after a minute.
func (l *log) listSettled(most int) []trace.Summary {
	l.t.Helper()
	var before []trace.Summary
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		got, err := l.List(l.t.Context(), trace.Query{Limit: trace.MostListed})
		if err != nil {
			l.t.Fatal(err)
		}
		if len(got) <= most && len(got) == len(before) || time.Now().After(deadline) {
			return got
		}
		before = got
	}
}

// model is a model that answers with a fixed text.
type model struct{}

func (model) ID() callwright.ModelID { return "lab/one" }

func (model) Generate(_ context.Context, req *callwright.Request) (*callwright.Response, error) {
	return &callwright.Response{Parts: []callwright.Part{callwright.Text{Text: "Hello."}}, Report: report(companion.Of(req).ReportID)}, nil
}

func (m model) Stream(context.Context, *callwright.Request) iter.Seq2[callwright.Event, error] {
	return func(yield func(callwright.Event, error) bool) {
		yield(nil, callwright.Errorf("lab", callwright.KindTimeout, "", "no answer"))
	}
}

// testRecording tests that a log accepts the entries of a Writer, with a description of the model for each request.
func (l *log) testRecording(t *testing.T) {
	l.with(trace.LogLimits{})
	m := trace.Record(model{}, trace.NewLogWriter(l.Log, trace.WithClock(l.Now)))
	for _, id := range []string{"rep_1", "rep_2"} {
		req := &callwright.Request{Model: "lab/one", Attached: &companion.Companion{ReportID: id},
			Messages: []callwright.Message{callwright.UserText("Hi")}}
		if _, err := m.Generate(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		entries, err := l.Entries(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []trace.Kind
		for _, e := range entries {
			kinds = append(kinds, e.Kind)
		}
		if d := gocmp.Diff([]trace.Kind{trace.KindModel, trace.KindRequest, trace.KindAnswer}, kinds); d != "" {
			t.Errorf("%s (-want +got)\n%s", id, d)
		}
		if got, err := entries[2].Response(); err != nil || got.Report.ID != id {
			t.Errorf("got %+v and %v", got, err)
		}
	}
	for _, err := range m.Stream(t.Context(), &callwright.Request{Model: "lab/one", Attached: &companion.Companion{ReportID: "rep_3"}}) {
		expectKind(t, err, callwright.KindTimeout)
	}
	got, err := l.List(t.Context(), trace.Query{Outcome: outcome.Failed})
	if err != nil || len(got) != 1 || got[0].ID != "rep_3" || got[0].Kind != callwright.KindTimeout {
		t.Errorf("got %+v and %v", got, err)
	}
}

func (l *log) testCancellation(t *testing.T) {
	l.with(trace.LogLimits{})
	l.append(l.request("rep_1")...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := l.Entries(ctx, "rep_1")
	_, alsoErr := l.List(ctx, trace.Query{})
	for _, err := range []error{err, alsoErr} {
		if expectKind(t, err, callwright.KindCanceled); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

// together tests concurrent appends, reads and lists.
func (l *log) together(t *testing.T) {
	l.with(trace.LogLimits{})
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Go(func() {
			for i := range 10 {
				id := fmt.Sprintf("rep_%d_%d", g, i)
				for _, e := range l.request(id) {
					if err := l.Append(e); err != nil {
						t.Error(err)
					}
				}
				entries, err := l.Entries(t.Context(), id)
				_, listErr := l.List(t.Context(), trace.Query{Limit: 3})
				if err := cmp.Or(err, listErr); err != nil || len(entries) != 5 {
					t.Errorf("%s: %d entries, %v", id, len(entries), err)
				}
			}
		})
	}
	wg.Wait()
	if got, err := l.List(t.Context(), trace.Query{}); err != nil || len(got) != 60 {
		t.Errorf("got %d and %v", len(got), err)
	}
}
