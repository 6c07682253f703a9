package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report/internal/grid"
)

// maxRows is the maximum number of printed rows of a table.
const maxRows = 40

// WriteText writes the comparison as text in lines of at most width characters, at least 40. Rows without a difference
// are only counted.
func (c *Comparison) WriteText(w io.Writer, width int) error {
	p := &printer{width: max(width, minWidth)}
	for _, side := range []struct {
		label string
		Side
		success Success
	}{{"A", c.A, c.Total.A}, {"B", c.B, c.Total.B}} {
		name := side.Name
		if c.Axis != "" {
			name = c.Axis + " " + name
		}
		p.fact(side.label, "%s: %s", name, describe(side.success))
	}
	p.fact("Difference", "%s", c.Total.describe())
	if s := c.Shared; s != nil {
		both := Change{A: s.A, B: s.B, Difference: s.Difference, P: s.P, MoreThanChance: s.MoreThanChance}
		p.fact("Shared", "of %s shared cells, %s and %s: %s", grid.Thousands(s.Cells), ofN(s.A), ofN(s.B), both.describe())
	}
	if pairs := c.Total.Pairs; pairs != nil {
		p.fact("Pairs", "%s both ok, %s only A, %s only B, %s neither", grid.Thousands(pairs.Both), grid.Thousands(pairs.OnlyA),
			grid.Thousands(pairs.OnlyB), grid.Thousands(pairs.Neither))
	}
	p.fact("Time", "p95 %s → %s ms", grid.Milliseconds(c.Total.Times.A), grid.Milliseconds(c.Total.Times.B))
	p.fact("Tokens", "A: %s; B: %s", c.Total.Usage.A.describe(), c.Total.Usage.B.describe())
	if c.Uncounted > 0 {
		p.fact("Not counted", "%s pairs with a refused, broken or skipped trial", grid.Thousands(c.Uncounted))
	}
	for i := range c.Tables {
		if !c.Tables[i].repeats() {
			p.comparison(&c.Tables[i])
		}
	}
	p.printUnpaired(c.Unpaired)
	_, err := w.Write(p.b.Bytes())
	return err
}

// repeats reports whether the table has the same rows as the total or, if there is only one profile, as the table of
// models.
func (t *Table) repeats() bool {
	if len(t.Rows) < 2 && len(t.OnlyA)+len(t.OnlyB) == 0 {
		return true
	}
	profiles, models := map[string]bool{}, false
	note := func(k Key) { profiles[k.Profile], models = true, models || k.Model != "" }
	for i := range t.Rows {
		note(t.Rows[i].Key)
	}
	for _, k := range slices.Concat(t.OnlyA, t.OnlyB) {
		note(k)
	}
	return models && len(profiles) == 1 && !profiles[""]
}

// comparison prints the rows that differ, lowest p-value first.
func (p *printer) comparison(t *Table) {
	var rows []Change
	for _, row := range t.Rows {
		if row.A.Rate != row.B.Rate || row.A.N > 0 != (row.B.N > 0) {
			rows = append(rows, row)
		}
	}
	p.title("By " + t.By)
	slices.SortStableFunc(rows, func(a, b Change) int { return cmp.Or(cmp.Compare(a.Adjusted, b.Adjusted), cmp.Compare(a.P, b.P)) })
	if same := len(t.Rows) - len(rows); same > 0 {
		p.fact("", "%s of %s rows without a difference", grid.Thousands(same), grid.Thousands(len(t.Rows)))
	}
	if len(rows) > 0 {
		p.changes(rows[:min(len(rows), maxRows)])
	}
	if left := len(rows) - maxRows; left > 0 {
		p.fact("", "%s more rows with an equal or larger p", grid.Thousands(left))
	}
	p.only("Only in A", t.OnlyA)
	p.only("Only in B", t.OnlyB)
}

func (p *printer) changes(rows []Change) {
	var keys []Key
	columns := []grid.Column{
		{Head: "A", Right: true}, {Head: "B", Right: true}, {Head: "points", Right: true, Drop: 1},
		{Head: "p", Right: true, Drop: 2}, {Head: "verdict"},
		{Head: "p95_ms", Right: true, Drop: 3}, {Head: "tokens", Right: true, Drop: 4},
	}
	for i := range rows {
		c := &rows[i]
		keys = append(keys, c.Key)
		for k, text := range []string{
			okOfN(c.A), okOfN(c.B), points(c), pValue(c.Adjusted), c.verdict(),
			grid.Milliseconds(c.Times.A) + " → " + grid.Milliseconds(c.Times.B), c.Usage.A.each() + " → " + c.Usage.B.each(),
		} {
			columns[k].Cells = append(columns[k].Cells, text)
		}
	}
	_ = grid.Write(&p.b, p.width, append(nameColumns(keys), columns...)) // a buffer never fails
}

// each returns the average tokens of a trial, "–" if unknown.
func (t Tokens) each() string {
	if t.Known == 0 {
		return "–"
	}
	return strconv.Itoa((t.Input + t.Output) / t.Known)
}

func (c *Change) verdict() string {
	switch {
	case !c.canTest():
		return "–"
	case !c.MoreThanChance:
		return "chance"
	case c.Difference < 0:
		return "worse"
	}
	return "better"
}

// describe returns the difference as text.
func (c *Change) describe() string {
	p := pValue(c.P)
	if !strings.HasPrefix(p, "<") {
		p = "= " + p
	}
	return fmt.Sprintf("%s points, p %s: %s", points(c), p, c.verdict())
}

func ofN(s Success) string { return fmt.Sprintf("%s (%s)", percent(s), okOfN(s)) }

// points returns the difference in percentage points, such as "+1.5".
func points(c *Change) string {
	if !c.canTest() {
		return "–"
	}
	return fmt.Sprintf("%+.1f", c.Difference*100)
}

// pValue formats a p-value.
func pValue(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return fmt.Sprintf("%.4f", p)
}

// only prints the rows that the other side lacks.
func (p *printer) only(label string, keys []Key) {
	var list []string
	for _, k := range keys {
		list = append(list, k.label())
	}
	p.names(label, list)
}

func (p *printer) printUnpaired(cells []eval.CellID) {
	var list []string
	for _, id := range cells {
		list = append(list, string(id))
	}
	if len(list) > 0 {
		p.title("Cells without a counterpart: " + grid.Thousands(len(list)))
		p.names("", list)
	}
}

func (p *printer) names(label string, list []string) {
	if len(list) == 0 {
		return
	}
	text := strings.Join(list[:min(len(list), maxRows)], "; ")
	if left := len(list) - maxRows; left > 0 {
		text += fmt.Sprintf("; and %s more", grid.Thousands(left))
	}
	p.fact(label, "%s", text)
}

// label returns the values of the key joined by " / ".
func (k Key) label() string {
	var parts []string
	for _, part := range []string{string(k.Model), k.Mode, k.Policy, k.Profile, k.Scenario} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " / ")
}
