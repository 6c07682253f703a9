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

// A House is a module and its rules.
type House struct {
	Module     string
	Rooms      []Room
	Owners     []Owner
	Limits     Limits
	Exceptions []string // struct types that may have more fields than the limit
}

// Check reads the imports of every Go file in the module whose root is dir, whatever its build tags, and returns what breaks the
// rule, a line each: the place, the import and why. Other modules inside, testdata and hidden folders are left out.
func (h House) Check(dir fs.FS) ([]string, error) {
	var broken []string
	err := h.walk(dir, func(file string) error {
		more, err := h.file(dir, file)
		broken = append(broken, more...)
		return err
	})
	return broken, err
}

// walk visits the Go files of the module whose root is dir.
func (h House) walk(dir fs.FS, visit func(file string) error) error {
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

// enter returns fs.SkipDir for a folder that does not belong to the module.
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

// A source is the file that imports.
type source struct {
	name     string
	room     Room
	test     bool // a test, of whatever package
	external bool // a test outside the package
}

func (h House) file(dir fs.FS, name string) ([]string, error) {
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, name, text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	room, ok := h.room(path.Dir(name))
	if !ok {
		return []string{fmt.Sprintf("%s: the package has no row in the table of rooms", name)}, nil
	}
	src := source{name: name, room: room, test: strings.HasSuffix(name, "_test.go")}
	src.external = src.test && strings.HasSuffix(parsed.Name.Name, "_test")
	var broken []string
	for _, imp := range parsed.Imports {
		if why := h.judge(src, imp); why != "" {
			broken = append(broken, fmt.Sprintf("%s: imports %s: %s", set.Position(imp.Pos()), imp.Path.Value, why))
		}
	}
	return broken, nil
}

// judge returns why an import breaks the rule, nothing when it does not.
func (h House) judge(src source, imp *ast.ImportSpec) string {
	name, err := strconv.Unquote(imp.Path.Value)
	if err != nil {
		return err.Error()
	}
	if name == "unsafe" && !src.test {
		return "only tests may"
	}
	if name == h.Module {
		return h.judgeOurs(src, ".")
	}
	if ours, ok := strings.CutPrefix(name, h.Module+"/"); ok {
		return h.judgeOurs(src, ours)
	}
	if first, _, _ := strings.Cut(name, "/"); strings.Contains(first, ".") {
		return h.judgeOthers(src, name)
	}
	return "" // the standard library
}

func (h House) judgeOurs(src source, target string) string {
	to, ok := h.room(target)
	from := src.room
	switch {
	case !ok:
		return "the package has no row in the table of rooms"
	case target == from.Path:
		return ""
	case src.external && from.Floor == 0 && to.Floor > 0:
		return "tests of leaves stay on the ground floor"
	case src.external:
		return ""
	case to.Suite && !src.test && !from.Suite:
		return "a suite is for tests alone"
	case to.Suite && to.Floor == from.Floor:
		return ""
	case len(to.Only) > 0 && !covers(to.Only, from.Path):
		return "only " + strings.Join(to.Only, ", ") + " may"
	case covers(from.Beside, target):
		return ""
	case to.Floor < from.Floor && from.Below != nil && !covers(from.Below, target):
		return fmt.Sprintf("of the floors below, the row of %s names %s only", from.Path, strings.Join(from.Below, ", "))
	case to.Floor < from.Floor:
		return ""
	case to.Floor > from.Floor:
		return fmt.Sprintf("it is on floor %d, above floor %d", to.Floor, from.Floor)
	}
	return fmt.Sprintf("it is on the same floor, and the row of %s does not name it", from.Path)
}

func (h House) judgeOthers(src source, name string) string {
	owner := Owner{}
	found := false
	for _, o := range h.Owners {
		if within(name, o.Path) && len(o.Path) > len(owner.Path) {
			owner, found = o, true
		}
	}
	switch {
	case !found:
		return "it has no row in the table of owners"
	case src.test || src.room.Suite && len(owner.Rooms) == 0 || covers(owner.Rooms, src.room.Path):
		return ""
	case len(owner.Rooms) == 0:
		return "it is for tests alone"
	}
	return "its owners are " + strings.Join(owner.Rooms, ", ")
}

// room finds the row of a package: an exact one before one with "/...".
func (h House) room(dir string) (Room, bool) {
	for _, exact := range []bool{true, false} {
		for _, r := range h.Rooms {
			if r.Path == dir || !exact && covers([]string{r.Path}, dir) {
				return r, true
			}
		}
	}
	return Room{}, false
}

// covers reports whether one of the patterns means the path, which may be a pattern itself.
func covers(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		tree, all := strings.CutSuffix(p, "/...")
		return p == name || all && within(name, tree)
	})
}

// within reports whether name is tree or lies below it.
func within(name, tree string) bool {
	return name == tree || strings.HasPrefix(name, tree+"/")
}
