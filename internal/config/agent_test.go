package config_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/config"
	"github.com/callwright/callwright/internal/provider"
	"github.com/google/go-cmp/cmp"
)

func TestParseReadsEveryKeyOfAgents(t *testing.T) {
	c, err := config.Load("testdata/good/agent.yaml", env("HOME=/home/me", "FILES_TOKEN=t"))
	if err != nil {
		t.Fatal(err)
	}
	steps, yes, no, cached := 0, true, false, 0.3
	want := config.Agent{
		Model: "fast", System: "You look after files.", ToolUseMode: agent.ModeEnforced, AllowUnreliable: true, FallbackRetries: 2, Failures: agent.FailuresTolerated,
		ToolChoice: callwright.Choice{Mode: callwright.ChoiceNamed, Names: []string{"look"}},
		Request: config.Members{
			{Path: []string{"temperature"}, Value: json.RawMessage("0.10")}, {Path: []string{"provider", "order"}, Value: json.RawMessage(`["alpha"]`)}, {Path: []string{"store"}},
		},
		FixEmptyFinal: &yes, EmptyFinalText: "Say something.", EmptyFinalBare: &no, AskAboutClaims: true,
		Verifier: agent.VerifyAuto, VerifierModel: "lab/large", VerifierConfidence: 0.75,
		NextModels: config.ModelNames{"lab/medium", "lab/large"}, NextModelAfter: 5, MoveToNextModel: true,
		AgentTools: config.AgentTools{
			ToolFiles: config.Files{filepath.Join("testdata", "good", "tools.json"), filepath.Join("/home/me", "mine.json")},
			MCP: config.MCPServers{
				{Name: "files", Command: config.Command{Words: []string{"npx", "-y", "server"}}, Dir: config.Path(filepath.Join("testdata", "good", "work")),
					Env: map[string]provider.Secret{"TOKEN": provider.NewSecret("env:FILES_TOKEN"), "LANG": provider.NewSecret("C.UTF-8")}},
				{Name: "shell", Command: config.Command{Line: "TOKEN=abc 'my server' --all"}},
				{Name: "issues", URL: "https://mcp.example.com/mcp", Headers: map[string]provider.Secret{"Authorization": provider.NewSecret("env:FILES_TOKEN")}},
			},
			Allow: config.ToolPatterns{"look", "files:read_*"}, Deny: config.ToolPatterns{"*secret*"},
			ToolProfiles: config.ToolProfiles{
				"reading": {Allow: config.ToolPatterns{"files:list_*", "search"}}, "careful": {Allow: config.ToolPatterns{"ask"}, Deny: config.ToolPatterns{"files:delete_*"}},
				"other": {Allow: config.ToolPatterns{"anything"}},
			},
			ToolProfile: config.ProfileNames{"reading", "careful"},
			Approve:     config.Approvals{{Pattern: "*", Approval: agent.ApproveNever}, {Pattern: "files:delete_*", Approval: agent.ApproveAlways}, {Pattern: "look", Approval: agent.ApproveOnce}},
		},
		AgentLimits: config.AgentLimits{
			MaxSteps: &steps, MaxTokens: 100000, MaxTime: 10 * time.Minute, MaxCost: 0.5, Cost: &config.Prices{Input: 3, Output: 15, Cached: &cached},
			MaxArguments: 1000, MaxOutput: 2000, CutToolOutput: true, Parallel: 3, ToolTimeout: 30 * time.Second,
		},
	}
	secrets := cmp.Comparer(func(a, b provider.Secret) bool { return a.Reveal() == b.Reveal() })
	if diff := cmp.Diff(want, c.Agent, secrets); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if list := c.Warnings(); len(list) != 0 {
		t.Errorf("warnings %v", list)
	}
	if _, err := agentOf(t, &c.Agent, &played{}).Run(t.Context()); callwright.KindOf(err) == callwright.KindInvalid && strings.HasPrefix(err.Error(), "agent.options") {
		t.Errorf("the agent refuses what is accepted: %v", err)
	}
}

