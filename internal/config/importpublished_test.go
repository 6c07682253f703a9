package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
	"github.com/goccy/go-yaml"
)

// A published is a file of testdata/import that stands for published files of another program, with the result of its import.
type published struct {
	*testing.T
	file     object
	registry *config.Registry
	text     string
	missing  string
}

// newPublished reads and imports a file.
func newPublished(t *testing.T, path string) *published {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p := &published{T: t}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "//") {
			lines = append(lines, line)
		}
	}
	if err := yaml.Unmarshal([]byte(strings.Join(lines, "")), &p.file); err != nil {
		t.Fatal(err)
	}
	got, err := config.Import(path)
	if err != nil {
		t.Fatal(err)
	}
	p.text, p.missing = string(got.Text), strings.Join(got.Missing, "\n")
	c, err := config.Parse(got.Text, everySet)
	if err != nil {
		t.Fatalf("%v\n%s", err, got.Text)
	}
	if p.registry, err = config.NewRegistry(c, config.WithEnv(everySet)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.registry.Close)
	return p
}

// asksOrNames fails where a name asks no model and no line about it begins with the given text and has the place.
func (p *published) asksOrNames(name, begins, place string) {
	p.Helper()
	for line := range strings.SplitSeq(p.missing, "\n") {
		if strings.HasPrefix(line, begins) && (place == "" || strings.Contains(line, place+")") || strings.Contains(line, place+",")) {
			return
		}
	}
	client, err := p.registry.Resolve(name)
	if err != nil {
		p.Errorf("%s is neither carried over nor named: %v\n%s\n%s", name, err, p.text, p.missing)
		return
	}
	if _, err := client.Explain(p.Context(), weather(name)); err != nil {
		p.Errorf("%s: %v", name, err)
	}
}

// checkLiteLLM checks that each entry of model_list and each further name is carried over or named.
func (p *published) checkLiteLLM() {
	list, _ := p.file["model_list"].([]any)
	for i, entry := range list {
		name := fmt.Sprint(entry.(object)["model_name"])
		p.asksOrNames(strings.ReplaceAll(name, "*", "some-model"), "model ", fmt.Sprintf("model_list[%d]", i))
	}
	router, _ := p.file["router_settings"].(object)
	aliases, _ := router["model_group_alias"].(object)
	for alias := range aliases {
		p.asksOrNames(alias, "model_group_alias", "")
	}
}

// checkRouter checks that each provider and each route is carried over or named.
func (p *published) checkRouter() {
	for i, entry := range p.file["Providers"].([]any) {
		place := fmt.Sprintf("Providers[%d]", i)
		if name := entry.(object)["name"]; !strings.Contains(p.text, place) && !strings.Contains(p.missing, fmt.Sprintf("provider %s (%s)", name, place)) {
			p.Errorf("%s is neither carried over nor named", place)
		}
	}
	names := map[string]string{"default": "claude-sonnet-4", "background": "claude-haiku-4-5", "longContext": "long-context", "webSearch": "web-search"}
	routes, _ := p.file["Router"].(object)
	for route, to := range routes {
		name, isName := names[route]
		if !isName {
			name = route
		}
		if text, isText := to.(string); isText && strings.Contains(text, ",") {
			p.asksOrNames(name, "Router."+route+": no model", "")
		}
	}
}

// checkBifrost checks that each provider is carried over or named.
func (p *published) checkBifrost() {
	for name := range p.file["providers"].(object) {
		if !strings.Contains(p.text, "providers."+name+".keys[") && !strings.Contains(p.missing, "provider "+name+" (") {
			p.Errorf("%s is neither carried over nor named", name)
		}
	}
}

// TestImportPublished: in the files that stand for published ones every entry is carried over, so that its name asks a model, or named with a reason; and each
// key that is left out has a reason of its own.
func TestImportPublished(t *testing.T) {
	files, _ := filepath.Glob("testdata/import/published-*.in")
	if len(files) < 14 {
		t.Fatal("too few files", files)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".in"), func(t *testing.T) {
			p := newPublished(t, file)
			switch {
			case p.file["model_list"] != nil:
				p.checkLiteLLM()
			case p.file["Providers"] != nil:
				p.checkRouter()
			default:
				p.checkBifrost()
			}
			for line := range strings.SplitSeq(p.missing, "\n") {
				if strings.HasSuffix(line, ": no counterpart") {
					t.Errorf("no reason: %s", line)
				}
			}
		})
	}
}
