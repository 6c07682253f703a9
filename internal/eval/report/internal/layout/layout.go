// Package layout has the HTML template and the style sheets of a report page.
package layout

import (
	_ "embed"
	"io"
	"math"
	"strings"

	"github.com/callwright/callwright/internal/eval/report/internal/grid"
	"github.com/callwright/callwright/internal/htmltemplate"
)

var (
	//go:embed page.html
	markup string
	//go:embed colours.css
	colours string
	//go:embed page.css
	frame string
	//go:embed content.css
	content string
)

var page = htmltemplate.MustParse(htmltemplate.Funcs{
	"hundred":   func(share float64) float64 { return math.Round(share*1000) / 10 },
	"thousands": grid.Thousands,
	"breakable": breakable,
	"style": func() htmltemplate.HTML { // trusted: embedded files
		return htmltemplate.HTML("<style>\n" + colours + frame + content + "\n</style>")
	},
}, nil, htmltemplate.Text{Name: "page", Source: markup})

// breakable returns an escaped name that may be wrapped after slashes and underscores.
func breakable(name string) htmltemplate.HTML {
	return htmltemplate.HTML(breaks.Replace(htmltemplate.Escape(name))) // the name is escaped
}

var breaks = strings.NewReplacer("/", "/<wbr>", "_", "_<wbr>") // escapes contain neither character

// Page writes data as a self-contained HTML page.
func Page(w io.Writer, data any) error { return page.Execute(w, "page", data) }

// Fragment writes the content of the page below its heading.
func Fragment(w io.Writer, data any) error { return page.Execute(w, "content", data) }

// FragmentStyle returns the style sheet of fragments inside elements of a class. Its rules apply only inside them, and
// rules of other style sheets do not apply there.
func FragmentStyle(class string) string {
	in := "." + class
	return strings.ReplaceAll(colours, ":root", in) + in +
		" {\n:where(:not(svg, svg *)) { all: revert; box-sizing: border-box; }\n" + content + "}\n"
}
