package archtest_test

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/callwright/callwright/internal/archtest"
	"github.com/google/go-cmp/cmp"
)

// TestSizes is the rule of sizes: what it reports has to be taken apart.
func TestSizes(t *testing.T) {
	broken, err := rules.Measure(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		t.Error(b)
	}
}

// small is a module with limits that fit on a screen.
var small = archtest.Module{
	Path: module,
	Packages: []archtest.Package{
		{Path: "a"},
		{Path: "big", MaxLines: 100},
		{Path: "caps", MaxFields: 5},
	},
	Limits:     archtest.Limits{PackageLines: 20, FileLines: 12, FuncLines: 4, Fields: 3},
	Exceptions: []string{"a.old"},
}

// tooMany is needed, so that the exception is.
const tooMany = "package a\n\ntype old struct {\n\ta, b, c, d int\n}\n"

func TestMeasure(t *testing.T) {
	long := strings.Repeat("\n", 9)
	for _, c := range []struct {
		about string
		files map[string]string
		want  []string
	}{
		{"nothing too large", map[string]string{
			"a/b.go":      "package a\n\ntype s struct {\n\ta, b, c int\n}\n\nfunc f() {\n\t_ = 1\n\t_ = 2\n}\n",
			"a/b_test.go": "package a\n\ntype s struct{ a, b, c, d int }\n\nfunc f() {\n\n\n\n\n}\n" + long + long,
		}, nil},
		{"a package", map[string]string{"a/b.go": "package a\n" + long, "a/c.go": "package a\n" + long},
			[]string{"a: the package's lines: 25, at most 20"}},
		{"a package with a limit of its own", map[string]string{"big/b.go": "package big\n" + long, "big/c.go": "package big\n" + long, "big/d.go": "package big\n" + long}, nil},
		{"a file", map[string]string{"a/b.go": "package a\n\n\n\n" + long},
			[]string{"a/b.go: the file's lines: 13, at most 12"}},
		{"a method", map[string]string{"a/b.go": "package a\n\nfunc (x old) run() {\n\t_ = 1\n\t_ = 2\n\t_ = 3\n}\n"},
			[]string{"a/b.go:3:1: the lines of run: 5, at most 4"}},
		{"a function literal", map[string]string{"a/b.go": "package a\n\nvar f = func() {\n\t_ = 1\n\t_ = 2\n\t_ = 3\n}\n"},
			[]string{"a/b.go:3:9: the lines of a function: 5, at most 4"}},
		{"a struct", map[string]string{"a/b.go": "package a\n\ntype s struct {\n\told\n\tb, c, d int\n}\n"},
			[]string{"a/b.go:3:6: the fields of a.s: 4, at most 3"}},
		{"a struct inside a function", map[string]string{"a/b.go": "package a\n\nfunc f() {\n\ttype s struct{ a, b, c, d int }\n}\n"},
			[]string{"a/b.go:4:7: the fields of a.s: 4, at most 3"}},
		{"structs with a limit of their own", map[string]string{"caps/b.go": "package caps\n\ntype t struct{ a, b, c, d, e int }\n\ntype s struct{ a, b, c, d, e, f int }\n"},
			[]string{"caps/b.go:5:6: the fields of caps.s: 6, at most 5"}},
	} {
		dir := fstest.MapFS{"a/old.go": {Data: []byte(tooMany)}}
		for name, text := range c.files {
			dir[name] = &fstest.MapFile{Data: []byte(text)}
		}
		got, err := small.Measure(dir)
		if diff := cmp.Diff(c.want, got); diff != "" || err != nil {
			t.Errorf("%s: error %v (-want +got):\n%s", c.about, err, diff)
		}
	}
}

func TestMeasureRefusesStaleExceptions(t *testing.T) {
	got, err := small.Measure(fstest.MapFS{"a/b.go": {Data: []byte("package a\n\ntype old struct{ a int }\n")}})
	if want := []string{"a.old: is excepted and need not be"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, error %v, want %q", got, err, want)
	}
}

func TestMeasureFailsOnBrokenFiles(t *testing.T) {
	if _, err := small.Measure(fstest.MapFS{"a/b.go": {Data: []byte("package a\n\nfunc {")}}); err == nil {
		t.Error("got no error for a file that is not Go")
	}
}
