package demo

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
)

// wideTable is the width from which the table has room for the column of events.
const wideTable = 110

// A column of the table has a title, the share of the width that it gets, and its cell for a result.
type column struct {
	title string
	share int
	cell  func(r *Result) []string // parts, of which as many are shown as there is room for
}

var (
	caseColumn     = column{"case", 0, func(r *Result) []string { return []string{r.Name} }}
	happensColumn  = column{"what happens", 5, func(r *Result) []string { return []string{r.About} }}
	receivedColumn = column{"client got", 3, (*Result).describeReceived}
	doneColumn     = column{"what was done", 3, (*Result).noteRules}
)

// table writes a line for each result: input, output, changes. It fits the width of the terminal.
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

// fit joins as many of the parts as have room, and says how many have none.
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

// describeReceived describes the client's answer in short.
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

// noteRules names the rules of the notes, each once.
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
