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

// WriteHTML writes the card as a page for a browser, which needs nothing beside it.
func (c *Card) WriteHTML(w io.Writer) error {
	return page.Execute(w, struct {
		*Card
		Passed, Failed, Skipped int
		Keys                    []string
	}{c, c.Count(Pass), c.Count(Fail), c.Count(Skip), slices.Sorted(maps.Keys(c.Facts))})
}
