package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/eval/report/internal/grid"
)

// minWidth is the minimum line width in characters.
const minWidth = 40

// labelWidth is the width of the labels before facts, in characters.
const labelWidth = 12

// WriteText writes the summary as text in lines of at most width characters, at least 40. Control characters in texts
// of models are replaced.
func (s *Summary) WriteText(w io.Writer, width int) error {
	p := &printer{width: max(width, minWidth)}
	p.fact("Run", "%s", s.about())
	p.fact("Success", "%s", describe(s.Total.Success))
	if s.Tools != nil {
		p.fact("Tools", "%s", describe(s.Tools.Success))
	}
	if text := describeUncounted(s.Total); text != "" {
		p.fact("Not counted", "%s", text)
	}
	for _, line := range s.facts() {
		p.fact(line.Label, "%s", line.Text)
	}
	if len(s.Profiles) > 1 {
		p.rows("Models", s.Settings)
	} else {
		p.rows("Models", s.Models)
	}
	p.rows("Scenarios", s.Scenarios)
	for _, axis := range s.axes() {
		p.rows(axis.title, axis.rows)
	}
	p.list("Models with 100%", s.Perfect)
	p.list("Models with 96% and more", s.Good)
	p.presets(s.Presets)
	p.ranking("Failures", s.Failures, s.Classes...)
	p.ranking("Refusals by providers", s.Refusals)
	p.ranking("Broken by the harness or the network", s.Broken)
	p.ranking("Skipped", s.Skipped)
	_, err := w.Write(p.b.Bytes())
	return err
}

// An axisTable has a row for each value of a setting.
type axisTable struct {
	title string
	name  func(Key) string
	rows  []Row
}

// axes returns the tables of settings with more than one value.
func (s *Summary) axes() (several []axisTable) {
	for _, a := range s.allAxes() {
		if len(a.rows) > 1 {
			several = append(several, a)
		}
	}
	return several
}

func (s *Summary) allAxes() []axisTable {
	return []axisTable{
		{"Modes", func(k Key) string { return "mode " + k.Mode }, s.Modes},
		{"Policies", func(k Key) string { return "policy " + k.Policy }, s.Policies},
		{"Profiles", func(k Key) string { return "profile " + k.Profile }, s.Profiles},
	}
}

// about returns a line that describes the run and the settings shared by all trials.
func (s *Summary) about() string {
	where := "offline"
	if s.Run.Live {
		where = "live"
	}
	cells := grid.FormatCount(s.Run.Cells, "cell")
	if done := s.Total.trials(); done < s.Run.Cells {
		cells = grid.Thousands(done) + " of " + cells
	}
	parts := []string{where, fmt.Sprintf("seed %d", s.Run.Seed), cells}
	for _, a := range s.allAxes() {
		if len(a.rows) == 1 {
			parts = append(parts, a.name(a.rows[0].Key))
		}
	}
	if s.Run.Build != "" {
		parts = append(parts, "build "+s.Run.Build)
	}
	return strings.Join(parts, ", ")
}

// describeUncounted lists the numbers of trials that do not count for the success rate.
func describeUncounted(g Group) string {
	var parts []string
	for _, c := range []struct {
		n    int
		what string
	}{{g.Refused, "refused by providers"}, {g.Broken, "broken by the harness or the network"}, {g.Skipped, "skipped"}} {
		if c.n > 0 {
			parts = append(parts, grid.Thousands(c.n)+" "+c.what)
		}
	}
	return strings.Join(parts, ", ")
}

// A fact is a labeled line of a summary.
type fact struct{ Label, Text string }

