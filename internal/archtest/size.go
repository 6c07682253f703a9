package archtest

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Limits are size limits of code. Limits of a Package take precedence.
type Limits struct {
	PackageLines int // lines of a package
	FileLines    int // lines of a file
	FuncLines    int // lines of a function
	Fields       int // fields of a struct
}

// Measure reads every Go file in the module at the root dir, except tests. It returns one line for each violation of a
// limit, with the position, the size and the limit. It also reports exceptions ("package.Type") that are not needed.
func (m Module) Measure(dir fs.FS) ([]string, error) {
	found := measure{module: m, lines: map[string]int{}, excused: map[string]bool{}}
	err := m.walk(dir, func(file string) error {
		pkg, ok := m.pkg(path.Dir(file))
		if !ok || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return err
		}
		return found.file(pkg, file, text)
	})
	found.packages()
	for _, name := range m.Exceptions {
		if !found.excused[name] {
			found.broken = append(found.broken, name+": is excepted and need not be")
		}
	}
	return found.broken, err
}

// A measure collects the violations of size limits that Measure finds.
type measure struct {
	module  Module
	lines   map[string]int  // by package
	excused map[string]bool // exceptions that were needed
	broken  []string
}

func (m *measure) refuse(place any, what string, has, limit int) {
	m.broken = append(m.broken, fmt.Sprintf("%s: %s: %d, at most %d", place, what, has, limit))
}

// file measures a file and its declarations.
func (m *measure) file(pkg Package, name string, text []byte) error {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	lines := bytes.Count(text, []byte("\n"))
	m.lines[path.Dir(name)] += lines
	if limit := m.module.Limits.FileLines; lines > limit {
		m.refuse(name, "the file's lines", lines, limit)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			m.function(set, n, "the lines of "+n.Name.Name)
		case *ast.FuncLit:
			m.function(set, n, "the lines of a function")
		case *ast.TypeSpec:
			if s, ok := n.Type.(*ast.StructType); ok {
				m.fields(pkg, set.Position(n.Pos()), path.Dir(name)+"."+n.Name.Name, s)
			}
		}
		return true
	})
	return nil
}

func (m *measure) function(set *token.FileSet, f ast.Node, what string) {
	from, to := set.Position(f.Pos()), set.Position(f.End())
	if lines, limit := to.Line-from.Line+1, m.module.Limits.FuncLines; lines > limit {
		m.refuse(from, what, lines, limit)
	}
}

// fields counts the fields of a struct type. An embedded struct counts as one.
func (m *measure) fields(pkg Package, at token.Position, name string, s *ast.StructType) {
	n := 0
	for _, f := range s.Fields.List {
		n += max(len(f.Names), 1)
	}
	limit := m.module.Limits.Fields
	if pkg.MaxFields > 0 {
		limit = pkg.MaxFields
	}
	switch {
	case n <= limit:
	case slices.Contains(m.module.Exceptions, name):
		m.excused[name] = true
	default:
		m.refuse(at, "the fields of "+name, n, limit)
	}
}

// packages compares the number of lines of each package with its limit.
func (m *measure) packages() {
	for _, pkg := range slices.Sorted(maps.Keys(m.lines)) {
		limit := m.module.Limits.PackageLines
		if row, _ := m.module.pkg(pkg); row.MaxLines > 0 {
			limit = row.MaxLines
		}
		if m.lines[pkg] > limit {
			m.refuse(pkg, "the package's lines", m.lines[pkg], limit)
		}
	}
}
