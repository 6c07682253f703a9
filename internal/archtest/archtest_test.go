package archtest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/callwright/callwright/internal/archtest"
	"github.com/callwright/callwright/internal/prerequisite"
	"github.com/google/go-cmp/cmp"
)

const (
	module = "github.com/callwright/callwright"
	root   = "../.."
)

var rules = archtest.Module{Path: module, Packages: archtest.Packages, Owners: archtest.Owners, Limits: archtest.Sizes, Exceptions: archtest.Exceptions}

// TestImports is the rule: what it reports has to leave the code, or to be decided in the table.
func TestImports(t *testing.T) {
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil || !strings.HasPrefix(string(mod), "module "+module+"\n") {
		t.Fatalf("%s is not the root of %s: %v", root, module, err)
	}
	broken, err := rules.Check(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		t.Error(b)
	}
}

// dependencies returns the import paths of packages and of all their dependencies.
func dependencies(t *testing.T, packages ...string) []string {
	t.Helper()
	tool := prerequisite.Program(t, "go")
	args := []string{"list", "-e", "-deps"}
	for _, pkg := range packages {
		if _, err := os.Stat(filepath.Join(root, strings.TrimSuffix(pkg, "/..."))); err == nil {
			args = append(args, "./"+pkg)
		}
	}
	cmd := exec.CommandContext(t.Context(), tool, args...)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

// below reports whether a package lies in one of the trees.
func below(dep string, trees []string) bool {
	return slices.ContainsFunc(trees, func(tree string) bool { return dep == tree || strings.HasPrefix(dep, tree+"/") })
}

func TestEmbedding(t *testing.T) {
	for _, dep := range dependencies(t, archtest.Embedded...) {
		if below(dep, archtest.Heavy) {
			t.Errorf("a program that embeds the library compiles %s", dep)
		}
	}
}

func TestLights(t *testing.T) {
	for _, l := range archtest.Lights {
		deps := dependencies(t, l.Package)
		if !slices.Contains(deps, module+"/"+l.Package) {
			t.Fatalf("%s is not among its own packages", l.Package)
		}
		for _, dep := range deps {
			if below(dep, l.Without) {
				t.Errorf("a program with %s alone compiles %s", l.Package, dep)
			}
		}
	}
}

// files returns a module with one import in each file, by name.
func files(imports map[string]string) fstest.MapFS {
	out := fstest.MapFS{"go.mod": {Data: []byte("module " + module + "\n")}}
	for name, imp := range imports {
		pkg := "p"
		if strings.HasSuffix(name, "_test.go") && !strings.Contains(name, "inside") {
			pkg = "p_test"
		}
		out[name] = &fstest.MapFile{Data: []byte("package " + pkg + "\n\nimport _ \"" + imp + "\"\n")}
	}
	return out
}

func TestCheckAccepts(t *testing.T) {
	broken, err := rules.Check(files(map[string]string{
		"sse/a.go":                            "encoding/binary",
		"sse/a_test.go":                       "unsafe",
		"dialect/a.go":                        module + "/repair",
		"dialect/internal/dialecttest/a.go":   module + "/dialect",
		"dialect/internal/dialecttest/b.go":   "github.com/google/go-cmp/cmp",
		"dialect/a_test.go":                   module + "/dialect/internal/dialecttest",
		"dialect/inside_test.go":              "pgregory.net/rapid",
		"schema/a.go":                         "github.com/santhosh-tekuri/jsonschema/v6/kind",
		"a.go":                                module + "/caps",
		"b.go":                                module + "/internal/jsonx",
		"a_test.go":                           module + "/simulate",
		"internal/wire/a.go":                  module,
		"internal/wire/openai/a.go":           module + "/internal/wire",
		"internal/wire/openai/b.go":           module + "/sse",
		"internal/wire/openai/a_test.go":      module + "/internal/wire/wiretest",
		"internal/wire/openai/inside_test.go": module + "/internal/wire/wiretest",
		"internal/provider/a.go":              module + "/internal/wire/openai",
		"internal/provider/b.go":              module + "/internal/wire",
		"simulate/a.go":                       module + "/internal/wire/anthropic",
		"agent/a_test.go":                     module + "/internal/gateway",
		"internal/store/a.go":                 "github.com/nats-io/nats.go/jetstream",
		"internal/telemetry/a.go":             "go.opentelemetry.io/otel/attribute",
		"internal/telemetry/b.go":             module + "/internal/gateway",
		"internal/gateway/a.go":               module + "/internal/provider",
		"internal/gateway/b.go":               module + "/internal/wire",
		"cmd/callwright/a.go":                 module + "/internal/gateway",
		"cmd/callwright/b.go":                 module + "/internal/wire",
		"cmd/callwright/internal/demo/a.go":   module + "/internal/telemetry",
		"cmd/callwright/internal/demo/b.go":   "github.com/spf13/cobra",
		"cmd/callwright/c.go":                 module + "/cmd/callwright/internal/demo",
		"sse/testdata/a.go":                   module,
		"test/clients/go.mod":                 "not read",
		"test/clients/a.go":                   "example.com/unknown",
		"node_modules/x/a.go":                 module,
		".hidden/a.go":                        module,
		"_old/a.go":                           module,
	}))
	if err != nil || len(broken) > 0 {
		t.Errorf("error %v, got:\n%s", err, strings.Join(broken, "\n"))
	}
}

func TestCheckRefuses(t *testing.T) {
	for _, c := range []struct{ file, imp, why string }{
		{"sse/a.go", module + "/internal/jsonx", "it is in the same layer, and the row of sse does not name it"},
		{"sse/a.go", "unsafe", "only tests may"},
		{"internal/jsonx/a.go", "unsafe", "only tests may"},
		{"repair/a.go", module + "/dialect", "it is in the same layer, and the row of repair does not name it"},
		{"schema/a.go", module + "/repair", "it is in the same layer, and the row of schema does not name it"},
		{"dialect/a.go", module, "it is in layer 1, above layer 0"},
		{"dialect/a_test.go", module, "tests of leaves import leaves alone"},
		{"caps/a_test.go", module + "/internal/wire/openai", "tests of leaves import leaves alone"},
		{"dialect/inside_test.go", module + "/schema", "it is in the same layer, and the row of dialect does not name it"},
		{"dialect/a.go", module + "/dialect/internal/dialecttest", "a test suite is for tests alone"},
		{"dialect/inside_test.go", module + "/internal/wire/wiretest", "it is in layer 2, above layer 0"},
		{"a.go", module + "/internal/provider", "it is in layer 2, above layer 1"},
		{"a.go", module + "/schema", "of the layers below, the row of . names caps, internal/jsonx only"},
		{"agent/a.go", module + "/reliable", "only internal/config, internal/config/internal/chooser, internal/gateway, internal/dashboard, internal/probe/bymode, cmd/... may"},
		{"internal/wire/openai/a.go", module + "/internal/wire/anthropic", "it is in the same layer, and the row of internal/wire/openai does not name it"},
		{"internal/wire/openai/a.go", module + "/internal/provider", "it is in the same layer, and the row of internal/wire/openai does not name it"},
		{"agent/a.go", module + "/internal/wire", "only internal/provider, internal/gateway, simulate, internal/wire/..., cmd/... may"},
		{"internal/dashboard/a.go", module + "/internal/wire", "only internal/provider, internal/gateway, simulate, internal/wire/..., cmd/... may"},
		{"internal/dashboard/a.go", module + "/internal/gateway", "it is in the same layer, and the row of internal/dashboard does not name it"},
		{"internal/gateway/a.go", module + "/cmd/callwright", "it is in the same layer, and the row of internal/gateway does not name it"},
		{"agent/a.go", module + "/utils", "the package has no row in the table of packages"},
		{"a.go", "github.com/nats-io/nats.go", "its owners are internal/store, internal/store/internal/refusal, internal/store/internal/socket, internal/store/natstest"},
		{"internal/trace/a.go", "go.opentelemetry.io/otel/sdk/trace", "its owners are internal/telemetry"},
		{"internal/gateway/a.go", "github.com/prometheus/client_golang/prometheus", "its owners are internal/telemetry"},
		{"internal/gateway/a.go", "github.com/spf13/cobra", "its owners are cmd/..."},
		{"sse/a.go", "github.com/google/go-cmp/cmp", "it is for tests alone"},
		{"dialect/internal/dialecttest/a.go", "github.com/nats-io/nats.go", "its owners are internal/store, internal/store/internal/refusal, internal/store/internal/socket, internal/store/natstest"},
		{"agent/a_test.go", "example.com/unknown", "it has no row in the table of owners"},
		{"internal/store/a.go", "github.com/nats-iox/x", "it has no row in the table of owners"},
	} {
		broken, err := rules.Check(files(map[string]string{c.file: c.imp}))
		want := []string{c.file + `:3:8: imports "` + c.imp + `": ` + c.why}
		if diff := cmp.Diff(want, broken); diff != "" || err != nil {
			t.Errorf("error %v (-want +got):\n%s", err, diff)
		}
	}
}

func TestCheckRefusesUnknownPackages(t *testing.T) {
	for _, file := range []string{"utils/a.go", "pkg/x/a.go", "internal/wire/bedrock/a.go", "dialect/more/a_test.go"} {
		broken, err := rules.Check(files(map[string]string{file: "io"}))
		if want := []string{file + ": the package has no row in the table of packages"}; err != nil || !slices.Equal(broken, want) {
			t.Errorf("got %q, error %v, want %q", broken, err, want)
		}
	}
}

func TestCheckFailsOnBrokenFiles(t *testing.T) {
	dir := fstest.MapFS{"sse/a.go": {Data: []byte("package ;")}}
	if _, err := rules.Check(dir); err == nil {
		t.Error("got no error for a file that is not Go")
	}
}

// TestTable: names are unique, and what rows name has a row.
func TestTable(t *testing.T) {
	packages := map[string]bool{}
	for _, r := range archtest.Packages {
		if packages[r.Path] || r.Layer < 0 || r.Layer > 3 {
			t.Errorf("package %s stands there twice, or in no layer", r.Path)
		}
		packages[r.Path] = true
	}
	known := func(owner string, names []string) {
		for _, n := range names {
			if base := strings.TrimSuffix(n, "/..."); !packages[n] && !packages[base] {
				t.Errorf("%s names %s, which has no row", owner, n)
			}
		}
	}
	for _, r := range archtest.Packages {
		known(r.Path, r.Beside)
		known(r.Path, r.Below)
		known(r.Path, r.Only)
		if at := strings.LastIndex(r.Path, "/internal/"); at >= 0 && len(r.Only) > 0 && !slices.ContainsFunc(r.Only, func(n string) bool { return !below(n, []string{r.Path[:at]}) }) {
			t.Errorf("%s: Only repeats what its folder internal enforces", r.Path)
		}
	}
	owned := map[string]bool{}
	for _, o := range archtest.Owners {
		if owned[o.Path] {
			t.Errorf("%s stands there twice", o.Path)
		}
		owned[o.Path] = true
		known(o.Path, o.Packages)
	}
	known("Embedded", archtest.Embedded)
}
