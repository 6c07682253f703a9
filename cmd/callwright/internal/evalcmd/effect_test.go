package evalcmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/evalcmd"
	"github.com/google/go-cmp/cmp"
)

// An effect is a test of one setting: a run with it differs from one without it in requests, output or files.
type effect struct {
	value string // of the flag, and of its variable
	base  string // further flags, in both runs
	live  bool   // the run asks a host
	mute  bool   // the host gives empty answers
	text  bool   // the run prints text, of which numbers do not count
	want  string // a text that one of the runs has more often, "" where any difference will do
}

const (
	native = "--model sim/native --scenarios chat_only "
	asking = "--model-filter x-ai/grok-4.3 --scenarios chat_only "
	own    = "--model sim/native --scenario-file DIR/own.json --scenarios "
)

// effects have a case for each setting.
var effects = map[string]effect{
	"config":                                 {},
	"live":                                   {value: "1", base: "--scenarios chat_only ", live: true, want: "live: "},
	"model":                                  {value: "sim/hermes", base: "--scenarios happy_path ", want: `"sim/hermes"`},
	"model-filter":                           {value: "qwen/qwen3-max", base: "--live --scenarios chat_only ", live: true, want: `"model":"qwen/qwen3-max"`},
	"model-presets":                          {value: "0", base: "--model-filter moonshotai/kimi-k2.5 --scenarios chat_only ", live: true, want: `"order":["moonshotai"]`},
	"mode":                                   {value: "text", base: "--model sim/native --scenarios happy_path ", want: `"mode":"text"`},
	"policy":                                 {value: "off", base: "--model sim/hermes --scenarios happy_path ", want: "did not end well"},
	"compare":                                {value: "policy=off,heal", base: native, text: true, want: "policy off"},
	"fallback-matrix":                        {value: "1", base: native + "", want: "+none"},
	"scenarios":                              {value: "happy_path", base: "--model sim/native ", want: `"chat_only"`},
	"scenario-file":                          {value: "DIR/own.json", base: "--model sim/native --scenarios all ", want: `"my_own"`},
	"trials":                                 {value: "3", base: native, want: "3 trials"},
	"jobs":                                   {},
	"seed":                                   {value: "7", base: "--model sim/llama-like --policy off --scenarios happy_path --trials 20 "},
	"sampling-profile-filter":                {value: "qwen_recommended", base: asking, live: true},
	"sampling-profile-enforce-applicability": {value: "0", base: asking + "--sampling-profile-filter qwen_recommended ", live: true},
	"llm-options-defaults-json":              {value: `{"top_k":7}`, base: asking, live: true, want: `"top_k":7`},
	"temperature":                            {value: "0.5", base: asking, live: true, want: `"temperature":0.5`},
	"top-p":                                  {value: "0.5", base: asking, live: true, want: `"top_p":0.5`},
	"top-k":                                  {value: "5", base: asking, live: true, want: `"top_k":5`},
	"min-p":                                  {value: "0.5", base: asking, live: true, want: `"min_p":0.5`},
	"request-overrides-json":                 {value: `{"verbosity":"low"}`, base: asking, live: true, want: `"verbosity":"low"`},
	"tool-use-mode":                          {value: "disabled", base: "--model-filter x-ai/grok-4.3 --scenarios happy_path ", live: true, want: `"tools":[`},
	"tool-failure-policy":                    {value: "fatal", base: own + "my_failing ", want: "did not end well"},
	"tool-allowlist":                         {value: "state_get", base: "--model-filter x-ai/grok-4.3 --scenarios missing_workspace_id ", live: true, want: `"state_patch"`},
	"tool-calling-fallback-retry-count":      {value: "1", base: "--model sim/never_right --scenarios happy_path "},
	"fix-empty-final":                        {value: "0", base: asking, live: true, mute: true, want: "Your last answer was empty."},
	"enable-content-tag-tool-call-fallback":  {value: "1", base: "--model sim/hermes --mode auto+none --scenarios happy_path ", want: "did not end well"},
	"strict-final":                           {value: "1", base: own + "my_loose ", want: "did not end well"},
	"api-key":                                {value: "sk-other", base: asking, live: true, want: "Bearer sk-other"},
	"base-url":                               {value: "HOST/elsewhere", base: asking, live: true, want: "/elsewhere/v1/chat"},
	"api-prefix":                             {value: "/v7", base: asking, live: true, want: "/v7/chat"},
	"route":                                  {value: "fallback", base: asking, live: true, want: `"route":"fallback"`},
	"transforms":                             {value: "middle-out", base: asking, live: true, want: `"transforms":["middle-out"]`},
	"provider-only":                          {value: "alpha", base: asking, live: true, want: `"only":["alpha"]`},
	"provider-order":                         {value: "alpha", base: asking, live: true, want: `"order":["alpha"]`},
	"provider-ignore":                        {value: "alpha", base: asking, live: true, want: `"ignore":["alpha"]`},
	"client-timeout":                         {},
	"open-timeout":                           {},
	"read-timeout":                           {},
	"http-adapter":                           {value: "httpx", base: asking, live: true, want: "http-adapter: httpx has no effect"},
	"state":                                  {value: "DIR/runs", base: native, want: "results.jsonl"},
	"trace":                                  {value: "1", base: native + "--state DIR/runs ", want: "traces"},
	"feed":                                   {},
	"html":                                   {value: "DIR/page.html", base: native, want: "page.html"},
	"json":                                   {value: "1", base: native, text: true, want: `{"report":`},
	"list":                                   {value: "1", base: native, text: true, want: "(--scenarios)"},
	"verbose":                                {value: "2", base: native, want: "bytes sent"},
}

