package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// testRun is a `go test` command of .ci/run with the package and the tests that it names.
var testRun = regexp.MustCompile(`go test (?:-[a-z]+ )*(\./\S+) .*?-(run|bench) (?:'([^']*)'|([A-Za-z]\S*))`)

// TestCICommands: each `go test` command of .ci/run names a package of this module and tests of it. Go itself accepts a pattern that matches no
// test.
func TestCICommands(t *testing.T) {
	script, err := os.ReadFile(filepath.Join(root, ".ci", "run"))
	if err != nil {
		t.Fatal(err)
	}
	commands := testRun.FindAllStringSubmatch(string(script), -1)
	if len(commands) == 0 {
		t.Fatal("no command of .ci/run names a package and tests")
	}
	for _, m := range commands {
		pattern := m[3] + m[4]
		if pattern == "^$" {
			pattern = "" // a benchmark alone
		}
		names := strings.Split(strings.TrimRight(regexp.MustCompile(`^\^?(Test)?\(?`).ReplaceAllString(pattern, ""), ")$"), "|")
		tests := testNames(t, filepath.Join(root, m[1]))
		if len(tests) == 0 {
			t.Errorf("%s: %s has no tests", m[0], m[1])
		}
		for _, name := range names {
			if !hasPrefix(tests, "Test"+strings.TrimPrefix(name, "Test")) {
				t.Errorf("%s: %s has no test that begins with Test%s", m[0], m[1], name)
			}
		}
	}
}

// testNames returns the names of the test functions in dir.
func testNames(t *testing.T, dir string) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") {
				names = append(names, fn.Name.Name)
			}
		}
	}
	return names
}

func hasPrefix(names []string, prefix string) bool {
	for _, name := range names {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
