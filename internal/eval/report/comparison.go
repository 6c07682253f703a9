package report

import (
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/stats"
)

// Chance is the adjusted p-value below which a difference counts as more than chance.
const Chance = 0.05

// A Comparison is the difference between two runs, or between two settings of one.
type Comparison struct {
	Version int `json:"comparison"`
	// Test is fisher, the exact test of two independent groups, or mcnemar, the exact test of pairs.
	Test  string `json:"test"`
	Axis  string `json:"axis,omitempty"` // within one run
	A     Side   `json:"a"`
	B     Side   `json:"b"`
	Total Change `json:"total"`
	// Shared is the total of the cells, a scenario on a model each, that both runs have, where one of them has others,
	// too.
	Shared *Share  `json:"shared,omitempty"`
	Tables []Table `json:"tables"`
	// Unpaired are the cells, within one run, whose partner on the other side has no result. They are in no table.
	Unpaired []eval.CellID `json:"unpaired,omitempty"`
	// Uncounted is the number of pairs, within one run, of which a trial does not count for success. They are in no
	// table.
	Uncounted int `json:"uncounted,omitempty"`
}

// A Side is one of the two that are compared: a run, or the value of an axis.
type Side struct {
	Name string       `json:"name"`
	Run  *eval.Header `json:"run,omitempty"`
}

// A Table compares rows of one kind. The p-values of its tests are adjusted together.
type Table struct {
	By    string   `json:"by"` // the members of the keys
	Rows  []Change `json:"rows"`
	OnlyA []Key    `json:"only_a,omitempty"` // rows that B lacks
	OnlyB []Key    `json:"only_b,omitempty"`
}

// A Change is a row in both.
type Change struct {
	Key
	A          Success `json:"a"`
	B          Success `json:"b"`
	Difference float64 `json:"difference"` // B's rate less A's, 0 where one of them has no trial that counts
	Pairs      *Pairs  `json:"pairs,omitempty"`
	// P is the probability of so large a difference, or a larger one, by chance; Adjusted is P by the method of Holm
	// for all rows of the table whose trials are not all alike. Both are 1 where a side has no trial that counts.
	P              float64      `json:"p"`
	Adjusted       float64      `json:"p_adjusted"`
	MoreThanChance bool         `json:"more_than_chance"` // Adjusted is below 0.05
	Usage          UsagePair    `json:"usage"`
	Times          DurationPair `json:"times"`
}

// A Share is the total of a part of a comparison.
type Share struct {
	Cells          int     `json:"cells"`
	A              Success `json:"a"`
	B              Success `json:"b"`
	Difference     float64 `json:"difference"`
	P              float64 `json:"p"`
	MoreThanChance bool    `json:"more_than_chance"`
}

// Pairs counts pairs by which of their trials are OK.
type Pairs struct {
	Both    int `json:"both"`
	OnlyA   int `json:"only_a"`
	OnlyB   int `json:"only_b"`
	Neither int `json:"neither"`
}

// A UsagePair is the tokens of both sides.
type UsagePair struct {
	A Tokens `json:"a"`
	B Tokens `json:"b"`
}

// A DurationPair is how long 95 % of the trials of each side took at most, in milliseconds.
type DurationPair struct {
	A float64 `json:"a_p95_ms"`
	B float64 `json:"b_p95_ms"`
}

// change compares two groups, without a test.
func change(key Key, a, b *Group) Change {
	c := Change{
		Key: key, A: a.Success, B: b.Success, P: 1, Adjusted: 1,
		Usage: UsagePair{a.Usage, b.Usage}, Times: DurationPair{a.Times.P95, b.Times.P95},
	}
	if c.canTest() {
		c.Difference = stats.Round(float64(b.OK)/float64(b.N) - float64(a.OK)/float64(a.N))
	}
	return c
}

// canTest reports whether there is something to test.
func (c *Change) canTest() bool { return c.A.N > 0 && c.B.N > 0 }

// independent tests two groups that have nothing to do with each other.
func (c *Change) independent() { c.P = stats.Fisher(c.A.OK, c.A.N, c.B.OK, c.B.N) }

// testPairs tests groups that are pairs.
func (c *Change) testPairs(p Pairs) {
	c.Pairs = &p
	c.P = stats.McNemar(p.OnlyA, p.OnlyB)
}