// facts returns the lines about the whole run, except its success.
func (s *Summary) facts() []fact {
	t, work := s.Total.Times, s.Total.Work
	if s.Total.trials() == 0 {
		return nil
	}
	out := []fact{
		{"Trials", grid.Percentiles(t.P50, t.P95, t.P99)},
		{"Requests", grid.Thousands(work.Requests) + ", " + grid.Percentiles(t.RequestP50, t.RequestP95, t.RequestP99)},
		{"Retries", fmt.Sprintf("%.3f per successful call: %s after the first of a step, %s",
			work.RetriesPerCall, grid.FormatCount(work.Retries, "request"), grid.FormatCount(work.Calls, "call"))},
		{"Fallback", fmt.Sprintf("%s of requests to another model, %s in another mode, %s",
			grid.PercentOf(work.FallbackShare), grid.FormatCount(work.OtherMode, "request"), grid.FormatCount(work.Corrections, "correction"))},
		{"Bad calls", fmt.Sprintf("InvalidJson %s, UnknownName %s, SchemaMismatch %s",
			grid.Thousands(work.InvalidJSON), grid.Thousands(work.UnknownName), grid.Thousands(work.SchemaMismatch))},
		{"Tokens", s.Total.Usage.describe()},
		{"Healing", fmt.Sprintf("%s, in %s", s.Total.Healing.describe(), grid.FormatCount(work.Retries, "request"))},
	}
	if text := frequent(s.Faults); text != "" {
		out = append(out, fact{"Faults", text})
	}
	return out
}

// trials returns the number of all trials, counted or not.
func (g *Group) trials() int { return g.N + g.Refused + g.Broken + g.Skipped }

// maxFrequent is the maximum number of printed names of a count.
const maxFrequent = 10

// frequent returns the names of counts with their numbers, the most frequent first.
func frequent(counts map[string]int) string {
	names := byCount(counts)
	var parts []string
	for _, name := range names[:min(len(names), maxFrequent)] {
		parts = append(parts, grid.Thousands(counts[name])+" "+name)
	}
	if left := len(names) - maxFrequent; left > 0 {
		parts = append(parts, fmt.Sprintf("%d more", left))
	}
	return strings.Join(parts, ", ")
}

func (t Tokens) describe() string {
	if t.Known == 0 {
		return "not reported"
	}
	return fmt.Sprintf("%s in (%s cached), %s out", grid.Thousands(t.Input), grid.Thousands(t.CacheRead), grid.Thousands(t.Output))
}

// describe returns a success rate as text.
func describe(s Success) string {
	if s.N == 0 {
		return "no counted trial"
	}
	return fmt.Sprintf("%s (%s of %s), 95%% interval %s to %s", percent(s), grid.Thousands(s.OK), grid.Thousands(s.N),
		grid.PercentOf(s.Low), grid.PercentOf(s.High))
}

func percent(s Success) string { return grid.Percent(s.OK, s.N, s.Rate) }

// A printer writes a summary as text.
type printer struct {
	b     bytes.Buffer
	width int
}

func (p *printer) fact(label, format string, args ...any) {
	for i, line := range grid.Wrap(grid.Visible(fmt.Sprintf(format, args...)), p.width-labelWidth) {
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(&p.b, "%-*s%s\n", labelWidth, label, line)
	}
}

func (p *printer) title(text string) { fmt.Fprintf(&p.b, "\n%s\n", text) }

// nameColumns returns a column for each field that is set in the keys. All keys must have the same fields set.
func nameColumns(keys []Key) []grid.Column {
	var columns []grid.Column
	for _, c := range []struct {
		head string
		name func(Key) string
	}{
		{"model", func(k Key) string { return string(k.Model) }}, {"mode", func(k Key) string { return k.Mode }},
		{"policy", func(k Key) string { return k.Policy }}, {"profile", func(k Key) string { return k.Profile }},
		{"scenario", func(k Key) string { return k.Scenario }},
	} {
		col, named := grid.Column{Head: c.head, Least: 12, Names: true}, false
		for _, k := range keys {
			name := c.name(k)
			named = named || name != ""
			col.Cells = append(col.Cells, grid.Visible(name))
		}
		if named {
			columns = append(columns, col)
		}
	}
	return columns
}