func TestAgentWarnings(t *testing.T) {
	for text, want := range map[string]string{
		"move_to_next_model: true":                   "1:29: agent.move_to_next_model: has no effect without next_models",
		"verifier_model: groq/x":                     "1:25: agent.verifier_model: has no effect without verifier",
		"verifier: never, verifier_confidence: 0.5":  "1:47: agent.verifier_confidence: has no effect without verifier",
		"tool_choice: requird":                       "1:22: agent.tool_choice: is the name of a tool: did you mean required?",
		"mcp: {a: {command: x, env: {T: 'env:T'}}}":  "1:40: agent.mcp.a.env.T: T is not set: export T=...",
		"mcp: {a: {command: x, env: {T: 'env:OK'}}}": "",
	} {
		var got []string
		for _, w := range parse(t, "agent: {"+text+"}", "OK=1").Warnings() {
			got = append(got, w.Brief())
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

// Settings that were changed after they were read are checked when they are used.
func TestAgentOptionsFail(t *testing.T) {
	for want, a := range map[string]config.Agent{
		`agent: tool_profile: unknown profile "x": tool_profiles has none`: {AgentTools: config.AgentTools{ToolProfile: config.ProfileNames{"x"}}},
		`agent: tool_profile: unknown profile "redaing": did you mean reading?`: {AgentTools: config.AgentTools{
			ToolProfile: config.ProfileNames{"redaing"}, ToolProfiles: config.ToolProfiles{"reading": {}}}},
		`agent: max_cost: expected cost, the prices of tokens, because max_cost has no effect without them`: {AgentLimits: config.AgentLimits{MaxCost: 1}},
	} {
		if _, err := a.Options(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestModelsOfAgents(t *testing.T) {
	var asked []string
	resolve := func(name string) (callwright.Model, error) {
		asked = append(asked, name)
		if name == "lab/none" {
			return nil, errors.New("it is not there")
		}
		return &played{}, nil
	}
	for _, c := range []struct {
		settings, asked, err string
		options              int
	}{
		{settings: ""},
		{settings: "next_models: lab/one", asked: "lab/one", options: 1},
		{settings: "next_models: [lab/one, lab/two], move_to_next_model: true", asked: "lab/one lab/two", options: 2},
		{settings: "verifier: always", options: 1},
		{settings: "verifier: auto, verifier_model: lab/two, next_models: lab/one", asked: "lab/one lab/two", options: 2},
		{settings: "verifier: never, verifier_model: lab/two", options: 1},
		{settings: "verifier: always, verifier_model: lab/none", asked: "lab/none", err: "agent: verifier_model: it is not there"},
		{settings: "next_models: [lab/none, lab/two]", asked: "lab/none", err: "agent: next_models: it is not there"},
	} {
		asked = nil
		conf := parse(t, "providers: {lab: {base_url: 'http://127.0.0.1:9/v1'}}\nagent: {"+c.settings+"}")
		opts, err := conf.Agent.Models(resolve)
		if got := strings.Join(asked, " "); got != c.asked || len(opts) != c.options || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%s: asked for %s, %d options, %v", c.settings, got, len(opts), err)
		}
	}
}

func TestSecretsOfServers(t *testing.T) {
	conf := parse(t, "agent: {mcp: {a: {command: x, env: {B: 'env:SET', A: plain}}, b: {url: 'http://127.0.0.1:9', headers: {x-key: 'env:SET'}}}}", "SET=1")
	set := env("SET=secret")
	program, site := &conf.Agent.MCP[0], &conf.Agent.MCP[1]
	if got, err := program.Environ(set); err != nil || !slices.Equal(got, []string{"A=plain", "B=secret"}) {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := site.Header(set); err != nil || !cmp.Equal(got, http.Header{"X-Key": {"secret"}}) {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := program.Environ(env()); err == nil || err.Error() != "agent: mcp: a: env: B: SET is not set: export SET=..." {
		t.Errorf("got %v", err)
	}
	if _, err := site.Header(env()); err == nil || err.Error() != "agent: mcp: b: headers: x-key: SET is not set: export SET=..." {
		t.Errorf("got %v", err)
	}
}

func TestHomeOfFiles(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "t.json")
	if got := parse(t, "agent: {tools: '"+whole+"'}").Agent.ToolFiles; !slices.Equal(got, config.Files{whole}) {
		t.Errorf("got %q, want %s", got, whole)
	}
	for text, want := range map[string]string{"HOME=/home/me": filepath.Join("/home/me", "t.json"), "USERPROFILE=/users/me": filepath.Join("/users/me", "t.json"), "X=": ""} {
		c, err := config.Parse([]byte("agent: {tools: ~/t.json}"), env(text))
		switch {
		case want == "" && (err == nil || !strings.Contains(err.Error(), "1:16: agent.tools: ~ cannot be resolved: set HOME")):
			t.Errorf("%s: got %v", text, err)
		case want != "" && (err != nil || c.Agent.ToolFiles[0] != want):
			t.Errorf("%s: got %v, %v", text, c, err)
		}
	}
}
