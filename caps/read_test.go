package caps_test

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/callwright/callwright/caps"
)

// TestEveryFactIsRead looks in the code of the stages for what reads each fact: one that nothing reads cannot change anything.
func TestEveryFactIsRead(t *testing.T) {
	read := fieldsRead(t)
	for _, key := range caps.Keys() {
		if field := fieldOf(t, key); !read[field] {
			t.Errorf("%s: no stage reads %s", key, field)
		}
	}
}

// fieldOf is the field of a fact, by its type and its name.
func fieldOf(t *testing.T, key string) string {
	t.Helper()
	for _, value := range []string{"yes", "7", "true", "gemini", "always", "user", "none", "primed", "native=1+0-0", "look=out", "name/choice=1-0", "x"} {
		c, err := caps.Caps{}.With(caps.Fact{Key: key, Value: value})
		if err != nil {
			continue
		}
		c.Sources = nil
		if f := setField(reflect.ValueOf(c)); f != "" {
			return f
		}
	}
	t.Fatalf("%s: no value sets it", key)
	return ""
}

// setField is the field below v that is not zero.
func setField(v reflect.Value) string {
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.IsZero():
		case f.Kind() == reflect.Struct:
			return setField(f)
		default:
			return v.Type().Name() + "." + v.Type().Field(i).Name
		}
	}
	return ""
}

// fieldsRead are the fields of facts that the code of the stages reads.
func fieldsRead(t *testing.T) map[string]bool {
	t.Helper()
	read, fset, exports, dirs := map[string]bool{}, token.NewFileSet(), map[string]string{}, map[string]string{}
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{if not .Standard}}{{.Dir}}{{end}}", "../caps", "../reliable/...", "../internal/wire/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(out) {
		f := strings.Split(strings.TrimSuffix(string(line), "\n"), "\t")
		if exports[f[0]] = f[1]; f[2] != "" {
			dirs[f[0]] = f[2]
		}
	}
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for path, dir := range dirs {
		if !strings.Contains(path, "callwright/reliable") && !strings.Contains(path, "callwright/internal/wire") && !strings.HasSuffix(path, "callwright/caps") {
			continue
		}
		var files []*ast.File
		names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		info := &types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}}
		if _, err := (&types.Config{Importer: imports}).Check(path, fset, files, info); err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if base := filepath.Base(fset.Position(file.Pos()).Filename); base != "fact.go" { // which lists them all
				addRead(read, file, info)
			}
		}
	}
	return read
}

// addRead adds the fields of facts that a file reads, which is all but setting them.
func addRead(read map[string]bool, file *ast.File, info *types.Info) {
	set := map[ast.Expr]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				set[e] = true
			}
		case *ast.SelectorExpr:
			sel := info.Selections[n]
			if sel == nil || sel.Kind() != types.FieldVal || set[n] {
				return true
			}
			of := sel.Recv()
			if p, ok := of.(*types.Pointer); ok {
				of = p.Elem()
			}
			if named, ok := of.(*types.Named); ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Name() == "caps" {
				read[named.Obj().Name()+"."+n.Sel.Name] = true
			}
		}
		return true
	})
}
