package dialect_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/dialect"
)

// A call of a withheld tool is found in every format, however its name is spelled, whole and split anywhere.
func TestWithheldCalls(t *testing.T) {
	o := dialect.Options{Tools: tools, Names: dialect.NewNames(namesOf(tools), "facts_commit")}
	for _, f := range dialect.Formats() {
		if f.Families == "" {
			continue
		}
		for _, written := range []string{"facts_commit", "Facts-Commit", "factsCommit", "workspace:facts_commit", "workspace__FactsCommit"} {
			text := "I commit it.\n\n" + f.RenderCalls([]dialect.RenderedCall{{Name: written, Arguments: []byte(`{"id":"7"}`)}})
			want := named(o, text)
			if d := cmp.Diff([]string{"facts_commit"}, want); d != "" {
				t.Errorf("%s in %s (-want +got)\n%s", written, f.Name, d)
			}
			for _, i := range splits(len(text)) {
				if d := cmp.Diff(want, named(o, text[:i], text[i:])); d != "" {
					t.Fatalf("%s in %s, cut at %d (-whole +cut)\n%s", written, f.Name, i, d)
				}
			}
			if d := cmp.Diff(want, named(o, every(1, text)...)); d != "" {
				t.Errorf("%s in %s, byte by byte (-whole +cut)\n%s", written, f.Name, d)
			}
		}
	}
}

// A withheld tool makes no calls of texts that have none.
func TestSilentBesideWithheld(t *testing.T) {
	for _, c := range silentCases(t) {
		names := namesOf(c.o.Tools)
		c.o.Names = dialect.NewNames(names, "facts_commit")
		if problem := c.problem(); problem != "" {
			t.Errorf("%s: %s", c.name, problem)
		}
		if calls, said := c.scan(every(1, c.text)...); len(calls) > 0 || said != c.want {
			t.Errorf("%s, byte by byte: calls %v, want (-) got (+):\n%s", c.name, calls, cmp.Diff(c.want, said))
		}
	}
}

func namesOf(tools []dialect.Tool) (names []string) {
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return names
}

// named are the names of the calls in a text that comes in pieces.
func named(o dialect.Options, pieces ...string) (names []string) {
	s := dialect.NewScanner(o)
	var items []dialect.Item
	for _, p := range pieces {
		items = s.Feed(p, items)
	}
	for _, it := range s.Close(items) {
		if it.Kind == dialect.CallFound {
			names = append(names, it.Call.Name)
		}
	}
	return names
}
