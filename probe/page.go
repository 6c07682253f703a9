package probe

import (
	_ "embed"
	"html/template"
	"io"
	"maps"
	"slices"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// A part is the checks of one result, as the page shows them.
type part struct {
	Title  string
	Checks []Check
}

// WriteHTML writes the card as a page for a browser, which needs nothing beside it. What failed comes first.
func (c *Card) WriteHTML(w io.Writer) error {
	var parts []part
	for _, p := range []struct {
		result Result
		title  string
	}{{Fail, "Failed"}, {Pass, "Passed"}, {Skip, "Skipped"}} {
		checks := slices.DeleteFunc(slices.Clone(c.Checks), func(k Check) bool { return k.Result != p.result })
		if len(checks) > 0 {
			parts = append(parts, part{p.title, checks})
		}
	}
	return page.Execute(w, struct {
		*Card
		Passed, Failed, Skipped int
		Keys                    []string
		Parts                   []part
	}{c, c.Count(Pass), c.Count(Fail), c.Count(Skip), slices.Sorted(maps.Keys(c.Facts)), parts})
}
