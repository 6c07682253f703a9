package conformcmd

import (
	"fmt"
	"strings"

	"github.com/callwright/callwright/cmd/callwright/internal/paint"
	"github.com/callwright/callwright/internal/conformance"
)

var styles = map[conformance.Result]paint.Style{conformance.Passed: paint.Green, conformance.Failed: paint.Red,
	conformance.NotTested: paint.Faint}

// printCard prints one line per check, the details of failures, and the score.
func printCard(p *paint.Printer, card *conformance.Card) {
	p.Printf("%s at %s, model %s\n\n", conformance.Title(card.API), paint.Visible(card.URL), paint.Visible(card.Model))
	const before = 44 // columns in front of the reason
	for i := range card.Checks {
		c := &card.Checks[i]
		why := paint.Visible(c.Why)
		if c.Result != conformance.Failed {
			why = paint.CutRight(why, max(p.Width, 100)-before)
		}
		p.Printf("%s  %-9s  %-18s  %s\n", p.Paint(styles[c.Result], fmt.Sprintf("%-10s", c.Result)), c.Area, c.Name, why)
	}
	for i := range card.Checks {
		if c := &card.Checks[i]; c.Result == conformance.Failed {
			printFailure(p, c)
		}
	}
	p.Printf("\n%-10s %6s %6s %10s\n", "area", "passed", "failed", "not tested")
	for _, s := range card.Areas {
		p.Printf("%-10s %6d %6d %10d\n", s.Area, s.Passed, s.Failed, s.NotTested)
	}
	p.Printf("%-10s %6d %6d %10d   in %d requests\n", "all", card.Count(conformance.Passed), card.Count(conformance.Failed),
		card.Count(conformance.NotTested), card.Requests)
}

func printFailure(p *paint.Printer, c *conformance.Check) {
	p.Printf("\n%s  %s: %s\n", p.Paint(paint.Red, "failed"), c.Name, c.About)
	p.Printf("  reason         %s\n", paint.Visible(c.Why))
	p.Printf("  documentation  %s\n", c.Documentation)
	for _, b := range c.Breaks {
		p.Printf("  breaks         %s\n", b)
	}
	if c.Sent != "" {
		p.Printf("  request        %s\n", paint.Visible(c.Sent))
	}
	if c.Got != "" {
		p.Printf("  answer         %s\n", strings.ReplaceAll(paint.VisibleLines(c.Got), "\n", "\n                 "))
	}
}
