package archivetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/testclock"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// OpenReports opens an empty store that gets the time from now. It must close the store by t.Cleanup.
type OpenReports func(t *testing.T, now func() time.Time, l archive.Limits) archive.Reports

// reportLaws are the properties that every store of reports must have, with their tests.
var reportLaws = []struct {
	name string
	test func(s *reports, t *testing.T)
}{
	{"content", (*reports).content},
	{"owners", (*reports).owners},
	{"listing", (*reports).listing},
	{"pages", (*reports).pages},
	{"age", (*reports).age},
	{"count", (*reports).count},
	{"bytes", (*reports).bytes},
	{"too large", (*reports).tooLarge},
	{"canceled", (*reports).testCancellation},
	{"together", (*reports).together},
}

// Reports tests an implementation of archive.Reports.
func Reports(t *testing.T, open OpenReports) {
	t.Helper()
	for _, law := range reportLaws {
		t.Run(law.name, func(t *testing.T) { law.test(&reports{t: t, open: open, Clock: testclock.At(begin)}, t) })
	}
}

// A reports is the store under test with its clock.
type reports struct {
	t    *testing.T
	open OpenReports
	*testclock.Clock
	archive.Reports
}

// with opens the store with limits.
func (s *reports) with(l archive.Limits) {
	s.Reports = s.open(s.t, s.Now, l)
}

// report returns a report with all fields set that begins at the current time of the clock.
func (s *reports) report(owner archive.Owner, id string) *archive.Report {
	return &archive.Report{
		Owner: owner, Time: s.Now(), Duration: 1234567 * time.Microsecond, Wire: callwright.WireGemini, Streamed: true,
		Failed: callwright.KindInvalidCall, Error: "no é\x00 call", KeyName: "ada", Session: "s1",
		Tools: []string{"get_weather"}, Usage: archive.Usage{Input: 10, CacheRead: 3, Output: 1},
		Report: &callwright.Report{
			ID: id, Model: "lab/one", Mode: caps.Native, Confidence: 0.25, Fingerprint: "f", CachedTokens: 3, CacheHits: 1,
			Attempts: []callwright.Attempt{{Model: "lab/two", Mode: caps.Text, Dialect: "hermes", Why: callwright.AttemptFirst,
				Duration: time.Second, Tries: 2, Error: "<&>", Kind: callwright.KindTimeout}},
			Notes: []callwright.Note{{Rule: "json.trailing_comma", Fault: "F01", Stage: callwright.StageValidate,
				Risk: callwright.RiskLossless, Call: "c", Path: "/a", Was: "1,", Now: "1", Why: "w", Count: 2}},
			Invalid: []callwright.InvalidCall{{Name: "f", ID: "c", Why: callwright.InvalidArguments, Raw: "{",
				Violations: []callwright.Violation{{Path: "/a", Keyword: "type", Message: "m"}}}},
		},
	}
}

// keep stores a report and returns it.
func (s *reports) keep(r *archive.Report) *archive.Report {
	s.t.Helper()
	if err := s.Keep(s.t.Context(), r); err != nil {
		s.t.Fatal(err)
	}
	return r
}

// expect fails the test unless the store returns an equal report.
func (s *reports) expect(want *archive.Report) {
	s.t.Helper()
	got, err := s.Find(s.t.Context(), want.Key())
	if err != nil {
		s.t.Fatalf("find %q: %v", want.Report.ID, err)
	}
	if d := cmp.Diff(want, got); d != "" {
		s.t.Fatalf("%q (-want +got)\n%s", want.Report.ID, d)
	}
}

// expectMissing fails the test unless a report is missing.
func (s *reports) expectMissing(k archive.Key) {
	s.t.Helper()
	got, err := s.Find(s.t.Context(), k)
	expectKind(s.t, err, callwright.KindNotFound)
	expectKind(s.t, s.Delete(s.t.Context(), k), callwright.KindNotFound)
	if got != nil {
		s.t.Fatalf("%q is gone, got %v", k.ID, got)
	}
}

func (s *reports) content(t *testing.T) {
	s.with(archive.Limits{})
	full := s.keep(s.report("\xffowner\x00", "rep_1"))
	s.expect(full)
	bare := s.keep(&archive.Report{Time: begin,
		Report: &callwright.Report{ID: "rep_2", Attempts: []callwright.Attempt{}, Notes: []callwright.Note{}, Untouched: true, Confidence: 1}})
	s.expect(bare)
	again := *full
	again.Duration++
	s.expect(s.keep(&again))
	if err := s.Delete(t.Context(), full.Key()); err != nil {
		t.Fatal(err)
	}
	s.expectMissing(full.Key())
	s.expect(bare)
}

