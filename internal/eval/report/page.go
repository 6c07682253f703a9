package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/eval"
	"github.com/callwright/callwright/internal/eval/report/internal/failing"
	"github.com/callwright/callwright/internal/eval/report/internal/grid"
	"github.com/callwright/callwright/internal/eval/report/internal/layout"
)

// Limits of the parts of a page that grow with the run.
const (
	maxName     = 120     // maximum bytes of a name
	maxRaw      = 2000    // maximum bytes of a text or value in an example
	maxRawTotal = 500_000 // maximum bytes of all of these together
	maxLinks    = 2000    // maximum number of links to traces, besides examples
)

// FragmentClass is the class of the HTML element in which another page embeds a fragment.
const FragmentClass = "evaluation"

// Fragment writes the content of HTML for embedding in another page, within an element of FragmentClass and with
// FragmentStyle. The style sheet of that page does not affect the fragment, except for the font and inherited
// properties. Headings begin with h2.
func Fragment(w io.Writer, s *Summary, results []eval.Result, traces string) error {
	return layout.Fragment(w, newPage(s, results, traces))
}

// FragmentStyle returns the style sheet of fragments. Its rules only apply inside an element of FragmentClass.
func FragmentStyle() string { return layout.FragmentStyle(FragmentClass) }

// HTML writes a summary as a self-contained HTML page without scripts. results must be the summarized results; the page
// shows the texts of some failed trials. traces is the URL path of the trace directory relative to the page, "" for the
// same directory.
func HTML(w io.Writer, s *Summary, results []eval.Result, traces string) error {
	return layout.Page(w, newPage(s, results, traces))
}

// A pageData is the content of the page as text.
type pageData struct {
	Headline, About, When string
	Total                 pageGroup
	ToolTotal             *pageGroup
	Facts                 []fact
	Heat                  *heat
	Failing               *failing.List
	Tables                []pageTable
	Lists                 []pageList
	Presets               []fact
	Reasons               []pageReasons
}

// A pageGroup is a Group with its numbers as text.
type pageGroup struct {
	Group
	Percent, Interval string
}

func newPageGroup(g Group) pageGroup {
	text := "no counted trial"
	if g.N > 0 {
		text = fmt.Sprintf("95%% interval %s to %s", grid.PercentOf(g.Low), grid.PercentOf(g.High))
	}
	return pageGroup{g, percent(g.Success), text}
}

// A pageTable is a table of rows of a summary.
type pageTable struct {
	ID, Title string
	Heads     []string
	Rows      []pageRow
}

type pageRow struct {
	Success
	First               string
	Span                int      // number of rows that share First; 0 for all except the first
	More                []string // further names
	Percent, P95, Notes string
}

// A pageList is a titled list of models.
type pageList struct {
	Title  string
	Models []string
}

func newPage(s *Summary, results []eval.Result, traces string) *pageData {
	d := &pageData{
		Headline: percent(s.Total.Success), About: grid.Clip(s.about(), 4*maxName),
		Total: newPageGroup(s.Total), Facts: s.facts(),
	}
	d.Failing = failing.Of(inOrder(results), func(trace string) string { return traceLink(traces, trace) })
	d.Heat = newHeat(s, d.Failing)
	if !s.Times.Started.IsZero() {
		const form = "2006-01-02 15:04:05"
		d.When = s.Times.Started.UTC().Format(form) + " to " + s.Times.Ended.UTC().Format(form) + " UTC"
	}
	if s.Tools != nil {
		group := newPageGroup(*s.Tools)
		d.ToolTotal = &group
	}
	models := pageTable{ID: "models", Title: "Models"}
	models.fill(s.byModel(results))
	scenarios := pageTable{ID: "scenarios", Title: "Scenarios"}
	scenarios.fill(s.Scenarios)
	d.Tables = append(d.Tables, models, scenarios)
	for _, axis := range s.axes() {
		t := pageTable{ID: strings.ToLower(axis.title), Title: axis.title}
		t.fill(axis.rows)
		d.Tables = append(d.Tables, t)
	}
	perfect, good := pageList{Title: "Models with 100%"}, pageList{Title: "Models with 96% and more, but not 100%"}
	for _, m := range s.Perfect {
		perfect.Models = append(perfect.Models, grid.Clip(string(m), maxName))
	}
	for _, m := range s.Good {
		if slices.Contains(s.Perfect, m) {
			continue // listed above
		}
		good.Models = append(good.Models, grid.Clip(string(m), maxName))
	}
	d.Lists = []pageList{perfect, good}
	for _, p := range s.Presets {
		d.Presets = append(d.Presets, fact{grid.Clip(string(p.Model), maxName), grid.Clip(strings.Join(p.Settings, "; "), 4*maxName)})
	}
	d.Reasons = newExamples(results, traces).reasons(s)
	return d
}

