// Package layout has the markup and the styles of the page of a report.
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
	"style": func() htmltemplate.HTML { // it is ours
		return htmltemplate.HTML("<style>\n" + colours + frame + content + "\n</style>")
	},
}, nil, htmltemplate.Text{Name: "page", Source: markup})

// breakable is a name that may be broken behind its slashes and underscores.
func breakable(name string) htmltemplate.HTML {
	return htmltemplate.HTML(breaks.Replace(htmltemplate.Escape(name))) // it is escaped
}

var breaks = strings.NewReplacer("/", "/<wbr>", "_", "_<wbr>") // neither is in an escape

// Page writes data as a page that needs nothing beside it.
func Page(w io.Writer, data any) error { return page.Execute(w, "page", data) }

// Fragment writes the content of the page below its heading.
func Fragment(w io.Writer, data any) error { return page.Execute(w, "content", data) }

// FragmentStyle is the style sheet of fragments in elements of a class. Its rules apply only inside them, and the rules
// of other style sheets do not apply there.
func FragmentStyle(class string) string {
	in := "." + class
	return strings.ReplaceAll(colours, ":root", in) + in +
		" {\n:where(:not(svg, svg *)) { all: revert; box-sizing: border-box; }\n" + content + "}\n"
}
