package provider_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/wire/openai"
)

// Each provider has a switch of its own for thinking; what the request does not say is not sent.
func TestThinkingSwitches(t *testing.T) {
	for name, c := range map[string]struct {
		provider string
		thinking callwright.Thinking
		want     string // what the body says of thinking
		rule     string
	}{
		"off":            {"zai", callwright.Thinking{Off: true}, `"thinking":{"type":"disabled"}`, "provider.thinking_switch"},
		"no effort":      {"moonshot", callwright.Thinking{Effort: "none"}, `"thinking":{"type":"disabled"}`, "provider.thinking_switch"},
		"effort":         {"deepseek", callwright.Thinking{Effort: "high"}, `"reasoning_effort":"high"`, ""},
		"nothing":        {"zai", callwright.Thinking{}, "", ""},
		"qwen off":       {"dashscope", callwright.Thinking{Off: true}, `"enable_thinking":false`, "provider.enable_thinking"},
		"qwen on":        {"dashscope", callwright.Thinking{Effort: "low"}, `"enable_thinking":true`, "provider.enable_thinking"},
		"qwen budget":    {"dashscope", callwright.Thinking{Budget: "512"}, `"enable_thinking":true,"thinking_budget":512`, "provider.enable_thinking"},
		"qwen nothing":   {"dashscope", callwright.Thinking{}, "", ""},
		"other provider": {"groq", callwright.Thinking{Off: true}, `"reasoning_effort":"none"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			m, s := scripted(t, c.provider, good)
			req := ask()
			req.Params.Thinking = c.thinking
			resp, err := m.Generate(context.Background(), req)
			if err != nil {
				t.Fatal(err)
			}
			if sent := s.bodies[0]; !strings.Contains(sent, c.want) || strings.Count(sent, "think")+strings.Count(sent, "reason") != strings.Count(c.want, "think")+strings.Count(c.want, "reason") {
				t.Errorf("sent %s", sent)
			}
			noted := ""
			for _, n := range resp.Report.Notes {
				if strings.HasPrefix(n.Rule, "provider.") {
					noted = n.Rule
				}
			}
			if noted != c.rule {
				t.Errorf("expected note %q, got %q", c.rule, noted)
			}
		})
	}
}

func TestRandomSeed(t *testing.T) {
	for name, want := range map[string]string{"mistral": `"random_seed":7`, "openai": `"seed":7`} {
		m, s := scripted(t, name, good)
		req := ask()
		req.Params.Seed = "7"
		resp, err := m.Generate(context.Background(), req)
		if err != nil {
			t.Fatal(err)
		}
		if sent := s.bodies[0]; !strings.Contains(sent, want) || strings.Count(sent, "seed") != 1 {
			t.Errorf("%s: sent %s", name, sent)
		}
		if noted := len(resp.Report.Notes) == 1 && resp.Report.Notes[0].Rule == "provider.random_seed"; noted != (name == "mistral") {
			t.Errorf("%s: notes %+v", name, resp.Report.Notes)
		}
	}
	m, s := scripted(t, "mistral", good)
	if resp, err := m.Generate(context.Background(), ask()); err != nil || len(resp.Report.Notes) != 0 || strings.Contains(s.bodies[0], "seed") {
		t.Errorf("%v, sent %s", err, s.bodies[0])
	}
}

// What is sent of a request differs by the provider's habits, and each that showed is noted.
func TestQuirksShow(t *testing.T) {
	const bare = `{"type":"object","properties":{},"required":[]}`
	withTools := func(schemas ...string) *callwright.Request {
		req := ask()
		for i, s := range schemas {
			req.Tools = append(req.Tools, callwright.Tool{Name: "t" + string(rune('a'+i)), Schema: json.RawMessage(s)})
		}
		return req
	}
	formed := ask()
	formed.Params.Format = &callwright.AnswerFormat{}
	own := decoded(t, `{"model":"m-1","messages":[{"role":"user","content":"Hi"}],"provider":{"require_parameters":false,"only":["x"]},`+
		`"tools":[{"type":"function","function":{"name":"ta","parameters":{"type":"object","properties":{}}}}]}`)
	for _, c := range []struct {
		name, provider string
		req            *callwright.Request
		has, hasNot    string
		rule           string
	}{
		{"hosts must know tools", "openrouter", withTools(bare), `"provider":{"require_parameters":true}`, "", "provider.require_parameters"},
		{"hosts must know answer formats", "openrouter", formed, `"provider":{"require_parameters":true}`, "", "provider.require_parameters"},
		{"any host answers in text", "openrouter", ask(), `"messages"`, "require_parameters", ""},
		{"the client's word about hosts stands", "openrouter", own, `"provider":{"require_parameters":false,"only":["x"]}`, "true", ""},
		{"no other provider is told", "openai", withTools(bare), bare, "require_parameters", "cache.key"},
		{"an empty list of required parameters", "groq", withTools(bare, `{"type":"object","properties":{"a":{}},"required":["a"]}`),
			`"parameters":{"type":"object","properties":{}}}},`, `"required":[]`, "provider.empty_required"},
		{"a list with names stays", "groq", withTools(`{"type":"object","properties":{"a":{}},"required":["a"]}`), `"required":["a"]`, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, s := scripted(t, c.provider, good)
			resp, err := m.Generate(context.Background(), c.req)
			if err != nil {
				t.Fatal(err)
			}
			if sent := s.bodies[0]; !strings.Contains(sent, c.has) || c.hasNot != "" && strings.Contains(sent, c.hasNot) {
				t.Errorf("sent %s", sent)
			}
			rule := ""
			for _, n := range resp.Report.Notes {
				rule += n.Rule
			}
			if rule != c.rule {
				t.Errorf("expected note %q, got %q", c.rule, rule)
			}
		})
	}
}

// decoded returns a request that came over the OpenAI wire.
func decoded(t *testing.T, body string) *callwright.Request {
	t.Helper()
	req, err := openai.Codec{}.DecodeRequest([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// What a Client has learned of a model goes before what is shipped of it.
func TestKnownGoesFirst(t *testing.T) {
	m, s := scripted(t, "lab", good)
	req := ask()
	req.Messages = append([]callwright.Message{{Role: callwright.RoleSystem, Parts: []callwright.Part{callwright.Text{Text: "Be brief."}}}}, req.Messages...)
	for _, known := range []*caps.Caps{nil, {History: caps.HistoryRules{SystemRole: caps.SystemRoleUser}}} {
		variant := *req
		companion.Change(&variant, func(c *companion.Companion) { c.Known = known })
		if _, err := m.Generate(context.Background(), &variant); err != nil {
			t.Fatal(err)
		}
	}
	if !strings.Contains(s.bodies[0], `"role":"system"`) || strings.Contains(s.bodies[1], `"role":"system"`) {
		t.Errorf("sent %s and then %s", s.bodies[0], s.bodies[1])
	}
}
