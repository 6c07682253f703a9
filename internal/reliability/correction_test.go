package reliability_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/simulate"
)

// A correctionCase is a family of models at a provider, and how its corrections are measured.
type correctionCase struct {
	family, provider string
	remembers        bool // one client asks for all trials, as a gateway that runs does; else each trial has a client that knows nothing
	// fewer is by which part fewer requests per healed call takes with remedies at least, more by which part more calls are healed; 0 where mistakes do not last.
	fewer, more float64
}

var correctionCases = []correctionCase{
	{"llama", unknownProvider, false, 0, 0}, {"kimi", unknownProvider, false, 0, 0},
	{"small", unknownProvider, false, 0.3, 0.1}, {"small", unknownProvider, true, 0.3, 0.1},
	{"small", "vllm", false, 0.3, 0.1}, {"small", "vllm", true, 0.3, 0.1},
}

const (
	correctionTrials = 300
	correctionSeed   = 20261129
)

// inWords are the rules that switch remedies off: corrections change nothing but words.
func inWords() string {
	var off []string
	for _, r := range callwright.Rules() {
		if strings.HasPrefix(r.ID, "remedy.") {
			off = append(off, r.ID+": false")
		}
	}
	return ", rules: {" + strings.Join(off, ", ") + "}"
}

// A correctionTally is what became of the trials whose first answer could not stand.
type correctionTally struct{ failed, healed, requests int }

// perHealed is how many requests one healed call took: those that healed none count too.
func (t *correctionTally) perHealed() float64 { return float64(t.requests) / float64(max(t.healed, 1)) }

// add counts a trial by its report. One whose first answer stands counts for nothing.
func (t *correctionTally) add(rep *callwright.Report, stands bool) {
	if rep == nil || len(rep.Attempts) < 2 && stands {
		return
	}
	t.failed++
	t.requests += len(rep.Attempts)
	if stands {
		t.healed++
	}
}

// measure makes trials of the family, one after the other: in each a client asks for the weather in a city, every other pair at temperature 0 and
// every other one streamed.
func (c *correctionCase) measure(ctx context.Context, rules string, trials int) (*correctionTally, error) {
	family, ok := simulate.FamilyNamed(c.family)
	if !ok {
		return nil, fmt.Errorf("no family %s", c.family)
	}
	srv := simulate.New(weather(shortArguments), simulate.WithMix(family.Mix, correctionSeed))
	var l *lab
	sum := &correctionTally{}
	for i := range trials {
		if l == nil || !c.remembers {
			var err error
			if l, err = newLab(srv, c.provider, settingsOf(c.provider, simulate.OpenAI)+rules, "heal"); err != nil {
				return nil, err
			}
		}
		client, err := l.Resolve(c.provider + "/native")
		if err != nil {
			return nil, err
		}
		city := cities[i%len(cities)]
		req := asking(fmt.Sprintf("Trial %d. What is the weather in %s?", i, city))(c.provider + "/native")
		if i%4 < 2 {
			req.Params.Temperature = "0"
		}
		resp, err := ask(ctx, client, req, i%2 == 1)
		e, _ := intent{calls: weatherIn(shortArguments, city), loose: true, added: true}.judge(resp, err)
		sum.add(reportOf(resp, err), e == right)
		if !c.remembers || i == trials-1 {
			l.Close()
		}
	}
	return sum, nil
}

// reportOf is the report of an answer, or of the error in its place.
func reportOf(resp *callwright.Response, err error) *callwright.Report {
	if resp != nil {
		return resp.Report
	}
	if e, ok := err.(*callwright.Error); ok {
		return e.Report
	}
	return nil
}

// A correctionResult is a case with remedies and in words alone.
type correctionResult struct {
	*correctionCase
	words, remedies *correctionTally
}

// Remedies heal more calls with fewer requests than words do, where models repeat their mistakes.
func TestCorrections(t *testing.T) {
	trials := correctionTrials
	if !longtest.IsEnabled() {
		trials = 60
	}
	var results []correctionResult
	for i := range correctionCases {
		c := &correctionCases[i]
		res := correctionResult{correctionCase: c}
		synctest.Test(t, func(t *testing.T) {
			for rules, to := range map[string]**correctionTally{inWords(): &res.words, "": &res.remedies} {
				sum, err := c.measure(t.Context(), rules, trials)
				if err != nil {
					t.Fatal(err)
				}
				*to = sum
			}
		})
		results = append(results, res)
		w, r := res.words, res.remedies
		t.Logf("%s at %s, remembers %t: words %+v %.2f, remedies %+v %.2f", c.family, c.provider, c.remembers, *w, w.perHealed(), *r, r.perHealed())
		if c.fewer == 0 {
			continue // a changed request draws its faults anew: where mistakes do not last, differences are chance
		}
		if r.failed == 0 || r.healed <= w.healed {
			t.Errorf("%s at %s: %d of %d healed in place of %d of %d", c.family, c.provider, r.healed, r.failed, w.healed, w.failed)
		}
		if trials < correctionTrials {
			continue // too few for the rates
		}
		if r.perHealed() > w.perHealed()*(1-c.fewer)+0.01 || float64(r.healed)/float64(r.failed) < float64(w.healed)/float64(w.failed)*(1+c.more)-0.001 {
			t.Errorf("%s at %s: %.2f requests per healed call in place of %.2f, %d of %d healed in place of %d of %d",
				c.family, c.provider, r.perHealed(), w.perHealed(), r.healed, r.failed, w.healed, w.failed)
		}
	}
	if trials == correctionTrials {
		holdPage(t, "corrections", correctionTable(results))
	}
}

// correctionTable is the section of the page.
func correctionTable(results []correctionResult) string {
	var b strings.Builder
	b.WriteString("\n| family | provider | knows earlier corrections | corrections | first answer failed | healed | requests | requests per healed call |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range results {
		for i, t := range []*correctionTally{r.words, r.remedies} {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %d, %.0f %% | %d | %.2f |\n", r.family, map[bool]string{true: "unknown", false: r.provider}[r.provider == unknownProvider],
				map[bool]string{true: "yes", false: "no"}[r.remembers], []string{"without changes", "with changes"}[i], t.failed, t.healed, 100*float64(t.healed)/float64(max(t.failed, 1)), t.requests, t.perHealed())
		}
	}
	return b.String()
}
