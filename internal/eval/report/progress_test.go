package report_test

import (
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report"
)

func TestProgress(t *testing.T) {
	now := began
	clock := func() time.Time { return now }
	some := func(outcome eval.Outcome, n int) []eval.Result {
		out := make([]eval.Result, n)
		for i := range out {
			out[i].Outcome = outcome
		}
		return out
	}
	p := report.NewProgress(12_000, some(eval.OK, 2000), clock)
	for _, step := range []struct {
		about   string
		results []eval.Result
		after   time.Duration // since the run went on
		want    string
	}{
		{"nothing is known of the pace", nil, 5 * time.Second, "2,000 of 12,000 done, 0 failing"},
		{"what was done earlier tells nothing of the pace", some(eval.Failed, 1000), 10 * time.Second, "3,000 of 12,000 done, 1,000 failing, about 1 min 30 s left"},
		{"a slower pace", some(eval.Skipped, 1000), 5 * time.Hour, "4,000 of 12,000 done, 1,000 failing, about 20 h 0 min left"},
		{"refused and broken", append(some(eval.Refused, 1), some(eval.Broken, 2)...), 5 * time.Hour,
			"4,003 of 12,000 done, 1,000 failing, 1 refused, 2 broken, about 19 h 58 min left"},
		{"nearly done", some(eval.OK, 7990), 5 * time.Hour, "11,993 of 12,000 done, 1,000 failing, 1 refused, 2 broken, about 13 s left"},
		{"done", some(eval.OK, 7), 5 * time.Hour, "12,000 of 12,000 done, 1,000 failing, 1 refused, 2 broken"},
	} {
		now = began.Add(step.after)
		for i := range step.results {
			p.Add(&step.results[i])
		}
		if got := p.Line(); got != step.want {
			t.Errorf("%s: got %q, want %q", step.about, got, step.want)
		}
	}
}

// However long the rest takes, it is told as a time.
func TestProgressOfAges(t *testing.T) {
	now := began
	p := report.NewProgress(10_000_000, nil, func() time.Time { return now })
	p.Add(&eval.Result{Outcome: eval.OK})
	now = began.Add(24 * time.Hour)
	if got, want := p.Line(), "1 of 10,000,000 done, 0 failing, about 10000 h 0 min left"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever summary is read can be shown, and compared with itself.
func FuzzParse(f *testing.F) {
	results := draw(1, shape{models: 2, scenarios: 2, trials: 3, fail: 0.3})
	var long strings.Builder
	if err := report.Summarize(header(results), results, []string{"scenario_01"}).WriteText(&long, 80); err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		`{"report":1,"run":{"eval":1}}`, long.String(),
		`{"report":1,"run":{"eval":1},"total":{"ok":1,"n":2,"refused":1},"cells":[{"model":"m","scenario":"s","ok":1,"n":1}],"failures":{"trials":1,"causes":[{}]}}`,
		`{"report":1,"run":{"eval":1},"models":[{"model":"b","ok":1,"n":1},{"model":"a","ok":0,"n":1000000},{"model":"a","ok":0,"n":1}],"tools":{"ok":0,"n":0}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		s, err := report.Parse(doc)
		if err != nil {
			return
		}
		var b strings.Builder
		if err := s.WriteText(&b, 60); err != nil {
			t.Fatal(err)
		}
		if err := report.HTML(&b, s, nil, ""); err != nil {
			t.Fatal(err)
		}
		c := report.Diff(s, s)
		if err := c.WriteText(&b, 60); err != nil {
			t.Fatal(err)
		}
		if c.Total.P != 1 || c.Total.MoreThanChance {
			t.Fatalf("%+v", c.Total)
		}
	})
}
