package demo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
)

// wideTable is the minimum width of the terminal, in characters, for the table with a description of each case.
const wideTable = 110

// A column is a column of the table. share is its share of the free width, 0 for a fixed width.
type column struct {
	title string
	share int
	cell  func(r *Result) []string // parts of the cell; those that do not fit are counted as "+N"
}

var (
	caseColumn     = column{"case", 0, func(r *Result) []string { return []string{r.Name} }}
	happensColumn  = column{"what happens", 5, func(r *Result) []string { return []string{r.About} }}
	receivedColumn = column{"client got", 3, (*Result).describeReceived}
	doneColumn     = column{"what was done", 3, (*Result).noteRules}
)

// table prints one line per result, within the width of the terminal.
func (p printer) table(results []Result) {
	columns := []column{caseColumn, receivedColumn, doneColumn}
	if p.Width >= wideTable {
		columns = []column{caseColumn, happensColumn, receivedColumn, doneColumn}
	}
	name, shares := len(caseColumn.title), 0
	for i := range results {
		name = max(name, len(results[i].Name))
	}
	for _, c := range columns {
		shares += c.share
	}
	const gap = 2
	room := max(p.Width-name-gap*(len(columns)-1), len(columns))
	width := func(c column) int {
		if c.share == 0 {
			return name
		}
		return room * c.share / shares
	}
	line := func(style paint.Style, cell func(c column) []string) {
		var b strings.Builder
		for _, c := range columns {
			text := fit(cell(c), width(c))
			b.WriteString(text + strings.Repeat(" ", max(width(c)-paint.Columns(text), 0)+gap))
		}
		p.Println(p.Paint(style, strings.TrimRight(b.String(), " ")))
	}
	line(paint.Bold, func(c column) []string { return []string{c.title} })
	for i := range results {
		style := paint.Plain
		if !results[i].HasPassed() {
			style = paint.Red
		}
		line(style, func(c column) []string { return c.cell(&results[i]) })
	}
	p.Println()
}

// fit joins as many parts as fit into width, and appends the number of the others, such as " +2".
func fit(parts []string, width int) string {
	joined := func(n int) string {
		text := paint.Visible(strings.ReplaceAll(strings.Join(parts[:n], ", "), "\n", " "))
		if n < len(parts) {
			text += " +" + strconv.Itoa(len(parts)-n)
		}
		return text
	}
	for n := len(parts); n > 1; n-- {
		if text := joined(n); paint.Columns(text) <= width {
			return text
		}
	}
	if text := joined(1); paint.Columns(text) <= width {
		return text
	}
	parts = parts[:1]
	return paint.CutRight(joined(1), width)
}

// describeReceived returns a short description of the client's result.
func (r *Result) describeReceived() []string {
	var calls []string
	for _, t := range r.Received.Turns {
		for _, c := range t.Calls {
			calls = append(calls, c.Arguments)
		}
	}
	switch {
	case r.Received.Error != nil:
		return []string{"error " + r.Received.Error.Code}
	case len(calls) == 0:
		return []string{"the text, no call"}
	}
	return calls
}

// noteRules returns the distinct rules of the gateway's notes, which name its changes.
func (r *Result) noteRules() []string {
	var rules []string
	for _, n := range r.Notes {
		if !slices.Contains(rules, n.Rule) {
			rules = append(rules, n.Rule)
		}
	}
	if len(rules) == 0 {
		return []string{"nothing"}
	}
	return rules
}
