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
	{Flag: "config", Value: "FILE", Meaning: "the configuration; without it, callwright.yaml in this folder, or what the environment offers", set: plain(func(s *settings) *string { return &s.config })},
	{Flag: "live", Meaning: "ask models at providers, for which a key is needed and which costs what they take",
		set: yesNo(func(s *settings) *bool { return &s.live })},
	{Flag: "model", Value: "MODEL", list: true, Default: "the simulated families offline, those of --model-filter live",
		Meaning: "a model as the configuration names it, provider/name or an alias; sim/NAME is a simulated family or fault",
		set:     names(func(s *settings) *[]string { return &s.models })},
	{Flag: "model-filter", Variable: prefix + "MODEL_FILTER", Value: "TERMS", Default: "stable", Live: true,
		Meaning: "models of OpenRouter: ids, ids without variants, providers, tags, patterns with an asterisk, all; ! before a term leaves out", set: plain(func(s *settings) *string { return &s.remote.filter })},
	{Flag: "model-presets", Default: "1", Live: true,
		Meaning: "apply what the catalogue has for single models: how tools are conveyed, transforms and members of requests, such as which hosts are asked",
		set:     yesNo(func(s *settings) *bool { return &s.presets })},
	{Flag: "mode", Value: "MODES", list: true, Default: "auto",
		Meaning: "how tools are conveyed, each with +none, +modes or +next behind it for what may be fallen back on",
		set:     checkedNames(checkMode, func(s *settings) *[]string { return &s.modes })},
	{Flag: "policy", Value: "POLICIES", list: true, Default: "heal",
		Meaning: "what may be changed on the way: heal, heal+heuristic, observe, strict or off",
		set:     checkedNames(checkPolicy, func(s *settings) *[]string { return &s.policies })},
	{Flag: "compare", Value: "AXIS=A,B", Meaning: "hold values of an axis against one another: policy, mode, profile or model",
		set: setComparison},
	{Flag: "fallback-matrix", Variable: prefix + "FALLBACK_MATRIX", Default: "0",
		Meaning: "measure every mode three times: without a fallback (+none), with other modes (+modes), and with the next of the models after these (+next)", set: yesNo(func(s *settings) *bool { return &s.matrix })},

	{Flag: "scenarios", Variable: prefix + "SCENARIOS", Value: "NAMES", Default: "default",
		Meaning: "names of scenarios and presets: smoke (which is default), full, tool, chat, all",
		set:     names(func(s *settings) *[]string { return &s.scenarios })},
	{Flag: "scenario-file", Value: "FILE", list: true, Meaning: "scenarios of one's own", set: func(s *settings, text string) error {
		s.scenarioFiles = append(s.scenarioFiles, text)
		return nil
	}},
	{Flag: "trials", Variable: prefix + "TRIALS", Value: "N", Default: "1", Meaning: "how often each combination is played",
		set: whole(1, 1_000_000, func(s *settings) *int { return &s.trials })},
	{Flag: "jobs", Variable: prefix + "JOBS", Value: "N", Default: "1 live, the number of CPUs offline",
		Meaning: "how many trials are played at a time: of each model live, of all together offline",
		set:     whole(1, 1000, func(s *settings) *int { return &s.jobs })},
	{Flag: "seed", Value: "N", Default: "1", Meaning: "what everything drawn in an offline run follows from", set: setSeed},

	{Flag: "sampling-profile-filter", Variable: prefix + "SAMPLING_PROFILE_FILTER", Value: "TERMS", Default: "default",
		Meaning: "profiles of sampling parameters: ids, tags, patterns, all; ! before a term leaves out",
		set:     plain(func(s *settings) *string { return &s.sampling.profiles })},
	{Flag: "sampling-profile-enforce-applicability", Variable: prefix + "SAMPLING_PROFILE_ENFORCE_APPLICABILITY", Default: "1",
		Meaning: "skip profiles on models that they are not for", set: yesNo(func(s *settings) *bool { return &s.sampling.enforce })},
	{Flag: "llm-options-defaults-json", Variable: prefix + "LLM_OPTIONS_DEFAULTS_JSON", Value: "JSON",
		Meaning: "members of every request, over those of profiles",
		set:     object("llm-options-defaults-json", func(s *settings) *[]param { return &s.sampling.defaults })},
	{Flag: "temperature", Variable: prefix + "TEMPERATURE", Value: "NUMBER",
		Meaning: "the sampling temperature, over all profiles", set: number("temperature", 0, 2, false)},
	{Flag: "top-p", Variable: prefix + "TOP_P", Value: "NUMBER", Meaning: "top_p, over all profiles", set: number("top_p", 0, 1, false)},
	{Flag: "top-k", Variable: prefix + "TOP_K", Value: "N", Meaning: "top_k, over all profiles", set: number("top_k", 0, 1_000_000, true)},
	{Flag: "min-p", Variable: prefix + "MIN_P", Value: "NUMBER", Meaning: "min_p, over all profiles", set: number("min_p", 0, 1, false)},
	{Flag: "request-overrides-json", Variable: prefix + "REQUEST_OVERRIDES_JSON", Value: "JSON",
		Meaning: "members of every request, over all others; those that an evaluation decides, such as model, messages, tools and stream, are ignored with a note",
		set:     object("request-overrides-json", func(s *settings) *[]param { return &s.sampling.request })},

	{Flag: "tool-use-mode", Variable: prefix + "TOOL_USE_MODE", Value: "MODE", Default: "the scenario's",
		Words:   []string{"enforced", "relaxed", "disabled"},
		Meaning: "enforced (an answer needs a call before it, in scenarios that expect one), relaxed or disabled (no tools are offered)",
		set: func(s *settings, text string) error {
			s.agent.mode = agent.ToolUseMode(text)
			return nil
		}},
	{Flag: "tool-failure-policy", Variable: prefix + "TOOL_FAILURE_POLICY", Value: "POLICY", Default: "the scenario's",
		Words:   []string{"fatal", "tolerated", "told"},
		Meaning: "what tools that fail make of a run", set: func(s *settings, text string) error {
			s.agent.failures = agent.FailurePolicy(text)
			return nil
		}},
	{Flag: "tool-allowlist", Variable: prefix + "TOOL_ALLOWLIST", Value: "PATTERNS", Default: "state_get,state_patch",
		Meaning: "which tools of a workspace are offered, all for every one of them; the tools that a scenario declares itself always are, and without this setting those that it expects calls of", set: setAllowed},
	{Flag: "tool-calling-fallback-retry-count", Variable: prefix + "TOOL_CALLING_FALLBACK_RETRY_COUNT", Value: "N", Default: "0",
		Meaning: "how often a model that fails with tools, or whose provider fails, is asked again before it is asked without",
		set:     whole(0, 10, func(s *settings) *int { return &s.agent.retries })},
	{Flag: "fix-empty-final", Variable: prefix + "FIX_EMPTY_FINAL", Default: "1",
		Meaning: "ask once more where the final text is empty", set: yesNo(func(s *settings) *bool { return &s.agent.fixEmpty })},
	{Flag: "enable-content-tag-tool-call-fallback", Variable: prefix + "ENABLE_CONTENT_TAG_TOOL_CALL_FALLBACK", Default: "0",
		Meaning: "read calls in <tool_call> tags in the text of every model, also under +none",
		set:     yesNo(func(s *settings) *bool { return &s.agent.textCalls })},
	{Flag: "strict-final", Default: "0", Meaning: "compare final texts byte for byte",
		set: yesNo(func(s *settings) *bool { return &s.out.strict })},

	{Flag: "api-key", Variable: prefix + "API_KEY", Value: "KEY", Live: true,
		Meaning: "the key for OpenRouter, or env:NAME; a variable is not seen by others on this machine, a flag is",
		set:     plain(func(s *settings) *string { return &s.remote.key })},
	{Flag: "base-url", Variable: prefix + "BASE_URL", Value: "URL", Default: "https://openrouter.ai/api", Live: true,
		Meaning: "where OpenRouter is: requests go to this, the prefix and the endpoint",
		set:     setBase},
	{Flag: "api-prefix", Variable: prefix + "API_PREFIX", Value: "PATH", Default: "/v1", Live: true, empty: true,
		Meaning: "the path between; what the URL ends with already is not repeated", set: setPrefix},
	{Flag: "route", Variable: prefix + "ROUTE", Value: "ROUTE", Live: true,
		Meaning: "OpenRouter's member route, such as fallback", set: plain(func(s *settings) *string { return &s.remote.route })},
	{Flag: "transforms", Variable: prefix + "TRANSFORMS", Value: "NAMES", Live: true,
		Meaning: "OpenRouter's member transforms, such as middle-out; none for an empty list, auto for none of it", set: setTransforms},
	{Flag: "provider-only", Variable: prefix + "PROVIDER_ONLY", Value: "NAMES", Live: true,
		Meaning: "hosts behind OpenRouter that alone may serve", set: names(func(s *settings) *[]string { return &s.remote.only })},
	{Flag: "provider-order", Variable: prefix + "PROVIDER_ORDER", Value: "NAMES", Live: true,
		Meaning: "hosts that are tried first, in this order", set: names(func(s *settings) *[]string { return &s.remote.order })},
	{Flag: "provider-ignore", Variable: prefix + "PROVIDER_IGNORE", Value: "NAMES", Live: true,
		Meaning: "hosts that are left out", set: names(func(s *settings) *[]string { return &s.remote.ignore })},
	{Flag: "client-timeout", Variable: prefix + "CLIENT_TIMEOUT", Value: "SECONDS", Default: "120", Live: true,
		Meaning: "the time of one request; 0 is no bound", set: seconds(func(s *settings) *time.Duration { return &s.remote.client })},
	{Flag: "open-timeout", Variable: prefix + "OPEN_TIMEOUT", Value: "SECONDS", Default: "10", Live: true,
		Meaning: "until a connection stands; 0 is no bound", set: seconds(func(s *settings) *time.Duration { return &s.remote.open })},
	{Flag: "read-timeout", Variable: prefix + "READ_TIMEOUT", Value: "SECONDS", Default: "that of client-timeout", Live: true,
		Meaning: "silence of a provider; 0 is no bound", set: seconds(func(s *settings) *time.Duration { return &s.remote.read })},
	{Flag: "http-adapter", Variable: prefix + "HTTP_ADAPTER", Value: "NAME", Default: "httpx", Live: true,
		Meaning: "accepted for scripts that have it, without effect: there is one HTTP client", set: setAdapter},

	{Flag: "state", Value: "DIR", Meaning: "keep results in this folder, or as nats:NAME on the NATS of the configuration, and go on with those that are there", set: plain(func(s *settings) *string { return &s.out.state })},
	{Flag: "trace", Meaning: "record every trial in a file of its own, below --state",
		set: yesNo(func(s *settings) *bool { return &s.out.trace })},
	{Flag: "feed", Meaning: "keep what was measured of native calls as facts about the models, as callwright probe does",
		set: yesNo(func(s *settings) *bool { return &s.out.feed })},
	{Flag: "html", Value: "FILE", Meaning: "write a page for a browser", set: plain(func(s *settings) *string { return &s.out.html })},
	{Flag: "json", Meaning: "print one JSON object", set: yesNo(func(s *settings) *bool { return &s.out.json })},
	{Flag: "list", Meaning: "list scenarios, presets, profiles and models, and play nothing",
		set: yesNo(func(s *settings) *bool { return &s.out.list })},
	{Flag: "verbose", Variable: "VERBOSE", Value: "N", Default: "1",
		Meaning: "what is told on standard error: 0 nothing but what matters, 1 progress on a terminal, 2 a line for every trial, with how many bytes were sent and received",
		set:     whole(0, 2, func(s *settings) *int { return &s.out.verbose })},
}

// axes are the values that --compare accepts as its axis.
var axes = []string{"policy", "mode", "profile", "model"}

func checkPolicy(name string) error {
	_, err := callwright.ParsePolicy(name)
	return err
}
