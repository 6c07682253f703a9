package dialect_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/dialect/internal/dialecttest"
)

// Every format passes the suite.
func TestFormats(t *testing.T) {
	for _, f := range dialect.Formats() {
		t.Run(f.Name, func(t *testing.T) { dialecttest.Run(t, f, filepath.Join("testdata", f.Name)) })
	}
}

// minCases is how many cases a format has at least: a plain call, calls in hard surroundings, and something to mend.
const minCases = 3

// Every format has a folder of cases, some of which find calls, and every folder of cases has a format.
func TestCases(t *testing.T) {
	folders, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	var cases []string
	for _, f := range folders {
		if f.IsDir() && f.Name() != "fuzz" && f.Name() != filepath.Base(silentCorpus) {
			cases = append(cases, f.Name())
		}
	}
	for _, f := range dialect.Formats() {
		files, err := filepath.Glob(filepath.Join("testdata", f.Name, "*.txtar"))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) < minCases {
			t.Errorf("%s: %d cases, want at least %d", f.Name, len(files), minCases)
		}
		findsCalls(t, f.Name, files)
		cases = slices.DeleteFunc(cases, func(folder string) bool { return folder == f.Name })
	}
	if len(cases) > 0 {
		t.Errorf("folders without a format: %q", cases)
	}
}

// findsCalls checks that one of the cases wants a call, and one more than one finding beside a call.
func findsCalls(t *testing.T, format string, files []string) {
	calls, mixed := false, false
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := string(archive.Files[len(archive.Files)-1].Data)
		called := strings.HasPrefix(want, "call ") || strings.Contains(want, "\ncall ")
		calls, mixed = calls || called, mixed || called && strings.Count(want, "\n") > 1
	}
	if !calls || !mixed {
		t.Errorf("%s: no case with a call (%t), or with more beside it (%t)", format, calls, mixed)
	}
}

// The table is sound: names are unique and found, rows are documented, marks have a meaning, prompts name the tools.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range dialect.Formats() {
		if seen[f.Name] {
			t.Errorf("%s stands twice in the table", f.Name)
		}
		seen[f.Name] = true
		if f.Doc == "" || !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s: the row says nothing about itself", f.Name)
		}
		if got, ok := dialect.Lookup(f.Name); !ok || got.Name != f.Name {
			t.Errorf("%s is not found by its name", f.Name)
		}
		for _, m := range f.Marks {
			if m.Open == "" {
				t.Errorf("%s: a mark without an opening", f.Name)
			}
		}
		if !f.Renders() {
			continue
		}
		prompt := f.RenderTools(dialecttest.Tools(), dialect.RenderOptions{Choice: dialect.OneTool, Tool: "ping"})
		for _, want := range []string{"find_train", "ledger.close_month", "\nYou must call the tool ping.\n"} {
			if !strings.Contains(prompt, want) {
				t.Errorf("%s: the prompt lacks %s:\n%s", f.Name, want, prompt)
			}
		}
		results := f.RenderResults([]dialect.RenderedResult{{Name: "ping", ID: "functions.ping:3", Text: "pong"}, {Name: "find_train", Text: "no trains", IsError: true}})
		if !strings.Contains(results, "pong") || !strings.Contains(results, "no trains") {
			t.Errorf("%s: results are lost: %s", f.Name, results)
		}
	}
}

func TestForModel(t *testing.T) {
	for model, want := range map[string]string{
		"qwen2.5-72b-instruct": "hermes", "Qwen3-Coder-480B": "qwen3_coder", "claude-3-haiku": "anthropic_invoke", "moonshotai/Kimi-K2": "kimi_k2", "grok-4": "xai_tool_call",
		"deepseek-chat": "deepseek_v3", "mistral-large-2411": "mistral_array", "openai/gpt-oss-20b": "harmony", "llama-3.3-70b": "llama3_json", "glm-4.6": "glm45", "something-else": "hermes",
	} {
		if got := dialect.ForModel(model); got != want {
			t.Errorf("%s: %s, want %s", model, got, want)
		}
	}
}

// A call that is rendered in a format says that it is written in it, when it was asked for; and every family's name leads
// to a format that renders.
func TestLabels(t *testing.T) {
	for _, f := range dialect.Formats() {
		if f.Renders() {
			text := f.RenderCalls([]dialect.RenderedCall{{Name: "find_train", Arguments: []byte(`{"from": "Bonn", "seats": 2}`)}, {Name: "ping"}})
			for _, it := range scan(dialect.Options{Tools: dialecttest.Tools(), Hint: f.Name}, text) {
				if it.Call != nil && it.Call.Format != f.Name {
					t.Errorf("%s: %s is read as %s", f.Name, it.Call.Written, it.Call.Format)
				}
			}
		}
		for family := range strings.FieldsSeq(f.Families) {
			for _, divider := range [...]string{"-", "", "_", " "} {
				name := strings.ReplaceAll(family, "-", divider)
				if got := dialect.ForModel("maker/" + strings.ToUpper(name) + ":9b-Instruct"); got != f.Name {
					t.Errorf("%s leads to %s, want %s", name, got, f.Name)
				}
			}
		}
	}
}

// The example of a row is a call as the row says.
func TestExamples(t *testing.T) {
	weather := []dialect.Tool{{Name: "get_weather", Params: []dialect.Param{{Name: "city", Types: []string{"string"}, Required: true}}}}
	for _, f := range dialect.Formats() {
		if f.Example == "" {
			if f.Renders() || f.Repairs != "" {
				t.Errorf("%s has no example", f.Name)
			}
			continue
		}
		got := strings.Join(joined(scan(dialect.Options{Tools: weather, Hint: f.Name}, f.Example)), "\n")
		if strings.Count(got, "call : get_weather") != 1 || !strings.Contains(got, "Paris") || strings.Contains(got, "text: ") && !strings.HasSuffix(got, "text: \n") {
			t.Errorf("%s: %s is read as %s", f.Name, f.Example, got)
		}
		if !strings.HasSuffix(f.Repairs, ".") {
			t.Errorf("%s has no list of repairs", f.Name)
		}
	}
}
