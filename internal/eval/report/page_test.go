package report_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report"
	"github.com/google/go-cmp/cmp"
)

// pageOf is the page of a run.
func pageOf(t *testing.T, results []eval.Result, traces string) string {
	t.Helper()
	return text(t, func(b *bytes.Buffer) error {
		return report.HTML(b, report.Summarize(header(results), results, nil), results, traces)
	})
}

// saying is a run in which everything that a model, a provider or a person names is one text.
func saying(word string) []eval.Result {
	results := draw(5, shape{models: 1, scenarios: 1, trials: 40, fail: 0.5, policies: []string{"heal", "off"}})
	for i := range results {
		r := &results[i]
		r.Model, r.Scenario, r.Profile, r.Mode = callwright.ModelID(word), word, word, word
		r.Reason, r.Class, r.Text = word, word, word
		for k := range r.Checks {
			r.Checks[k] = eval.Check{Assertion: word, Want: word, Got: word}
		}
	}
	return results
}

var tags = regexp.MustCompile(`<[^<>]*>`)

// Whatever models and providers say is text: the markup of the page is the same as with a harmless word.
func TestPageEscapes(t *testing.T) {
	markup := func(word string) []string {
		html := pageOf(t, saying(word), "")
		return tags.FindAllString(strings.ReplaceAll(html[strings.Index(html, "<main>"):], "<wbr>", ""), -1)
	}
	want := markup("word")
	if !slices.Contains(want, "<pre tabindex=\"0\">") || !slices.Contains(want, "<code>") {
		t.Fatal("the page shows no text of a model")
	}
	for _, word := range hostile {
		if word == "" { // there is nothing to show
			continue
		}
		if d := cmp.Diff(want, markup(word)); d != "" {
			t.Errorf("%q is markup:\n%s", word, d)
		}
	}
}

// The page loads nothing and runs nothing. Its only links are to traces and to its own rows.
func TestPageStandsAlone(t *testing.T) {
	html := pageOf(t, saying("word"), "state")
	if m := regexp.MustCompile(`(?i)<script|<link|<iframe|<img|\bsrc\s*=|url\(|@import|\son[a-z]+\s*=|https?:`).FindString(html); m != "" {
		t.Errorf("the page needs something beside it, or has a script: %s", m)
	}
	links := regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(html, -1)
	if len(links) == 0 {
		t.Error("no trace is linked")
	}
	for _, l := range links {
		if !strings.HasPrefix(l[1], "state/traces/") && !strings.HasPrefix(l[1], "#failing-") {
			t.Errorf("a link to %s", l[1])
		}
	}
}

// Links go to traces in their folder, and nowhere else.
func TestTraceLinks(t *testing.T) {
	for _, c := range []struct{ folder, trace, want string }{
		{"", "traces/1.jsonl", "traces/1.jsonl"},
		{"../run", "traces/1.jsonl", "../run/traces/1.jsonl"},
		{"", "a b?c#d%.jsonl", "a%20b%3fc%23d%25.jsonl"},
		{"", "javascript:alert(1)", "./javascript:alert%281%29"},
		{"", `"><b>`, "%22%3e%3cb%3e"},
		{"run", "../secret", ""}, {"", "/etc/passwd", ""}, {"", `..\secret`, ""}, {"", "", ""},
	} {
		results := saying("word")
		for i := range results {
			results[i].Trace = c.trace
		}
		got := map[string]bool{}
		for _, m := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(pageOf(t, results, c.folder), -1) {
			if !strings.HasPrefix(m[1], "#") {
				got[strings.ToLower(m[1])] = true
			}
		}
		want := map[string]bool{}
		if c.want != "" {
			want[strings.ToLower(c.want)] = true
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q: want (-) got (+):\n%s", c.trace, d)
		}
	}
}

// The page of a large run of which everything fails, with as much to say as may be, stays one that a browser opens at once.
func TestPageOfLargeRun(t *testing.T) {
	results := draw(1, shape{models: 100, scenarios: 30, trials: 2, fail: 0.5})
	for i := range results {
		r := &results[i]
		r.Outcome, r.Reason, r.Class = eval.Failed, fmt.Sprintf("reason %d", i), fmt.Sprintf("class_%d", i%50)
		r.Text = strings.Repeat(`"<&>'`, 400)
		r.Model += callwright.ModelID(strings.Repeat("-long", 30))
		r.Checks = []eval.Check{{Assertion: "/assert/0", Want: r.Text, Got: r.Text}}
	}
	if size := len(pageOf(t, results, "state")); size > 2_000_000 {
		t.Errorf("%d bytes", size)
	}
	for i := range results { // one cause, with a trace for each
		results[i].Reason, results[i].Class = "one reason", "one_class"
	}
	if size := len(pageOf(t, results, "state")); size > 2_000_000 {
		t.Errorf("%d bytes", size)
	}
}

