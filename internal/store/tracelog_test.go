package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/store"
	"github.com/callwright/callwright/internal/trace"
)

// tracedRequest are the entries of a request whose answer has so many bytes.
func tracedRequest(id string, size int) []trace.Entry {
	now := time.Now().UTC()
	return []trace.Entry{
		{Kind: trace.KindRequest, ID: id, Time: now, Model: "lab/one", Data: json.RawMessage(`{"messages":[]}`)},
		{Kind: trace.KindReceived, ID: id, Time: now, Data: json.RawMessage(`"` + strings.Repeat("x", size) + `"`)},
		{Kind: trace.KindAnswer, ID: id, Time: now, Duration: time.Second, Data: json.RawMessage(`{"report":{"attempts":[{"model":"lab/one"}],"notes":[{"rule":"json.quotes"}],"mode":"native"},"text":"Hello."}`)},
	}
}

func trail(t *testing.T, l trace.Log, entries ...trace.Entry) {
	t.Helper()
	for _, e := range entries {
		if err := l.Append(e); err != nil {
			t.Fatal(err)
		}
	}
}

// hasAnswer reports whether a call had an answer: none comes while servers elect a leader, which takes a busy machine longer than calls wait.
func hasAnswer(t *testing.T, err error) bool {
	t.Helper()
	switch callwright.KindOf(err) {
	case "", callwright.KindNotFound:
		return true
	case callwright.KindUnavailable:
		return false
	}
	t.Fatal(err)
	return false
}

// shape is what a log has of a request: the kinds of its entries with their sizes.
func shape(t *testing.T, r trace.LogReader, id string) (out string) {
	t.Helper()
	eventually(t, "the entries of "+id, func() bool {
		entries, err := r.Entries(t.Context(), id)
		out = string(callwright.KindOf(err))
		for _, e := range entries {
			out += fmt.Sprint(e.Kind, " ", len(e.Data), " ")
		}
		return hasAnswer(t, err)
	})
	return strings.TrimSpace(out)
}

// list returns the summaries that match a query.
func list(t *testing.T, r trace.LogReader, q trace.Query) (out []trace.Summary) {
	t.Helper()
	eventually(t, "a list", func() bool {
		var err error
		out, err = r.List(t.Context(), q)
		return hasAnswer(t, err)
	})
	return out
}

func listed(t *testing.T, r trace.LogReader) (out []string) {
	t.Helper()
	for _, s := range list(t, r, trace.Query{}) {
		out = append(out, s.ID+" "+string(s.Outcome))
	}
	return out
}

// readAll reads all that a log has.
func readAll(t *testing.T, l *store.TraceLog) (out []string) {
	t.Helper()
	eventually(t, "all entries", func() bool {
		out = nil
		for e, err := range l.All(t.Context()) {
			if !hasAnswer(t, err) {
				return false
			}
			out = append(out, e.ID+" "+string(e.Kind))
		}
		return true
	})
	return out
}

