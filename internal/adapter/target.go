package adapter

import (
	"slices"
	"strings"
)

// A Target is a provider or decoder with its own subset of JSON Schema. The values are fixed, see Targets.
type Target string

// The values of Target.
const (
	OpenAI          Target = "openai"
	OpenAIStrict    Target = "openai-strict"
	Anthropic       Target = "anthropic"
	AnthropicStrict Target = "anthropic-strict"
	Gemini          Target = "gemini"
	GeminiJSON      Target = "gemini-json"
	Groq            Target = "groq"
	Mistral         Target = "mistral"
	Moonshot        Target = "moonshot"
	Ollama          Target = "ollama"
	LlamaCPP        Target = "llamacpp"
	VLLM            Target = "vllm"
	Basic           Target = "basic"
)

// Targets returns all targets, in the order of the table.
func Targets() []Target {
	out := make([]Target, len(table))
	for i := range table {
		out[i] = table[i].target
	}
	return out
}

// About returns a short description of the target, or "" for an unknown one.
func (t Target) About() string {
	if r := rulesOf(t); r != nil {
		return r.about
	}
	return ""
}

// rules are the restrictions of a target.
type rules struct {
	target Target
	about  string

	keywords set // constraint keywords; "*" for all, so that a schema may be kept unchanged
	integers set // keywords that it accepts only for integers
	notes    set // annotations
	noRoot   set // keywords that it does not accept at the root
	formats  set // formats; "*" for all
	patterns patternRule

	refs              bool // it accepts references to definitions, also recursive ones
	beside            bool // it accepts keywords beside anyOf
	typed             typeRule
	listed            bool // every array must have a schema of its elements
	objects           objectRule
	single            bool // one type for each schema, in capitals; null is the keyword nullable
	values            kinds
	whole             bool // nothing is dropped below items
	minItemsAtMostOne bool // minItems must be 0 or 1
	grammar           bool // the schema is converted to a grammar, whose size is limited
	depth             int  // maximum depth; 0 for no limit
	most              int  // maximum number of values of an enum; 0 for no limit

	root   rootRule
	silent bool // it accepts keywords without a constraint, such as $schema

	names  nameRules
	others siblings
	budget Budget // for strict tools
}

// An objectRule is a target's requirements for objects.
type objectRule struct {
	closed          bool // additionalProperties must be false
	filled          bool // all properties must be required
	needsProperties bool // an object must have properties
}

// A rootRule is a target's requirements for the root.
type rootRule struct {
	mute  bool // it must have no description
	union bool // the root of a response schema may be a union or a type other than object
}

// nameRules are the rules for names of tools and of properties.
type nameRules struct{ tools, properties NameRule }

// siblings are further targets of the same provider.
type siblings struct {
	strict Target // target of strict tools; "" for none
	answer Target // target of response schemas; "" if it is the same
}

// A Budget is the size of strict tools, or the maximum size of all strict tools of a request. In a maximum, 0 means no
// limit.
type Budget struct {
	Tools    int // number of strict tools
	Optional int // number of properties that are not required
	Unions   int // number of properties with several types
}

// kinds are the values that a target accepts in an enum.
type kinds uint8

const (
	anyKind     kinds = iota
	scalarKinds       // no arrays and objects
	mostKinds         // strings, numbers and null
	textKinds         // strings
)

// A typeRule decides whether every schema must have a type, and which types then mean any value.
type typeRule uint8

const (
	noTypes     typeRule = iota // a type is not required
	scalarTypes                 // any value becomes a string, number or Boolean
	everyType                   // any value becomes a list of all types
)

// A patternRule decides which regular expressions a target accepts.
type patternRule uint8

const (
	allPatterns      patternRule = iota
	straightPatterns             // no lookahead and lookbehind
	simplePatterns
	anchoredPatterns
)

// A NameRule decides which names a target accepts. The zero rule accepts letters, digits and '_'.
type NameRule struct {
	Extra      string // permitted characters besides letters, digits and '_'
	Max        int    // maximum length in bytes; 0 for no limit
	Letter     bool   // the first character must be a letter or '_'
	LetterOnly bool   // the first character must be a letter
	Free       bool   // any name is accepted
}

