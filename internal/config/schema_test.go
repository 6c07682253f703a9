package config_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/config"
	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"
)

// resolved returns the schema, ready to judge.
func resolved(t *testing.T) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(config.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// judge holds a YAML text against the schema.
func judge(t *testing.T, r *jsonschema.Resolved, text []byte) error {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	if v == nil {
		v = map[string]any{}
	}
	flat, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(flat, &v); err != nil {
		t.Fatal(err)
	}
	return r.Validate(v)
}

// TestSchemaAccepts: what Parse accepts, editors accept.
func TestSchemaAccepts(t *testing.T) {
	r := resolved(t)
	for file, data := range good(t) {
		if err := judge(t, r, data); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	r := resolved(t)
	for _, text := range []string{
		"listn: x", "providers: {groq: {wire: telepathy}}", "providers: {groq: {mode: psychic}}", "providers: {groq: {modes: [psychic]}}",
		"models: {a: {policy: gentle}}", "models: {a: {dialect: klingon}}", "models: {a: {max_retries: many}}", "models: {a: {caps: {flying: yes}}}",
		"models: {a: {forceTextMode: text}}", "keys: [1]", "providers: {p: {timeouts: {connect: soon}}}", "models: {a: {stream_calls: never}}",
	} {
		if judge(t, r, []byte(text)) == nil {
			t.Errorf("%s is accepted", text)
		}
		if _, err := config.Parse([]byte(text), env()); err == nil {
			t.Errorf("%s is accepted by Parse", text)
		}
	}
}

// TestSchemaKnowsModes: the names that editors offer are those that Parse reads.
func TestSchemaKnowsModes(t *testing.T) {
	var s jsonschema.Schema
	if err := json.Unmarshal(config.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	names := s.Properties["models"].AdditionalProperties.Properties["mode"].AnyOf[0].AnyOf[0].Enum
	if len(names) < 9 {
		t.Errorf("got %v", names)
	}
	for _, n := range names {
		if _, err := caps.ParseMode(n.(string)); err != nil {
			t.Error(err)
		}
	}
}

// TestSchemaSpeaks: every key has a description.
func TestSchemaSpeaks(t *testing.T) {
	var walk func(at string, s *jsonschema.Schema)
	walk = func(at string, s *jsonschema.Schema) {
		if s == nil {
			return
		}
		for name, p := range s.Properties {
			if p.Description == "" && !strings.HasSuffix(at, ".caps") && !strings.HasSuffix(at, ".params") {
				t.Errorf("%s.%s has no description", at, name)
			}
			walk(at+"."+name, p)
		}
		walk(at+".*", s.AdditionalProperties)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(config.Schema(), &s); err != nil {
		t.Fatal(err)
	}
	walk("", &s)
}

// TestReference: the reference in the documentation has every key, as the structs say it.
func TestReference(t *testing.T) {
	const file = "../../docs/configuration.md"
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := string(doc)
	for name, table := range reference() {
		begin, end := "<!-- keys of "+name+" -->\n", "<!-- end of "+name+" -->\n"
		head, rest, ok := strings.Cut(want, begin)
		_, tail, closed := strings.Cut(rest, end)
		if !ok || !closed {
			t.Errorf("%s has no place for the keys of %s", file, name)
			continue
		}
		want = head + begin + table + end + tail
	}
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(doc) {
		t.Errorf("%s is stale: run the tests of this package with -update", file)
	}
}

// TestExamples: every configuration in the documentation can be read.
func TestExamples(t *testing.T) {
	doc, err := os.ReadFile("../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for part := range strings.SplitSeq(string(doc), "```yaml\n") {
		text, _, ok := strings.Cut(part, "```")
		if n++; n == 1 || !ok {
			continue
		}
		all := env("GROQ_API_KEY=k", "GROQ_KEY_A=a", "GROQ_KEY_B=b", "OPENAI_API_KEY=k", "ANTHROPIC_API_KEY=k", "CALLWRIGHT_KEY=k", "LAB_KEY=k", "LAB_TOKEN=t", "OPENROUTER_API_KEY=k", "HOME=/home/me")
		c, err := config.Parse([]byte(text), all)
		if err != nil {
			t.Errorf("%s\n%v", text, err)
			continue
		}
		for _, w := range c.Warnings() {
			if w.Path != "state.dir" && !strings.Contains(w.Message, "/run/secrets/") { // what is there is not the matter
				t.Error(w)
			}
		}
	}
	if n < 4 {
		t.Errorf("only %d examples", n-1)
	}
}