func (s *reports) owners(t *testing.T) {
	s.with(archive.Limits{})
	var all []*archive.Report
	for _, o := range []archive.Owner{"", "a", "a.", "A", "\x00", "\xff", "*"} {
		r := s.report(o, "rep_1")
		s.expectMissing(r.Key())
		all = append(all, s.keep(r))
	}
	for _, r := range all {
		s.expect(r)
		s.list(archive.Query{Owner: r.Owner}, r)
		s.list(archive.Query{Owner: r.Owner + "x"})
	}
	list, err := s.List(t.Context(), archive.Query{AnyOwner: true})
	if err != nil || len(list) != len(all) {
		t.Errorf("got %d of %d and %v", len(list), len(all), err)
	}
}

// list fails the test unless a query returns the reports want.
func (s *reports) list(q archive.Query, want ...*archive.Report) {
	s.t.Helper()
	got, err := s.List(s.t.Context(), q)
	if err != nil {
		s.t.Fatal(err)
	}
	if len(got) == 0 && len(want) == 0 {
		return
	}
	if d := cmp.Diff(want, got); d != "" {
		s.t.Fatalf("%+v (-want +got)\n%s", q, d)
	}
}

// listing compares the results of random queries with the reports that they match.
func (s *reports) listing(t *testing.T) {
	s.with(archive.Limits{Age: 10 * 365 * 24 * time.Hour, Bytes: 64 << 20, Count: 100_000})
	series := 0
	rapid.Check(t, func(rt *rapid.T) {
		series++
		from, owner := begin.Add(time.Duration(series)*time.Minute), archive.Owner(fmt.Sprint("owner", series))
		all := s.draw(rt, from, owner)
		for range 4 {
			q := archive.Query{
				AnyOwner: rapid.Bool().Draw(rt, "any owner"), Owner: owner, Since: from,
				Model: rapid.SampledFrom([]callwright.ModelID{"", "lab/one", "lab/two", "lab"}).Draw(rt, "of model"),
				Rule:  rapid.SampledFrom([]string{"", "json.*", "json.quotes", "json", "js*"}).Draw(rt, "of rule"),
				Outcome: rapid.SampledFrom([]outcome.Outcome{"", outcome.Answered, outcome.Passed, outcome.Translated,
					outcome.Healed, outcome.Failed}).Draw(rt, "outcome"),
				KeyName: rapid.SampledFrom([]string{"", "", "ada", "ben"}).Draw(rt, "of key"),
				Session: rapid.SampledFrom([]string{"", "", "s1", "s2"}).Draw(rt, "of session"),
				Kind:    rapid.SampledFrom([]callwright.Kind{"", "", callwright.KindTimeout, callwright.KindServer}).Draw(rt, "kind"),
				Tools:   rapid.SliceOfN(rapid.SampledFrom([]string{"get_weather", "look"}), 0, 1).Draw(rt, "of tools"),
				Limit:   rapid.IntRange(0, 4).Draw(rt, "limit"),
			}
			if rapid.Bool().Draw(rt, "since") {
				q.Since = from.Add(2 * time.Second)
			}
			if rapid.Bool().Draw(rt, "before") {
				q.Before = from.Add(4 * time.Second)
			}
			var want []*archive.Report
			for _, r := range all {
				if q.Matches(r) && len(want) < q.Most() {
					want = append(want, r)
				}
			}
			s.list(q, want...)
		}
	})
}

// draw stores random reports of two owners, some with the same time, and returns them in the order of a list.
func (s *reports) draw(rt *rapid.T, from time.Time, owner archive.Owner) []*archive.Report {
	var all []*archive.Report
	for i := range rapid.IntRange(0, 12).Draw(rt, "reports") {
		s.Set(from.Add(time.Duration(rapid.IntRange(0, 5).Draw(rt, "second")) * time.Second))
		r := s.report(rapid.SampledFrom([]archive.Owner{owner, owner + "'s friend"}).Draw(rt, "owner"), fmt.Sprintf("rep_%d", i))
		// "" as stored by an earlier version
		r.Outcome = rapid.SampledFrom([]outcome.Outcome{"", outcome.Passed, outcome.Translated, outcome.Healed, outcome.Failed}).Draw(rt, "came")
		r.Failed = rapid.SampledFrom([]callwright.Kind{"", callwright.KindTimeout}).Draw(rt, "failed")
		r.Report.Untouched = rapid.Bool().Draw(rt, "untouched")
		r.Report.Model = rapid.SampledFrom([]callwright.ModelID{"lab/one", "lab/two", "lab/three"}).Draw(rt, "model")
		r.Report.Notes[0].Rule = rapid.SampledFrom([]string{"json.trailing_comma", "json.quotes", "coerce.number"}).Draw(rt, "rule")
		r.KeyName = rapid.SampledFrom([]string{"", "ada", "ben"}).Draw(rt, "key")
		r.Session = rapid.SampledFrom([]string{"", "s1", "s2"}).Draw(rt, "session")
		r.Tools = rapid.SampledFrom([][]string{nil, {"get_weather"}, {"look", "get_weather"}}).Draw(rt, "tools")
		all = append(all, s.keep(r))
	}
	archive.Latest(all)
	return all
}

