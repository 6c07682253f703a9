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
	"style": func() htmltemplate.HTML { // safe: the style sheets are part of the program
		return htmltemplate.HTML("<style>\n" + colours + frame + content + "</style>")
	},
}, nil, htmltemplate.Text{Name: "page", Source: pageText})

// A part is a section of the page: the checks with one result.
type part struct {
	Title  string
	Checks []Check
}

// FragmentClass is the CSS class of the element that contains the HTML of [Card.WriteFragment] in another page.
const FragmentClass = "probed"

// FragmentStyle returns the style sheet of fragments. Its rules apply only within elements of FragmentClass, and it
// resets the rules of other style sheets there.
func FragmentStyle() string {
	const in = "." + FragmentClass
	return strings.ReplaceAll(colours, ":root", in) + in + " {\n:where(*) { all: revert; box-sizing: border-box; }\n" + content + "}\n"
}

// WriteHTML writes the card as a self-contained HTML page. Failed checks come first.
func (c *Card) WriteHTML(w io.Writer) error { return c.write(w, "page") }

// WriteFragment writes the page of WriteHTML without its heading, for another page that includes FragmentStyle. The
// caller puts the HTML into an element of FragmentClass. The headings are h2 elements.
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
