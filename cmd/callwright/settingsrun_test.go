package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// agentCases have a case for each key of the section agent, which is a flag of callwright run, too.
var agentCases = map[string]settingCase{
	"model":                         {value: "lab/other", with: "model: lab/m", see: ran("Hi."), want: `"model":"other"`},
	"system":                        {value: "Be short.", see: ran("Hi."), want: "Be short."},
	"tool_use_mode":                 {value: "enforced", see: ran("Hi."), want: "Call at least one"},
	"allow_unreliable":              {value: "true", with: "tool_use_mode: enforced", below: "tool_call_reliable: false", see: ran(goodCall, "Hi."), want: "known to be unreliable"},
	"fallback_retry_count":          {value: "1", below: "max_retries: 0", see: ran("status 500"), want: `"tools":[`},
	"tool_failure_policy":           {value: "told", see: ran("call fail {}", "Hi."), want: `"stop":"tool_failed"`},
	"tool_choice":                   {value: "required", see: ran(goodCall, "Hi."), want: `"tool_choice":"required"`},
	"request_overrides":             {value: `{"seed":7}`, see: ran("Hi."), want: `"seed":7`},
	"fix_empty_final":               {value: "false", see: ran(goodCall, ""), want: "Your last answer was empty."},
	"fix_empty_final_user_text":     {value: "Well?", see: ran(goodCall, ""), want: "Well?"},
	"fix_empty_final_disable_tools": {value: "false", see: ran(goodCall, ""), want: `"tool_choice":"none"`},
	"ask_about_claims":              {value: "true", see: ran("I have sent the email to Ann.", "I did not."), want: "No call did that"},
	"verifier":                      {value: "always", see: ran("Hi.", `{"ok":true}`), want: "You check the last answer"},
	"verifier_model":                {value: "lab/second", with: "verifier: always", see: ran("Hi.", `{"ok":true}`), want: `"model":"second"`},
	"verifier_confidence":           {value: "1", with: "verifier: auto", see: ran(goodCall, "", "Hi.<|im_end|>", `{"ok":true}`), want: "You check the last answer"},
	"next_models":                   {value: "lab/big", see: ran(badCall), want: `"suggested":"lab/big"`},
	"next_model_after":              {value: "99", with: "next_models: lab/big, move_to_next_model: true", see: ran(badCall), want: `"model":"big"`},
	"move_to_next_model":            {value: "true", with: "next_models: lab/big", see: ran(badCall), want: `"model":"big"`},
	"tool_allowlist":                {value: "lo*", see: ran("Hi."), want: `"name":"drop"`},
	"tool_denylist":                 {value: "lo*", see: ran("Hi."), want: `"name":"look"`},
	"tool_profiles":                 {value: `{"r":{"tool_denylist":["look"]}}`, with: `tool_profile: r, tool_profiles: {"r":{"tool_allowlist":["look"]}}`, see: ran("Hi."), want: `"name":"look"`},
	"tool_profile":                  {value: "r", with: `tool_profiles: {"r":{"tool_allowlist":["look"]}}`, see: ran("Hi."), want: `"name":"drop"`},
	"approve":                       {value: `{"look":"always"}`, see: ran(goodCall, "Hi."), want: `"event":"approval"`},
	"max_steps":                     {value: "1", see: ran(goodCall, "Hi."), want: "no answer after 1 steps"},
	"max_tokens":                    {value: "1000", see: ran(goodCall, "Hi."), want: "the run used 1100 tokens"},
	"max_time":                      {value: "1ns", see: ran(goodCall, "Hi."), want: `"stop":"time"`},
	"max_cost":                      {value: "0.001", with: `cost: {"input_per_million":3,"output_per_million":15}`, see: ran(goodCall, "Hi."), want: "the run cost"},
	"cost":                          {value: `{"input_per_million":3,"output_per_million":15}`, see: ran("Hi."), want: `"cost":`},
	"max_tool_args_bytes":           {value: "5", see: ran(goodCall, "Hi."), want: "ARGUMENTS_TOO_LARGE"},
	"max_tool_output_bytes":         {value: "300", see: ran("call long {}", "Hi."), want: "TOOL_OUTPUT_TOO_LARGE"},
	"cut_tool_output":               {value: "true", with: "max_tool_output_bytes: 300", see: ran("call long {}", "Hi."), want: "TOOL_OUTPUT_TOO_LARGE"},
	"parallel":                      {},
	"tool_timeout":                  {},
}

