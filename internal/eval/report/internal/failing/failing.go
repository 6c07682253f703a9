// Package failing lists the scenarios that failed on a model, with the reasons.
package failing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report/internal/grid"
)

// Limits of a list.
const (
	maxRows    = 200
	maxReasons = 3
	maxName    = 120 // bytes of a name
	maxReason  = 300 // bytes of a reason
)

// A List has the failed scenarios, those with the most failed trials first.
type List struct {
	Heads []string // headings of Row.Settings
	Rows  []Row
	More  int // number of rows beyond the first 200
	ids   map[cellKey]string
}

// A Row is a scenario on a model with one combination of settings.
type Row struct {
	ID              string // HTML id of the row
	Model, Scenario string
	Settings        []string // mode, policy and profile, if the run has several values
	Failed, N       int
	Reasons         []Reason
	More            int // number of trials that failed for other reasons
}

// A Reason is why trials of a row failed.
type Reason struct {
	Words string
	N     int
	Link  string // URL of a trace, "" if none was kept
}

type cellKey struct {
	model    callwright.ModelID
	scenario string
}

type rowKey struct {
	cellKey
	settings [3]string
}

type counted struct {
	key     rowKey
	row     Row
	reasons map[string]*Reason
}

// Of lists the failed scenarios. results must be sorted by cell. link returns the URL of a trace.
func Of(results []eval.Result, link func(trace string) string) *List {
	l := &List{ids: map[cellKey]string{}}
	shown := l.varying(results)
	found := map[rowKey]*counted{}
	var order []*counted
	for i := range results {
		r := &results[i]
		if r.Outcome != eval.OK && r.Outcome != eval.Failed {
			continue
		}
		key := rowKey{cellKey: cellKey{r.Model, r.Scenario}}
		for _, k := range shown {
			key.settings[k] = settings(&r.Cell)[k]
		}
		c := found[key]
		if c == nil {
			c = &counted{key: key, row: Row{Model: grid.Clip(string(r.Model), maxName),
				Scenario: grid.Clip(r.Scenario, maxName)}, reasons: map[string]*Reason{}}
			for _, k := range shown {
				c.row.Settings = append(c.row.Settings, grid.Clip(SettingWords(Heads[k], key.settings[k]), maxName))
			}
			found[key], order = c, append(order, c)
		}
		c.add(r, link)
	}
	order = slices.DeleteFunc(order, func(c *counted) bool { return c.row.Failed == 0 })
	slices.SortStableFunc(order, func(a, b *counted) int { return cmp.Compare(b.row.Failed*a.row.N, a.row.Failed*b.row.N) })
	l.More = max(len(order)-maxRows, 0)
	for i, c := range order[:len(order)-l.More] {
		c.finish()
		c.row.ID = fmt.Sprintf("failing-%d", i+1)
		if l.ids[c.key.cellKey] == "" {
			l.ids[c.key.cellKey] = c.row.ID
		}
		l.Rows = append(l.Rows, c.row)
	}
	return l
}

// IDOf returns the HTML id of the first row of a scenario on a model, "" if there is none.
func (l *List) IDOf(m callwright.ModelID, scenario string) string { return l.ids[cellKey{m, scenario}] }

// Heads are the names of the settings of a cell.
var Heads = []string{"mode", "policy", "profile"}

func settings(c *eval.Cell) [3]string { return [3]string{c.Mode, c.Policy, c.Profile} }

// SettingWords returns the display text of a value of a setting.
func SettingWords(head, value string) string {
	if head == "policy" && value == string(callwright.PolicyOff) {
		return "off, without healing"
	}
	return value
}

// varying returns the indices of the settings with several values in the results.
func (l *List) varying(results []eval.Result) (shown []int) {
	for k, head := range Heads {
		if slices.ContainsFunc(results, func(r eval.Result) bool { return settings(&r.Cell)[k] != settings(&results[0].Cell)[k] }) {
			shown, l.Heads = append(shown, k), append(l.Heads, head)
		}
	}
	return shown
}

func (c *counted) add(r *eval.Result, link func(string) string) {
	if c.row.N++; r.Outcome == eval.OK {
		return
	}
	c.row.Failed++
	words := ReasonWords(r)
	reason := c.reasons[words]
	if reason == nil {
		reason = &Reason{Words: words}
		c.reasons[words] = reason
	}
	if reason.N++; reason.Link == "" {
		reason.Link = link(r.Trace)
	}
}

// finish sorts and limits the reasons.
func (c *counted) finish() {
	for _, r := range c.reasons {
		c.row.Reasons = append(c.row.Reasons, *r)
	}
	slices.SortFunc(c.row.Reasons, func(a, b Reason) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Words, b.Words)) })
	for _, r := range c.row.Reasons[min(len(c.row.Reasons), maxReasons):] {
		c.row.More += r.N
	}
	c.row.Reasons = c.row.Reasons[:min(len(c.row.Reasons), maxReasons)]
}

// ReasonWords returns the class and the reason of a failed trial as text.
func ReasonWords(r *eval.Result) string {
	class := strings.ReplaceAll(r.Class, "_", " ")
	switch {
	case class == "" && r.Reason == "":
		return "no reason is given"
	case class == "" || r.Reason == "":
		return grid.Clip(class+r.Reason, maxReason)
	}
	return grid.Clip(class+": "+r.Reason, maxReason)
}