// join finds the rows that both sides have, and those that only one has. Both are sorted.
func join(by string, a, b []Row) Table {
	t := Table{By: by, Rows: []Change{}}
	for len(a) > 0 && len(b) > 0 {
		switch d := compareKeys(a[0].Key, b[0].Key); {
		case d < 0:
			t.OnlyA, a = append(t.OnlyA, a[0].Key), a[1:]
		case d > 0:
			t.OnlyB, b = append(t.OnlyB, b[0].Key), b[1:]
		default:
			t.Rows = append(t.Rows, change(a[0].Key, &a[0].Group, &b[0].Group))
			a, b = a[1:], b[1:]
		}
	}
	for i := range a {
		t.OnlyA = append(t.OnlyA, a[i].Key)
	}
	for i := range b {
		t.OnlyB = append(t.OnlyB, b[i].Key)
	}
	return t
}

// canDiffer reports whether the test could find a difference: not where all trials are OK, or none is, or all pairs are
// alike.
func (c *Change) canDiffer() bool {
	if c.Pairs != nil {
		return c.Pairs.OnlyA+c.Pairs.OnlyB > 0
	}
	ok := c.A.OK + c.B.OK
	return c.canTest() && ok > 0 && ok < c.A.N+c.B.N
}

// adjust judges tests together as one family. Tests that cannot find anything are not of it: their p-value is 1
// whatever is true (Tarone, 1990).
func adjust(rows []Change) {
	var p []float64
	var tested []*Change
	for i := range rows {
		if rows[i].canDiffer() {
			p, tested = append(p, rows[i].P), append(tested, &rows[i])
		}
	}
	for i, q := range stats.Holm(p) {
		row := tested[i]
		row.P, row.Adjusted = significant(p[i]), significant(q)
		row.MoreThanChance = row.Adjusted < Chance
	}
}

// significant keeps six digits, which are the same on every machine.
func significant(p float64) float64 {
	q, _ := strconv.ParseFloat(strconv.FormatFloat(p, 'e', 5, 64), 64)
	return q
}

// judge adjusts all tables, and the total on its own.
func (c *Comparison) judge() {
	total := []Change{c.Total}
	adjust(total)
	c.Total = total[0]
	for i := range c.Tables {
		adjust(c.Tables[i].Rows)
	}
}

// Diff compares two runs, by the exact test of Fisher. Sides are called a and b until they are given other names.
func Diff(a, b *Summary) *Comparison {
	c := &Comparison{
		Version: Version, Test: "fisher", A: Side{"a", &a.Run}, B: Side{"b", &b.Run},
		Total: change(Key{}, &a.Total, &b.Total),
	}
	c.Total.independent()
	for _, v := range views {
		t := join(v.by, sortRows(*v.rows(a)), sortRows(*v.rows(b)))
		for i := range t.Rows {
			t.Rows[i].independent()
		}
		c.Tables = append(c.Tables, t)
	}
	c.judge()
	c.share()
	return c
}

// share totals the trials that both runs have.
func (c *Comparison) share() {
	cells := &c.Tables[len(c.Tables)-1] // the last view
	if len(cells.OnlyA)+len(cells.OnlyB) == 0 {
		return
	}
	var a, b Group
	for i := range cells.Rows {
		row := &cells.Rows[i]
		a.OK, a.N = a.OK+row.A.OK, a.N+row.A.N
		b.OK, b.N = b.OK+row.B.OK, b.N+row.B.N
	}
	a.Success, b.Success = newSuccess(a.OK, a.N), newSuccess(b.OK, b.N)
	all := []Change{change(Key{}, &a, &b)}
	all[0].independent()
	adjust(all)
	c.Shared = &Share{
		Cells: len(cells.Rows), A: a.Success, B: b.Success,
		Difference: all[0].Difference, P: all[0].P, MoreThanChance: all[0].MoreThanChance,
	}
}

// sortRows is the rows in order, which those of a summary that was read need not be in.
func sortRows(rows []Row) []Row {
	return slices.SortedStableFunc(slices.Values(rows), func(a, b Row) int { return compareKeys(a.Key, b.Key) })
}
