package docsite_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/callwright/callwright/cmd/callwright/internal/docsite"
	"github.com/callwright/callwright/docs"
)

const source = "https://example.com/blob/main/"

var (
	address  = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	anchorID = regexp.MustCompile(` id="([^"]*)"`)
)

// TestLinks follows each link of the site of the documentation. All pages are in the table of contents, and no link names a foreign script, style or font.
func TestLinks(t *testing.T) {
	site, err := docsite.Build(docs.Pages, source)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := site.Write(dir); err != nil {
		t.Fatal(err)
	}
	files := pagesBelow(t, dir)
	home := string(files["index.html"])
	for name, text := range files {
		if name != "index.html" && !strings.HasPrefix(name, "decisions/0") && !strings.Contains(home, `href="`+name+`"`) {
			t.Errorf("%s is not in the table of contents", name)
		}
		for _, m := range address.FindAllStringSubmatch(string(text), -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			switch {
			case strings.HasPrefix(to, source):
				if _, err := os.Stat(filepath.Join("../../../..", strings.TrimPrefix(to, source))); err != nil {
					t.Errorf("%s: %s is no file of the repository", name, to)
				}
			case strings.Contains(to, ":"):
			case to != "":
				to = path.Join(path.Dir(name), to)
				fallthrough
			default:
				if to == "" {
					to = name
				}
				if path.Ext(to) != ".html" {
					if _, err := os.Stat(filepath.Join(dir, to)); err != nil {
						t.Errorf("%s: there is no file %s", name, to)
					}
				} else if files[to] == nil {
					t.Errorf("%s: there is no page %s", name, m[1])
				} else if anchor != "" && !hasID(files[to], anchor) {
					t.Errorf("%s: no heading has the id of %s", name, m[1])
				}
			}
		}
		for _, m := range regexp.MustCompile(`<(?:script|link|img)[^>]*"(https?://[^"]*)"`).FindAllStringSubmatch(string(text), -1) {
			t.Errorf("%s loads %s", name, m[1])
		}
	}
}

// pagesBelow reads the HTML files below a folder, by their paths in it.
func pagesBelow(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(file string, d os.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".html" {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(name)], err = os.ReadFile(file)
		return err
	})
	if err != nil || len(files) < 30 {
		t.Fatalf("%d pages: %v", len(files), err)
	}
	return files
}

func hasID(page []byte, id string) bool {
	for _, m := range anchorID.FindAllSubmatch(page, -1) {
		if string(m[1]) == id {
			return true
		}
	}
	return false
}

// TestPages checks the HTML of small pages, their links on the site, the status 404 of unknown paths, and the index of the search.
func TestPages(t *testing.T) {
	site, err := docsite.Build(fstest.MapFS{
		"README.md": {Data: []byte("# All\n\n## Run it\n\n| [State](state.md#on-nats) | x |\n|---|---|\n\n[code](../main.go)\n")},
		"state.md":  {Data: []byte("# State\n\nFirst words.\n\n## On NATS\n\n`kv` and <log>\n\n## On NATS\n\nagain\n")},
		"a/b.md":    {Data: []byte("# B\n\n[up](../state.md) [pic](p.svg)\n")},
		"a/p.svg":   {Data: []byte("<svg/>")},
	}, source)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path   string
		status int
		has    string
	}{
		{"/", 200, `<a href="state.html#on-nats">State</a>`},
		{"/index.html", 200, `<a href="` + source + `main.go">code</a>`},
		{"/index.html", 200, `<h2>Run it</h2>` + "\n" + `<ul><li><a href="state.html">State</a></li></ul>`},
		{"/state.html", 200, `<h2 id="on-nats-1">On NATS</h2>`},
		{"/a/b.html", 200, `<a href="../state.html">up</a> <a href="p.svg">pic</a>`},
		{"/a/b.html", 200, `<link rel="stylesheet" href="../style.css">`},
		{"/a/p.svg", 200, "<svg/>"},
		{"/nothing.html", 404, ""},
		{"/../site.go", 404, ""},
	} {
		w := httptest.NewRecorder()
		site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, c.path, nil))
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.has) {
			t.Errorf("%s: status %d, want %d with %s in\n%s", c.path, w.Code, c.status, c.has, w.Body)
		}
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/index.js", nil))
	list, ok := bytes.CutPrefix(bytes.TrimSuffix(w.Body.Bytes(), []byte(";\n")), []byte("window.sections="))
	var sections []struct{ P, T, H, X string }
	if err := json.Unmarshal(list, &sections); err != nil || !ok {
		t.Fatalf("%v in %s", err, list)
	}
	var found []string
	for _, s := range sections {
		found = append(found, s.P+"|"+s.T+"|"+s.H+"|"+s.X)
	}
	want := "state.html#on-nats|State|On NATS|kv and"
	if !strings.Contains(strings.Join(found, "\n"), want) {
		t.Errorf("no section %q in\n%s", want, strings.Join(found, "\n"))
	}
}

// A page without a title has no place in the table of contents.
func TestPageWithoutTitle(t *testing.T) {
	if _, err := docsite.Build(fstest.MapFS{"x.md": {Data: []byte("words")}}, source); err == nil || !strings.Contains(err.Error(), "x.md: the page has no title") {
		t.Errorf("got %v", err)
	}
}
