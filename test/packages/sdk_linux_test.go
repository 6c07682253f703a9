package packages_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/prerequisite"
)

// members returns the names of a struct's members in JSON, sorted; those that may be absent have a question mark.
func members(t reflect.Type) []string {
	var out []string
	for f := range fieldsOf(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		if strings.Contains(options, "omitempty") {
			name += "?"
		}
		out = append(out, name)
	}
	if t == reflect.TypeFor[callwright.Report]() {
		out = append(out, "outcome", "class?") // as the gateway adds them
	}
	slices.Sort(out)
	return out
}

func fieldsOf(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for i := range t.NumField() {
			if !yield(t.Field(i)) {
				return
			}
		}
	}
}

// typed are the types of reports, which the packages for Python and Node repeat.
var typed = map[string]reflect.Type{
	"Report": reflect.TypeFor[callwright.Report](), "Attempt": reflect.TypeFor[callwright.Attempt](), "Note": reflect.TypeFor[callwright.Note](),
	"InvalidCall": reflect.TypeFor[callwright.InvalidCall](), "Violation": reflect.TypeFor[callwright.Violation](),
}

// snippets returns the blocks of a page in a language.
func snippets(t *testing.T, page, language string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```").FindAllStringSubmatch(string(text), -1) {
		out = append(out, m[1])
	}
	if len(out) == 0 {
		t.Fatalf("%s has no block of %s", page, language)
	}
	return out
}

// The wheel is installed without an index into an empty environment. Its module starts a gateway, whose answers have the types that it declares.
func TestWheel(t *testing.T) {
	uv := prerequisite.Program(t, "uv")
	if line := installLine(t, "pip install "); !strings.HasSuffix(line, "/"+wheelFile) {
		t.Errorf("%s says %s", installPage, line)
	}
	dir := t.TempDir()
	env := filepath.Join(dir, "env")
	do(t, dir, uv, "venv", "--quiet", env)
	python := filepath.Join(env, "bin/python")
	begin := time.Now()
	do(t, dir, uv, "pip", "install", "--quiet", "--no-index", "--python", python, file(t, wheelFile))
	if got := do(t, dir, filepath.Join(env, "bin/callwright"), "version"); !strings.HasPrefix(got, "callwright v") {
		t.Errorf("got %s", got)
	}
	if got := do(t, dir, python, "-m", "callwright", "version"); !strings.HasPrefix(got, "callwright v") {
		t.Errorf("got %s", got)
	}
	copyTo(t, "testdata/first.py", dir)
	var said struct {
		Types map[string][]string
		Call  json.RawMessage
	}
	if err := json.Unmarshal([]byte(do(t, dir, python, "first.py")), &said); err != nil {
		t.Fatal(err)
	}
	logFirstCall(t, "wheel", begin)
	if string(said.Call) != `{"name": "get_weather", "arguments": {"city": "Oslo"}}` {
		t.Errorf("got %s", said.Call)
	}
	for name, of := range typed {
		if got, want := said.Types[name], members(of); !slices.Equal(got, want) {
			t.Errorf("%s: the members are %v, want %v", name, got, want)
		}
	}
	latest, err := os.ReadFile("../python/latest.txt")
	if err != nil {
		t.Fatal(err)
	}
	do(t, dir, uv, "pip", "install", "--quiet", "--python", python, regexp.MustCompile(`(?m)^openai==[\d.]+`).FindString(string(latest))) // the SDK of the page
	for _, page := range []string{installPage, "../../packaging/python/README.md"} {
		for _, code := range snippets(t, page, "python") {
			do(t, dir, python, "-c", "import callwright\n"+code)
		}
	}
}

// The gateway of a program ends with it, also when it is killed.
func TestWheelKilled(t *testing.T) {
	uv := prerequisite.Program(t, "uv")
	dir := t.TempDir()
	env := filepath.Join(dir, "env")
	do(t, dir, uv, "venv", "--quiet", env)
	do(t, dir, uv, "pip", "install", "--quiet", "--no-index", "--python", filepath.Join(env, "bin/python"), file(t, wheelFile))
	copyTo(t, "testdata/killed.py", dir)
	if got := do(t, dir, filepath.Join(env, "bin/python"), "killed.py"); strings.TrimSpace(got) != "ended" {
		t.Errorf("got %s", got)
	}
}

func copyTo(t *testing.T, name, dir string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// tsMember matches a member of an interface.
var tsMember = regexp.MustCompile(`(?m)^  (\w+\??): `)

// The npm packages are installed offline. Both forms of the module start a gateway, and its command is there.
func TestNPM(t *testing.T) {
	npm, node := prerequisite.Program(t, "npm"), prerequisite.Program(t, "node")
	line := installLine(t, "npm install ")
	if !strings.HasSuffix(line, "/"+npmFile+" ./"+npmHostFile) {
		t.Errorf("%s says %s", installPage, line)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"name": "first", "private": true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(outside(), "npm_config_cache="+filepath.Join(dir, "cache"), "npm_config_update_notifier=false")
	begin := time.Now()
	doWith(t, dir, env, npm, "install", "--offline", "--no-audit", "--no-fund", file(t, npmFile), file(t, npmHostFile))
	if got := do(t, dir, filepath.Join(dir, "node_modules/.bin/callwright"), "version"); !strings.HasPrefix(got, "callwright v") {
		t.Errorf("got %s", got)
	}
	for i, name := range []string{"first.mjs", "first.cjs"} {
		copyTo(t, filepath.Join("testdata", name), dir)
		if got := do(t, dir, node, name); strings.TrimSpace(got) != `{"name":"get_weather","arguments":{"city":"Oslo"}}` {
			t.Errorf("%s: got %s", name, got)
		}
		if i == 0 {
			logFirstCall(t, "npm", begin)
		}
	}
	types, err := os.ReadFile(filepath.Join(dir, "node_modules/callwright/types.d.ts"))
	if err != nil {
		t.Fatal(err)
	}
	for name, of := range typed {
		_, rest, _ := strings.Cut(string(types), "export interface "+name+" {\n")
		body, _, _ := strings.Cut(rest, "\n}")
		var got []string
		for _, m := range tsMember.FindAllStringSubmatch(body, -1) {
			got = append(got, m[1])
		}
		slices.Sort(got)
		if want := members(of); !slices.Equal(got, want) {
			t.Errorf("%s: the members are %v, want %v", name, got, want)
		}
	}
}

// The settings of the package work with the SDKs that the pages show, and the types with the compiler of TypeScript.
func TestNPMWithSDKs(t *testing.T) {
	npm, node := prerequisite.Program(t, "npm"), prerequisite.Program(t, "node")
	dir := t.TempDir()
	for _, name := range []string{"node/package.json", "node/package-lock.json", "testdata/sdk.mjs", "testdata/types.mts", "testdata/types.cts"} {
		copyTo(t, name, dir)
	}
	do(t, dir, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline")
	do(t, dir, npm, "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline", file(t, npmFile), file(t, npmHostFile))
	if got := do(t, dir, node, "sdk.mjs"); strings.TrimSpace(got) != `get_weather {"city":"Oslo"} 1 report` {
		t.Errorf("got %s", got)
	}
	do(t, dir, node, "node_modules/typescript/bin/tsc", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--types", "node", "types.mts", "types.cts")
	for _, page := range []string{installPage, "../../packaging/npm/callwright/README.md"} {
		for _, code := range snippets(t, page, "js") {
			if err := os.WriteFile(filepath.Join(dir, "page.mjs"), []byte(code), 0o600); err != nil {
				t.Fatal(err)
			}
			do(t, dir, node, "page.mjs")
		}
	}
}
