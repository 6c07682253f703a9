package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawShape draws the shape of a run, and the seed of its results.
func drawShape(t *rapid.T) (shape, uint64) {
	return shape{
		models: rapid.IntRange(0, 5).Draw(t, "models"), scenarios: rapid.IntRange(1, 4).Draw(t, "scenarios"), trials: rapid.IntRange(1, 6).Draw(t, "trials"),
		policies: []string{"heal", "off"}[:rapid.IntRange(1, 2).Draw(t, "policies")], fail: rapid.Float64Range(0, 0.6).Draw(t, "fail"),
	}, rapid.Uint64().Draw(t, "seed")
}

// plain is the JSON of a value without the members called times.
func plain(t *rapid.T, v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return withoutTimes(doc)
}

func withoutTimes(doc any) any {
	switch doc := doc.(type) {
	case map[string]any:
		delete(doc, "times")
		for k := range doc {
			withoutTimes(doc[k])
		}
	case []any:
		for i := range doc {
			withoutTimes(doc[i])
		}
	}
	return doc
}

// A summary does not depend on the order in which results came, and apart from its times not on how long anything took.
func TestSummaryIsThatOfTheResults(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, seed := drawShape(t)
		results := draw(seed, s)
		first := report.Summarize(header(results), results, []string{"scenario_01"})
		rng := rand.New(rand.NewPCG(seed, 2))
		rng.Shuffle(len(results), func(i, k int) { results[i], results[k] = results[k], results[i] })
		if d := cmp.Diff(first, report.Summarize(header(results), results, []string{"scenario_01"})); d != "" {
			t.Fatalf("in another order:\n%s", d)
		}
		for i := range results {
			results[i].Started = results[i].Started.Add(time.Hour)
			results[i].Duration *= 2
			results[i].Latency = slices.Clone(results[i].Latency)
			for k := range results[i].Latency {
				results[i].Latency[k] += time.Second
			}
		}
		if d := cmp.Diff(plain(t, first), plain(t, report.Summarize(header(results), results, []string{"scenario_01"}))); d != "" {
			t.Fatalf("at another time:\n%s", d)
		}
	})
}

// Every table has each trial once, and so have the rankings.
func TestSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, seed := drawShape(t)
		results := draw(seed, s)
		got := report.Summarize(header(results), results, nil)
		want := got.Total
		if all := want.N + want.Refused + want.Broken + want.Skipped; all != len(results) {
			t.Fatalf("%d of %d trials", all, len(results))
		}
		for _, rows := range [][]report.Row{got.Models, got.Scenarios, got.Settings, got.Cells, got.Modes, got.Policies, got.Profiles} {
			var sum report.Group
			for _, r := range rows {
				sum.OK, sum.N, sum.Refused, sum.Broken, sum.Skipped = sum.OK+r.OK, sum.N+r.N, sum.Refused+r.Refused, sum.Broken+r.Broken, sum.Skipped+r.Skipped
				sum.Work.Requests, sum.Usage.Input = sum.Work.Requests+r.Work.Requests, sum.Usage.Input+r.Usage.Input
			}
			if sum.OK != want.OK || sum.N != want.N || sum.Refused != want.Refused || sum.Broken != want.Broken || sum.Skipped != want.Skipped ||
				sum.Work.Requests != want.Work.Requests || sum.Usage.Input != want.Usage.Input {
				t.Fatalf("the rows add up to %+v, the run to %+v", sum, want)
			}
		}
		for _, c := range []struct {
			ranking report.Ranking
			want    int
		}{{got.Failures, want.N - want.OK}, {got.Refusals, want.Refused}, {got.Broken, want.Broken}, {got.Skipped, want.Skipped}} {
			sum := c.ranking.More
			for _, cause := range c.ranking.Causes {
				sum += cause.Trials
			}
			if sum != c.want || c.ranking.Trials != c.want {
				t.Fatalf("the causes of %d trials are those of %d", c.want, sum)
			}
		}
	})
}