// elsewhere are the tests that hold the settings whose effect takes more to see than a run.
var elsewhere = map[string]string{
	"config": "live_test.go TestFeed", "jobs": "../../../../internal/eval/runner_test.go TestJobs", "feed": "live_test.go TestFeed", "client-timeout": "live_test.go TestProvidersThatFail", "open-timeout": "live_test.go TestProvidersThatFail", "read-timeout": "live_test.go TestProvidersThatFail",
}

// Each setting changes a run, as a flag and as a variable.
func TestSettingsHaveEffects(t *testing.T) {
	var names []string
	for _, s := range evalcmd.Settings() {
		names = append(names, s.Flag)
		e, ok := effects[s.Flag]
		switch file, test, held := strings.Cut(elsewhere[s.Flag], " "); {
		case !ok:
			t.Errorf("--%s has no case: give a value of it, and what it changes", s.Flag)
			continue
		case held:
			if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "func "+test+"(") {
				t.Errorf("--%s: there is no test %s in %s", s.Flag, test, file)
			}
			continue
		}
		t.Run(s.Flag, func(t *testing.T) {
			t.Parallel()
			without := e.run(t, "", "")
			if d := cmp.Diff(without, e.run(t, "", "")); d != "" {
				t.Fatalf("the observation differs by itself\n%s", d)
			}
			e.differs(t, without, e.run(t, s.Flag, ""))
			if s.Variable != "" && s.Flag != "model-filter" { // which is for the flag --live alone as a variable
				e.differs(t, without, e.run(t, "", s.Variable))
			}
		})
	}
	for name := range effects {
		if !slices.Contains(names, name) {
			t.Errorf("--%s is no setting", name)
		}
	}
}

func (e *effect) differs(t *testing.T, without, with string) {
	t.Helper()
	if without == with {
		t.Errorf("the setting changes nothing:\n%s", with)
	} else if e.want != "" && strings.Count(without, e.want) == strings.Count(with, e.want) {
		t.Errorf("expected a difference in how often %q is there (-without +with)\n%s", e.want, cmp.Diff(strings.Split(without, "\n"), strings.Split(with, "\n")))
	}
}

// unsteady matches the parts of an output that differ from run to run, and those that repeat the settings.
var unsteady = regexp.MustCompile(`"(plan|seed)":("[0-9a-f]+"|\d+)|127\.0\.0\.1:\d+|"times":\{[^{}]*\}|"(started|began|ended|created)":("[^"]*"|[0-9.]+)|\d{4}-\d\d-\d\d[T ][0-9:.]+Z?|[0-9.]+ ?(ms|µs|s)\b`)

// numbers are those of a table, with the space around them.
var numbers = regexp.MustCompile(` *[0-9.]+`)

// ownScenarios end with a text, after a tool that failed, and with a text that is nearly the right one.
const ownScenarios = `{"scenarios":[
{"id":"my_own","summary":"A text.","prompt":"Say Done.","offline":[{"text":"Done."}],"expect":{"text":{"equals":"Done."}}},
{"id":"my_failing","summary":"A tool that fails.","prompt":"Look.","tools":[` + ownTool + `{"error":{"code":"TOOL_FAILED","message":"broken"}}]}],"offline":[{"calls":[{"name":"look","arguments":{}}],"times":1},{"text":"It failed."}],"expect":{"calls":[{"name":"look"}],"text":{"equals":"It failed."}}},
{"id":"my_loose","summary":"Space around.","prompt":"Say Done.","offline":[{"text":"Done"}],"expect":{"text":{"equals":"Done."}}}]}`

const ownTool = `{"name":"look","schema":{"type":"object"},"results":[`

// run executes a command line, with the value as a flag or as a variable. It returns its output, its requests and its files.
func (e *effect) run(t *testing.T, flag, variable string) string {
	t.Helper()
	dir := t.TempDir()
	own := ownScenarios
	if err := os.WriteFile(filepath.Join(dir, "own.json"), []byte(own), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHost(t)
	if e.mute {
		h.answers(`{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":""},"finish_reason":"stop"}]}`)
	}
	b := bench{env: map[string]string{}}
	if e.live {
		b.env["OPENROUTER_API_KEY"], b.env["OPENROUTER_BASE_URL"] = "sk-or-key", h.URL
	}
	in := strings.NewReplacer("DIR", dir, "HOST", h.URL)
	args := strings.Fields(in.Replace(e.base))
	if !e.text {
		args = append(args, "--json")
	}
	if flag != "" {
		args = append(args, "--"+flag+"="+in.Replace(e.value))
	}
	if variable != "" {
		b.env[variable] = in.Replace(e.value)
	}
	err := b.run(t.Context(), args...)
	out := fmt.Sprintln(err) + b.err.String() + b.out.String()
	var asked []string
	for _, r := range h.asked() {
		asked = append(asked, fmt.Sprintln(r.path, r.key, r.body))
	}
	slices.Sort(asked)
	out += strings.Join(asked, "")
	_ = filepath.WalkDir(dir, func(path string, _ os.DirEntry, _ error) error {
		out += strings.TrimPrefix(path, dir) + "\n"
		return nil
	})
	if e.text {
		out = numbers.ReplaceAllString(out, "#")
	}
	return unsteady.ReplaceAllString(strings.NewReplacer(dir, "DIR", h.URL, "HOST").Replace(out), "...")
}
