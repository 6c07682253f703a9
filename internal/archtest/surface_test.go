package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The limits of the public API.
const (
	maxPublicPackages = 24
	maxPublicNames    = 1000 // exported names of packages, and exported methods of exported types; the number stays below
	maxDocLines       = 40   // of a package comment, so that go doc shows it on a screen
)

// TestPublicSurface counts the public packages and their exported names, and reads their package comments.
func TestPublicSurface(t *testing.T) {
	packages := publicFiles(t)
	if len(packages) > maxPublicPackages {
		t.Errorf("%d public packages, at most %d", len(packages), maxPublicPackages)
	}
	names := 0
	for dir, files := range packages {
		doc := ""
		for _, f := range files {
			doc += f.Doc.Text()
			for _, d := range f.Decls {
				names += exported(d)
			}
		}
		if lines := strings.Count(doc, "\n"); lines < 1 || lines > maxDocLines {
			t.Errorf("%s: the package comment has %d lines, expected 1 to %d", dir, lines, maxDocLines)
		}
	}
	if names >= maxPublicNames {
		t.Errorf("%d exported names in public packages, expected fewer than %d", names, maxPublicNames)
	}
	t.Logf("%d public packages with %d exported names", len(packages), names)
}

// publicFiles parses the files of every package that another module may import, by folder.
func publicFiles(t *testing.T) map[string][]*ast.File {
	t.Helper()
	files, own := map[string][]*ast.File{}, os.DirFS(root)
	err := fs.WalkDir(own, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, other := fs.Stat(own, path.Join(file, "go.mod"))
			hidden := strings.HasPrefix(d.Name(), ".") && file != "."
			if hidden || file != "." && other == nil || slices.Contains([]string{"internal", "testdata", "cmd"}, d.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil && f.Name.Name != "main" {
			files[path.Dir(file)] = append(files[path.Dir(file)], f)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// exported counts the exported names that a declaration adds to its package, and exported methods of exported types.
func exported(d ast.Decl) (n int) {
	if f, ok := d.(*ast.FuncDecl); ok {
		if f.Name.IsExported() && (f.Recv == nil || ast.IsExported(receiver(f.Recv.List[0].Type))) {
			return 1
		}
		return 0
	}
	for _, s := range d.(*ast.GenDecl).Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				n++
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() {
					n++
				}
			}
		}
	}
	return n
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}
