package config_test

import (
	"bytes"
	"testing"

	"github.com/callwright/callwright"
)

// What is asked of prompt caches is said for all models, and otherwise for some: the alias wins over the model, the pattern, the
// provider and the top. A request may ask for less than the configuration, and policies that change nothing add nothing.
func TestCacheOfModels(t *testing.T) {
	const adds, keeps = true, false
	for _, c := range []struct {
		top, provider, pattern, model, alias string
		request                              callwright.CacheMode
		policy                               string
		added                                bool
	}{
		{added: adds},
		{top: "auto", added: adds},
		{top: "client", added: keeps},
		{top: "off", added: keeps},
		{top: "client", provider: "auto", added: adds},
		{top: "auto", provider: "client", added: keeps},
		{provider: "client", pattern: "auto", added: adds},
		{pattern: "auto", model: "client", added: keeps},
		{model: "client", alias: "auto", added: adds},
		{request: callwright.CacheClient, added: keeps},
		{request: callwright.CacheAuto, top: "client", added: adds},
		{request: callwright.CacheAuto, top: "off", added: keeps},
		{policy: "strict", added: adds},
		{policy: "off", added: keeps},
		{policy: "observe", added: keeps},
	} {
		says := func(indent, mode string) string {
			if mode == "" {
				return ""
			}
			return indent + "cache: " + mode + "\n"
		}
		policy := ""
		if c.policy != "" {
			policy = "    policy: " + c.policy + "\n"
		}
		file := says("", c.top) + "providers:\n  lab:\n    wire: anthropic\n    base_url: http://127.0.0.1:9\n" + policy + says("    ", c.provider) +
			"models:\n  \"lab/*\":\n    caps: {cache_min: 1}\n" + says("    ", c.pattern) + "  lab/m:\n    max_corrections: 1\n" + says("    ", c.model) + "  a:\n    model: lab/m\n" + says("    ", c.alias)
		client, err := registry(t, parse(t, file)).Resolve("a")
		if err != nil {
			t.Fatal(err)
		}
		req := weather("a")
		req.Cache = c.request
		plan, err := client.Explain(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		body := plan.Chain[0].Body
		if got := bytes.Contains(body, []byte(`"cache_control"`)); got != c.added {
			t.Errorf("%s\nand a request for %q: %s", file, c.request, body)
		}
	}
}
