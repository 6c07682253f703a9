package interop_test

import (
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// page shows the examples of this package, which run as tests, and what they print.
const page = "../docs/embedding.md"

// TestPage holds every block of Go on the page, and the block of text after it, against an example.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	bodies, outputs := examples(t)
	shown := 0
	for i, block := range strings.Split(string(text), "```go\n")[1:] {
		code, rest, ok := strings.Cut(block, "```\n")
		_, printed, printedOK := strings.Cut(rest, "```text\n")
		printed, _, _ = strings.Cut(printed, "```")
		if !ok || !printedOK || i >= len(bodies) {
			t.Fatalf("%s: block %d of Go has no example, or no block of text behind it", page, i)
		}
		if strings.TrimSpace(code) != bodies[i] {
			t.Errorf("%s: block %d is not the example:\n%s\nit should be\n%s", page, i, code, bodies[i])
		}
		if strings.TrimSpace(printed) != outputs[i] {
			t.Errorf("%s: the example behind block %d prints\n%s\nnot\n%s", page, i, outputs[i], printed)
		}
		shown++
	}
	if shown != len(bodies) {
		t.Errorf("%s shows %d of %d examples", page, shown, len(bodies))
	}
}

// examples are the bodies of the examples without their indentation, and what they print, in order.
func examples(t *testing.T) (bodies, outputs []string) {
	t.Helper()
	const file = "example_test.go"
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		body := string(source[set.Position(f.Body.Lbrace).Offset+1 : set.Position(f.Body.Rbrace).Offset])
		code, output, _ := strings.Cut(body, "\t// Output:\n")
		plain, err := format.Source([]byte(code))
		if err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, strings.TrimSpace(strings.ReplaceAll("\n"+string(plain), "\n\t", "\n")))
		outputs = append(outputs, strings.TrimSpace(strings.ReplaceAll(output, "\t// ", "")))
	}
	return bodies, outputs
}