// A summary that was written can be read, and other documents cannot.
func TestParse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, seed := drawShape(t)
		results := draw(seed, s)
		want := report.Summarize(header(results), results, []string{"scenario_00"})
		text, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := report.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(plain(t, want), plain(t, got)); d != "" {
			t.Fatal(d)
		}
	})
	for _, text := range []string{``, `[]`, `{}`, `{"report":2,"run":{"eval":1}}`, `{"report":1}`, `{"report":1,"run":{"eval":2}}`, `{"report":1,"run":{"eval":1},"total":{"refused":-1}}`,
		`{"report":1,"run":{"eval":1},"models":[{"skipped":10000001}]}`, `{"report":1,"run":{"eval":1},"total":{"ok":2,"n":1}}`, `{"report":1,"run":{"eval":1},"models":[{"ok":-1,"n":1}]}`,
		`{"report":1,"run":{"eval":1},"cells":[{"ok":1,"n":100000000000}]}`, `{"report":1,"run":{"eval":1},"tools":{"ok":3,"n":2}}`} {
		if _, err := report.Parse([]byte(text)); callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("%s: got %v", text, err)
		}
	}
}

// A rate that is nearly nothing, or nearly all, is not told as if it were one of both, nor as more than it is.
func TestRatesNearTheEnds(t *testing.T) {
	for ok, want := range map[int]string{0: "0%", 1: "<0.1%", 99: "<0.1%", 100: "0.1%", 50_000: "50.0%", 99_900: "99.9%", 99_901: ">99.9%", 99_999: ">99.9%", 100_000: "100%"} {
		doc := fmt.Sprintf(`{"report":1,"run":{"eval":1},"total":{"ok":%d,"n":100000}}`, ok)
		s, err := report.Parse([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, func(b *bytes.Buffer) error { return s.WriteText(b, 100) }); !strings.Contains(got, "Success     "+want+" (") {
			t.Errorf("%d: want %s in\n%s", ok, want, got)
		}
	}
}

// hostile are names and texts that are no good for a terminal or a page.
var hostile = []string{
	"\x1b[2J\x1b]0;owned\x07", "\u202egnp.exe", "line\nbreak\r\tand tab", "<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "{{.}}",
	"\xff\xfe", strings.Repeat("long", 200), "</style></title><b>", "javascript:alert(1)", "../../etc/passwd", "東京東京東京", "-->", "",
}

// What is printed is as wide as it was asked to be, and does nothing to a terminal.
func TestPrintedLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, seed := drawShape(t)
		results := draw(seed, s)
		name := rapid.SampledFrom(hostile)
		for i := range results {
			r := &results[i]
			if i%3 == 0 {
				r.Model, r.Profile, r.Reason = callwright.ModelID(name.Draw(t, "model")), name.Draw(t, "profile"), name.Draw(t, "reason")
				r.Class, r.Trace, r.ID = name.Draw(t, "class"), name.Draw(t, "trace"), eval.CellID(name.Draw(t, "id"))
			}
		}
		width := rapid.IntRange(40, 140).Draw(t, "width")
		sum := report.Summarize(header(results), results, nil)
		var b bytes.Buffer
		if err := sum.WriteText(&b, width); err != nil {
			t.Fatal(err)
		}
		if err := report.Diff(sum, report.Summarize(header(results), results[len(results)/2:], nil)).WriteText(&b, width); err != nil {
			t.Fatal(err)
		}
		if c, err := report.Compare(header(results), results, report.PolicyAxis, "heal", "off"); err == nil {
			_ = c.WriteText(&b, width)
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimSuffix(line, "\n")
			if utf8.RuneCountInString(line) > width || !utf8.ValidString(line) || strings.ContainsFunc(line, func(r rune) bool {
				return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
			}) {
				t.Fatalf("at %d columns: %q", width, line)
			}
		}
	})
}
