package archtest_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/longtest"
)

// fragmentPlace matches the comment above a fragment of Go in a page. "func" and a signature is the function that the fragment is the body of, as other
// modules write it. A folder and "list" or "func" and a signature is the package of this module that it is part of: an element of a composite literal
// of the type behind "list", or a body.
var fragmentPlace = regexp.MustCompile(`<!-- go (?:in (\S+) )?(list|func)(.*) -->\n$`)

// A fragment is a block of Go in a page.
type fragment struct {
	page     string
	line     int
	code     string
	folder   string // "" for another module
	kind     string // "file", "func" or "list"
	argument string // a signature, or the type of the list
}

// fragmentsOf returns the blocks of Go in a page. Those of docs/embedding.md are held against examples in package interop.
func fragmentsOf(t *testing.T, page string) (out []fragment) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const open = "```go\n"
	rest, line := string(text), 1
	for {
		before, after, found := strings.Cut(rest, open)
		if !found {
			return out
		}
		line += strings.Count(before, "\n") + 1
		code, tail, _ := strings.Cut(after, "```\n")
		f := fragment{page: page, line: line, code: code, kind: "file"}
		if m := fragmentPlace.FindStringSubmatch(before); m != nil {
			f.folder, f.kind, f.argument = m[1], m[2], strings.TrimSpace(m[3])
		} else if !strings.HasPrefix(code, "package ") {
			f.kind, f.argument = "func", "()"
		}
		out = append(out, f)
		line += strings.Count(code, "\n") + 1
		rest = tail
	}
}

// source is a file of Go with the fragment. Results of a body that has none are zero, and variables that it does not use are used.
func (f *fragment) source(t *testing.T, pkg string, imports map[string]string) string {
	body := f.code
	switch f.kind {
	case "file":
		return body
	case "list":
		body = "var _ = " + f.argument + "{\n" + body + "}\n"
	case "func":
		body = "func _" + f.argument + " {\n" + body + used(t, f) + "panic(0)\n}\n"
	}
	file := "package " + pkg + "\n" + body
	parsed, err := parser.ParseFile(token.NewFileSet(), f.page, file, 0)
	if err != nil {
		t.Fatalf("%s:%d: %v", f.page, f.line, err)
	}
	var list []string
	for _, id := range parsed.Unresolved {
		if at, ok := imports[id.Name]; ok && !slices.Contains(list, at) && isPackage(parsed, id) {
			list = append(list, at)
		}
	}
	head := "package " + pkg + "\nimport (\n"
	for _, at := range list {
		head += fmt.Sprintf("\t%q\n", at)
	}
	return head + ")\n" + body
}

// isPackage reports whether an identifier stands before a dot.
func isPackage(file *ast.File, id *ast.Ident) (found bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.X == id {
			found = true
		}
		return true
	})
	return found
}

// used names the variables that a body declares at its top, so that those need no use that readers add.
func used(t *testing.T, f *fragment) string {
	parsed, err := parser.ParseFile(token.NewFileSet(), f.page, "package p\nfunc _"+f.argument+" {\n"+f.code+"panic(0)\n}", 0)
	if err != nil {
		t.Fatalf("%s:%d: %v", f.page, f.line, err)
	}
	var out strings.Builder
	for _, s := range parsed.Decls[0].(*ast.FuncDecl).Body.List {
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, x := range a.Lhs {
				if id := x.(*ast.Ident); id.Name != "_" {
					out.WriteString("_ = " + id.Name + "\n")
				}
			}
		}
	}
	return out.String()
}

// importPaths are the packages that fragments may name without importing them.
func importPaths() map[string]string {
	out := map[string]string{"callwright": module}
	for _, p := range []string{"agent", "caps", "dialect", "dialect/describe", "directive", "interop", "mcptool", "provider", "reliable", "repair", "schema", "schema/adapter",
		"signature", "simulate", "sse", "transform", "workspace", "workspace/statetool"} {
		out[path.Base(p)] = module + "/" + p
	}
	for _, p := range []string{"render", "result"} {
		out[p] = module + "/dialect/internal/" + p
	}
	for _, p := range []string{"bytes", "context", "encoding/json", "errors", "fmt", "io", "log", "net/http", "net/http/httptest", "os", "strings", "testing", "time"} {
		out[path.Base(p)] = p
	}
	return out
}

// TestFragments builds every block of Go of the documentation: in a module of its own, which sees what users see, or in the package that the comment
// above it names.
func TestFragments(t *testing.T) {
	longtest.Only(t)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) < 10 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	imports := importPaths()
	dir, inside := outsideModule(t), t.TempDir()
	overlay, names := []string{}, map[string]*fragment{}
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		if filepath.Base(page) == "embedding.md" {
			continue
		}
		for i, f := range fragmentsOf(t, page) {
			name := fmt.Sprintf("%s%d", strings.TrimSuffix(filepath.Base(page), ".md"), i)
			at := filepath.Join(dir, strings.ToLower(name), "main.go")
			pkg := "main"
			if f.folder != "" {
				at, pkg = filepath.Join(inside, name+".go"), path.Base(f.folder)
				overlay = append(overlay, fmt.Sprintf("%q: %q", filepath.Join(here, f.folder, "zz_"+name+".go"), at))
			}
			source := f.source(t, pkg, imports)
			if f.folder == "" && f.kind != "file" {
				source += "\nfunc main() {}\n"
			}
			names[at] = &f
			if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, []byte(source), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(names) < 8 {
		t.Fatalf("only %d fragments", len(names))
	}
	build(t, names, dir, "build", "-o", t.TempDir(), "./...")
	file := filepath.Join(inside, "overlay.json")
	if err := os.WriteFile(file, []byte(`{"Replace": {`+strings.Join(overlay, ", ")+`}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	folders := []string{"build", "-overlay", file}
	for _, f := range names {
		if f.folder != "" && !slices.Contains(folders, "./"+f.folder) {
			folders = append(folders, "./"+f.folder)
		}
	}
	build(t, names, root, folders...)
}

// outsideModule makes a module that uses this one.
func outsideModule(t *testing.T) string {
	dir := t.TempDir()
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(mod), "\n")
	text := "module fragments.example\n" + rest + "\nrequire " + module + " v0.0.0\nreplace " + module + " => " + here + "\n"
	for name, content := range map[string][]byte{"go.mod": []byte(text), "go.sum": sum} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// build runs the Go command. Its errors name pages in place of files.
func build(t *testing.T, names map[string]*fragment, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return
	}
	said := string(out)
	for at, f := range names {
		said = strings.ReplaceAll(said, strings.TrimPrefix(at, dir+"/"), fmt.Sprintf("the fragment at %s:%d", f.page, f.line))
	}
	t.Errorf("%v\n%s", err, said)
}
