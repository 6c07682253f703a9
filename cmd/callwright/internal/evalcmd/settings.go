package evalcmd

import (
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
)

// settings contains the parsed values of all flags and variables of callwright eval.
type settings struct {
	noted
	told    map[string]bool // flags of the settings with a value
	fromEnv map[string]bool // of these, the ones from environment variables

	config   string
	live     bool
	models   []string
	presets  bool // apply the presets of the catalog
	modes    []string
	policies []string
	compare  comparison
	matrix   bool
	trials   int
	jobs     int
	seed     uint64

	scenarios     []string
	scenarioFiles []string

	out      output
	sampling sampling
	agent    agentSettings
	remote   remote
}

// A comparison is an axis of an evaluation, such as "policy", and its values to compare.
type comparison struct {
	axis   string
	values []string
}

// An output contains the settings of the output: files and formats.
type output struct {
	state, html               string
	json, trace, list, strict bool
	feed                      bool
	verbose                   int
}

// sampling contains the settings for sampling parameters of requests.
type sampling struct {
	profiles string
	enforce  bool
	defaults []param
	said     []param
	request  []param
}

// agentSettings are the agent settings for scenarios that do not set them.
type agentSettings struct {
	mode      agent.ToolUseMode // "": as set by the scenario
	failures  agent.FailurePolicy
	allow     []string
	retries   int
	fixEmpty  bool
	textCalls bool
}

// remote contains the settings for OpenRouter and for network connections.
type remote struct {
	key, base, prefix, filter string
	route                     string
	transforms                []string
	noTransforms              bool
	only, order, ignore       []string
	client, open, read        time.Duration
	adapter                   string
}

func newSettings() *settings {
	return &settings{
		told: map[string]bool{}, fromEnv: map[string]bool{}, trials: 1, seed: 1, presets: true,
		out:      output{verbose: 1},
		sampling: sampling{profiles: "default", enforce: true},
		agent:    agentSettings{allow: []string{"state_get", "state_patch"}, fixEmpty: true},
		remote:   remote{base: "https://openrouter.ai/api", prefix: "/v1", client: 120 * time.Second, open: 10 * time.Second, adapter: "httpx"},
	}
}

// Settings returns all settings in the order of the documentation. The caller may modify the slice.
func Settings() []Setting { return append([]Setting(nil), table...) }

