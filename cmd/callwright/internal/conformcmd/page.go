package conformcmd

import (
	_ "embed"
	"io"

	"github.com/callwright/callwright/internal/conformance"
	"github.com/callwright/callwright/internal/htmltemplate"
	"github.com/callwright/callwright/internal/probe"
)

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

var page = htmltemplate.MustParse(htmltemplate.Funcs{
	"style": func() htmltemplate.HTML { // trusted: embedded in the program
		return htmltemplate.HTML("<style>\n" + probe.FragmentStyle() + pageStyle + "</style>")
	},
	"title": conformance.Title,
	"class": func() string { return probe.FragmentClass },
}, nil, htmltemplate.Text{Name: "page", Source: pageText})

// A part contains the checks with one result, such as failed, for the HTML page.
type part struct {
	Result conformance.Result
	Checks []conformance.Check
}

// A shownCard is a result card with its checks grouped by result.
type shownCard struct {
	*conformance.Card
	Passed, Failed, NotTested int
	Parts                     []part
}

// writePage writes the cards as a self-contained HTML page. Failures come first.
func writePage(w io.Writer, cards []*conformance.Card) error {
	var shown []shownCard
	for _, card := range cards {
		s := shownCard{Card: card, Passed: card.Count(conformance.Passed), Failed: card.Count(conformance.Failed),
			NotTested: card.Count(conformance.NotTested)}
		for _, r := range []conformance.Result{conformance.Failed, conformance.Passed, conformance.NotTested} {
			p := part{Result: r}
			for i := range card.Checks {
				if card.Checks[i].Result == r {
					p.Checks = append(p.Checks, card.Checks[i])
				}
			}
			if p.Checks != nil {
				s.Parts = append(s.Parts, p)
			}
		}
		shown = append(shown, s)
	}
	return page.Execute(w, "page", shown)
}
