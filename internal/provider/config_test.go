package provider_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/provider"
)

func TestNewRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		cfg  provider.Config
		kind callwright.Kind
		says string
	}{
		"no name":        {provider.Config{}, callwright.KindInvalid, "name of a provider"},
		"a slash":        {provider.Config{Name: "a/b"}, callwright.KindInvalid, `"a/b"`},
		"unknown":        {provider.Config{Name: "nowhere"}, callwright.KindInvalid, "openrouter"},
		"no address":     {provider.Config{Name: "azure"}, callwright.KindInvalid, "RESOURCE"},
		"no key":         {provider.Config{Name: "groq"}, callwright.KindAuth, "GROQ_API_KEY"},
		"no named key":   {provider.Config{Name: "groq", APIKey: provider.NewSecret("env:OTHER")}, callwright.KindAuth, "OTHER"},
		"scheme":         {provider.Config{Name: "lab", BaseURL: "ftp://lab.test"}, callwright.KindInvalid, "http"},
		"not an address": {provider.Config{Name: "lab", BaseURL: "lab.test:80"}, callwright.KindInvalid, "http"},
		"credentials":    {provider.Config{Name: "lab", BaseURL: "http://u:" + testKey + "@lab.test"}, callwright.KindInvalid, "credentials"},
		"other wire":     {provider.Config{Name: "deepseek", Wire: callwright.WireAnthropic}, callwright.KindInvalid, "wire openai"},
		"version twice": {provider.Config{Name: "lab", Wire: callwright.WireAnthropic, BaseURL: "http://lab.test/v1/"},
			callwright.KindInvalid, "without /v1"},
		"wire":             {provider.Config{Name: "lab", BaseURL: "http://lab.test", Wire: "morse"}, callwright.KindInvalid, `"morse"`},
		"key of two lines": {provider.Config{Name: "openai", APIKey: provider.NewSecret(testKey + "\nX: y")}, callwright.KindInvalid, "Authorization"},
		"header name": {provider.Config{Name: "vllm", Headers: map[string]string{"a b": "c"}}, callwright.KindInvalid,
			"header name"},
		"header variable": {provider.Config{Name: "vllm", Headers: map[string]string{"X-Lab": "env:NONE"}}, callwright.KindInvalid,
			"NONE"},
	} {
		t.Run(name, func(t *testing.T) {
			c.cfg.Env = noEnv
			_, err := provider.New(c.cfg)
			e := errorOf(t, err)
			if e.Kind != c.kind || !strings.Contains(strings.ToLower(e.Error()), strings.ToLower(c.says)) {
				t.Errorf("got %s: %v", e.Kind, e)
			}
			if strings.Contains(e.Error(), testKey) {
				t.Errorf("the key is in the error: %v", e)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, name := range []string{"", "groq", "/m", "groq/"} {
		if _, err := openModel(name, withEnv(noEnv)); callwright.KindOf(err) != callwright.KindInvalid {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// The parts of a request that come from the configuration.
func TestWhatIsSent(t *testing.T) {
	env := func(name string) (string, bool) {
		v, ok := map[string]string{
			"OPENAI_API_KEY": "k-openai", "ANTHROPIC_API_KEY": "k-anthropic", "AZURE_OPENAI_API_KEY": "k-azure",
			"LAB_KEY": "k-lab\n", "LAB_TEAM": "blue",
		}[name]
		return v, ok
	}
	for name, c := range map[string]struct {
		cfg  provider.Config
		url  string
		want map[string]string
	}{
		"openai": {provider.Config{Name: "openai"}, "https://api.openai.com/v1/chat/completions",
			map[string]string{"Authorization": "Bearer k-openai", "Content-Type": "application/json", "Accept": "application/json"}},
		"anthropic": {provider.Config{Name: "anthropic"}, "https://api.anthropic.com/v1/messages",
			map[string]string{"X-Api-Key": "k-anthropic", "Anthropic-Version": "2023-06-01", "Authorization": ""}},
		"azure": {provider.Config{Name: "azure", BaseURL: "https://r.test/openai/v1/"}, "https://r.test/openai/v1/chat/completions",
			map[string]string{"Api-Key": "k-azure", "Authorization": ""}},
		"azure classic": {provider.Config{Name: "azure", BaseURL: "https://r.test/openai/deployments/d?api-version=9"},
			"https://r.test/openai/deployments/d/chat/completions?api-version=9", nil},
		"local": {provider.Config{Name: "ollama-openai"}, "http://127.0.0.1:11434/v1/chat/completions", map[string]string{"Authorization": ""}},
		"own": {provider.Config{Name: "lab", BaseURL: "http://lab.test/x", APIKey: provider.NewSecret("env:LAB_KEY"),
			Headers: map[string]string{"x-team": "env:LAB_TEAM", "X-Plain": "yes"}}, "http://lab.test/x/chat/completions",
			map[string]string{"Authorization": "Bearer k-lab", "X-Team": "blue", "X-Plain": "yes"}},
		"own address of a known name": {provider.Config{Name: "openai", BaseURL: "http://proxy.test/v1"},
			"http://proxy.test/v1/chat/completions", map[string]string{"Authorization": "Bearer k-openai"}},
		"known name, other wire": {provider.Config{Name: "openai", Wire: callwright.WireAnthropic, BaseURL: "http://proxy.test"},
			"http://proxy.test/v1/messages", map[string]string{"X-Api-Key": "k-openai"}},
		"own anthropic": {provider.Config{Name: "lab", Wire: callwright.WireAnthropic, BaseURL: "http://lab.test",
			APIKey: provider.NewSecret("k")}, "http://lab.test/v1/messages",
			map[string]string{"X-Api-Key": "k", "Anthropic-Version": "2023-06-01"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &script{replies: []reply{{status: 400, body: `{"error":{"message":"no"}}`}}}
			c.cfg.Env, c.cfg.Transport = env, s
			p, err := provider.New(c.cfg)
			if err != nil {
				t.Fatal(err)
			}
			req := ask()
			req.Params.MaxTokens = "5"
			if _, err := p.Model("m").Generate(context.Background(), req); err == nil {
				t.Fatal("expected an error")
			}
			if got := s.last.URL.String(); got != c.url || s.last.Method != "POST" {
				t.Errorf("%s %s, want %s", s.last.Method, got, c.url)
			}
			for key, want := range c.want {
				if got := s.last.Header.Get(key); got != want {
					t.Errorf("%s: %q, want %q", key, got, want)
				}
			}
			if int(s.last.ContentLength) != len(s.bodies[0]) || s.last.GetBody == nil {
				t.Errorf("length %d of %d bytes", s.last.ContentLength, len(s.bodies[0]))
			}
		})
	}
}

func TestEditsAndCaps(t *testing.T) {
	s := &script{replies: []reply{{body: wholeAnswer}}}
	p, err := provider.New(provider.Config{
		Name: "groq", Transport: s, APIKey: provider.NewSecret(testKey),
		Edits: []callwright.Edit{{Path: []string{"service_tier"}, Value: []byte(`"flex"`)}, {Path: []string{"seed"}, Value: []byte(`1`)}},
		Caps: func(model string) caps.Caps {
			if model != "m-1" {
				return caps.Caps{}
			}
			return caps.Caps{Tools: caps.No, MaxTools: 3}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	req := ask()
	companion.Change(req, func(c *companion.Companion) {
		c.Edits = []callwright.Edit{{Path: []string{"seed"}, Value: []byte(`2`)}}
	})
	if _, err := p.Model("m-1").Generate(context.Background(), req); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.bodies[0], `"service_tier":"flex"`) || !strings.Contains(s.bodies[0], `"seed":2`) {
		t.Errorf("sent %s", s.bodies[0])
	}
	if len(companion.Of(req).Edits) != 1 || req.Params.Stream {
		t.Error("the request was changed")
	}
	known := p.Model("m-1").Caps(context.Background())
	if known.Tools != caps.No || known.MaxTools != 3 || known.Sources["tools"] != caps.Configured || known.JSONWithTools != caps.No {
		t.Errorf("caps %+v", known)
	}
	if p.Model("m-2").Caps(context.Background()).Tools != caps.Yes {
		t.Error("another model took the configured facts")
	}
	if first, again := p.Model("m-1"), p.Model("m-1"); first != again {
		t.Error("a model is made twice")
	}
}

// Names of models come from clients: any number of them may be asked for, at the same time.
func TestManyModels(t *testing.T) {
	m, _ := scripted(t, "lab", reply{status: 400, body: `{}`})
	p := m.Provider()
	first := p.Model("model 0")
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range 15000 {
				if r := p.Model(fmt.Sprint("model ", i)); r.ID() != callwright.ModelID(fmt.Sprint("lab/model ", i)) {
					t.Errorf("asked for %d, got %v", i, r)
				}
			}
		})
	}
	wg.Wait()
	if p.Model("model 0") == first {
		t.Error("models are kept without bound")
	}
}

func TestForward(t *testing.T) {
	client := map[string][]string{
		"Anthropic-Beta": {"x-1"}, "Anthropic-Version": {"2026-10-21"}, "Authorization": {"Bearer client"}, "Cookie": {"c"},
	}
	ctx := provider.Forward(context.Background(), client)
	for _, c := range []struct{ name, beta, version string }{{"anthropic", "x-1", "2026-10-21"}, {"openai", "", ""}} {
		m, s := scripted(t, c.name, reply{status: 400, body: `{}`})
		m.Generate(ctx, ask())
		h := s.last.Header
		if h.Get("Anthropic-Beta") != c.beta || h.Get("Anthropic-Version") != c.version || h.Get("Cookie") != "" {
			t.Errorf("%s: sent %v", c.name, h)
		}
		if strings.Contains(h.Get("Authorization"), "client") {
			t.Errorf("%s: the client's key travelled on", c.name)
		}
	}
}
