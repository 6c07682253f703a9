package evalcmd_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright/cmd/callwright/internal/evalcmd"
)

// scripted are the variables that scripts have, without their prefix.
const scripted = "API_KEY BASE_URL API_PREFIX MODEL_FILTER SCENARIOS TRIALS JOBS FALLBACK_MATRIX SAMPLING_PROFILE_FILTER SAMPLING_PROFILE_ENFORCE_APPLICABILITY TOOL_USE_MODE " +
	"TOOL_FAILURE_POLICY TOOL_ALLOWLIST TOOL_CALLING_FALLBACK_RETRY_COUNT FIX_EMPTY_FINAL REQUEST_OVERRIDES_JSON LLM_OPTIONS_DEFAULTS_JSON TEMPERATURE TOP_P TOP_K MIN_P " +
	"ENABLE_CONTENT_TAG_TOOL_CALL_FALLBACK ROUTE TRANSFORMS PROVIDER_ONLY PROVIDER_ORDER PROVIDER_IGNORE CLIENT_TIMEOUT OPEN_TIMEOUT READ_TIMEOUT HTTP_ADAPTER"

// Each variable has the flag of its name, and each setting says what it means.
func TestSettings(t *testing.T) {
	var variables []string
	flags := map[string]bool{}
	for _, s := range evalcmd.Settings() {
		if flags[s.Flag] || s.Meaning == "" || s.Flag != strings.ToLower(s.Flag) {
			t.Errorf("the setting %+v", s)
		}
		flags[s.Flag] = true
		if name, ok := strings.CutPrefix(s.Variable, "OPENROUTER_"); ok {
			variables = append(variables, name)
			if flag := strings.ReplaceAll(strings.ToLower(name), "_", "-"); flag != s.Flag {
				t.Errorf("%s has the flag --%s", s.Variable, s.Flag)
			}
		} else if s.Variable != "" && s.Variable != "VERBOSE" {
			t.Errorf("the variable %s", s.Variable)
		}
	}
	want := strings.Fields(scripted)
	slices.Sort(want)
	if slices.Sort(variables); !slices.Equal(variables, want) {
		t.Errorf("variables %v, want %v", variables, want)
	}
}

// bad are values that cannot be, with what is wrong with them.
var bad = map[string]string{
	"trials=0":                                `expected a whole number from 1 to 1000000, got "0"`,
	"jobs=x":                                  `expected a whole number from 1 to 1000, got "x"`,
	"fallback-matrix=maybe":                   `expected 1 or 0, got "maybe"`,
	"fix-empty-final=2":                       `expected 1 or 0, got "2"`,
	"tool-use-mode=enforce":                   `unknown value "enforce": did you mean enforced?`,
	"tool-failure-policy=zzz":                 `expected fatal, tolerated or told, got "zzz"`,
	"tool-allowlist=,":                        `expected patterns separated by commas, got none: to offer no tools, set --tool-use-mode disabled`,
	"tool-allowlist=[":                        `"[" is no pattern for names of tools`,
	"temperature=hot":                         `expected a number from 0 to 2, got "hot"`,
	"temperature=2.5":                         `expected a number from 0 to 2, got "2.5"`,
	"temperature=0x1p0":                       `expected a number from 0 to 2, got "0x1p0"`,
	"top-p=NaN":                               `expected a number from 0 to 1, got "NaN"`,
	"top-k=1.5":                               `expected a whole number from 0 to 1e+06, got "1.5"`,
	"request-overrides-json=[1]":              `expected an object as JSON, got "[1]"`,
	"llm-options-defaults-json={":             `expected an object as JSON, got "{"`,
	`llm-options-defaults-json={"top_p":"x"}`: `expected a number for top_p, got "x"`,
	"base-url=openrouter.ai":                  `expected an address such as https://openrouter.ai/api, got "openrouter.ai"`,
	"base-url=https://openrouter.ai/?key=p":   `expected an address without a password, a query or a fragment: set the key with --api-key`,
	"base-url=https://u:p@openrouter.ai":      `expected an address without a password, a query or a fragment: set the key with --api-key`,
	"api-prefix=https://x":                    `expected a path such as /v1, got "https://x"`,
	"client-timeout=-1":                       `expected seconds from 0 to 86400, got "-1"`,
	"read-timeout=soon":                       `expected seconds from 0 to 86400, got "soon"`,
	"open-timeout=1e300":                      `expected seconds from 0 to 86400, got "1e300"`,
	"http-adapter=curl":                       `expected httpx or default, got "curl"`,
	"provider-only=,":                         `expected names separated by commas, got none`,
	"verbose=3":                               `expected a whole number from 0 to 2, got "3"`,
}

