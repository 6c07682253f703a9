package access_test

import (
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/access"
	"pgregory.net/rapid"
)

func TestScopes(t *testing.T) {
	groq, both := []callwright.ModelID{"groq/llama"}, []callwright.ModelID{"groq/llama", "openai/gpt"}
	for _, c := range []struct {
		about     string
		models    []string
		providers []string
		name      string
		leads     []callwright.ModelID
		refused   string // a part of the error
	}{
		{about: "all", name: "any"},
		{about: "by its name", models: []string{"fast"}, name: "fast", leads: both},
		{about: "by what it leads to", models: []string{"groq/*"}, name: "fast", leads: groq},
		{about: "one of them is outside", models: []string{"groq/*"}, name: "fast", leads: both, refused: `the model "fast" is outside the scope of the key "ci", whose models are groq/*`},
		{about: "itself", models: []string{"groq/llama"}, name: "groq/llama", leads: groq},
		{about: "another", models: []string{"groq/llama"}, name: "groq/other", leads: []callwright.ModelID{"groq/other"}, refused: "outside the scope"},
		{about: "nothing is known of it", models: []string{"groq/*"}, name: "fast", refused: "outside the scope"},
		{about: "none", models: []string{}, name: "fast", leads: groq, refused: "whose models are none"},
		{about: "the provider", providers: []string{"groq"}, name: "fast", leads: groq},
		{about: "a fallback's provider", providers: []string{"groq"}, name: "fast", leads: both, refused: `may be answered by openai/gpt, which is outside the scope of the key "ci", whose providers are groq`},
		{about: "both providers", providers: []string{"openai", "groq"}, name: "fast", leads: both},
		{about: "no provider", providers: []string{"groq"}, name: "fast", refused: "outside the scope"},
		{about: "both have to fit", models: []string{"fast"}, providers: []string{"openai"}, name: "fast", leads: groq, refused: "providers are openai"},
	} {
		g := newGate(t, access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("k"), Models: c.models, Providers: c.providers}}})
		ci := caller(t, g, "k")
		err := ci.MayAsk(c.name, c.leads)
		if c.refused == "" && err != nil {
			t.Errorf("%s: %v", c.about, err)
		}
		if c.refused != "" {
			expectError(t, err, callwright.KindPermission, c.refused, "use another key, or ask the operator")
		}
		if want := c.models != nil || c.providers != nil; ci.IsScoped() != want {
			t.Errorf("%s: scoped %t", c.about, ci.IsScoped())
		}
	}
}

func TestVerbs(t *testing.T) {
	for _, c := range []struct {
		verbs []access.Verb
		may   string
	}{
		{nil, "generate count list explain reports"},
		{[]access.Verb{}, ""},
		{[]access.Verb{access.UI, access.Reports}, "reports ui"},
		{access.Verbs(), "generate count list explain reports admin ui metrics"},
	} {
		ci := caller(t, newGate(t, access.Config{Keys: []access.Key{{Name: "ci", Hash: access.HashOf("k"), Verbs: c.verbs}}}), "k")
		var may []string
		for _, v := range access.Verbs() {
			if err := ci.May(v); err == nil {
				may = append(may, string(v))
			} else {
				expectError(t, err, callwright.KindPermission, string(v)+` is outside the scope of the key "ci"`)
			}
		}
		if got := strings.Join(may, " "); got != c.may {
			t.Errorf("%v: got %s, want %s", c.verbs, got, c.may)
		}
	}
}

// A pattern fits what comes of putting texts in place of its asterisks, and nothing else.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true}, {"*", "", true}, {"*", "x", true}, {"a*", "a", true}, {"*a", "ba", true}, {"a*a", "a", false}, {"a*a", "aa", true}, {"a*b*a", "aba", true},
		{"a*b*a", "ab", false}, {"**", "x", true}, {"a*bc*bc", "abc", false}, {"a*bc*bc", "abcbc", true}, {"*ab", "aab", true}, {"A", "a", false},
	} {
		if got := access.Fits(c.pattern, c.text); got != c.want {
			t.Errorf("%q fits %q: %t", c.pattern, c.text, got)
		}
	}
	letters := rapid.StringMatching(`[ab]{0,6}`)
	rapid.Check(t, func(rt *rapid.T) {
		var pattern, text strings.Builder
		for range rapid.IntRange(0, 5).Draw(rt, "parts") {
			plain := letters.Draw(rt, "plain")
			pattern.WriteString(plain + "*")
			text.WriteString(plain + letters.Draw(rt, "any"))
		}
		if !access.Fits(pattern.String(), text.String()) {
			rt.Fatalf("%q does not fit %q", pattern.String(), text.String())
		}
	})
}