// What one gateway records the others list and show, also where it is larger than a message, and what is under way after a moment. An owner sees its own.
func TestTracesShared(t *testing.T) {
	t.Parallel()
	c := sharedCluster(t).config(fresh())
	here, there := open(t, c).Traces("", trace.LogLimits{}), open(t, c).Traces("", trace.LogLimits{})
	const large = 3 << 20
	trail(t, here, tracedRequest("rep_1", 10)...)
	trail(t, here, tracedRequest("rep_2", large)...)
	trail(t, here, tracedRequest("rep_3", 10)[:2]...)
	eventually(t, "the other one lists all", func() bool {
		return strings.Join(listed(t, there), ", ") == "rep_3 unfinished, rep_2 translated, rep_1 translated"
	})
	want := fmt.Sprintf("request 15 received %d answer 110", large+2)
	for _, l := range []*store.TraceLog{here, there} {
		if got := shape(t, l, "rep_2"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := shape(t, l, "rep_3"); got != "request 15 received 12" {
			t.Errorf("under way: got %s", got)
		}
	}
	trail(t, here, tracedRequest("rep_3", 10)[2])
	eventually(t, "the other one knows that it has ended", func() bool { return listed(t, there)[0] == "rep_3 translated" })
	if got := shape(t, there, "rep_3"); got != "request 15 received 12 answer 110" {
		t.Errorf("got %s", got)
	}
	all := readAll(t, there)
	if len(all) != 9 || all[8] != "rep_3 answer" {
		t.Errorf("all of it: %v", all)
	}
	if got := listed(t, open(t, c).Traces("other", trace.LogLimits{})); len(got) > 0 {
		t.Errorf("another owner: got %v", got)
	}
}

// Where a server of three is gone, traces are recorded, listed and read as before, wherever the cluster has what reads them.
func TestTracesWithoutAServer(t *testing.T) {
	t.Parallel()
	if !longtest.IsEnabled() {
		t.Skip("elections take seconds")
	}
	c := newCluster(t, folder(t))
	defer c.stop(0)
	defer c.stop(2)
	l := open(t, c.config("")).Traces("", trace.LogLimits{})
	for i := range 20 {
		trail(t, l, tracedRequest(fmt.Sprintf("rep_%d", i), 10)...)
		if i == 10 {
			c.stop(1)
		}
	}
	for range 4 { // each has another place in the cluster
		other := open(t, c.config("")).Traces("", trace.LogLimits{})
		eventually(t, "all are listed", func() bool { return len(listed(t, other)) == 20 })
		if n := len(readAll(t, other)); n != 60 {
			t.Errorf("%d entries of 60 were read", n)
		}
	}
}

// What was recorded is there after a restart.
func TestTracesStay(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s, err := store.Open(t.Context(), store.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	trail(t, s.Traces("", trace.LogLimits{}), append(tracedRequest("rep_1", 10), tracedRequest("rep_2", 10)[:1]...)...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, store.Config{Dir: dir}).Traces("", trace.LogLimits{})
	if got := strings.Join(listed(t, again), ", "); got != "rep_2 unfinished, rep_1 translated" {
		t.Errorf("got %s", got)
	}
	if got := shape(t, again, "rep_1"); got != "request 15 received 12 answer 110" {
		t.Errorf("got %s", got)
	}
}

// While NATS is away nothing waits for it: what is in memory is read, what there is no room for is left out, and is counted in its trace and by Health. It is
// written when NATS comes.
func TestTracesWithoutNATS(t *testing.T) {
	t.Parallel()
	if !longtest.IsEnabled() {
		t.Skip("it fills all of the room that waiting entries have")
	}
	c := single(t)
	c.stop(0)
	s := open(t, c.config(""))
	l := s.Traces("", trace.LogLimits{})
	const each = 1 << 20
	full, kept, begun := 0, 0, 0
	for i := range 40 {
		for _, e := range tracedRequest(fmt.Sprintf("rep_%d", i), each) {
			switch err := l.Append(e); {
			case errors.Is(err, trace.ErrFull):
				full++
			case err != nil:
				t.Fatal(err)
			default:
				if kept++; e.Kind == trace.KindRequest {
					begun++
				}
			}
		}
	}
	if full == 0 || kept == 0 {
		t.Fatalf("%d entries were taken, %d were not", kept, full)
	}
	if got := shape(t, l, "rep_0"); got != fmt.Sprintf("request 15 received %d answer 110", each+2) {
		t.Errorf("in memory: got %s", got)
	}
	said := func() bool {
		return strings.Contains(strings.Join(health.Lines(s.Health()), "\n"), fmt.Sprintf("%d trace entries were dropped", full))
	}
	if !said() {
		t.Errorf("got %q", s.Health())
	}
	c.start(t, 0)
	defer c.stop(0)
	other := open(t, c.config("")).Traces("", trace.LogLimits{})
	eventually(t, "all requests are listed", func() bool { return len(listed(t, other)) == begun })
	eventually(t, "all that was taken is written", func() bool {
		n := 0
		for e, err := range other.All(t.Context()) {
			if err == nil && e.Kind != trace.KindLost {
				n++
			}
		}
		return n == kept
	})
	lost := 0
	for e := range other.All(t.Context()) {
		var missing struct{ Entries int }
		if e.Kind == trace.KindLost && json.Unmarshal(e.Data, &missing) == nil {
			lost += missing.Entries
		}
	}
	if lost == 0 || lost > full {
		t.Errorf("%d entries were left out, and traces say so of %d", full, lost)
	}
}

// A list by a filter is what the filter leaves of the list of all, also of requests that went on or ended since a list was asked for first, here and at another gateway.
func TestTracesFiltered(t *testing.T) {
	t.Parallel()
	c := sharedCluster(t).config(fresh())
	here, there := open(t, c).Traces("", trace.LogLimits{}), open(t, c).Traces("", trace.LogLimits{})
	logs := []*store.TraceLog{here, there}
	listed(t, here)
	listed(t, there)
	const requests = 60
	says, calls := map[string]string{}, map[string]string{}
	for i := range requests {
		entries := tracedRequest(fmt.Sprintf("rep_%d", i), 10)
		entries[0].Model, entries[0].Key, entries[0].Session = callwright.ModelID(fmt.Sprintf("lab/m%d", i%7)), fmt.Sprintf("key%d", i%3), fmt.Sprintf("s%d", i%4)
		said := fmt.Sprintf("Weather in place %d?", i%6)
		entries[0].Data = json.RawMessage(`{"messages":[{"role":"user","parts":[{"type":"text","text":"` + said + `"}]}]}`)
		tool := fmt.Sprintf("tool%d", i%8)
		entries[2].Data = json.RawMessage(`{"parts":[{"type":"call","name":"` + tool + `"}],` + string(entries[2].Data[1:]))
		says[entries[0].ID], calls[entries[0].ID] = said, tool
		if i%5 == 0 {
			entries[2] = trace.Entry{Kind: trace.KindError, ID: entries[0].ID, Time: entries[0].Time, Failure: &callwright.Error{Kind: callwright.KindTimeout, Message: "no answer"}}
		}
		if i%9 == 0 {
			entries = entries[:2]
		}
		trail(t, logs[i%2], entries...)
	}
	for _, ended := range []bool{false, true} {
		for _, l := range logs {
			all := func() []trace.Summary { return list(t, l, trace.Query{Limit: trace.MostListed}) }
			eventually(t, "all are known", func() bool {
				return len(all()) == requests && (!ended || !slices.ContainsFunc(all(), func(s trace.Summary) bool { return s.Outcome == outcome.Unfinished }))
			})
			for _, q := range []trace.Query{{Outcome: outcome.Failed}, {Outcome: outcome.Unfinished}, {Outcome: outcome.Answered}, {Model: "lab/m3"}, {Model: "lab/none"}, {Rule: "json.*"}, {Rule: "json.quotes", Model: "lab/m3"},
				{Rule: "coerce.*"}, {Limit: 7}, {Limit: 7, Outcome: outcome.Healed}, {Before: all()[30].Time, Limit: 3}, {Since: all()[30].Time},
				{Key: "key1"}, {Key: "key1", Session: "s2"}, {Session: "s3", Limit: 2}, {Kind: callwright.KindTimeout}, {Kind: callwright.KindServer}, {Tools: []string{"tool3"}}, {Tools: []string{"tool3", "tool4"}},
				{Text: []string{"place 4"}}, {Text: []string{"PLACE 4", "weather"}, Limit: 3}, {Text: []string{"no answer"}}, {Text: []string{"nowhere"}}, {Text: []string{"place 2"}, Key: "key2", Tools: []string{"tool0"}}} {
				got := list(t, l, q)
				want := slices.DeleteFunc(all(), func(s trace.Summary) bool {
					text := strings.ToLower(says[s.ID] + s.Error)
					return !q.MayMatch(&s) || slices.ContainsFunc(q.Text, func(word string) bool { return !strings.Contains(text, strings.ToLower(word)) }) ||
						slices.ContainsFunc(q.Tools, func(tool string) bool { return len(s.Tools) == 0 || tool != calls[s.ID] })
				})
				if d := cmp.Diff(want[:min(len(want), q.Most())], got, cmpopts.EquateEmpty()); d != "" {
					t.Errorf("ended %t, %+v (-want +got)\n%s", ended, q, d)
				}
			}
		}
		for i := 0; i < requests && !ended; i += 9 {
			trail(t, logs[i%2], tracedRequest(fmt.Sprintf("rep_%d", i), 10)[2])
		}
	}
}

// BenchmarkTraces appends requests, and with 100,000 of them lists the latest, those that failed and those of a model that none was asked of: at first, and when
// what the summaries are found by is in memory. In the end it opens the folder with them.
func BenchmarkTraces(b *testing.B) {
	dir := b.TempDir()
	s, err := store.Open(b.Context(), store.Config{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	l := s.Traces("", trace.LogLimits{})
	n := 0
	request := func() {
		n++
		for _, e := range tracedRequest(fmt.Sprintf("rep_0199c0de5a7f7000a3f1c2d4%08x", n), 2000) {
			for err := trace.ErrFull; err != nil; {
				err = l.Append(e)
			}
		}
	}
	b.Run("append", func(b *testing.B) {
		for b.Loop() {
			request()
		}
	})
	for n < 100_000 {
		request()
	}
	if _, err := l.Entries(b.Context(), fmt.Sprintf("rep_0199c0de5a7f7000a3f1c2d4%08x", n)); err != nil {
		b.Fatal(err)
	}
	b.Run("at first", func(b *testing.B) {
		for range b.N {
			if _, err := l.List(b.Context(), trace.Query{Outcome: outcome.Failed}); err != nil {
				b.Fatal(err)
			}
		}
	})
	time.Sleep(10 * time.Second)
	for name, q := range map[string]trace.Query{"latest": {}, "failed": {Outcome: outcome.Failed}, "other": {Model: "lab/two"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := l.List(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("one", func(b *testing.B) {
		for b.Loop() {
			if _, err := l.Entries(b.Context(), "rep_0199c0de5a7f7000a3f1c2d400000010"); err != nil {
				b.Fatal(err)
			}
		}
	})
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			s, err := store.Open(b.Context(), store.Config{Dir: dir})
			if err != nil {
				b.Fatal(err)
			}
			s.Traces("", trace.LogLimits{})
			b.StopTimer()
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	})
}
