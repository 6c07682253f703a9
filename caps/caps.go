package caps

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Truth is the state of a yes-or-no capability: unknown, yes or no. The zero Truth is Unknown.
type Truth int8

const (
	// Unknown: nobody has said; stages are optimistic and learn.
	Unknown Truth = iota
	// Yes: the model has the capability.
	Yes
	// No: the model lacks it.
	No
)

// Or is t, or other where t is Unknown.
func (t Truth) Or(other Truth) Truth {
	if t == Unknown {
		return other
	}
	return t
}

// String is "unknown", "yes" or "no".
func (t Truth) String() string { return [...]string{"unknown", "yes", "no"}[t] }

// A Source says where a fact comes from. Later sources in the order Default, Shipped, Discovered, Probed, Learned,
// Configured, Override outrank earlier ones.
type Source uint8

const (
	// Default is the built-in assumption about an unknown model.
	Default Source = iota
	// Shipped comes from the table in this package.
	Shipped
	// Discovered comes from the provider's own listing.
	Discovered
	// Probed comes from asking the live model.
	Probed
	// Learned comes from typed evidence in traffic; it expires.
	Learned
	// Configured comes from the user's configuration.
	Configured
	// Override was set by an operator while the program runs, and stands over the configuration until it is dropped or
	// expires.
	Override
)

var sourceNames = [...]string{"default", "shipped", "discovered", "probed", "learned", "configured", "override"}

// String is the source's name in lower case.
func (s Source) String() string { return sourceNames[s] }

// MarshalText is the source's name.
func (s Source) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a source's name.
func (s *Source) UnmarshalText(name []byte) error {
	i := slices.Index(sourceNames[:], string(name))
	if i < 0 {
		return fmt.Errorf("unknown source %q", name)
	}
	*s = Source(i)
	return nil
}

// A ReasoningMember is the member of a message that carries reasoning. The list is open: any other value is the name of
// a member of the message. The zero ReasoningMember is unknown.
type ReasoningMember string

// The members that providers use.
const (
	ReasoningContent   ReasoningMember = "reasoning_content"
	ReasoningField     ReasoningMember = "reasoning"
	ReasoningThinking  ReasoningMember = "thinking"
	ReasoningInContent ReasoningMember = "content"           // parts of the content, beside the text
	ReasoningEncrypted ReasoningMember = "encrypted_content" // of a reasoning item; it comes only where the request asks for it
)

// A ToolSearch says whose tool definitions a provider takes that are loaded only when its model searches for them:
// deferred tools, and the search tools beside them. The list is closed; the zero ToolSearch is unknown.
type ToolSearch string

// The searches for tools.
const (
	ToolSearchAnthropic ToolSearch = "anthropic" // https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-search-tool
	ToolSearchResponses ToolSearch = "responses" // https://developers.openai.com/api/docs/guides/tools-tool-search
	ToolSearchNone      ToolSearch = "none"
)