// A value that cannot be is refused, whether a flag or a variable has it, and the message names that.
func TestBadValues(t *testing.T) {
	for setting, why := range bad {
		flag, value, _ := strings.Cut(setting, "=")
		(&bench{}).refused(t, "--"+flag+": "+why, "--"+flag+"="+value)
		at := slices.IndexFunc(evalcmd.Settings(), func(s evalcmd.Setting) bool { return s.Flag == flag })
		variable := evalcmd.Settings()[at].Variable
		(&bench{env: map[string]string{variable: value}}).refused(t, variable+": "+why)
	}
}

func TestRefusedCommandLines(t *testing.T) {
	for args, want := range map[string]string{
		"--mode text+nothing":                        `--mode: text+nothing: expected the suffix +none, +modes or +next, got +nothing`,
		"--policy hale":                              `--policy: unknown policy "hale": expected heal, heal+heuristic, observe, strict or off`,
		"--mode auto+next --model sim/native":        `--mode: +next needs another model: name two or more models`,
		"--compare speed=1,2":                        `--compare: expected AXIS=A,B with policy, mode, profile or model for the axis, got "speed=1,2"`,
		"--compare policy=off,off":                   `--compare: expected two values of policy or more, got "off,off"`,
		"--compare policy=off,heal --policy strict":  `--policy and --compare policy exclude each other: the comparison sets these values`,
		"--compare profile=default,none":             `--compare: no sampling profile "none": callwright eval --list shows them all`,
		"--compare mode=auto,text --fallback-matrix": `--compare mode and --fallback-matrix exclude each other: name the modes with their fallbacks, such as mode=auto+none,auto+modes`,
		"--feed":                                `--feed: expected a live run: an offline run has no facts about real models`,
		"--model sim/native --live --api-key k": `sim/native is simulated, but this is a live run: measure it in a separate run`,
		"--live --model-filter stabel":          `no model matches "stabel": did you mean stable?`,
		"--sampling-profile-filter creativ":     `--sampling-profile-filter: no sampling profile matches "creativ": did you mean creative?`,
		"--trials 1000000":                      `expected at most 10000000 trials in all, got 30 combinations with 1000000 each`,
		"--seed -1":                             `--seed: expected a whole number from 0 to 18446744073709551615, got "-1"`,
		"--sampling-profile-filter !":           `--sampling-profile-filter: no sampling profile matches "!": expected an id such as deepseek_v3_2_local_recommended, a tag, a pattern or all`,
		"--live --api-key k --model-filter !":   `no model matches "!": expected an id such as anthropic/claude-haiku-4.5, a provider, a tag, a pattern such as qwen/* or all`,
		"--scenario-file nothere.json":          `--scenario-file: open nothere.json: no such file or directory`,
		"happy_path":                            `expected no argument, got "happy_path": name scenarios with --scenarios and models with --model`,
		"--fix-empty-final 0":                   `expected no argument, got "0": write the value of a Boolean flag after an equals sign, as in --fix-empty-final=0`,
		"diff one":                              `expected two runs, got 1: callwright eval diff A B`,
	} {
		(&bench{}).refused(t, want, strings.Fields(args)...)
	}
}

// Of a file that is too long no more is read than shows it, and one without scenarios is not taken for all that there are.
func TestScenarioFiles(t *testing.T) {
	dir := t.TempDir()
	long, none := filepath.Join(dir, "long.json"), filepath.Join(dir, "none.json")
	if err := errors.Join(os.WriteFile(long, nil, 0o600), os.Truncate(long, 64<<20), os.WriteFile(none, []byte(`{"scenarios":[]}`), 0o600)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		long: "--scenario-file: " + long + ": expected a file of at most 16777216 bytes, got a longer one",
		none: "--scenario-file " + none + ": eval.scenarios: /scenarios: expected a scenario, got none",
	} {
		(&bench{}).refused(t, want, "--scenario-file", name)
	}
}

// A page can be written to what is no file, such as a pipe.
func TestPageToDevice(t *testing.T) {
	if err := (&bench{}).run(t.Context(), "--model", "sim/native", "--scenarios", "chat_only", "--html", os.DevNull); err != nil {
		t.Error(err)
	}
}
