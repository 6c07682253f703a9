package prompt_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/prompt"
	"github.com/callwright/callwright/schema"
)

var update = flag.Bool("update", false, "write the files of testdata")

const golden = "testdata/wordings.txtar"

// Each wording stands in a file under its name and version. A changed wording needs another version.
func TestWordings(t *testing.T) {
	now := &txtar.Archive{Comment: []byte("All wordings with their versions. Written by go test ./internal/prompt -update.\n")}
	for _, row := range prompt.Texts() {
		var b strings.Builder
		row.Write(&b, prompt.Fill{Tools: place("TOOLS"), Call: place("CALL"), Rules: place("RULES")})
		fmt.Fprintf(&b, "%s%s%s%s%s", row.Must, row.MustOne, row.None, row.Several, row.Single)
		now.Files = append(now.Files, txtar.File{Name: fmt.Sprintf("text %s %d", row.Name, row.Version), Data: []byte(b.String())})
	}
	for _, row := range prompt.Documents() {
		var b strings.Builder
		row.Write(&b, prompt.Offer{Tools: place("TOOLS"), Name: "f", Schema: []byte(`{"properties":{"a":{"type":"integer"}},"required":["a"]}`)})
		now.Files = append(now.Files, txtar.File{Name: fmt.Sprintf("document %s %d", row.Name, row.Version), Data: []byte(b.String() + "\n")})
	}
	if *update {
		if err := os.WriteFile(golden, txtar.Format(now), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	was, err := txtar.ParseFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(txtar.Format(was)), string(txtar.Format(now))); d != "" {
		t.Errorf("the wordings are not those of %s: a changed one needs another version, and -update (-was +now)\n%s", golden, d)
	}
}

func place(text string) func(b *strings.Builder) {
	return func(b *strings.Builder) { b.WriteString(text) }
}

// The names of wordings are unique, in all modes together: one setting names them. Every place in them is one that is filled.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	check := func(name string, version int, texts ...string) {
		if seen[name] || version < 1 {
			t.Errorf("%s: its name is not its own, or it has no version", name)
		}
		seen[name] = true
		for _, text := range texts {
			for _, p := range strings.Split(text, "$(")[1:] {
				if p, _, _ = strings.Cut(p, ")"); !strings.Contains(" tools call rules tool example ", " "+p+" ") {
					t.Errorf("%s: nothing fills $(%s)", name, p)
				}
			}
		}
	}
	for _, row := range prompt.Texts() {
		check(row.Name, row.Version, row.Body, row.Must, row.MustOne, row.None, row.Several, row.Single)
		if !strings.Contains(row.Body, "$(tools)") {
			t.Errorf("%s does not show the tools", row.Name)
		}
		if row.Source != "" && (row.Name == "general" || row.Variant) {
			t.Errorf("%s: the wording is this project's own and has a source", row.Name)
		}
	}
	for _, row := range prompt.Documents() {
		check(row.Name, row.Version, row.Body, row.Answer, row.Several, row.Thoughts)
	}
}

// The default is the family's, then the format's, then the general one.
func TestTextFor(t *testing.T) {
	for _, tc := range []struct{ name, format, model, want string }{
		{"", "hermes", "Qwen2.5:7b", "qwen"}, {"", "hermes", "", "qwen"}, {"", "hermes", "qwen2.5-coder:1.5b", "qwen-coder"}, {"", "hermes", "NousResearch/Hermes-3-Llama-3.1-8B", "hermes"}, {"", "hermes", "SmolLM2-135M-Instruct", "smollm2"},
		{"", "pythonic", "gemma-3-270m-it", "gemma3"}, {"", "pythonic", "toolace8b", "general"}, {"", "bare_json", "", "general"}, {"", "acme", "qwen3", "general"},
		{"general", "hermes", "qwen3", "general"}, {"qwen+several", "hermes", "", "qwen+several"}, {"none such", "glm45", "GLM-4.5-Air", "glm"}, {"list", "hermes", "qwen3", "qwen"},
	} {
		if got := prompt.TextFor(tc.name, tc.format, tc.model).Name; got != tc.want {
			t.Errorf("%q for %s, %q: %s, want %s", tc.name, tc.format, tc.model, got, tc.want)
		}
	}
}

// Example arguments are one JSON object that satisfies the schema that they are for.
func TestArguments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawObject(t, 2)
		s, err := schema.Compile([]byte(text))
		if err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		got := prompt.Arguments([]byte(text))
		if err := jsonx.Valid(got); err != nil {
			t.Fatalf("%v: %s", err, got)
		}
		if violations := s.Validate(got); violations != nil {
			t.Fatalf("%s does not satisfy %s: %v", got, text, violations)
		}
	})
}

// drawObject draws the schema of an object without keywords that narrow a type, which an example need not satisfy.
func drawObject(t *rapid.T, depth int) string {
	n := rapid.IntRange(0, 4).Draw(t, "properties")
	var properties, required []string
	for i := range n {
		kinds := []string{`{"type":"string"}`, `{"type":"integer"}`, `{"type":["number","null"]}`, `{"type":"boolean"}`, `{"type":"array"}`, `{"enum":["a","b"]}`, `{"const":{"x": 1}}`,
			`{"type":"string","default":"é\""}`, `true`, `{}`, `{"type":"integer","examples":[7]}`}
		if depth > 0 {
			kinds = append(kinds, drawObject(t, depth-1))
		}
		properties = append(properties, fmt.Sprintf(`"p%d":%s`, i, rapid.SampledFrom(kinds).Draw(t, "kind")))
		if rapid.Bool().Draw(t, "required") {
			required = append(required, fmt.Sprintf(`"p%d"`, i))
		}
	}
	return `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":[` + strings.Join(required, ",") + `],"additionalProperties":false}`
}
