package config_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/internal/config"
)

// TestAddDiscovered: a file that does not say which providers there are has those of the environment, without the simulator; one that says so, even that
// there are none, keeps its own.
func TestAddDiscovered(t *testing.T) {
	const none = "expected no hint"
	for name, c := range map[string]struct {
		text   string
		env    []string
		ollama bool
		want   []string
		hint   string
	}{
		"keys and Ollama":     {"listen: 127.0.0.1:8787", []string{"GROQ_API_KEY=k", "OPENAI_API_KEY=k"}, true, []string{"openai", "groq", "ollama"}, "providers from the environment are used: openai, groq, ollama"},
		"models alone":        {"models: {fast: {model: groq/m}}", []string{"GROQ_API_KEY=k"}, false, []string{"groq"}, "are used: groq"},
		"an empty file":       {"", []string{"GROQ_API_KEY=k"}, false, []string{"groq"}, "are used: groq"},
		"nothing there":       {"listen: 127.0.0.1:8787", nil, false, nil, "the environment has no provider's key"},
		"providers":           {"providers: {lab: {base_url: 'http://127.0.0.1:9/v1'}}", []string{"GROQ_API_KEY=k"}, true, []string{"lab"}, none},
		"no providers, said":  {"providers: {}", []string{"GROQ_API_KEY=k"}, true, nil, none},
		"nothing below it":    {"providers:", []string{"GROQ_API_KEY=k"}, true, nil, none},
		"a key that is blank": {"listen: 127.0.0.1:8787", []string{"GROQ_API_KEY= "}, false, nil, "the environment has no provider's key"},
	} {
		conf := parse(t, c.text, c.env...)
		hint := conf.AddDiscovered(t.Context(), env(c.env...), func(string) bool { return c.ollama })
		var got []string
		for _, p := range conf.Providers {
			got = append(got, p.Name)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) || (c.hint == none) != (hint == "") || c.hint != none && !strings.Contains(hint, c.hint) {
			t.Errorf("%s: got %v, %q", name, got, hint)
		}
		r := registry(t, conf, config.WithEnv(env(c.env...)))
		for _, name := range got {
			if _, err := r.Resolve(name + "/m"); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestSimulatedModelsInLists: simulated models are in lists where the configuration names the simulator or they are asked for, and answer everywhere they
// are there.
func TestSimulatedModelsInLists(t *testing.T) {
	nothing := func(string) bool { return false }
	found, _ := config.Discover(t.Context(), env(), nothing)
	for name, c := range map[string]struct {
		conf   *config.Config
		opts   []config.Option
		listed bool
	}{
		"found":            {found, nil, false},
		"found, asked for": {found, []config.Option{config.WithSimulated()}, true},
		"named":            {parse(t, "providers: {sim: {}}"), nil, true},
	} {
		r := registry(t, c.conf, c.opts...)
		if got := slices.Contains(r.List(t.Context()), "sim/native"); got != c.listed {
			t.Errorf("%s: listed: %v", name, got)
		}
		if got := len(r.Cards(t.Context())) > 0; got != c.listed {
			t.Errorf("%s: cards: %v", name, got)
		}
		if _, err := r.Resolve("sim/native"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if cards := r.Cards(t.Context(), "sim/native"); len(cards) != 1 || cards[0].Problem != "" {
			t.Errorf("%s: %v", name, cards)
		}
	}
}