// runCases have a case for each flag of callwright run that is no key of the section agent.
var runCases = map[string]settingCase{
	"config":       {value: "DIR/other.yaml", see: configured, want: "Be long."},
	"mcp":          {value: "no-such-server", see: ran("Hi."), want: "no-such-server"},
	"tools":        {value: `[{"name":"more","run":{"command":["echo","1"]}}]`, see: ran("Hi."), want: `"name":"more"`},
	"yes":          {value: "true", see: ran("call drop {}", "Hi."), want: `"event":"approval"`},
	"state":        {value: "DIR/elsewhere", see: inFolder("elsewhere", "Hi.")},
	"trace":        {value: "DIR/trace.jsonl", see: inFolder("trace.jsonl", "Hi.")},
	"conversation": {value: "DIR/talk.json", see: inFolder("talk.json", "Hi.")},
	"resume":       {see: resumed("")},
	"answer":       {see: resumed("yes")},
	"wait":         {},
	"no-check":     {value: "true", see: told("Hi."), want: "has no list of models"},
	"notes":        {value: "true", see: told(badCall, goodCall, "Hi."), want: "correct.asked"},
	"json":         {value: "true", see: told("Hi."), want: `"event":"final"`},
}

// runTools are a tool that looks, one that destroys, one that fails, and one that says much.
var runTools = `[{"name":"look","description":"Looks at a city.","parameters":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]},"run":{"command":["echo","3 degrees"]},"effects":"none"},` +
	`{"name":"drop","effects":"destructive","run":{"command":["echo","gone"]}},{"name":"fail","effects":"none","run":{"command":["no-such-program"]}},` +
	`{"name":"long","effects":"none","run":{"command":["echo","` + strings.Repeat("very ", 100) + `long"]}}]`

// configured runs the agent by its own configuration, or by another one where a flag names that.
func configured(s *scene) string {
	text := strings.Replace(s.conf, "agent: {", "agent: {system: Be long., ", 1)
	if err := os.WriteFile(filepath.Join(s.dir, "other.yaml"), []byte(text), 0o600); err != nil {
		s.Fatal(err)
	}
	return ran("Hi.")(s)
}

// plain shows what a command says, and with which status it ends.
func (s *scene) plain(args ...string) string {
	s.Helper()
	status, out, errs := command(s.T, "", args...)
	return fmt.Sprintln(status, out, errs)
}

// run runs the agent with the flags of the scene.
func (s *scene) run(args ...string) string {
	s.Helper()
	all := append([]string{"run", "--config", s.file(), "--tools", runTools}, args...)
	if !strings.Contains(s.conf, "agent: {model: ") && !slices.ContainsFunc(s.flags, func(f string) bool { return strings.HasPrefix(f, "--model=") }) {
		all = append(all, "--model", "lab/m")
	}
	for _, f := range s.flags {
		all = append(all, strings.ReplaceAll(f, "DIR", s.dir))
	}
	return s.lab.asked() + s.plain(all...) + s.lab.asked()
}

// ran runs the agent, whose model plays answers, and shows each event and each request.
func ran(answers ...string) func(s *scene) string {
	return func(s *scene) string {
		s.lab.play(answers...)
		return s.run("--state", filepath.Join(s.dir, "state"), "--json", "Go.")
	}
}