// ToolNames returns the rule for tool names. For an unknown target it accepts any name.
func (t Target) ToolNames() NameRule {
	if r := rulesOf(t); r != nil {
		return r.names.tools
	}
	return anyName
}

// Strict returns the target whose rules apply to the schemas of strict tools of the same provider, and the maximum size
// of all strict tools in a request. It returns "" if the same rules apply to all tools.
func (t Target) Strict() (Target, Budget) {
	if r := rulesOf(t); r != nil && r.others.strict != "" {
		return r.others.strict, rulesOf(r.others.strict).budget
	}
	return "", Budget{}
}

// Answers returns the target for response schemas of the same provider. It is t if the provider accepts the same subset
// of JSON Schema for tools and responses.
func (t Target) Answers() Target {
	if r := rulesOf(t); r != nil && r.others.answer != "" {
		return r.others.answer
	}
	return t
}

// A set is a set of words. The set {"*"} contains all words.
type set []string

func words(s string) set { return strings.Fields(s) }

func (s set) has(w string) bool { return len(s) == 1 && s[0] == "*" || slices.Contains(s, w) }

func (s set) and(w ...string) set { return append(slices.Clone(s), w...) }

func (s set) all() bool { return len(s) == 1 && s[0] == "*" }

var (
	everything = set{"*"}
	noValues   = words("enum const")
	toolName   = NameRule{Extra: "-", Max: 64}
	anyName    = NameRule{Free: true}
)

