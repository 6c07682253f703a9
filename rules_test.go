package callwright_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/callwright/callwright"
)

// A literal is a text in the code. rule says that it stands where the id of a rule belongs; one that ends with a dot is the
// beginning of ids that are put together.
type literal struct {
	text, place string
	rule        bool
}

// ruleID is what a literal looks like that is the id of a rule, or the beginning of one.
var ruleID = regexp.MustCompile(`^[a-z]+\.[a-z_]*$`)

// sources are the files of the module's own code by folder, tests, suites and the table of rules left out.
func sources(t *testing.T) (*token.FileSet, map[string][]*ast.File) {
	t.Helper()
	set := token.NewFileSet()
	folders := map[string][]*ast.File{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		base := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(base, ".") || strings.HasSuffix(base, "test") || base == "testdata" || base == "tools"):
			return filepath.SkipDir // suites are called after what they test: wiretest, dialecttest
		case d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || path == "rules.go":
			return nil
		}
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		folders[filepath.ToSlash(filepath.Dir(path))] = append(folders[filepath.ToSlash(filepath.Dir(path))], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return set, folders
}

// literals are the texts in the module's own code.
func literals(t *testing.T) []literal {
	t.Helper()
	set, folders := sources(t)
	var out []literal
	for _, files := range folders {
		at := placesOf(files)
		for _, file := range files {
			rules := map[ast.Expr]bool{}
			ast.Inspect(file, func(n ast.Node) bool {
				at.mark(n, rules)
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil {
						out = append(out, literal{text, set.Position(lit.Pos()).String(), rules[lit]})
					}
				}
				return true
			})
		}
	}
	return out
}

// places are where a package takes the ids of rules: as which parameter of its functions and which member of its structs,
// by their names. Results and variables that are called so need no table.
type places struct{ params, members map[string]int }

func placesOf(files []*ast.File) places {
	p := places{map[string]int{}, map[string]int{}}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if i := called(n.Type.Params, "rule"); i >= 0 {
					p.params[n.Name.Name] = i
				}
			case *ast.AssignStmt:
				for i, to := range n.Lhs {
					if f, ok := n.Rhs[min(i, len(n.Rhs)-1)].(*ast.FuncLit); ok && called(f.Type.Params, "rule") >= 0 {
						p.params[nameOf(to)] = called(f.Type.Params, "rule")
					}
				}
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok {
					if i := called(s.Fields, "rule"); i >= 0 {
						p.members[n.Name.Name] = i
					}
				}
			}
			return true
		})
	}
	return p
}

// called is the place of a name in a list of fields, -1 without.
func called(list *ast.FieldList, name string) int {
	i := 0
	for _, f := range list.List {
		for _, n := range f.Names {
			if strings.EqualFold(n.Name, name) {
				return i
			}
			i++
		}
	}
	return -1
}

// mark notes which expressions below n are the ids of rules.
func (p places) mark(n ast.Node, rules map[ast.Expr]bool) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		markReturned(n, rules)
	case *ast.AssignStmt:
		for i, to := range n.Lhs {
			if len(n.Rhs) == len(n.Lhs) && strings.EqualFold(nameOf(to), "rule") {
				rules[leftmost(n.Rhs[i])] = true
			}
		}
	case *ast.KeyValueExpr:
		if key, ok := n.Key.(*ast.Ident); ok && strings.EqualFold(key.Name, "rule") {
			rules[leftmost(n.Value)] = true
		}
	case *ast.CallExpr:
		if i, ok := p.params[nameOf(n.Fun)]; ok && i < len(n.Args) {
			rules[leftmost(n.Args[i])] = true
		}
	case *ast.CompositeLit:
		if i, ok := p.members[nameOf(n.Type)]; ok && i < len(n.Elts) {
			rules[leftmost(n.Elts[i])] = true
		}
	}
}

// markReturned notes what a function returns as its result called rule.
func markReturned(f *ast.FuncDecl, rules map[ast.Expr]bool) {
	if f.Type.Results == nil || f.Body == nil {
		return
	}
	i := called(f.Type.Results, "rule")
	ast.Inspect(f.Body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok && i >= 0 && i < len(r.Results) {
			rules[leftmost(r.Results[i])] = true
		}
		_, inner := n.(*ast.FuncLit)
		return !inner
	})
}

