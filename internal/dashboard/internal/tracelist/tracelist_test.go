package tracelist_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/dashboard/internal/tracelist"
	"github.com/callwright/callwright/internal/outcome"
	"github.com/callwright/callwright/internal/trace"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A filter comes back from its address, whatever stands in its fields.
func TestAddress(t *testing.T) {
	word := rapid.OneOf(rapid.SampledFrom([]string{"", "", "a b", `"x y"`, "json.*", "&=?#"}), rapid.Map(rapid.String(), strings.TrimSpace))
	rapid.Check(t, func(rt *rapid.T) {
		f := tracelist.Filter{
			Key: word.Draw(rt, "key"), Session: word.Draw(rt, "session"), Model: word.Draw(rt, "model"), Tool: word.Draw(rt, "tool"), Error: word.Draw(rt, "error"),
			Outcome: word.Draw(rt, "outcome"), Rule: word.Draw(rt, "rule"), Text: word.Draw(rt, "text"), Age: word.Draw(rt, "age"),
		}
		u, err := url.Parse(f.Address("before", "2026-01-02"))
		if err != nil {
			rt.Fatal(err)
		}
		if got := tracelist.FilterOf(u.Query()); got != f || u.Path != "/ui/traces" || u.Query().Get("before") != "2026-01-02" {
			rt.Errorf("%+v became %+v by %s", f, got, u)
		}
	})
	if got := (tracelist.Filter{}).Address(); got != "/ui/traces" {
		t.Errorf("got %s", got)
	}
}

func TestQuery(t *testing.T) {
	now := time.Unix(10_000, 0)
	for form, want := range map[string]trace.Query{
		"":                              {},
		"tool=a&tool=b+c":               {Tools: []string{"a", "b", "c"}},
		"text=%22a+b%22+c&session=s+1":  {Text: []string{"a b", "c"}, Session: "s 1"},
		"error=timeout&outcome=healed":  {Kind: callwright.KindTimeout, Outcome: outcome.Healed},
		"error=x&outcome=y&age=z":       {},
		"age=1h&key=ada&model=m&rule=r": {Since: now.Add(-time.Hour), Key: "ada", Model: "m", Rule: "r"},
	} {
		values, err := url.ParseQuery(form)
		if err != nil {
			t.Fatal(err)
		}
		f := tracelist.FilterOf(values)
		if d := cmp.Diff(want, f.Query(now)); d != "" {
			t.Errorf("%s (-want +got)\n%s", form, d)
		}
	}
}

func TestRowOf(t *testing.T) {
	price := func(m callwright.ModelID, u callwright.Usage) (float64, bool) {
		return float64(u.Input + 10*u.Output), m != "free"
	}
	for _, tt := range []struct {
		name   string
		s      trace.Summary
		words  string
		in     int
		usd    float64
		priced bool
	}{
		{"passed", trace.Summary{Outcome: outcome.Passed}, "unchanged", 0, 0, false},
		{"translated", trace.Summary{Outcome: outcome.Translated, Attempts: 1}, "encoded for another API or model", 0, 0, false},
		{"healed", trace.Summary{Outcome: outcome.Healed, Class: "F02", Attempts: 2}, "call in tags, 2 attempts", 0, 0, false},
		{"failed", trace.Summary{Outcome: outcome.Failed, Kind: callwright.KindRateLimited}, "rate limited", 0, 0, false},
		{"unfinished", trace.Summary{Outcome: outcome.Unfinished}, "not ended", 0, 0, false},
		{"answered", trace.Summary{Outcome: outcome.Answered, Attempts: 3}, "3 attempts", 0, 0, false},
		{"tokens", trace.Summary{Usage: []trace.ModelUsage{{Model: "a", Input: 3}, {Model: "b", Input: 4, Output: 1}}}, "", 7, 17, true},
		{"a price that is not known", trace.Summary{Usage: []trace.ModelUsage{{Model: "a", Input: 3}, {Model: "free", Input: 4}}}, "", 7, 7, false},
		{"models that are not told apart", trace.Summary{Usage: []trace.ModelUsage{{Input: 3}}}, "", 3, 3, false},
	} {
		if r := tracelist.RowOf(&tt.s, price); r.Words != tt.words || r.In != tt.in || r.USD != tt.usd || r.Priced != tt.priced {
			t.Errorf("%s: got %q, %d tokens, %g, %t", tt.name, r.Words, r.In, r.USD, r.Priced)
		}
	}
}

func TestSummaryOf(t *testing.T) {
	rep := &callwright.Report{ID: "rep", Model: "alias", Mode: caps.Native, Attempts: []callwright.Attempt{{Model: "a/m"}, {Model: "a/m"}},
		Notes:   []callwright.Note{callwright.Note{Rule: "judge.undeclared"}.Classify(), {Rule: "judge.undeclared"}},
		Invalid: []callwright.InvalidCall{{Name: "other"}, {Name: "get_weather"}}}
	r := &archive.Report{Streamed: true, KeyName: "ada", Session: "s", Tools: []string{"get_weather"}, Usage: archive.Usage{Input: 5, CacheRead: 1, Output: 2}, Report: rep}
	want := trace.Summary{ID: "rep", Model: "alias", Served: "a/m", Mode: caps.Native, Outcome: outcome.Healed, Class: "F22", Status: 200, Streamed: true, Attempts: 2, Notes: 2,
		Rules: []string{"judge.undeclared"}, Key: "ada", Session: "s", Tools: []string{"get_weather", "other"}, Usage: []trace.ModelUsage{{Model: "a/m", Input: 5, CacheRead: 1, Output: 2}}}
	if d := cmp.Diff(want, tracelist.SummaryOf(r)); d != "" {
		t.Error(d)
	}
	rep.Attempts[0].Model = "b/n"
	r.Streamed, r.Failed = false, callwright.KindTimeout
	if got := tracelist.SummaryOf(r); got.Usage[0].Model != "" || got.Status != 504 || got.Outcome != outcome.Failed {
		t.Errorf("got %+v", got)
	}
}
