package caps

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Truth is the value of a yes-or-no capability: Unknown, Yes or No. The zero Truth is Unknown.
type Truth int8

const (
	// Unknown means that no information exists. Package reliable then assumes that the model has the capability, and
	// learns from a rejection.
	Unknown Truth = iota
	// Yes means that the model has the capability.
	Yes
	// No means that the model lacks the capability.
	No
)

// Or returns t, or other if t is Unknown.
func (t Truth) Or(other Truth) Truth {
	if t == Unknown {
		return other
	}
	return t
}

// String returns "unknown", "yes" or "no".
func (t Truth) String() string { return [...]string{"unknown", "yes", "no"}[t] }

// A Source is the origin of a fact. The constants are in ascending order of precedence: a fact from a later source
// overrides a fact from an earlier one.
type Source uint8

const (
	// Default is the built-in assumption about an unknown model.
	Default Source = iota
	// Shipped is the table in this package.
	Shipped
	// Discovered is the provider's list of models.
	Discovered
	// Probed is a test request to the model.
	Probed
	// Learned is evidence from requests, such as a rejected field. Learned facts expire.
	Learned
	// Configured is the user's configuration.
	Configured
	// Override is set by an operator at run time. It takes precedence over the configuration until it is removed or
	// expires.
	Override
)

var sourceNames = [...]string{"default", "shipped", "discovered", "probed", "learned", "configured", "override"}

// String returns the name of the source in lower case, such as "learned".
func (s Source) String() string { return sourceNames[s] }

// MarshalText returns the name of the source.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText parses the name of a source. An unknown name is an error.
func (s *Source) UnmarshalText(name []byte) error {
	i := slices.Index(sourceNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("unknown source %q", name)
	}
	*s = Source(i)
	return nil
}

// A ReasoningMember is the name of the message member that carries reasoning text. Values other than the constants are
// allowed. "" is unknown.
type ReasoningMember string

// The members that providers use.
const (
	ReasoningContent   ReasoningMember = "reasoning_content"
	ReasoningField     ReasoningMember = "reasoning"
	ReasoningThinking  ReasoningMember = "thinking"
	ReasoningInContent ReasoningMember = "content"           // reasoning parts in the content array
	ReasoningEncrypted ReasoningMember = "encrypted_content" // of a reasoning item; only sent if the request includes it
)

// A ToolSearch is the provider API whose tool search the model supports. With tool search, deferred tools are loaded
// only when the model searches for them. The constants are the only values; "" is unknown.
type ToolSearch string

// Values of ToolSearch: the APIs with a tool search, and none.
const (
	ToolSearchAnthropic ToolSearch = "anthropic" // https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
	ToolSearchResponses ToolSearch = "responses" // https://developers.openai.com/api/docs/guides/tools-tool-search
	ToolSearchNone      ToolSearch = "none"
)

// Caps are the capabilities of a model and the requirements of its provider. A zero field is unknown or without limit.
// A Caps is treated as immutable; methods return changed copies.
type Caps struct {
	Tools         Truth // supports native tool calling
	ParsesCalls   Truth // the server parses the calls that the model generates; if No, tools are described in the prompt
	ParallelTools Truth // several native calls in one response, and the parameter that controls this
	ParallelField Truth // the API accepts parallel_tool_calls
	ChoiceField   Truth // the API accepts tool_choice
	ChoiceForced  Truth // tool_choice "required" and named tools take effect
	StreamTools   Truth // native calls in streams; if No, requests with tools are not streamed from the provider
	JSONSchema    Truth // the provider enforces a schema for the response
	JSONObject    Truth // JSON mode without a schema
	JSONWithTools Truth // tools and a response format in the same request
	TextCalls     Truth // writes calls as text even if tools were sent natively; if No, text is not searched for calls
	NeedsHelp     Truth // native calls recently needed repair; calls are buffered until validated
	Images        Truth // images in user messages
	ResultImages  Truth // images in tool results
	StrictTools   Truth // strict: true in tool definitions
	StreamUsage   Truth // stream_options.include_usage is accepted
	CustomTools   Truth // tools with free-text input
	APIItems      Truth // Responses API items other than messages, function calls, their results and reasoning
	// HostedTools reports that the provider runs its hosted tools, such as web search. Otherwise tools of the program can
	// replace them.
	HostedTools   Truth
	ServiceParams Truth // OpenAI's parameters of the service, such as service_tier, prompt_cache_key and verbosity

	// ToolCallReliable reports that native calls are valid, so they can be streamed before validation. See CleanCalls.
	ToolCallReliable Truth

	ParallelUnasked Truth // several calls in one response even if the request does not ask for them
	ReasoningTools  Truth // tools in a request with reasoning enabled
	RequiresSchema  Truth // a tool without a parameters schema is rejected; an empty object schema is sent
	StrictJSON      Truth // needs a stronger instruction to return JSON only
	OpenObjects     Truth // objects with arbitrary keys work in a response schema; if No, the model returns them empty
	ThinkingBudget  Truth // the request sets reasoning by a token budget instead of an effort level
	CacheControl    Truth // accepts cache_control on tools and message parts

	Dialect      string          // name of the text format of calls that the model was trained on, "" for the default
	SchemaTarget SchemaTarget    // supported subset of JSON Schema in tool definitions
	Reasoning    ReasoningMember // message member that carries reasoning
	// Sampling lists the supported sampling parameters by their Chat Completions names, comma-separated; "" means all.
	Sampling   string
	Efforts    string     // accepted reasoning efforts, lowest first, comma-separated; "" means any
	ToolSearch ToolSearch // API whose deferred tools are accepted; for other APIs Callwright implements the tool search

	// Constraint is the format of a decoding constraint that permits text and calls: "gbnf" is a grammar for
	// llama-server, "structural_tag" and the older "structures" are response formats of vLLM and SGLang, "none" is no
	// support, "" is unknown.
	Constraint string

	// ReasoningStart describes how reasoning begins if the server leaves it in the text. "primed": the prompt already has
	// the opening marker, so the text begins inside the reasoning. "marked": the text has the opening marker. "mixed":
	// both occur. "" is unknown.
	ReasoningStart string

	// CallsPerAnswer is the maximum number of calls in one response, 0 for no limit. Further calls are dropped if the
	// source is Configured or Override; otherwise they are kept and noted.
	CallsPerAnswer int

	MaxTools   int    // maximum number of tools in a request, 0 for no limit
	NameMax    int    // maximum length of a tool name, 0 for no limit
	NameExtra  string // characters allowed in tool names besides letters, digits, '_' and '-'
	IDs        IDRule
	History    HistoryRules
	LooseTools string // names of tools that the provider rejects with strict: true, comma-separated
	// names of tools whose schemas the provider rejects, comma-separated, or AllTools; their schemas are put into the
	// descriptions
	OpenTools string
	// RefusedTools lists tools that the provider rejects, comma-separated, as NAME=basic (it accepts a schema of few
	// keywords), NAME=brief (it accepts a shorter description) or NAME=out (it accepts no variant).
	RefusedTools string
	RefusedState string // digests of reasoning signatures that the provider rejected, comma-separated
	DropFields   string // request fields that the provider rejects, comma-separated
	MaxTokensKey string // the field name of the output token limit, "" for the API's default
	Counted      counted
	MaxContext   int // in tokens; a longer request is not sent, unless the fact's source is Shipped
	MaxOutput    int // in tokens
	// minimum number of tokens of a prompt that cache markers can cache; 0 if the API caches without markers
	CacheMin int

	Sources map[string]Source // source by fact key (see Keys); a missing key has the source Default
}