// Each text can be read on what it stands on, in light and in dark: a contrast of 4.5 to 1, as WCAG 2 asks for.
func TestPageContrast(t *testing.T) {
	css, err := os.ReadFile("internal/layout/colours.css")
	if err != nil {
		t.Fatal(err)
	}
	schemes := regexp.MustCompile(`:root \{[^}]*--ink[^}]*\}`).FindAllString(string(css), -1)
	if len(schemes) != 2 {
		t.Fatalf("%d schemes of colours", len(schemes))
	}
	for _, scheme := range schemes {
		colours := map[string]string{}
		for _, m := range regexp.MustCompile(`--(\w+): #(\w+)`).FindAllStringSubmatch(scheme, -1) {
			colours[m[1]] = m[2]
		}
		on := map[string][]string{
			"ink": {"back", "card", "l0", "l1", "l2", "l3", "l4", "l5", "none"}, "soft": {"back", "card"}, "link": {"back", "card"},
		}
		for text, grounds := range on {
			for _, ground := range grounds {
				if c := contrast(t, colours[text], colours[ground]); c < 4.5 {
					t.Errorf("%s on %s: %.1f to 1 in %s", text, ground, c, scheme)
				}
			}
		}
	}
}

// contrast is that of two colours, by https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	luminance := func(colour string) float64 {
		if len(colour) == 3 {
			colour = string([]byte{colour[0], colour[0], colour[1], colour[1], colour[2], colour[2]})
		}
		var sum float64
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			n, err := strconv.ParseUint(colour[2*i:2*i+2], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			part := float64(n) / 255
			if part <= 0.04045 {
				part /= 12.92
			} else {
				part = math.Pow((part+0.055)/1.055, 2.4)
			}
			sum += weight * part
		}
		return sum
	}
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// A fragment is what the page has below its heading, and its style sheet is about that alone.
func TestFragment(t *testing.T) {
	results := saying("word")
	s := report.Summarize(header(results), results, nil)
	_, page, _ := strings.Cut(pageOf(t, results, "../state"), "<h1>Evaluation</h1>")
	want, _, _ := strings.Cut(page, "</main>")
	got := text(t, func(b *bytes.Buffer) error { return report.Fragment(b, s, results, "../state") })
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-page +fragment)\n%s", d)
	}
	depth := 0
	for line := range strings.Lines(report.FragmentStyle()) {
		if depth == 0 && !strings.HasPrefix(line, ".evaluation {") && !strings.HasPrefix(line, "@media") {
			t.Errorf("the style is also about %q", line)
		}
		if strings.HasPrefix(line, "@media") {
			depth++ // what is in it stands for itself
			if strings.Contains(line, "}") {
				depth--
			}
			continue
		}
		depth += strings.Count(line, "{") - strings.Count(line, "}")
	}
	if depth != 0 || strings.Contains(report.FragmentStyle(), ":root") || regexp.MustCompile(`\bbody\b`).MatchString(report.FragmentStyle()) {
		t.Error("the style is not whole, or is about the page")
	}
}

// Each cell in which a trial failed leads to a row that names its scenario, its model and a reason, and the table of models names each once, with
// a row for each policy beside it.
func TestPageNamesFailures(t *testing.T) {
	results := draw(3, shape{models: 4, scenarios: 5, trials: 4, fail: 0.3, policies: []string{"heal", "off"}})
	page := pageOf(t, results, "state")
	rows := map[string]string{}
	for _, m := range regexp.MustCompile(`(?s)<tr id="(failing-\d+)">(.*?)</tr>`).FindAllStringSubmatch(page, -1) {
		rows[m[1]] = strings.ReplaceAll(m[2], "<wbr>", "")
	}
	failed, names := map[string]bool{}, map[string]bool{}
	for _, r := range results {
		names[string(r.Model)] = true
		if r.Outcome != eval.Failed {
			continue
		}
		failed[string(r.Model)+" "+r.Scenario] = true
		policy := map[string]string{"heal": "heal", "off": "off, without healing"}[r.Policy]
		if !slices.ContainsFunc(slices.Collect(maps.Values(rows)), func(row string) bool {
			return strings.Contains(row, ">"+r.Scenario+"<") && strings.Contains(row, ">"+string(r.Model)+"<") && strings.Contains(row, ">"+policy+"<") && strings.Contains(row, r.Reason)
		}) {
			t.Errorf("no row names %s on %s by %s: %s", r.Scenario, r.Model, r.Policy, r.Reason)
		}
	}
	links := regexp.MustCompile(`<td class="l\d"><a href="#([^"]*)">`).FindAllStringSubmatch(page, -1)
	for _, l := range links {
		if rows[l[1]] == "" {
			t.Errorf("a cell leads to %s, which is not there", l[1])
		}
	}
	if len(links) != len(failed) || len(failed) == 0 {
		t.Errorf("%d cells have links, %d failed", len(links), len(failed))
	}
	_, models, _ := strings.Cut(page, `<h2 id="models">`)
	models, _, _ = strings.Cut(strings.ReplaceAll(models, "<wbr>", ""), "</table>")
	for name := range names {
		if n := strings.Count(models, `rowspan="2">`+name+"</th>"); n != 1 {
			t.Errorf("%s is named %d times: %s", name, n, models)
		}
	}
}