// rows prints a table, or nothing if there are no rows.
func (p *printer) rows(title string, rows []Row) {
	if len(rows) == 0 {
		return
	}
	p.title(title)
	var keys []Key
	for i := range rows {
		keys = append(keys, rows[i].Key)
	}
	numbers := []grid.Column{
		{Head: "ok/n", Right: true}, {Head: "rate", Right: true}, {Head: "95%", Right: true, Drop: 2}, {Head: "p95_ms", Right: true, Drop: 1},
		{Head: "notes", Least: 16, Drop: 3},
	}
	for i := range rows {
		r := &rows[i]
		for k, text := range []string{okOfN(r.Success), percent(r.Success), interval(r.Success), p95(r),
			grid.Visible(strings.Join(r.Notes, ", "))} {
			numbers[k].Cells = append(numbers[k].Cells, text)
		}
	}
	_ = grid.Write(&p.b, p.width, append(nameColumns(keys), numbers...)) // a buffer never fails
}

func okOfN(s Success) string { return fmt.Sprintf("%d/%d", s.OK, s.N) }

func interval(s Success) string {
	if s.N == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f–%.1f", s.Low*100, s.High*100)
}

func p95(r *Row) string {
	if r.N == 0 {
		return "–"
	}
	return grid.Milliseconds(r.Times.P95)
}

func (p *printer) list(title string, models []callwright.ModelID) {
	p.title(fmt.Sprintf("%s: %s", title, grid.Thousands(len(models))))
	for _, m := range models {
		fmt.Fprintf(&p.b, "  %s\n", grid.ShortenName(grid.Visible(string(m)), p.width-2))
	}
}

// presets prints the presets of models, or nothing if there are none.
func (p *printer) presets(list []Preset) {
	if len(list) == 0 {
		return
	}
	p.title(fmt.Sprintf("Presets of models: %s", grid.Thousands(len(list))))
	for _, one := range list {
		fmt.Fprintf(&p.b, "  %s\n", grid.ShortenName(grid.Visible(string(one.Model)), p.width-2))
		for _, line := range grid.Wrap(grid.Visible(strings.Join(one.Settings, "; ")), p.width-4) {
			fmt.Fprintf(&p.b, "    %s\n", line)
		}
	}
}

// maxPrinted is the maximum number of printed causes of a ranking.
const maxPrinted = 20

// ranking prints at most maxPrinted causes of a ranking, each with the trace of its first example if there is one.
func (p *printer) ranking(title string, k Ranking, classes ...Class) {
	if k.Trials == 0 {
		return
	}
	p.title(fmt.Sprintf("%s: %s", title, grid.Thousands(k.Trials)))
	var parts []string
	for _, c := range classes {
		parts = append(parts, grid.Thousands(c.Trials)+" "+c.Class)
	}
	if len(parts) > 0 {
		p.fact("By class", "%s", strings.Join(parts, ", "))
	}
	left := k.Trials
	for i := range min(len(k.Causes), maxPrinted) {
		c := &k.Causes[i]
		left -= c.Trials
		lines := grid.Wrap(grid.Visible(c.headline()), p.width-8)
		fmt.Fprintf(&p.b, "%6s  %s\n", grid.Thousands(c.Trials), lines[0])
		for _, line := range lines[1:] {
			fmt.Fprintf(&p.b, "%8s%s\n", "", line)
		}
		if len(c.Examples) > 0 && c.Examples[0].Trace != "" {
			fmt.Fprintf(&p.b, "%8s%s\n", "", grid.ShortenName(grid.Visible(c.Examples[0].Trace), p.width-8))
		}
	}
	if left > 0 {
		fmt.Fprintf(&p.b, "%6s  for other reasons\n", grid.Thousands(left))
	}
}

// headline returns the cause as one line.
func (c *Cause) headline() string {
	text := c.Reason
	if c.Class != "" {
		text = c.Class + ": " + text
	}
	switch {
	case c.Status != 0 && c.Kind != "":
		text += fmt.Sprintf(" (%d, %s)", c.Status, c.Kind)
	case c.Status != 0:
		text += fmt.Sprintf(" (%d)", c.Status)
	case c.Kind != "":
		text += fmt.Sprintf(" (%s)", c.Kind)
	}
	return text
}
