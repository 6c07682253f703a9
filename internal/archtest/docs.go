package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strings"
)

// mixedCaps matches a word that can only be an identifier, such as fooBar.
var mixedCaps = regexp.MustCompile(`^[\pL_][\pL\pN_]*\p{Ll}\p{Lu}[\pL\pN_]*`)

// isError matches the words after "returns" in the doc comment of a function that returns an error.
var isError = regexp.MustCompile(`^(an|the) error\b`)

// CheckDocs reads the doc comments of every Go file in the module at the root dir. It returns one line for each comment
// that must be wrong. A comment that begins with an identifier must begin with the declared one. A function with an
// http.ResponseWriter and no result except an error must not be said to return something else, and neither may an
// option.
func (m Module) CheckDocs(dir fs.FS) ([]string, error) {
	var broken []string
	err := m.walk(dir, func(file string) error {
		text, err := fs.ReadFile(dir, file)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range parsed.Decls {
			for _, d := range splitDeclaration(decl) {
				if why := d.wrong(); why != "" {
					broken = append(broken, fmt.Sprintf("%s: %s", set.Position(d.doc.Pos()), why))
				}
			}
		}
		return nil
	})
	return broken, err
}

// A declared is a declaration with its doc comment.
type declared struct {
	doc   *ast.CommentGroup
	names []string
	fn    *ast.FuncType // nil if it is not a function
}

// splitDeclaration returns the specs of a declaration that may have their own doc comments.
func splitDeclaration(decl ast.Decl) []declared {
	var out []declared
	switch d := decl.(type) {
	case *ast.FuncDecl:
		out = append(out, declared{d.Doc, []string{d.Name.Name}, d.Type})
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			of := declared{}
			switch s := spec.(type) {
			case *ast.TypeSpec:
				of.doc, of.names = s.Doc, []string{s.Name.Name}
			case *ast.ValueSpec:
				of.doc = s.Doc
				for _, name := range s.Names {
					of.names = append(of.names, name.Name)
				}
			}
			if of.doc == nil && !d.Lparen.IsValid() {
				of.doc = d.Doc
			}
			out = append(out, of)
		}
	}
	return out
}

// wrong returns why a doc comment must be wrong, "" if no error is found.
func (d *declared) wrong() string {
	if d.doc == nil {
		return ""
	}
	text := d.doc.Text()
	for _, article := range []string{"A ", "An ", "The "} {
		text = strings.TrimPrefix(text, article)
	}
	what, returns := strings.CutPrefix(text, d.names[0]+" returns ")
	if d.fn != nil && returns && (isHandler(d.fn) && !isError.MatchString(what) || isOption(d.fn)) {
		return d.names[0] + " returns nothing, unlike its comment"
	}
	word := mixedCaps.FindString(text)
	for _, name := range d.names {
		if word == "" || word == name || word == name+"s" {
			return ""
		}
	}
	return fmt.Sprintf("the comment of %s begins with %s", strings.Join(d.names, ", "), word)
}

// isHandler reports whether a function has an http.ResponseWriter parameter and no result except an error.
func isHandler(fn *ast.FuncType) bool {
	writes := slices.ContainsFunc(fn.Params.List, func(f *ast.Field) bool {
		s, ok := f.Type.(*ast.SelectorExpr)
		return ok && s.Sel.Name == "ResponseWriter"
	})
	return writes && (fn.Results == nil || hasOneResult(fn, "error"))
}

// isOption reports whether a function has an Option as its only result.
func isOption(fn *ast.FuncType) bool { return hasOneResult(fn, "Option") }

// hasOneResult reports whether a function has one result, with an unqualified type name.
func hasOneResult(fn *ast.FuncType, typ string) bool {
	if fn.Results.NumFields() != 1 {
		return false
	}
	id, ok := fn.Results.List[0].Type.(*ast.Ident)
	return ok && id.Name == typ
}