// table contains all targets. Its sources are the providers' guides to function calling and structured outputs, the
// source code of open servers, and reported refusals.
var table = []rules{
	// A pattern with lookahead or lookbehind is refused, or causes a server error:
	// https://github.com/vercel/ai/issues/16021, https://github.com/anomalyco/opencode/issues/30553.
	{target: OpenAI, about: "OpenAI's functions without strict: the schema is a hint to the model, with an object at the root",
		patterns: straightPatterns,
		keywords: everything, notes: everything, noRoot: noValues.and("not"), formats: everything, refs: true, beside: true,
		listed: true, silent: true, root: rootRule{union: true}, names: nameRules{toolName, anyName},
		others: siblings{strict: OpenAIStrict}},
	// https://platform.openai.com/docs/guides/structured-outputs
	{target: OpenAIStrict, about: "OpenAI's strict functions and answers: closed objects whose properties are all required",
		keywords: words("type enum const items properties required additionalProperties anyOf pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems"),
		noRoot:   noValues, notes: words("description title"),
		formats: words("date-time time date duration email hostname ipv4 ipv6 uuid"), patterns: simplePatterns,
		refs: true, typed: scalarTypes, listed: true, objects: objectRule{closed: true, filled: true}, values: scalarKinds,
		depth: 18, most: 1000, names: nameRules{toolName, anyName}},
	{target: Anthropic, about: "Anthropic's tools without strict: the schema is a hint to the model, with an object at the root",
		keywords: everything, notes: everything, formats: everything, refs: true, beside: true, silent: true,
		names:  nameRules{NameRule{Extra: "-", Max: 128}, NameRule{Extra: ".-", Max: 64}},
		others: siblings{strict: AnthropicStrict, answer: AnthropicStrict}},
	// https://docs.claude.com/en/docs/build-with-claude/structured-outputs
	{target: AnthropicStrict, about: "Anthropic's strict tools and answers: closed objects, no recursion, no limits except minItems",
		keywords: words("type enum const items properties required additionalProperties anyOf format pattern minItems"),
		noRoot:   noValues, notes: words("description title"),
		formats: words("date-time time date duration email hostname uri ipv4 ipv6 uuid"), patterns: simplePatterns,
		typed: scalarTypes, listed: true, objects: objectRule{closed: true}, minItemsAtMostOne: true, values: scalarKinds, root: rootRule{union: true},
		names: nameRules{NameRule{Extra: "-", Max: 128}, NameRule{Extra: ".-", Max: 64}}, budget: Budget{Tools: 20, Optional: 24, Unions: 16}},
	// https://ai.google.dev/api/caching#Schema
	{target: Gemini, about: "Gemini's own schema format, in the member parameters",
		keywords: words("type enum items properties required anyOf pattern format minimum maximum minLength maxLength minItems maxItems minProperties maxProperties"),
		noRoot:   noValues, notes: words("description title default example"), formats: words("date-time"),
		typed: scalarTypes, listed: true, objects: objectRule{needsProperties: true}, single: true, values: textKinds,
		names: nameRules{NameRule{Extra: ".:-", Max: 128, Letter: true}, NameRule{Max: 64, Letter: true}}},
	// https://ai.google.dev/gemini-api/docs/structured-output
	{target: GeminiJSON, about: "Gemini's subset of JSON Schema, in the member parametersJsonSchema",
		keywords: words("type enum items prefixItems properties required additionalProperties anyOf format minimum maximum minItems maxItems"),
		noRoot:   noValues, notes: words("description title"), formats: everything, listed: true, values: mostKinds, root: rootRule{union: true},
		names: nameRules{NameRule{Extra: ".:-", Max: 128, Letter: true}, NameRule{Extra: ".:-", Max: 128, Letter: true}}},
	{target: Groq, about: "Groq's functions: every call is validated against the schema",
		keywords: everything, notes: everything, formats: everything, refs: true, beside: true, listed: true, silent: true,
		root: rootRule{union: true}, names: nameRules{toolName, anyName}},
	{target: Mistral, about: "Mistral's functions",
		keywords: everything, notes: everything, formats: everything, refs: true, beside: true, listed: true, silent: true,
		root: rootRule{union: true}, names: nameRules{toolName, anyName}},
	// https://github.com/MoonshotAI/walle
	{target: Moonshot, about: "Moonshot's variant of JSON Schema: each alternative has its own type",
		keywords: words("type enum const items prefixItems properties required additionalProperties anyOf pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minProperties maxProperties"),
		noRoot:   noValues, notes: words("description title default examples"), formats: everything,
		listed: true, root: rootRule{union: true}, names: nameRules{NameRule{Extra: "-", Max: 64, Letter: true, LetterOnly: true}, anyName}},
	// https://github.com/ollama/ollama/blob/main/api/types.go
	{target: Ollama, about: "the part of a tool's schema that Ollama passes to the model",
		keywords: words("type enum items properties required anyOf"), noRoot: noValues, notes: words("description"),
		beside: true, whole: true, root: rootRule{mute: true}, silent: true,
		names: nameRules{anyName, anyName}, others: siblings{answer: LlamaCPP}},
	// https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
	{target: LlamaCPP, about: "llama.cpp's grammars, which are made from a schema",
		keywords: words("type enum const items properties required additionalProperties anyOf pattern format minLength maxLength minItems maxItems"),
		noRoot:   noValues, notes: words("description title"), formats: words("date time date-time"), patterns: anchoredPatterns,
		integers: words("minimum maximum exclusiveMinimum exclusiveMaximum"), refs: true, typed: everyType, listed: true,
		grammar: true, silent: true, root: rootRule{union: true}, names: nameRules{anyName, anyName}},
	// https://docs.vllm.ai/en/latest/features/structured_outputs.html
	{target: VLLM, about: "vLLM's guided decoding with a schema",
		keywords: words("type enum const items prefixItems properties required additionalProperties anyOf pattern format minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength"),
		noRoot:   noValues, notes: words("description title"), patterns: simplePatterns,
		formats: words("email date time date-time duration ipv4 ipv6 hostname uuid uri uri-reference uri-template json-pointer relative-json-pointer"),
		listed:  true, silent: true, root: rootRule{union: true}, names: nameRules{anyName, anyName}},
	{target: Basic, about: "the subset that all targets accept: few keywords, enums of strings",
		keywords: words("type enum items properties required anyOf"), noRoot: noValues, notes: words("description"),
		typed: scalarTypes, listed: true, values: textKinds,
		names: nameRules{NameRule{Extra: "-", Max: 64, Letter: true, LetterOnly: true}, NameRule{Max: 64, Letter: true}}},
}

// rulesOf returns the row of a target, or nil for an unknown one.
func rulesOf(t Target) *rules {
	for i := range table {
		if table[i].target == t {
			return &table[i]
		}
	}
	return nil
}
