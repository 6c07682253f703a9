package reliability_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A tableOf is rows of cells, the first of which are the names of the columns.
type tableOf [][]string

func (t *tableOf) add(cells ...string) { *t = append(*t, cells) }

// String writes the table in Markdown.
func (t tableOf) String() string {
	var b strings.Builder
	for i, row := range t {
		b.WriteString("| " + strings.Join(row, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---|", len(row)) + "\n")
		}
	}
	return b.String()
}

const sectionEnd = "<!-- end -->"

// section returns what stands on the page between the mark of a section and the end after it, and what stands before and behind.
func section(page, name string) (before, text, after string, err error) {
	mark := "<!-- " + name + " -->\n"
	head, rest, ok := strings.Cut(page, mark)
	text, tail, closed := strings.Cut(rest, sectionEnd)
	if !ok || !closed {
		return "", "", "", fmt.Errorf("the page has no section %s", name)
	}
	return head + mark, text, sectionEnd + tail, nil
}

// A classResult is what became of the scenarios of a class.
type classResult struct {
	id, doc   string
	off, heal []outcome
}

// oks counts the outcomes that are as they should be.
func oks(list []outcome) (n int) {
	for _, o := range list {
		if o.ok {
			n++
		}
	}
	return n
}

// whole reports whether all scenarios of the class end well with healing on.
func (c *classResult) whole() bool { return oks(c.heal) == len(c.heal) }

// classTable is the table of all classes.
func classTable(results []classResult) string {
	t := tableOf{{"class", "failure", "off", "heal", "results with healing on", "requests"}}
	whole, off, heal, all := 0, 0, 0, 0
	for _, c := range results {
		most := 0
		ends := map[end]int{}
		for _, o := range c.heal {
			ends[o.end]++
			if o.rounds == nil && !o.agent {
				most = max(most, o.sent)
			}
		}
		if c.whole() {
			whole++
		}
		off, heal, all = off+oks(c.off), heal+oks(c.heal), all+len(c.heal)
		t.add(c.id, c.doc, fmt.Sprintf("%d/%d", oks(c.off), len(c.off)), fmt.Sprintf("%d/%d", oks(c.heal), len(c.heal)), endsText(ends), mostText(most))
	}
	return fmt.Sprintf("\nWith healing on, %d of %d scenarios have the right end. In %d of %d classes, all scenarios have it. With healing off, %d have the right end.\n\n%s",
		heal, all, whole, len(results), off, t)
}

func mostText(most int) string {
	switch most {
	case 0:
		return "-"
	case 1:
		return "1"
	}
	return fmt.Sprintf("up to %d", most)
}

// endsText tells how scenarios ended, most of them first.
func endsText(ends map[end]int) string {
	names := slices.SortedFunc(maps.Keys(ends), func(a, b end) int { return cmp.Or(ends[b]-ends[a], cmp.Compare(a, b)) })
	var out []string
	for _, e := range names {
		text := string(e)
		if e != right && e != lost && e != wrong {
			text = "`" + text + "`"
		}
		if len(names) > 1 {
			text = fmt.Sprintf("%s %d", text, ends[e])
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// A familyResult is what became of the trials of a family.
type familyResult struct {
	*familyCase
	off, heal *tally
}

func familyTable(results []familyResult) string {
	t := tableOf{{"family", "healing", "success", "wrong", "lost", "errors", "retries per successful call", "requests with a fallback"}}
	for _, r := range results {
		for _, row := range []struct {
			name string
			*tally
		}{{"off", r.off}, {"on", r.heal}} {
			t.add(r.family, row.name, fmt.Sprintf("%d/%d, %.1f %%", row.right, row.trials, 100*row.success()), fmt.Sprint(row.wrong), fmt.Sprint(row.lost), fmt.Sprint(row.failed),
				fmt.Sprintf("%.3f", row.perCall()), fmt.Sprintf("%d, %.1f %%", row.fallbacks, 100*row.fallback()))
		}
	}
	return "\n" + t.String()
}