// fill adds the rows to the table.
func (t *pageTable) fill(rows []Row) {
	keys := make([]Key, len(rows))
	for i := range rows {
		keys[i] = rows[i].Key
	}
	columns := nameColumns(keys)
	for _, c := range columns {
		t.Heads = append(t.Heads, c.Head)
	}
	for i := range rows {
		r := &rows[i]
		row := pageRow{Success: r.Success, Percent: percent(r.Success), P95: p95(r), Notes: grid.Clip(strings.Join(r.Notes, ", "), 4*maxName)}
		for k, c := range columns {
			if name := grid.Clip(failing.SettingWords(c.Head, c.Cells[i]), maxName); k == 0 {
				row.First = name
			} else {
				row.More = append(row.More, name)
			}
		}
		t.Rows = append(t.Rows, row)
		t.Rows[t.first(i)].Span++
	}
}

// first returns the index of the first row of the group that contains row i. Adjacent rows with equal First are a
// group, unless the table has no further names.
func (t *pageTable) first(i int) int {
	for i > 0 && len(t.Rows[i].More) > 0 && t.Rows[i-1].First == t.Rows[i].First {
		i--
	}
	return i
}

// byModel returns a row for each model, and also for each policy and profile if the run has several.
func (s *Summary) byModel(results []eval.Result) []Row {
	t := table{}
	for i := range results {
		key := Key{Model: results[i].Model}
		if len(s.Policies) > 1 {
			key.Policy = results[i].Policy
		}
		if len(s.Profiles) > 1 {
			key.Profile = results[i].Profile
		}
		t.add(key, &results[i])
	}
	return t.rows()
}

// A heat is a table of models by scenarios whose cells are colored by success.
type heat struct {
	Scenarios []string
	Rows      []heatRow
	Legend    []heatCell
}

type heatRow struct {
	Model string
	Cells []heatCell
}

type heatCell struct{ Level, Text, Link string }

// newHeat returns nil if there are no cells.
func newHeat(s *Summary, failed *failing.List) *heat {
	if len(s.Cells) == 0 {
		return nil
	}
	h := &heat{}
	place := map[string]int{}
	for i, row := range s.Scenarios {
		place[row.Scenario] = i
		h.Scenarios = append(h.Scenarios, grid.Clip(row.Scenario, maxName))
	}
	for i := range s.Cells {
		c := &s.Cells[i]
		if i == 0 || c.Model != s.Cells[i-1].Model {
			h.Rows = append(h.Rows, heatRow{Model: grid.Clip(string(c.Model), maxName), Cells: make([]heatCell, len(h.Scenarios))})
		}
		cell := heatCell{layout.LevelOf(c.OK, c.N), okOfN(c.Success), failed.IDOf(c.Model, c.Scenario)}
		if c.N == 0 {
			cell.Text = "–"
		}
		if at, ok := place[c.Scenario]; ok {
			h.Rows[len(h.Rows)-1].Cells[at] = cell
		}
	}
	for i := len(layout.Levels) - 1; i >= 0; i-- {
		h.Legend = append(h.Legend, heatCell{Level: layout.Levels[i].Name, Text: layout.Levels[i].Text})
	}
	return h
}
