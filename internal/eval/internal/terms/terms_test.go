package terms_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/eval/internal/terms"
	"pgregory.net/rapid"
)

var list = []terms.Item{
	{ID: "acme/small", Also: []string{"acme", "cheap", "stable"}},
	{ID: "acme/small:free", Also: []string{"acme/small", "acme", "cheap"}},
	{ID: "bolt/Big-2", Also: []string{"bolt", "stable"}},
	{ID: "bolt/big-3", Also: []string{"bolt"}},
}

func TestSelect(t *testing.T) {
	for _, c := range []struct{ terms, want, unknown, unused string }{
		{terms: "", want: "acme/small acme/small:free bolt/Big-2 bolt/big-3"},
		{terms: "all", want: "acme/small acme/small:free bolt/Big-2 bolt/big-3"},
		{terms: "acme/small", want: "acme/small"}, // not the variant
		{terms: " BOLT/big-2 ,", want: "bolt/Big-2"},
		{terms: "bolt,cheap", want: "bolt/Big-2 bolt/big-3 acme/small acme/small:free"},
		{terms: "stable,acme", want: "acme/small bolt/Big-2 acme/small:free"},
		{terms: "*big*", want: "bolt/Big-2 bolt/big-3"},
		{terms: "*:free", want: "acme/small:free"},
		{terms: "!bolt", want: "acme/small acme/small:free"},
		{terms: "!*:free,acme", want: "acme/small"},
		{terms: "acme,!acme", want: ""},
		{terms: "full, ! bolt/big-3", want: "acme/small acme/small:free bolt/Big-2"},
		{terms: "new/model,bolt/big-3,x*", want: "bolt/big-3", unknown: "new/model x*"},
		{terms: "new/model", want: "", unknown: "new/model"},
		{terms: "!gone,bolt/big-3", want: "bolt/big-3", unused: "!gone"},
		{terms: "!", want: "", unknown: "!"}, {terms: "acme/small, !", want: "acme/small", unknown: "!"},
	} {
		s := terms.Select(c.terms, list)
		var got []string
		for _, at := range s.Items {
			got = append(got, list[at].ID)
		}
		if strings.Join(got, " ") != c.want || strings.Join(s.Unknown, " ") != c.unknown || strings.Join(s.Unused, " ") != c.unused {
			t.Errorf("%q: got %v, unknown %q, unused %q", c.terms, got, s.Unknown, s.Unused)
		}
	}
}

// No item is selected twice, and none that an exclusion fits.
func TestSelectLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"acme", "bolt/*", "*", "stable", "!stable", "!acme/small", "!*3", "none", "all", "!"})
		text := strings.Join(rapid.SliceOfN(word, 0, 6).Draw(t, "terms"), ",")
		s := terms.Select(text, list)
		for i, at := range s.Items {
			if slices.Contains(s.Items[:i], at) {
				t.Fatalf("%q selects %s twice", text, list[at].ID)
			}
		}
		for term := range strings.SplitSeq(text, ",") {
			bare, excludes := strings.CutPrefix(term, "!")
			if !excludes || bare == "" {
				continue
			}
			for _, at := range terms.Select(bare, list).Items {
				if slices.Contains(s.Items, at) {
					t.Fatalf("%q selects %s", text, list[at].ID)
				}
			}
		}
	})
}

// A pattern means what the regular expression means that has .* for each asterisk.
func TestMatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pattern := rapid.StringMatching(`[abAB/*]{0,8}`).Draw(t, "pattern")
		name := rapid.StringMatching(`[abAB/]{0,8}`).Draw(t, "name")
		want := regexp.MustCompile("^(?i:" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + ")$").MatchString(name)
		if got := terms.Matches(pattern, name); got != want {
			t.Fatalf("%q fits %q: %v", name, pattern, got)
		}
	})
}
