package docsite

import (
	"bytes"
	"errors"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

// A document is a parsed Markdown page of the documentation.
type document struct {
	title    string
	html     string
	sections []section
	groups   []links
}

// A links value contains the Markdown files to which a section of a page links.
type links struct {
	title string
	pages []string
}

// A section is the text below a heading, for the search index. The JSON names are short because browsers load the
// index.
type section struct {
	Path    string `json:"p"` // HTML path of the page with the anchor of the heading
	Page    string `json:"t"`
	Heading string `json:"h"`
	Text    string `json:"x"`
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify),
	goldmark.WithRendererOptions(html.WithUnsafe()))

// read parses a Markdown file of the documentation.
func (b *builder) read(file string) (*document, error) {
	source := b.texts[file]
	root := markdown.Parser().Parse(text.NewReader(source))
	d, ids := &document{}, anchors{}
	at := section{Path: htmlPath(file)}
	end := func() {
		if at.Text = strings.Join(strings.Fields(at.Text), " "); at.Heading != "" {
			at.Page = d.title
			d.sections = append(d.sections, at)
		}
	}
	err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			title := plainText(n, source)
			if n.Level == 1 {
				d.title = title
			}
			if n.Level == 2 {
				d.groups = append(d.groups, links{title: title})
			}
			end()
			id := ids.next(title)
			n.SetAttributeString("id", []byte(id))
			at = section{Path: htmlPath(file) + "#" + id, Heading: title}
			return ast.WalkSkipChildren, nil
		case *ast.Link:
			b.addLink(d, file, n)
		case *ast.Image:
			n.Destination = []byte(b.target(file, string(n.Destination)))
		case *ast.Text:
			at.Text += string(n.Segment.Value(source)) + " "
		case *ast.FencedCodeBlock:
			at.Text += string(n.Lines().Value(source)) + " "
		}
		return ast.WalkContinue, nil
	})
	end()
	if err == nil && d.title == "" {
		err = errors.New("the page has no title")
	}
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = markdown.Renderer().Render(&out, source, root)
	d.html = out.String()
	return d, err
}

// addLink converts a link to its target on the site, and records a linked page in the current group.
func (b *builder) addLink(d *document, file string, n *ast.Link) {
	target, _, _ := strings.Cut(string(n.Destination), "#")
	if to := path.Join(path.Dir(file), target); b.texts[to] != nil && path.Ext(to) == ".md" && len(d.groups) > 0 {
		last := &d.groups[len(d.groups)-1]
		last.pages = append(last.pages, to)
	}
	n.Destination = []byte(b.target(file, string(n.Destination)))
}

// target returns the URL on the site for a link in a page. Links out of the documentation go to the repository.
func (b *builder) target(file, link string) string {
	to, anchor, hasAnchor := strings.Cut(link, "#")
	if hasAnchor {
		anchor = "#" + anchor
	}
	switch where := path.Join(path.Dir(file), to); {
	case to == "" || strings.Contains(to, ":"):
		return link
	case b.texts[where] != nil && path.Ext(where) == ".md":
		return strings.Repeat("../", strings.Count(file, "/")) + htmlPath(where) + anchor
	case b.texts[where] != nil:
		return link
	default:
		return b.source + path.Join("docs", where) + anchor
	}
}

// plainText returns the text of a heading without markup.
func plainText(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
		if t, ok := n.(*ast.Text); ok && entering {
			out.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return out.String()
}

// anchors counts the uses of each heading id of a page.
type anchors map[string]int

var notSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// next returns the id of the next heading. It equals GitHub's, so that links in pages work there too.
func (a anchors) next(title string) string {
	slug := strings.ReplaceAll(notSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), ""), " ", "-")
	n := a[slug]
	a[slug]++
	if n > 0 {
		slug += "-" + strconv.Itoa(n)
	}
	return slug
}
