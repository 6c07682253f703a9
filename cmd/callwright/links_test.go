package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
)

var (
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	fencePart = regexp.MustCompile("(?ms)^```.*?^```")
	codeSpan  = regexp.MustCompile("`([^`\n]+)`")
	goName    = regexp.MustCompile(`^([a-z]+|[A-Z]\w+)\.([A-Z]\w+)(\(.*\))?$`)
	ruleName  = regexp.MustCompile(`^[a-z]+\.[a-z_0-9]+$`)
	filePath  = regexp.MustCompile(`^[a-z][\w./-]*/[\w./-]+\.(go|md|yaml|json)$`)
	notSlug   = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinks follows the links of all pages to files, folders and headings of this project.
func TestLinks(t *testing.T) {
	needsLong(t)
	for _, page := range pages(t) {
		raw, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(fencePart.ReplaceAllString(string(raw), ""), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			file := page
			if target != "" {
				file = filepath.Join(filepath.Dir(page), target)
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, m[1])
			} else if anchor != "" && !slices.Contains(headings(t, file), anchor) {
				t.Errorf("%s: the link %s leads to no heading", page, m[1])
			}
		}
	}
}

// headings returns the anchors of a page.
func headings(t *testing.T, file string) []string {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(fencePart.ReplaceAllString(string(raw), "")) {
		if title := strings.TrimLeft(line, "#"); title != line {
			slug := notSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			out = append(out, strings.ReplaceAll(slug, " ", "-"))
		}
	}
	return out
}

// TestNames looks up what pages name in code spans: functions, types and their members, files, and rules of notes.
func TestNames(t *testing.T) {
	names := declared(t)
	packages := map[string]bool{}
	for name := range names {
		if pkg, _, ok := strings.Cut(name, "."); ok && strings.ToLower(pkg) == pkg {
			packages[pkg] = true
		}
	}
	for _, page := range pages(t) {
		raw, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codeSpan.FindAllStringSubmatch(fencePart.ReplaceAllString(string(raw), ""), -1) {
			checkName(t, page, m[1], names, packages)
		}
	}
}

func checkName(t *testing.T, page, span string, names, packages map[string]bool) {
	t.Helper()
	owner, _, _ := strings.Cut(span, ".")
	switch {
	case goName.MatchString(span) && (packages[owner] || owner != strings.ToLower(owner)):
		parts := goName.FindStringSubmatch(span)
		if !names[parts[1]+"."+parts[2]] {
			t.Errorf("%s: nothing is called %s", page, span)
		}
	case filePath.MatchString(span):
		_, fromRoot := os.Stat(filepath.Join("../..", span))
		if _, err := os.Stat(filepath.Join(filepath.Dir(page), span)); err != nil && fromRoot != nil {
			t.Errorf("%s: there is no file %s", page, span)
		}
	case ruleName.MatchString(span) && isRuleFamily(owner) && !ruleKnown(span):
		t.Errorf("%s: there is no rule %s", page, span)
	}
}

// isRuleFamily reports whether rules begin so. Files and parts of other programs have such names, too.
func isRuleFamily(word string) bool {
	return slices.ContainsFunc(callwright.Rules(), func(r callwright.Rule) bool { return strings.HasPrefix(r.ID, word+".") })
}

func ruleKnown(id string) bool {
	if _, ending, _ := strings.Cut(id, "."); slices.Contains([]string{"go", "md", "yaml", "json"}, ending) || slices.Contains(caps.Keys(), id) {
		return true
	}
	return slices.ContainsFunc(callwright.Rules(), func(r callwright.Rule) bool {
		family, isFamily := strings.CutSuffix(r.ID, "*")
		return r.ID == id || isFamily && strings.HasPrefix(id, family)
	})
}

// TestGoBlocks: what pages show of Go is an example, which is held against the page where it is tested, or a part of a file: then it is Go,
// and its functions, the packages' names and the members of its literals are there.
func TestGoBlocks(t *testing.T) {
	names := declared(t)
	known := map[string]bool{}
	for name := range names {
		_, last, _ := strings.Cut(name, ".")
		known[last] = true
	}
	for _, page := range pages(t) {
		if base := filepath.Base(page); base == "README.md" || base == "embedding.md" {
			continue // reliable and interop have the examples
		}
		raw, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range docBlocks(string(raw)) {
			if b.mark == "go" && !isProgram(b) { // a whole one is run
				checkGoBlock(t, page, b.text, names, known)
			}
		}
	}
}

func checkGoBlock(t *testing.T, page, text string, names, known map[string]bool) {
	t.Helper()
	var file *ast.File
	var err error
	for _, around := range [][2]string{{"", ""}, {"var _ = []T{\n", "}"}, {"func _() {\n", "}"}} {
		if file, err = parser.ParseFile(token.NewFileSet(), page, "package p\n"+around[0]+text+around[1], parser.SkipObjectResolution); err == nil {
			break
		}
	}
	if err != nil {
		t.Errorf("%s: a block is no part of a Go file: %v\n%s", page, err, text)
		return
	}
	local := map[string]bool{}
	declareAll(local, file)
	ast.Inspect(file, func(n ast.Node) bool {
		name := ""
		switch n := n.(type) {
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && !local["p."+id.Name] && !slices.Contains([]string{"string", "len", "append", "panic"}, id.Name) {
				name = id.Name
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok {
				name = id.Name
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && isPackage(names, id.Name) && !names[id.Name+"."+n.Sel.Name] {
				t.Errorf("%s: nothing is called %s.%s", page, id.Name, n.Sel.Name)
			}
		}
		if name != "" && !known[name] {
			t.Errorf("%s: nothing is called %s", page, name)
		}
		return true
	})
}

// isPackage reports whether a package of this module has a name.
func isPackage(names map[string]bool, pkg string) bool { return names["package "+pkg] }

// declared has what this module declares: package.Name, Type.Name for methods and fields, and "package " with the name of each package.
func declared(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := fs.WalkDir(os.DirFS("../.."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" || d.Name() == "testdata"):
			return fs.SkipDir
		case path.Ext(name) != ".go":
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("../..", name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		declareAll(out, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func declareAll(out map[string]bool, file *ast.File) {
	out["package "+file.Name.Name] = true
	for _, decl := range file.Decls {
		declare(out, file.Name.Name, decl)
	}
}

func declare(out map[string]bool, pkg string, decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		owner := pkg
		if d.Recv != nil {
			recv := d.Recv.List[0].Type
			if star, ok := recv.(*ast.StarExpr); ok {
				recv = star.X
			}
			if id, ok := recv.(*ast.Ident); ok {
				owner = id.Name
			}
		}
		out[owner+"."+d.Name.Name] = true
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			declareSpec(out, pkg, spec)
		}
	}
}

func declareSpec(out map[string]bool, pkg string, spec ast.Spec) {
	var members *ast.FieldList
	owner := pkg
	switch s := spec.(type) {
	case *ast.ValueSpec:
		for _, n := range s.Names {
			out[pkg+"."+n.Name] = true
		}
	case *ast.TypeSpec:
		out[pkg+"."+s.Name.Name] = true
		owner = s.Name.Name
		switch u := s.Type.(type) {
		case *ast.StructType:
			members = u.Fields
		case *ast.InterfaceType:
			members = u.Methods
		}
	}
	if members == nil {
		return
	}
	for _, f := range members.List {
		for _, n := range f.Names {
			out[owner+"."+n.Name] = true
		}
		if id, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 { // embedded
			out[owner+"."+id.Name] = true
		}
	}
}
