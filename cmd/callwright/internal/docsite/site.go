// Package docsite converts the Markdown documentation to static HTML pages with a table of contents and a search that
// runs in the browser. The pages need no network and no server.
package docsite

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/htmltemplate"
)

// index is the page whose second-level headings and links define the table of contents.
const index = "README.md"

var (
	//go:embed page.html
	pageHTML string
	//go:embed style.css
	styleCSS []byte
	//go:embed find.js
	findJS []byte

	layout = htmltemplate.MustParse(nil, nil, htmltemplate.Text{Name: "page", Source: pageHTML})
)

// A Site contains the generated files by path, such as "state.html" or "decisions/index.html".
type Site struct{ files map[string][]byte }

// A group is a titled part of the table of contents.
type group struct {
	Title string
	Items []item
}

// An item is a page in the table of contents.
type item struct{ Title, Path string }

// Build converts the Markdown files in pages. source is the base URL of the repository's files, for links that leave
// the documentation. A file that cannot be read and a page without a title are errors.
func Build(pages fs.FS, source string) (*Site, error) {
	b := builder{pages: pages, source: source, texts: map[string][]byte{}}
	err := fs.WalkDir(pages, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(pages, file)
		b.texts[file] = text
		return err
	})
	if err != nil {
		return nil, err
	}
	return b.build()
}

// A builder contains the files of the documentation by path.
type builder struct {
	pages  fs.FS
	source string
	texts  map[string][]byte
}

func (b *builder) build() (*Site, error) {
	s := &Site{files: map[string][]byte{"style.css": styleCSS, "find.js": findJS}}
	documents := map[string]*document{}
	var sections []section
	for _, file := range slices.Sorted(maps.Keys(b.texts)) {
		if path.Ext(file) != ".md" {
			s.files[file] = b.texts[file]
			continue
		}
		d, err := b.read(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		documents[file] = d
		sections = append(sections, d.sections...)
	}
	contents := b.contents(documents)
	for file, d := range documents {
		var out bytes.Buffer
		up := strings.Repeat("../", strings.Count(file, "/"))
		// The pages are trusted: they are part of the program.
		err := layout.Execute(&out, "page",
			map[string]any{"Title": d.title, "Body": htmltemplate.HTML(d.html), "Contents": contents, "Up": up, "Here": htmlPath(file)})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		s.files[htmlPath(file)] = out.Bytes()
	}
	list, err := json.Marshal(sections)
	if err != nil {
		return nil, err
	}
	s.files["index.js"] = slices.Concat([]byte("window.sections="), list, []byte(";\n")) // scripts load from file:
	return s, nil
}

// contents returns the table of contents that the index page defines.
func (b *builder) contents(documents map[string]*document) []group {
	var out []group
	d := documents[index]
	if d == nil {
		return nil
	}
	for _, g := range d.groups {
		filled := group{Title: g.title}
		for _, target := range g.pages {
			if page := documents[target]; page != nil {
				filled.Items = append(filled.Items, item{page.title, htmlPath(target)})
			}
		}
		if len(filled.Items) > 0 {
			out = append(out, filled)
		}
	}
	return out
}

// htmlPath returns the path of the HTML page for a Markdown file, such as "state.html" for "state.md".
func htmlPath(file string) string {
	dir, name := path.Split(file)
	if name == index {
		return dir + "index.html"
	}
	return dir + strings.TrimSuffix(name, ".md") + ".html"
}
