package report

import (
	"slices"
	"strconv"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/stats"
)

// Chance is the adjusted p-value below which a difference is considered significant.
const Chance = 0.05

// A Comparison is the difference between two runs, or between two settings in one run.
type Comparison struct {
	Version int `json:"comparison"`
	// Test is "fisher", Fisher's exact test of two independent groups, or "mcnemar", the exact McNemar test of pairs.
	Test  string `json:"test"`
	Axis  string `json:"axis,omitempty"` // compared setting within one run, such as "model"
	A     Side   `json:"a"`
	B     Side   `json:"b"`
	Total Change `json:"total"`
	// Shared is the total of the cells (a scenario on a model) that are in both runs. It is nil if both runs have the same
	// cells.
	Shared *Share  `json:"shared,omitempty"`
	Tables []Table `json:"tables"`
	// Unpaired lists the cells, within one run, without a result for the other setting. They are in no table.
	Unpaired []eval.CellID `json:"unpaired,omitempty"`
	// Uncounted is the number of pairs, within one run, with a trial that does not count for the success rate. They are in
	// no table.
	Uncounted int `json:"uncounted,omitempty"`
}

// A Side is one of the two compared runs or settings.
type Side struct {
	Name string       `json:"name"`
	Run  *eval.Header `json:"run,omitempty"`
}

// A Table compares rows of one kind. The p-values of a table are adjusted together.
type Table struct {
	By    string   `json:"by"` // fields of the keys, such as "model, profile"
	Rows  []Change `json:"rows"`
	OnlyA []Key    `json:"only_a,omitempty"` // rows missing in B
	OnlyB []Key    `json:"only_b,omitempty"`
}

// A Change compares the rows of both sides with one key.
type Change struct {
	Key
	A          Success `json:"a"`
	B          Success `json:"b"`
	Difference float64 `json:"difference"` // rate of B minus rate of A; 0 if a side has no counted trial
	Pairs      *Pairs  `json:"pairs,omitempty"`
	// P is the p-value of the difference. Adjusted is P with Holm's adjustment for all rows of the table that could
	// differ. Both are 1 if a side has no counted trial.
	P              float64      `json:"p"`
	Adjusted       float64      `json:"p_adjusted"`
	MoreThanChance bool         `json:"more_than_chance"` // Adjusted is below Chance
	Usage          UsagePair    `json:"usage"`
	Times          DurationPair `json:"times"`
}

// A Share compares the totals of some of the cells.
type Share struct {
	Cells          int     `json:"cells"`
	A              Success `json:"a"`
	B              Success `json:"b"`
	Difference     float64 `json:"difference"`
	P              float64 `json:"p"`
	MoreThanChance bool    `json:"more_than_chance"`
}

// Pairs counts pairs of trials by which of them are OK.
type Pairs struct {
	Both    int `json:"both"`
	OnlyA   int `json:"only_a"`
	OnlyB   int `json:"only_b"`
	Neither int `json:"neither"`
}

// A UsagePair has the token usage of both sides.
type UsagePair struct {
	A Tokens `json:"a"`
	B Tokens `json:"b"`
}

// A DurationPair has the 95th percentile of the trial durations of each side, in milliseconds.
type DurationPair struct {
	A float64 `json:"a_p95_ms"`
	B float64 `json:"b_p95_ms"`
}

// change returns the difference between two groups without a significance test: its P is 1.
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

// canTest reports whether both sides have counted trials.
func (c *Change) canTest() bool { return c.A.N > 0 && c.B.N > 0 }

// independent sets P by Fisher's exact test.
func (c *Change) independent() { c.P = stats.Fisher(c.A.OK, c.A.N, c.B.OK, c.B.N) }

// testPairs sets P by the exact McNemar test.
func (c *Change) testPairs(p Pairs) {
	c.Pairs = &p
	c.P = stats.McNemar(p.OnlyA, p.OnlyB)
}

// join compares the rows with the same key and lists the keys that only one side has. a and b are sorted by key. by is
// the field By of the table.
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

// canDiffer reports whether the test could find a difference. It cannot if all trials are OK, none is, or the trials of
// each pair agree.
func (c *Change) canDiffer() bool {
	if c.Pairs != nil {
		return c.Pairs.OnlyA+c.Pairs.OnlyB > 0
	}
	ok := c.A.OK + c.B.OK
	return c.canTest() && ok > 0 && ok < c.A.N+c.B.N
}

// adjust adjusts the p-values of the rows together. Rows that cannot differ are excluded, because their p-value is
// always 1 (Tarone, 1990).
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

// significant rounds to six significant digits, so that the result does not depend on the machine.
func significant(p float64) float64 {
	q, _ := strconv.ParseFloat(strconv.FormatFloat(p, 'e', 5, 64), 64)
	return q
}

// judge adjusts the p-values of each table, and of the total separately.
func (c *Comparison) judge() {
	total := []Change{c.Total}
	adjust(total)
	c.Total = total[0]
	for i := range c.Tables {
		adjust(c.Tables[i].Rows)
	}
}

// Diff compares two runs by Fisher's exact test. The sides are named a and b.
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

// share compares the totals of the cells in both runs.
func (c *Comparison) share() {
	cells := &c.Tables[len(c.Tables)-1] // the last view, by model and scenario
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

// sortRows returns the rows sorted by key. A parsed summary need not be sorted.
func sortRows(rows []Row) []Row {
	return slices.SortedStableFunc(slices.Values(rows), func(a, b Row) int { return compareKeys(a.Key, b.Key) })
}
