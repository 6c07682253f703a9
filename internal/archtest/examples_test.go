package archtest_test

import (
	"flag"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/callwright/callwright/internal/longtest"
)

var update = flag.Bool("update", false, "write the expected output of the examples")

// TestExamples builds the module of examples, runs each of its programs and compares the output with output.txt. They import no internal
// package and need no network.
func TestExamples(t *testing.T) {
	longtest.Only(t)
	dir, bin := filepath.Join(root, "examples"), t.TempDir()
	build := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "./...")
	build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	mains, err := filepath.Glob(filepath.Join(dir, "*", "main.go"))
	if err != nil || len(mains) < 5 {
		t.Fatalf("%d programs: %v", len(mains), err)
	}
	for _, file := range mains {
		name := filepath.Base(filepath.Dir(file))
		t.Run(name, func(t *testing.T) {
			checkImports(t, file)
			got, err := exec.Command(filepath.Join(bin, name)).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, got)
			}
			golden := filepath.Join(dir, name, "output.txt")
			if *update {
				if err := os.WriteFile(golden, got, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(string(want), string(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

// checkImports refuses internal packages: the path of the module of examples would allow them.
func checkImports(t *testing.T, file string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, imp := range f.Imports {
		if strings.Contains(imp.Path.Value, "/internal/") || strings.HasSuffix(imp.Path.Value, `/internal"`) {
			t.Errorf("%s imports %s, which programs of other modules cannot", file, imp.Path.Value)
		}
	}
}