// Caps are the capabilities of a model and the requirements of its provider. Zero members are unknown or without limit.
// A Caps is a value: stages read it and never change it.
type Caps struct {
	Tools         Truth // native tool calling
	ParsesCalls   Truth // the server's parser reads the calls that the model writes; where not, tools are described in the prompt
	ParallelTools Truth // several native calls in one answer, and the switch for it
	ParallelField Truth // whether parallel_tool_calls may be sent at all
	ChoiceField   Truth // whether tool_choice may be sent at all
	ChoiceForced  Truth // tool_choice required and named are honoured
	StreamTools   Truth // native calls in streams; where not, an answer with tools is asked for whole
	JSONSchema    Truth // a schema for the answer is enforced
	JSONObject    Truth // JSON mode without a schema
	JSONWithTools Truth // tools and a response format in one request
	TextCalls     Truth // prints calls as text although tools were sent; where not, its text is not searched, yes is as unknown
	NeedsHelp     Truth // its native calls needed repair lately: they are held until validated
	Images        Truth // images in user turns
	ResultImages  Truth // images in tool results
	StrictTools   Truth // strict: true in tool definitions
	StreamUsage   Truth // stream_options.include_usage is accepted
	CustomTools   Truth // tools that take free text
	APIItems      Truth // items of the Responses API beyond messages, function calls, their results and reasoning
	// The provider runs the hosted tools of its API itself, such as a web search. Otherwise tools of the program may take
	// their place.
	HostedTools   Truth
	ServiceParams Truth // members about the service rather than the answer, as OpenAI has them: service_tier, prompt_cache_key, verbosity

	// ToolCallReliable: the native calls of the model are valid and need not be held until they are validated. CleanCalls
	// counts towards it.
	ToolCallReliable Truth

	ParallelUnasked Truth // several calls in one answer although the request does not ask for them
	ReasoningTools  Truth // tools in a request that lets the model reason
	RequiresSchema  Truth // a tool without parameters is refused: it has a schema of none
	StrictJSON      Truth // asked for JSON in words, it needs a stronger instruction
	OpenObjects     Truth // objects of any keys in a schema for the answer; where not, they come out empty
	ThinkingBudget  Truth // reasoning is asked for by a budget of tokens, not by a level
	CacheControl    Truth // cache marks: the member cache_control of tools and of parts of messages

	Dialect      string          // the textual format of the family, "" for the default
	SchemaTarget SchemaTarget    // the schema subset of tool definitions
	Reasoning    ReasoningMember // the member that carries reasoning
	// the sampling parameters that the API has, as OpenAI's Chat Completions name them, separated by commas; "" for any
	Sampling   string
	Efforts    string     // the reasoning efforts that are accepted, lowest first, separated by commas; "" for any
	ToolSearch ToolSearch // whose deferred tools are taken; others are kept back until a search of our own finds them

	// Constraint is the form in which the engine takes a constraint on answers that may hold calls: "gbnf", a grammar
	// of llama-server; "structural_tag", or "structures" for its earlier form, a form of the answer of vLLM and SGLang;
	// "none". "" where nothing is known.
	Constraint string

	// ReasoningStart says how reasoning begins that the server leaves in the text: "primed", in the prompt, so that the
	// text begins inside of it; "marked", by a mark in the text; "mixed", in some answers one way and in some the
	// other. "" where nothing is known.
	ReasoningStart string

	// CallsPerAnswer is the most calls that the model makes in one answer; 0 is without limit. From Configured and
	// Override it is enforced: further calls are dropped. From other sources further calls are kept with a note.
	CallsPerAnswer int

	MaxTools   int    // most tools in one request, 0 without limit
	NameMax    int    // longest tool name, 0 without limit
	NameExtra  string // characters allowed in tool names beside letters, digits, '_' and '-'
	IDs        IDRule
	History    HistoryRules
	LooseTools string // tools that the provider refuses where they are strict, by their names, separated by commas
	OpenTools  string // tools whose schemas the provider refuses, likewise, or AllTools: descriptions have the schemas
	// tools that the provider refuses as NAME=basic (with a schema of few keywords it takes them), =brief (with a
	// shorter description), =out (in no form)
	RefusedTools string
	RefusedState string // opaque reasoning that the provider could not verify, by its marks, separated by commas
	DropFields   string // request members the provider refuses, separated by commas
	MaxTokensKey string // the wire's name of the output limit where it is not the default
	Counted      counted
	MaxContext   int // tokens; a longer request is not sent, unless the fact is only shipped
	MaxOutput    int // tokens
	CacheMin     int // tokens of the shortest prompt that is cached, where marks select the cached part; 0 where caching needs no marks

	Sources map[string]Source // by fact key (see Keys); absent keys are Default
}

// counted holds the counts that gateways make of the answers of a model. They do not change the request of a mode.
type counted struct {
	CleanCalls   int // native calls on end that needed no change, as far as they are counted
	IgnoredTools int // required calls on end that did not come natively, as far as they are counted
	// TokenMeasure is an estimate of the tokens of a request, as a constant and a percentage of the gateway's own measure
	// of its text: 40+125%.
	TokenMeasure string
	// ModeSuccess holds the success counts of each mode: native=20+3-15 means that 20 answers needed no repair, 3 needed
	// one, and 15 failed. It orders the modes where none are configured.
	ModeSuccess string
	// RemedySuccess holds the success counts of each change of a self-correction's request after each kind of failure:
	// arguments/choice=3-1 means that the change healed 3 answers and failed once. It orders the changes.
	RemedySuccess string
}

// An IDRule says which call ids a provider accepts. The zero rule accepts every non-empty id.
type IDRule struct {
	Exact int    // the one length accepted, 0 for any
	Max   int    // longest id, 0 without limit
	Extra string // characters allowed beside letters and digits; "*" allows every character
}

// Accepts reports whether a provider with the rule accepts an id.
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

// Over lays c over base: members that c knows win, the others come from base. A member is known when it is not zero, or
// when Sources names it: so a layer can take a limit or a rule away. The receiver and base stay as they were.
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

// onto copies the members that c knows to out.
func (c *Caps) onto(out *Caps) {
	for i := range facts {
		if facts[i].known(c) {
			facts[i].copy(out, c)
		}
	}
}

// From is c with src as the source of every fact that c knows. The receiver stays as it was.
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
