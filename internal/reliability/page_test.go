package reliability_test

import (
	"flag"
	"os"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/simulate"
)

var update = flag.Bool("update", false, "write the sections of the page")

const page = "../../docs/reliability.md"

// holdPage holds a section of the page against what was measured.
func holdPage(t *testing.T, name, want string) {
	t.Helper()
	raw, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, text, after, err := section(string(raw), name)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, []byte(before+want+after), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(text, want); d != "" {
		t.Errorf("the page is stale: go test ./internal/reliability -update writes it. Page (-) measured (+):\n%s", d)
	}
}

// walk plays the scenarios of all classes under both policies; every so many with few. Time stands still but for waiting.
func walk(t *testing.T, few int) []classResult {
	t.Helper()
	var out []classResult
	for _, c := range simulate.Classes() {
		res := classResult{id: c.ID, doc: c.Doc}
		synctest.Test(t, func(t *testing.T) {
			for i, s := range scenarios(c.ID) {
				if i%few != 0 {
					continue
				}
				for _, stream := range s.forms() {
					res.off = append(res.off, played(t, s, "off", stream))
					res.heal = append(res.heal, played(t, s, "heal", stream))
				}
			}
		})
		out = append(out, res)
	}
	return out
}

func played(t *testing.T, s *scenario, policy string, stream bool) outcome {
	t.Helper()
	o, err := s.play(t.Context(), policy, stream)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return o
}

// mostRequests bounds the requests for one answer: four modes of a model, each tried three times.
const mostRequests = 12

// With healing on, all classes end in what was meant or, where nothing can be saved, in an error that says so; none in another call.
func TestClasses(t *testing.T) {
	few := 1
	if !longtest.IsEnabled() {
		few = 5
	}
	results := walk(t, few)
	for i := range results {
		c := &results[i]
		if len(c.heal) == 0 {
			t.Errorf("%s: no scenario", c.id)
		}
		for _, o := range c.heal {
			switch {
			case !o.ok:
				t.Errorf("%s, stream %t: %s: %s", o.scenario, o.stream, o.end, o.why)
			case o.rounds == nil && !o.agent && o.sent > mostRequests:
				t.Errorf("%s, stream %t: %d requests", o.scenario, o.stream, o.sent)
			}
		}
	}
	if few == 1 {
		holdPage(t, "classes", classTable(results))
	}
}

// Families succeed as often as is demanded of them, and cheaply.
func TestFamilies(t *testing.T) {
	trials := familyTrials
	if !longtest.IsEnabled() {
		trials = 100
	}
	var results []familyResult
	for i := range familyCases {
		f := &familyCases[i]
		res := familyResult{familyCase: f}
		synctest.Test(t, func(t *testing.T) {
			for policy, to := range map[string]**tally{"off": &res.off, "heal": &res.heal} {
				sum, err := f.play(t.Context(), policy, trials)
				if err != nil {
					t.Fatal(err)
				}
				*to = sum
			}
		})
		results = append(results, res)
		if h := res.heal; h.success() < f.least || h.perCall() > mostRetries || h.fallback() > mostFallbacks {
			t.Errorf("%s: %.3f succeed, %.3f retries a call, %.3f with a fallback: %+v", f.family, h.success(), h.perCall(), h.fallback(), h)
		}
	}
	if trials == familyTrials {
		holdPage(t, "families", familyTable(results))
	}
}
