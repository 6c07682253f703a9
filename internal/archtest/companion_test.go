package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// attached is the field by which a request has its companion.
const attached = "Attached"

// TestCompanionsAreNotChanged: shallow copies of a request share its companion. No code has a pointer to one that is attached: the field
// is set by a literal of a request, to a literal of a companion, or by internal/companion, which alone reads it beside the root.
func TestCompanionsAreNotChanged(t *testing.T) {
	literals := 0
	module := os.DirFS(root)
	err := fs.WalkDir(module, ".", func(file string, d fs.DirEntry, err error) error {
		hidden := strings.HasPrefix(path.Base(file), ".") && file != "."
		switch {
		case err != nil:
			return err
		case d.IsDir() && (hidden || slices.Contains([]string{"testdata", "node_modules"}, d.Name())):
			return fs.SkipDir
		case path.Ext(file) != ".go" || slices.Contains([]string{".", "internal/companion"}, path.Dir(file)):
			return nil
		}
		text, err := fs.ReadFile(module, file)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, file, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, at := range keptCompanions(parsed) {
			t.Errorf("%s: %s is used: call Of, Change or With of internal/companion", files.Position(at), attached)
		}
		literals += strings.Count(string(text), attached+": &companion.Companion{")
		return nil
	})
	if err != nil || literals == 0 {
		t.Fatalf("%d literals, %v", literals, err)
	}
}

// keptCompanions returns the places at which a file selects the field, or sets it to something other than a literal.
func keptCompanions(file *ast.File) (at []token.Pos) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if n.Sel.Name == attached {
				at = append(at, n.Pos())
			}
		case *ast.KeyValueExpr:
			if id, ok := n.Key.(*ast.Ident); ok && id.Name == attached && !isLiteral(n.Value) {
				at = append(at, n.Pos())
			}
		}
		return true
	})
	return at
}

func isLiteral(e ast.Expr) bool {
	address, ok := e.(*ast.UnaryExpr)
	if !ok {
		return false
	}
	_, ok = address.X.(*ast.CompositeLit)
	return ok
}

func TestKeptCompanions(t *testing.T) {
	for code, places := range map[string]int{
		"x := Request{Attached: &companion.Companion{}}": 0,
		"x.Attach = y":                              0,
		"x := Request{Attached: c}":                 1,
		"x := Request{Attached: f()}":               1,
		"x.Attached = &companion.Companion{}":       1,
		"c := x.Attached.(*companion.Companion)":    1,
		"y.Attached, z = x.z.Attached, &x.Attached": 3,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() { "+code+" }", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if at := keptCompanions(file); len(at) != places {
			t.Errorf("%s: found at %d places, expected %d", code, len(at), places)
		}
	}
}