// told is ran as a person sees it.
func told(answers ...string) func(s *scene) string {
	return func(s *scene) string {
		s.lab.play(answers...)
		return s.run("--state", filepath.Join(s.dir, "state"), "Go.")
	}
}

// inFolder says whether a run wrote something.
func inFolder(name string, answers ...string) func(s *scene) string {
	return func(s *scene) string {
		s.lab.play(answers...)
		args := []string{"Go."}
		if !slices.ContainsFunc(s.flags, func(f string) bool { return strings.HasPrefix(f, "--state=") }) {
			args = append(args, "--state", filepath.Join(s.dir, "state"))
		}
		said := s.run(args...)
		_, err := os.Stat(filepath.Join(s.dir, name))
		return fmt.Sprintln(err == nil, len(said) > 0)
	}
}

// runID is the name of a run in what a command says.
var runID = regexp.MustCompile(`run_[0-9a-f-]{36}`)

// resumed goes on with a run that waits where the scene has a flag, with an answer or without.
func resumed(answer string) func(s *scene) string {
	return func(s *scene) string {
		s.lab.play("call drop {}", "Hi.")
		at := filepath.Join(s.dir, "state")
		said := s.run("--state", at, "Go.")
		if s.flags == nil && answer == "" {
			return said
		}
		again := []string{"--state", at, "--resume", runID.FindString(said)}
		if answer != "" && s.flags != nil {
			again = append(again, "--answer", answer)
		}
		flags := s.flags
		s.flags = nil
		defer func() { s.flags = flags }()
		return s.run(again...)
	}
}

// Each key of an agent, and each flag of callwright run, changes what a run asks, says or comes to.
func TestRunSettings(t *testing.T) {
	var keys, names []string
	for _, key := range schemaKeys(t) {
		if below, ok := strings.CutPrefix(key, "agent/"); ok && !strings.Contains(below, "/") && below != "mcp" && below != "tools" {
			keys = append(keys, below)
		}
	}
	complete(t, keys, agentCases)
	for key, c := range agentCases {
		if c.see == nil {
			held(t, "cmd/callwright/internal/runcmd/settings_inside_test.go TestKeysAreOptionsAndFlags")
			continue
		}
		t.Run("agent/"+key, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			without, with := c.settings(key)
			differ(t, &c, l, scene{conf: agentConf(l, without, c.below)}, scene{conf: agentConf(l, with, c.below)})
		})
		names = append(names, strings.TrimPrefix(flagOfKey(key), "--"))
		t.Run(flagOfKey(key), func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			conf := agentConf(l, c.with, c.below)
			differ(t, &c, l, scene{conf: conf}, scene{conf: conf, flags: []string{flagOfKey(key) + "=" + c.value}})
		})
	}
	flags := slices.DeleteFunc(flagsOf(t, "run"), func(name string) bool {
		return slices.Contains(names, name) || name == "parallel" || name == "tool-timeout"
	})
	complete(t, flags, runCases)
	for name, c := range runCases {
		if c.see == nil {
			held(t, "cmd/callwright/internal/runcmd/answered_inside_test.go TestAnsweredWhileAway")
			continue
		}
		t.Run("--"+name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			conf := agentConf(l, c.with, "")
			differ(t, &c, l, scene{conf: conf}, scene{conf: conf, flags: []string{"--" + name + "=" + c.value}})
		})
	}
}

// flagOfKey is the flag of a key of an agent.
func flagOfKey(key string) string {
	key = strings.TrimSuffix(strings.Replace(key, "tool_allowlist", "allow", 1), "\n")
	return "--" + strings.ReplaceAll(strings.Replace(key, "tool_denylist", "deny", 1), "_", "-")
}

// agentConf is a configuration with settings of the agent, and others of the provider.
func agentConf(l *lab, settings, below string) string {
	return "providers: {lab: {base_url: \"" + l.URL + "/v1\", api_key: any, " + below + "}}\nagent: {" + settings + "}\n"
}
