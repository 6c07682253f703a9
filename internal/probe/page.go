package probe

import (
	_ "embed"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/htmltemplate"
)

var (
	//go:embed page.html
	pageText string
	//go:embed colours.css
	colours string
	//go:embed page.css
	frame string
	//go:embed content.css
	content string
)

var page = htmltemplate.MustParse(htmltemplate.Funcs{
	"style": func() htmltemplate.HTML { // it is ours
		return htmltemplate.HTML("<style>\n" + colours + frame + content + "</style>")
	},
}, nil, htmltemplate.Text{Name: "page", Source: pageText})

// A part is the checks of one result, as the page shows them.
type part struct {
	Title  string
	Checks []Check
}

// FragmentClass is the class of the element that a page of others puts a fragment into.
const FragmentClass = "probed"

// FragmentStyle is the style sheet of fragments. Its rules apply only inside them, and the rules of other style sheets
// do not apply there.
func FragmentStyle() string {
	const in = "." + FragmentClass
	return strings.ReplaceAll(colours, ":root", in) + in + " {\n:where(*) { all: revert; box-sizing: border-box; }\n" + content + "}\n"
}

// WriteHTML writes the card as a self-contained page for a browser. Failed checks come first.
func (c *Card) WriteHTML(w io.Writer) error { return c.write(w, "page") }

// WriteFragment writes the part of WriteHTML's page below the heading, for a page that has it in an element of
// FragmentClass, and FragmentStyle. Its headings are h2.
func (c *Card) WriteFragment(w io.Writer) error { return c.write(w, "content") }

func (c *Card) write(w io.Writer, name string) error {
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
	return page.Execute(w, name, struct {
		*Card
		Passed, Failed, Skipped int
		Keys                    []string
		Parts                   []part
	}{c, c.Count(Pass), c.Count(Fail), c.Count(Skip), slices.Sorted(maps.Keys(c.Facts)), parts})
}