// pages tests that a query with Before set to the Time of the last result returns the next page.
func (s *reports) pages(*testing.T) {
	s.with(archive.Limits{})
	var all []*archive.Report
	for i := range 10 {
		s.Add(time.Millisecond)
		all = append([]*archive.Report{s.keep(s.report("", fmt.Sprintf("rep_%d", i)))}, all...)
	}
	q := archive.Query{Limit: 4}
	for i := 0; i < len(all); i += 4 {
		page := all[i:min(i+4, len(all))]
		s.list(q, page...)
		q.Before = page[len(page)-1].Time
	}
	s.list(q)
}

func (s *reports) age(*testing.T) {
	s.with(archive.Limits{Age: time.Hour})
	a := s.keep(s.report("", "rep_a"))
	s.Add(time.Hour - time.Second)
	b := s.keep(s.report("", "rep_b"))
	s.list(archive.Query{}, b, a)
	s.Add(time.Second)
	s.list(archive.Query{}, b)
	s.expectMissing(a.Key())
	s.expect(b)
	s.Add(time.Hour)
	s.list(archive.Query{})
	s.expectMissing(b.Key())
}

func (s *reports) isKept(i int) bool {
	s.t.Helper()
	_, err := s.Find(s.t.Context(), archive.Key{ID: fmt.Sprintf("rep_%d", i)})
	if err != nil {
		expectKind(s.t, err, callwright.KindNotFound)
	}
	return err == nil
}

func (s *reports) count(t *testing.T) {
	s.with(archive.Limits{Count: 20})
	for i := range 50 {
		s.keep(s.report("", fmt.Sprintf("rep_%d", i)))
	}
	newest(t, 50, 20, 20, s.isKept)
	list, err := s.List(t.Context(), archive.Query{Limit: 100})
	if err != nil || len(list) != 20 {
		t.Errorf("got %d and %v", len(list), err)
	}
}

func (s *reports) bytes(t *testing.T) {
	s.with(archive.Limits{Bytes: 1 << 20})
	for i := range 200 {
		r := s.report("", fmt.Sprintf("rep_%d", i))
		r.Report.Notes[0].Why = strings.Repeat("x", 20_000)
		s.keep(r)
	}
	newest(t, 200, 26, 52, s.isKept)
}

func (s *reports) tooLarge(t *testing.T) {
	s.with(archive.Limits{Bytes: 50_000})
	a := s.keep(s.report("", "rep_a"))
	large := s.report("", "rep_b")
	large.Report.Invalid[0].Raw = strings.Repeat("x", 60_000)
	expectKind(t, s.Keep(t.Context(), large), callwright.KindTooLarge)
	s.expectMissing(large.Key())
	s.expect(a)
}

func (s *reports) testCancellation(t *testing.T) {
	s.with(archive.Limits{})
	a, b := s.keep(s.report("", "rep_a")), s.report("", "rep_b")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Find(ctx, a.Key())
	_, alsoErr := s.List(ctx, archive.Query{})
	for _, err := range []error{err, alsoErr, s.Delete(ctx, a.Key()), s.Keep(ctx, b)} {
		if expectKind(t, err, callwright.KindCanceled); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	s.expect(a)
	s.expectMissing(b.Key())
}

func (s *reports) together(t *testing.T) {
	s.with(archive.Limits{})
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			owner := archive.Owner(fmt.Sprint("owner", i%2))
			for k := range 20 {
				r := s.report(owner, fmt.Sprintf("rep_%d_%d", i, k))
				err := s.Keep(t.Context(), r)
				got, findErr := s.Find(t.Context(), r.Key())
				_, listErr := s.List(t.Context(), archive.Query{Owner: owner, Limit: 3})
				if errors.Join(err, findErr, listErr) != nil || got.Report.ID != r.Report.ID {
					t.Error(err, findErr, listErr, got)
				}
			}
		})
	}
	wg.Wait()
	list, err := s.List(t.Context(), archive.Query{AnyOwner: true, Limit: 1000})
	if err != nil || len(list) != 120 {
		t.Errorf("got %d and %v", len(list), err)
	}
}