// nameOf is the name of a function, method or type, "" for what has none.
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// leftmost is the first operand of a sum: of "json." + name the literal.
func leftmost(e ast.Expr) ast.Expr {
	for {
		sum, ok := e.(*ast.BinaryExpr)
		if !ok {
			return e
		}
		e = sum.X
	}
}

// hasRow reports whether the table has a row for an id, or for the family that it, or the beginning of an id, belongs to.
func hasRow(id string) bool {
	return slices.ContainsFunc(callwright.Rules(), func(r callwright.Rule) bool {
		prefix, family := strings.CutSuffix(r.ID, "*")
		return r.ID == id || family && strings.HasPrefix(id, prefix) || strings.HasSuffix(id, ".") && strings.HasPrefix(r.ID, id)
	})
}

// hasOwnRow reports whether the table has a row for the id itself.
func hasOwnRow(id string) bool {
	return slices.ContainsFunc(callwright.Rules(), func(r callwright.Rule) bool { return r.ID == id })
}

// Every rule that the code can emit has a row: else it has no risk, no words, and cannot be switched. Ids are looked for
// where the code takes one, and wherever a text looks like one of a family that the table knows. Those of leaves have no dot:
// the root puts their family before them.
func TestEveryEmittedRuleHasARow(t *testing.T) {
	families := map[string]bool{}
	for _, r := range callwright.Rules() {
		family, _, _ := strings.Cut(r.ID, ".")
		families[family] = true
	}
	emitted := 0
	for _, l := range literals(t) {
		family, _, _ := strings.Cut(l.text, ".")
		if !ruleID.MatchString(l.text) || !l.rule && !families[family] {
			continue
		}
		emitted++
		switch {
		case !hasRow(l.text):
			t.Errorf("%s: rule %s has no row in the table of rules", l.place, l.text)
		case l.rule && !strings.HasSuffix(l.text, ".") && !hasOwnRow(l.text):
			t.Errorf("%s: rule %s has the row of its family alone: give it one of its own", l.place, l.text)
		}
	}
	if emitted < 50 {
		t.Errorf("found %d rules: expected the code of the module to be here", emitted)
	}
}

// A row that no code emits is a promise that is not kept. Ids that are put together stand in the code by their last part.
func TestEveryRuleIsEmitted(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range literals(t) {
		seen[l.text] = true
	}
	for _, r := range callwright.Rules() {
		_, last, _ := strings.Cut(r.ID, ".")
		if last != "*" && !seen[r.ID] && !seen[last] {
			t.Errorf("no code emits %s", r.ID)
		}
	}
}

// grader is the one package whose notes may set a risk: that of a mended JSON text is known to package repair.
const grader = "reliable/internal/judge"

// The table of rules alone says what a note risks and which failure it belongs to: two places that say it disagree one day.
func TestNotesAreGradedByTheTable(t *testing.T) {
	set, folders := sources(t)
	notes := 0
	for folder, files := range folders {
		if folder == grader {
			continue
		}
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				lit, ok := n.(*ast.CompositeLit)
				if !ok || !isNote(lit) {
					return true
				}
				notes++
				for _, e := range lit.Elts {
					if key := keyOf(e); key == "Risk" || key == "Fault" {
						t.Errorf("%s: a note sets its own %s: the row of its rule says it, see Note.Classify", set.Position(e.Pos()), key)
					}
				}
				return true
			})
		}
	}
	if notes < 50 {
		t.Errorf("found %d notes: expected the code of the module to be here", notes)
	}
}

// isNote reports whether a literal is a note or a finding: by its type, or by a member Rule where the type is left out.
func isNote(lit *ast.CompositeLit) bool {
	if name := nameOf(lit.Type); name != "" {
		return name == "Note" || name == "Finding"
	}
	return lit.Type == nil && slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { return keyOf(e) == "Rule" })
}

// keyOf is the name of a member in a literal, "" without.
func keyOf(e ast.Expr) string {
	if kv, ok := e.(*ast.KeyValueExpr); ok {
		return nameOf(kv.Key)
	}
	return ""
}

func TestRulesAreDescribed(t *testing.T) {
	ids := map[string]bool{}
	for _, r := range callwright.Rules() {
		if r.Doc == "" || ids[r.ID] {
			t.Errorf("rule %q is not described, or has two rows", r.ID)
		}
		ids[r.ID] = true
	}
}