// counted has statistics about a model's responses. They do not affect a request in a given mode.
type counted struct {
	CleanCalls   int // number of consecutive native calls without changes; counting stops at a limit
	IgnoredTools int // number of consecutive responses that ignored a forced tool choice; counting stops at a limit
	// TokenMeasure estimates the tokens of a request: a constant plus a percentage of the gateway's own estimate. An
	// example is 40+125%.
	TokenMeasure string
	// ModeSuccess has the response counts of each mode as MODE=CLEAN+REPAIRED-FAILED. For example, native=20+3-15 means
	// 20 responses without repair, 3 with repair and 15 failures. It determines the order of modes if none are
	// configured.
	ModeSuccess string
	// RemedySuccess has the success counts of each remedy, a change to a self-correction request, by failure type. For
	// example, arguments/choice=3-1 means that the remedy "choice" fixed 3 responses with invalid arguments and failed
	// once. It determines the order of remedies.
	RemedySuccess string
}

// An IDRule describes the call IDs that a provider accepts. The zero IDRule accepts every non-empty ID.
type IDRule struct {
	Exact int    // the required length, 0 for any
	Max   int    // maximum length, 0 for no limit
	Extra string // characters allowed besides letters and digits; "*" allows every character
}

// Accepts reports whether the rule accepts the call ID.
func (r IDRule) Accepts(id string) bool {
	switch {
	case id == "":
		return false
	case r == (IDRule{}):
		return true
	case r.Exact > 0 && len(id) != r.Exact, r.Max > 0 && len(id) > r.Max:
		return false
	case r.Extra == "*":
		return true
	}
	for i := range len(id) {
		if c := id[i]; !alphanumeric(c) && strings.IndexByte(r.Extra, c) < 0 {
			return false
		}
	}
	return true
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// Over returns base with the fields that c sets replaced by those of c. A field counts as set if it is not zero or if
// Sources names it, so c can also reset a limit to zero. Over modifies neither c nor base.
func (c Caps) Over(base Caps) Caps {
	out := base
	out.Sources = maps.Clone(base.Sources)
	for i := range facts {
		if f := &facts[i]; f.isSetIn(&c) {
			f.copy(&out, &c)
			if out.Sources == nil {
				out.Sources = map[string]Source{}
			}
			out.Sources[f.Key] = c.Sources[f.Key]
		}
	}
	return out
}

// onto copies the non-zero fields of c to out.
func (c *Caps) onto(out *Caps) {
	for i := range facts {
		if facts[i].known(c) {
			facts[i].copy(out, c)
		}
	}
}

// From returns c with src as the source of every set fact. It does not modify c.
func (c Caps) From(src Source) Caps {
	out := c
	out.Sources = make(map[string]Source, len(facts))
	for i := range facts {
		if facts[i].isSetIn(&c) {
			out.Sources[facts[i].Key] = src
		}
	}
	return out
}
