package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/archtest"
)

const contributing = "CONTRIBUTING.md"

// fencedCode is a block of code in Markdown.
var fencedCode = regexp.MustCompile("(?ms)^```.*?^```")

// quotedCode is code in a line of Markdown.
var quotedCode = regexp.MustCompile("`([^`]+)`")

// placeholder is a word in capitals that stands for a name.
var placeholder = regexp.MustCompile(`\b[A-Z]{3,}\b|WireNAME`)

// TestContributing: what the page names exists, and no package is missing from its map.
func TestContributing(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root, contributing))
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, m := range quotedCode.FindAllSubmatch(fencedCode.ReplaceAll(page, nil), -1) {
		named[string(m[1])] = true
	}
	declared, files := functions(t), fileNames(t)
	for name := range named {
		switch {
		case strings.ContainsAny(name, " (*<\"") || placeholder.MatchString(name):
		case strings.HasSuffix(name, ".go") && !strings.Contains(name, "/"):
			if !files[name] {
				t.Errorf("no file is called %s", name)
			}
		case strings.Contains(name, "/"):
			if _, err := os.Stat(filepath.Join(root, name)); err != nil {
				t.Errorf("%s does not exist", name)
			}
		case strings.Contains(name, ".") && !declared[name]:
			t.Errorf("nothing is called %s", name)
		}
	}
	for _, pkg := range archtest.Packages {
		dir := strings.TrimSuffix(pkg.Path, "/...")
		if files, _ := filepath.Glob(filepath.Join(root, dir, "*.go")); len(files) > 0 && dir != "." && !named[dir] {
			t.Errorf("the map lacks the package %s", dir)
		}
	}
}

// fileNames has the name of each file of the module, without its folder.
func fileNames(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), ".", func(_ string, d fs.DirEntry, err error) error {
		if err == nil {
			out[d.Name()] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// functions has the functions of the module outside of tests as package.Name and its methods and types as Type.Name and package.Type.
func functions(t *testing.T) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	dir := os.DirFS(root)
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != "." || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir() && strings.HasSuffix(d.Name(), "test"), path.Ext(name) != ".go", strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil // a broken file of testdata
		}
		for _, decl := range file.Decls {
			declare(out, file.Name.Name, decl)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// declare adds what a declaration declares.
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
			s, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			out[pkg+"."+s.Name.Name] = true
			if i, ok := s.Type.(*ast.InterfaceType); ok {
				for _, m := range i.Methods.List {
					for _, n := range m.Names {
						out[s.Name.Name+"."+n.Name] = true
					}
				}
			}
		}
	}
}
