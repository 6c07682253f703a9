package provider_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/provider"
)

// versioned are the wires whose base addresses end in a version, or in what a provider has in its place.
var versioned = map[callwright.WireName]bool{callwright.WireOpenAI: true, callwright.WireResponses: true}

// checkBase looks at the address of a row, if it has one.
func checkBase(t *testing.T, r provider.Row) {
	t.Helper()
	if r.Base == "" {
		return
	}
	u, err := url.Parse(r.Base)
	if err != nil || u.Host == "" || strings.HasSuffix(r.Base, "/") {
		t.Fatalf("base %q", r.Base)
	}
	if (u.Scheme == "http") != r.Local {
		t.Errorf("a key would travel in the clear to %s", r.Base)
	}
	if last := u.Path[strings.LastIndexByte(u.Path, '/')+1:]; !versioned[r.Wire] && strings.HasPrefix(last, "v") {
		t.Errorf("base %s has a version, which wire %s adds", r.Base, r.Wire)
	}
}

func TestRows(t *testing.T) {
	seen := map[string]bool{}
	quirks := map[string]bool{}
	for _, q := range provider.Quirks() {
		if q.Name == "" || q.Doc == "" || q.Request == nil || quirks[q.Name] {
			t.Errorf("quirk %q is not whole, or stands twice", q.Name)
		}
		quirks[q.Name] = true
	}
	for _, r := range provider.Rows() {
		t.Run(r.Name, func(t *testing.T) {
			if seen[r.Name] || r.Name != strings.ToLower(r.Name) {
				t.Error("stands twice, or not in lower case")
			}
			seen[r.Name] = true
			if r.Note == "" || r.Auth == "" || r.ModelsPath == "" && (r.Local || r.Base == "" && !strings.HasPrefix(r.Note, "base_url is ")) {
				t.Errorf("not whole: %+v", r)
			}
			if r.Key == "" && !r.Local {
				t.Error("no variable for the key")
			}
			checkBase(t, r)
			for _, q := range r.Quirks {
				if !quirks[q.Name] {
					t.Errorf("quirk %q is not listed", q.Name)
				}
			}
			opts := []option{withEnv(func(name string) (string, bool) { return testKey, name == r.Key })}
			if r.Base == "" && versioned[r.Wire] {
				opts = append(opts, withBaseURL("https://example.test/openai/v1"))
			} else if r.Base == "" {
				opts = append(opts, withBaseURL("https://example.test"))
			}
			m, err := openModel(r.Name+"/some-model", opts...)
			if err != nil {
				t.Fatal(err)
			}
			if m.ID() != callwright.ModelID(r.Name+"/some-model") || m.Provider().Wire() != r.Wire {
				t.Errorf("got %v over %s", m, m.Provider().Wire())
			}
		})
	}
	for _, r := range provider.Rows() {
		if r.Beside != "" && (!seen[r.Beside] || r.Beside == r.Name) {
			t.Errorf("%s stands beside %q, which is no row", r.Name, r.Beside)
		}
	}
	for _, name := range []string{
		"openai", "anthropic", "groq", "openrouter", "xai", "deepseek", "mistral", "together", "fireworks", "ollama", "vllm",
		"llamacpp", "lmstudio", "azure",
	} {
		if !seen[name] {
			t.Errorf("no row for %s", name)
		}
	}
}

func TestSwap(t *testing.T) {
	for _, c := range []struct {
		swap       provider.Swap
		path, want string
	}{
		{provider.Swap{}, "/v1/x", "/v1/x"},
		{provider.Swap{From: "/v1beta/models/", To: "/models/"}, "/v1beta/models/gem:generateContent", "/models/gem:generateContent"},
		{provider.Swap{From: "/v1beta/models/", To: "/models/"}, "/v1/v1beta/models/gem", "/v1/v1beta/models/gem"},
	} {
		if got := c.swap.Of(c.path); got != c.want {
			t.Errorf("%+v of %s: got %s", c.swap, c.path, got)
		}
	}
}

// TestNoCredentialTravels: a cooldown belongs to a key and a host. All requests to a provider have its own key, so one cooldown a model is enough;
// a row that forwards the key of a client needs one for each key.
func TestNoCredentialTravels(t *testing.T) {
	for _, r := range provider.Rows() {
		for _, name := range r.Forward {
			for _, part := range []string{"auth", "key", "token", "secret", "cookie"} {
				if strings.Contains(strings.ToLower(name), part) {
					t.Errorf("%s forwards %s: key its cooldowns by the value", r.Name, name)
				}
			}
		}
	}
}

func TestRowsAreTheCallers(t *testing.T) {
	for _, r := range provider.Rows() {
		if r.Headers != nil {
			r.Headers["Anthropic-Version"] = "changed"
		}
	}
	for _, r := range provider.Rows() {
		if r.Headers["Anthropic-Version"] == "changed" {
			t.Error("the table was changed")
		}
	}
}
