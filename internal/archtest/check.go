package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A Module is a Go module with its rules.
type Module struct {
	Path       string
	Packages   []Package
	Owners     []Owner
	Limits     Limits
	Exceptions []string // struct types that may exceed the field limit
}

// Check reads the imports of every Go file in the module, for all build tags. dir is the root of the module. It returns
// one line for each violation, with the position, the import and the reason. Nested modules, testdata and hidden
// directories are skipped.
func (m Module) Check(dir fs.FS) ([]string, error) {
	var broken []string
	err := m.walk(dir, func(file string) error {
		more, err := m.file(dir, file)
		broken = append(broken, more...)
		return err
	})
	return broken, err
}

// walk calls visit for each Go file of the module at the root dir.
func (m Module) walk(dir fs.FS, visit func(file string) error) error {
	return fs.WalkDir(dir, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return enter(dir, file)
		case path.Ext(file) != ".go":
			return nil
		}
		return visit(file)
	})
}

// enter returns fs.SkipDir for a directory that does not belong to the module.
func enter(dir fs.FS, name string) error {
	if name == "." {
		return nil
	}
	base := path.Base(name)
	if base == "testdata" || base == "node_modules" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	if _, err := fs.Stat(dir, path.Join(name, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

// A source describes the Go file whose imports are checked.
type source struct {
	name     string
	pkg      Package
	test     bool // a test file
	external bool // a test file of an external test package
}

func (m Module) file(dir fs.FS, name string) ([]string, error) {
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	pkg, ok := m.pkg(path.Dir(name))
	if !ok {
		return []string{fmt.Sprintf("%s: the package has no row in the table of packages", name)}, nil
	}
	src := source{name: name, pkg: pkg, test: strings.HasSuffix(name, "_test.go")}
	src.external = src.test && strings.HasSuffix(parsed.Name.Name, "_test")
	var broken []string
	for _, imp := range parsed.Imports {
		if why := m.check(src, imp); why != "" {
			broken = append(broken, fmt.Sprintf("%s: imports %s: %s", set.Position(imp.Pos()), imp.Path.Value, why))
		}
	}
	return broken, nil
}

// check returns why an import violates the rules, "" if it does not.
func (m Module) check(src source, imp *ast.ImportSpec) string {
	name, err := strconv.Unquote(imp.Path.Value)
	if err != nil {
		return err.Error()
	}
	if name == "unsafe" && !src.test {
		return "only tests may"
	}
	if name == m.Path {
		return m.checkOurs(src, ".")
	}
	if ours, ok := strings.CutPrefix(name, m.Path+"/"); ok {
		return m.checkOurs(src, ours)
	}
	if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
		return m.checkOthers(src, name)
	}
	return "" // standard library
}

func (m Module) checkOurs(src source, target string) string {
	to, ok := m.pkg(target)
	from := src.pkg
	switch {
	case !ok:
		return "the package has no row in the table of packages"
	case target == from.Path:
		return ""
	case src.external && from.Layer == 0 && to.Layer > 0:
		return "tests of leaves import leaves alone"
	case src.external:
		return ""
	case to.TestOnly && !src.test && !from.TestOnly:
		return "a test suite is for tests alone"
	case to.TestOnly && to.Layer == from.Layer:
		return ""
	case len(to.Only) > 0 && !covers(to.Only, from.Path):
		return "only " + strings.Join(to.Only, ", ") + " may"
	case covers(from.Beside, target):
		return ""
	case to.Layer < from.Layer && from.Below != nil && !covers(from.Below, target):
		return fmt.Sprintf("of the layers below, the row of %s names %s only", from.Path, strings.Join(from.Below, ", "))
	case to.Layer < from.Layer:
		return ""
	case to.Layer > from.Layer:
		return fmt.Sprintf("it is in layer %d, above layer %d", to.Layer, from.Layer)
	}
	return fmt.Sprintf("it is in the same layer, and the row of %s does not name it", from.Path)
}

func (m Module) checkOthers(src source, name string) string {
	owner := Owner{}
	found := false
	for _, o := range m.Owners {
		if within(name, o.Path) && len(o.Path) > len(owner.Path) {
			owner, found = o, true
		}
	}
	switch {
	case !found:
		return "it has no row in the table of owners"
	case src.test || src.pkg.TestOnly && len(owner.Packages) == 0 || covers(owner.Packages, src.pkg.Path):
		return ""
	case len(owner.Packages) == 0:
		return "it is for tests alone"
	}
	return "its owners are " + strings.Join(owner.Packages, ", ")
}

// pkg returns the entry of m.Packages for a directory. An exact Path takes precedence over one with "/...". ok is false
// if there is none.
func (m Module) pkg(dir string) (Package, bool) {
	for _, exact := range []bool{true, false} {
		for _, r := range m.Packages {
			if r.Path == dir || !exact && covers([]string{r.Path}, dir) {
				return r, true
			}
		}
	}
	return Package{}, false
}

// covers reports whether one of the patterns matches name, which may be a pattern itself.
func covers(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		tree, all := strings.CutSuffix(p, "/...")
		return p == name || all && within(name, tree)
	})
}

// within reports whether the path name is the folder tree or below it.
func within(name, tree string) bool {
	return name == tree || strings.HasPrefix(name, tree+"/")
}
