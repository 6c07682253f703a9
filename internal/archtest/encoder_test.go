package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// jsonReaders are the packages that read JSON.
var jsonReaders = []string{module + "/internal/jsonx", "encoding/json", "github.com/go-json-experiment/json"}

// TestEncodersDoNotParse: the bytes of a provider are read once, by the decoder. The part of an encoder that passes them on
// reads no JSON: its files import no reader of it, and its method Pass, wherever it stands, calls none.
func TestEncodersDoNotParse(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "internal/wire/*/*.go"))
	if err != nil {
		t.Fatal(err)
	}
	passes := 0
	for _, name := range append(files, filepath.Join(root, "internal/wire/internal/kit/encoder.go")) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		readers := map[string]bool{}
		for _, imp := range file.Imports {
			path, _ := strconv.Unquote(imp.Path.Value)
			for _, r := range jsonReaders {
				if path == r {
					readers[filepath.Base(path)] = true
				}
			}
		}
		if base := filepath.Base(name); len(readers) > 0 && (base == "pass.go" || strings.Contains(name, "/kit/")) {
			t.Errorf("%s reads JSON", name)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "Pass" {
				continue
			}
			passes++
			ast.Inspect(f, func(n ast.Node) bool {
				s, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if id, ok := s.X.(*ast.Ident); ok && readers[id.Name] {
					t.Errorf("%s: Pass calls %s.%s", name, id.Name, s.Sel.Name)
				}
				return true
			})
		}
	}
	if passes < 5 {
		t.Errorf("%d methods Pass", passes)
	}
}