// table contains all settings in the order in which they are parsed. A later one can depend on earlier ones.
var table = []Setting{
	{Flag: "config", Value: "FILE", Meaning: "the configuration file; without it, callwright.yaml in this folder, or else the keys in the environment", set: plain(func(s *settings) *string { return &s.config })},
	{Flag: "live", Meaning: "send requests to models of providers, which need a key and charge for them",
		set: yesNo(func(s *settings) *bool { return &s.live })},
	{Flag: "model", Value: "MODEL", list: true, Default: "offline the simulated families, live the models of --model-filter",
		Meaning: "a model: provider/name, or an alias of the configuration; sim/NAME is a simulated family or fault",
		set:     names(func(s *settings) *[]string { return &s.models })},
	{Flag: "model-filter", Variable: prefix + "MODEL_FILTER", Value: "TERMS", Default: "stable", Live: true,
		Meaning: "models of OpenRouter: ids, ids without variants, providers, tags, patterns with an asterisk, all; ! before a term excludes it", set: plain(func(s *settings) *string { return &s.remote.filter })},
	{Flag: "model-presets", Default: "1", Live: true,
		Meaning: "apply the presets of the catalogue: for some models it has a mode, transforms, and members of requests, such as the allowed hosts",
		set:     yesNo(func(s *settings) *bool { return &s.presets })},
	{Flag: "mode", Value: "MODES", list: true, Default: "auto",
		Meaning: "modes, each with an optional suffix for its fallbacks: +none, +modes (other modes) or +next (the next model)",
		set:     checkedNames(checkMode, func(s *settings) *[]string { return &s.modes })},
	{Flag: "policy", Value: "POLICIES", list: true, Default: "heal",
		Meaning: "the allowed changes of requests and answers: heal, heal+heuristic, observe, strict or off",
		set:     checkedNames(checkPolicy, func(s *settings) *[]string { return &s.policies })},
	{Flag: "compare", Value: "AXIS=A,B", Meaning: "compare values of one axis: policy, mode, profile or model",
		set: setComparison},
	{Flag: "fallback-matrix", Variable: prefix + "FALLBACK_MATRIX", Default: "0",
		Meaning: "measure every mode three times: without a fallback (+none), with other modes (+modes), and with other modes and the next model (+next)", set: yesNo(func(s *settings) *bool { return &s.matrix })},

	{Flag: "scenarios", Variable: prefix + "SCENARIOS", Value: "NAMES", Default: "default",
		Meaning: "scenarios and presets, by name: smoke (same as default), full, tool, chat, all",
		set:     names(func(s *settings) *[]string { return &s.scenarios })},
	{Flag: "scenario-file", Value: "FILE", list: true, Meaning: "a file with your own scenarios", set: func(s *settings, text string) error {
		s.scenarioFiles = append(s.scenarioFiles, text)
		return nil
	}},
	{Flag: "trials", Variable: prefix + "TRIALS", Value: "N", Default: "1", Meaning: "the number of trials of each combination",
		set: whole(1, 1_000_000, func(s *settings) *int { return &s.trials })},
	{Flag: "jobs", Variable: prefix + "JOBS", Value: "N", Default: "1 live, the number of CPUs offline",
		Meaning: "the number of concurrent trials: for each model in a live run, in total in an offline run",
		set:     whole(1, 1000, func(s *settings) *int { return &s.jobs })},
	{Flag: "seed", Value: "N", Default: "1", Meaning: "the seed of all random numbers in an offline run", set: setSeed},

	{Flag: "sampling-profile-filter", Variable: prefix + "SAMPLING_PROFILE_FILTER", Value: "TERMS", Default: "default",
		Meaning: "profiles of sampling parameters: ids, tags, patterns, all; ! before a term excludes it",
		set:     plain(func(s *settings) *string { return &s.sampling.profiles })},
	{Flag: "sampling-profile-enforce-applicability", Variable: prefix + "SAMPLING_PROFILE_ENFORCE_APPLICABILITY", Default: "1",
		Meaning: "skip a profile for models that it does not apply to", set: yesNo(func(s *settings) *bool { return &s.sampling.enforce })},
	{Flag: "llm-options-defaults-json", Variable: prefix + "LLM_OPTIONS_DEFAULTS_JSON", Value: "JSON",
		Meaning: "members of every request, with precedence over profiles",
		set:     object("llm-options-defaults-json", func(s *settings) *[]param { return &s.sampling.defaults })},
	{Flag: "temperature", Variable: prefix + "TEMPERATURE", Value: "NUMBER",
		Meaning: "the sampling temperature, with precedence over profiles", set: number("temperature", 0, 2, false)},
	{Flag: "top-p", Variable: prefix + "TOP_P", Value: "NUMBER", Meaning: "top_p, with precedence over profiles", set: number("top_p", 0, 1, false)},
	{Flag: "top-k", Variable: prefix + "TOP_K", Value: "N", Meaning: "top_k, with precedence over profiles", set: number("top_k", 0, 1_000_000, true)},
	{Flag: "min-p", Variable: prefix + "MIN_P", Value: "NUMBER", Meaning: "min_p, with precedence over profiles", set: number("min_p", 0, 1, false)},
	{Flag: "request-overrides-json", Variable: prefix + "REQUEST_OVERRIDES_JSON", Value: "JSON",
		Meaning: "members of every request, with precedence over all other settings; a member that the evaluation itself sets, such as model, messages, tools or stream, is ignored with a note",
		set:     object("request-overrides-json", func(s *settings) *[]param { return &s.sampling.request })},

	{Flag: "tool-use-mode", Variable: prefix + "TOOL_USE_MODE", Value: "MODE", Default: "the scenario's",
		Words:   []string{"enforced", "relaxed", "disabled"},
		Meaning: "enforced (if the scenario expects a call, the model must make one before it answers), relaxed (the model decides), or disabled (no tools are offered)",
		set: func(s *settings, text string) error {
			s.agent.mode = agent.ToolUseMode(text)
			return nil
		}},
	{Flag: "tool-failure-policy", Variable: prefix + "TOOL_FAILURE_POLICY", Value: "POLICY", Default: "the scenario's",
		Words:   []string{"fatal", "tolerated", "told"},
		Meaning: "the effect of failed tools on a run", set: func(s *settings, text string) error {
			s.agent.failures = agent.FailurePolicy(text)
			return nil
		}},
	{Flag: "tool-allowlist", Variable: prefix + "TOOL_ALLOWLIST", Value: "PATTERNS", Default: "state_get,state_patch",
		Meaning: "the workspace tools to offer, or all; without this setting, also those whose calls the scenario expects; the tools that a scenario declares are always offered", set: setAllowed},
	{Flag: "tool-calling-fallback-retry-count", Variable: prefix + "TOOL_CALLING_FALLBACK_RETRY_COUNT", Value: "N", Default: "0",
		Meaning: "how often a request with tools is repeated after it failed, before it is sent without tools",
		set:     whole(0, 10, func(s *settings) *int { return &s.agent.retries })},
	{Flag: "fix-empty-final", Variable: prefix + "FIX_EMPTY_FINAL", Default: "1",
		Meaning: "ask once more if the final text is empty", set: yesNo(func(s *settings) *bool { return &s.agent.fixEmpty })},
	{Flag: "enable-content-tag-tool-call-fallback", Variable: prefix + "ENABLE_CONTENT_TAG_TOOL_CALL_FALLBACK", Default: "0",
		Meaning: "read calls in <tool_call> tags in the text of every model, even if +none forbids calls in the text",
		set:     yesNo(func(s *settings) *bool { return &s.agent.textCalls })},
	{Flag: "strict-final", Default: "0", Meaning: "compare final texts byte for byte",
		set: yesNo(func(s *settings) *bool { return &s.out.strict })},

	{Flag: "api-key", Variable: prefix + "API_KEY", Value: "KEY", Live: true,
		Meaning: "the key for OpenRouter, or env:NAME; other users of this machine can see a flag, but not a variable",
		set:     plain(func(s *settings) *string { return &s.remote.key })},
	{Flag: "base-url", Variable: prefix + "BASE_URL", Value: "URL", Default: "https://openrouter.ai/api", Live: true,
		Meaning: "the base URL of OpenRouter; the prefix and the endpoint are appended",
		set:     setBase},
	{Flag: "api-prefix", Variable: prefix + "API_PREFIX", Value: "PATH", Default: "/v1", Live: true, empty: true,
		Meaning: "the path between the base URL and the endpoint; a part that the base URL ends with is not repeated", set: setPrefix},
	{Flag: "route", Variable: prefix + "ROUTE", Value: "ROUTE", Live: true,
		Meaning: "the member route of OpenRouter, such as fallback", set: plain(func(s *settings) *string { return &s.remote.route })},
	{Flag: "transforms", Variable: prefix + "TRANSFORMS", Value: "NAMES", Live: true,
		Meaning: "values of OpenRouter's request member transforms, such as middle-out; none sends an empty list, auto omits the member", set: setTransforms},
	{Flag: "provider-only", Variable: prefix + "PROVIDER_ONLY", Value: "NAMES", Live: true,
		Meaning: "the only hosts of OpenRouter that may serve a request", set: names(func(s *settings) *[]string { return &s.remote.only })},
	{Flag: "provider-order", Variable: prefix + "PROVIDER_ORDER", Value: "NAMES", Live: true,
		Meaning: "hosts of OpenRouter that are tried first, in this order", set: names(func(s *settings) *[]string { return &s.remote.order })},
	{Flag: "provider-ignore", Variable: prefix + "PROVIDER_IGNORE", Value: "NAMES", Live: true,
		Meaning: "hosts of OpenRouter that are not used", set: names(func(s *settings) *[]string { return &s.remote.ignore })},
	{Flag: "client-timeout", Variable: prefix + "CLIENT_TIMEOUT", Value: "SECONDS", Default: "120", Live: true,
		Meaning: "the time limit of one request; 0 is no limit", set: seconds(func(s *settings) *time.Duration { return &s.remote.client })},
	{Flag: "open-timeout", Variable: prefix + "OPEN_TIMEOUT", Value: "SECONDS", Default: "10", Live: true,
		Meaning: "the time limit for connecting; 0 is no limit", set: seconds(func(s *settings) *time.Duration { return &s.remote.open })},
	{Flag: "read-timeout", Variable: prefix + "READ_TIMEOUT", Value: "SECONDS", Default: "the client-timeout", Live: true,
		Meaning: "the time limit for silence of a provider; 0 is no limit", set: seconds(func(s *settings) *time.Duration { return &s.remote.read })},
	{Flag: "http-adapter", Variable: prefix + "HTTP_ADAPTER", Value: "NAME", Default: "httpx", Live: true,
		Meaning: "no effect, as there is one HTTP client; accepted for existing scripts", set: setAdapter},

	{Flag: "state", Value: "DIR", Meaning: "keep the results in this folder, or with nats:NAME on the NATS of the configuration; if a run is already there, continue it", set: plain(func(s *settings) *string { return &s.out.state })},
	{Flag: "trace", Meaning: "record each trial in its own file below --state",
		set: yesNo(func(s *settings) *bool { return &s.out.trace })},
	{Flag: "feed", Meaning: "keep the measurements of native calls as facts about the models, as callwright probe does",
		set: yesNo(func(s *settings) *bool { return &s.out.feed })},
	{Flag: "html", Value: "FILE", Meaning: "write the results to this file, as a page for a browser", set: plain(func(s *settings) *string { return &s.out.html })},
	{Flag: "json", Meaning: "print one JSON object", set: yesNo(func(s *settings) *bool { return &s.out.json })},
	{Flag: "list", Meaning: "list scenarios, presets, profiles and models, without a run",
		set: yesNo(func(s *settings) *bool { return &s.out.list })},
	{Flag: "verbose", Variable: "VERBOSE", Value: "N", Default: "1",
		Meaning: "the output on standard error: 0 only important messages, 1 also progress on a terminal, 2 also a line for each trial, with the bytes sent and received",
		set:     whole(0, 2, func(s *settings) *int { return &s.out.verbose })},
}

// axes are the values that --compare accepts as its axis.
var axes = []string{"policy", "mode", "profile", "model"}

func checkPolicy(name string) error {
	_, err := callwright.ParsePolicy(name)
	return err
}
