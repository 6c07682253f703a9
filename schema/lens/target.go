package lens

import (
	"slices"
	"strings"
)

// A Target is a provider or decoder with a subset of JSON Schema of its own. The list is closed, see Targets.
type Target string

// The targets.
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
)

// Targets lists every target, in the order of the table.
func Targets() []Target {
	out := make([]Target, len(table))
	for i := range table {
		out[i] = table[i].target
	}
	return out
}

// About returns a sentence on what a target is, "" for what is none.
func (t Target) About() string {
	if r := rulesOf(t); r != nil {
		return r.about
	}
	return ""
}

// rules are what a target takes.
type rules struct {
	target Target
	about  string

	keywords set // that limit values; "*" for all, so that a schema may stay as it is
	integers set // keywords that it takes of integers alone
	notes    set // annotations
	noRoot   set // keywords that the root may not have
	formats  set // "*" for all
	patterns patternRule

	refs    bool // references to definitions, recursive ones too
	beside  bool // keywords may stand beside anyOf
	typed   bool // every schema has a type
	listed  bool // every array says what its items are
	closed  bool // objects are closed
	filled  bool // all properties are required
	filling bool // an object has properties
	single  bool // one type at a time; null is the keyword nullable
	capital bool // names of types in capitals
	values  kinds
	whole   bool // below items nothing is dropped
	mute    bool // the root has no description
	few     bool // minItems is 0 or 1
	grammar bool // a grammar is made of it, whose size counts
	depth   int  // steps down, 0 without limit

	tools, properties nameRule
}

// kinds are which values an enum may have.
type kinds uint8

const (
	anyKind     kinds = iota
	scalarKinds       // no arrays and objects
	mostKinds         // strings, numbers and null
	textKinds         // strings
)

// A patternRule says which patterns a target takes.
type patternRule uint8

const (
	allPatterns patternRule = iota
	simplePatterns
	anchoredPatterns
)

// A nameRule says which names a target takes.
type nameRule struct {
	extra  string // characters beside letters, digits and '_'
	max    int    // 0 without limit
	letter bool   // it begins with a letter or '_'
	free   bool   // any characters
}

// A set holds words, "*" all of them.
type set []string

func words(s string) set { return strings.Fields(s) }

func (s set) has(w string) bool { return len(s) == 1 && s[0] == "*" || slices.Contains(s, w) }

func (s set) and(w ...string) set { return append(slices.Clone(s), w...) }

func (s set) all() bool { return len(s) == 1 && s[0] == "*" }

var (
	everything = set{"*"}
	noValues   = words("enum const")
	toolName   = nameRule{extra: "-", max: 64}
	anyName    = nameRule{free: true}
)

// table has every target. What it says stands in the makers' guides to function calling and structured outputs, in the sources of the
// servers that are open, and in refusals that people report.
var table = []rules{
	{target: OpenAI, about: "OpenAI's functions that are not strict: a hint to the model, with an object at the root",
		keywords: everything, notes: everything, noRoot: noValues.and("not"), formats: everything, refs: true, beside: true, listed: true, tools: toolName, properties: anyName},
	// https://platform.openai.com/docs/guides/structured-outputs
	{target: OpenAIStrict, about: "OpenAI's strict functions and answers: closed objects whose properties are all required",
		keywords: words("type enum const items properties required additionalProperties anyOf pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems"),
		noRoot:   noValues, notes: words("description title"), formats: words("date-time time date duration email hostname ipv4 ipv6 uuid"), patterns: simplePatterns,
		refs: true, typed: true, listed: true, closed: true, filled: true, values: scalarKinds, depth: 18, tools: toolName, properties: anyName},
	{target: Anthropic, about: "Anthropic's tools that are not strict: a hint to the model, with an object at the root",
		keywords: everything, notes: everything, formats: everything, refs: true, beside: true,
		tools: nameRule{extra: "-", max: 128}, properties: nameRule{extra: ".-", max: 64}},
	// https://docs.claude.com/en/docs/build-with-claude/structured-outputs
	{target: AnthropicStrict, about: "Anthropic's strict tools and answers: closed objects, no recursion, few bounds",
		keywords: words("type enum const items properties required additionalProperties anyOf format pattern minItems"),
		noRoot:   noValues, notes: words("description title"), formats: words("date-time time date duration email hostname uri ipv4 ipv6 uuid"), patterns: simplePatterns,
		typed: true, listed: true, closed: true, few: true, values: scalarKinds,
		tools: nameRule{extra: "-", max: 128}, properties: nameRule{extra: ".-", max: 64}},
	// https://ai.google.dev/api/caching#Schema
	{target: Gemini, about: "Gemini's own Schema, under parameters",
		keywords: words("type enum items properties required anyOf pattern format minimum maximum minLength maxLength minItems maxItems minProperties maxProperties"),
		noRoot:   noValues, notes: words("description title default example"), formats: words("date-time"),
		typed: true, listed: true, filling: true, single: true, capital: true, values: textKinds,
		tools: nameRule{extra: ".:-", max: 128, letter: true}, properties: nameRule{max: 64, letter: true}},
	// https://ai.google.dev/gemini-api/docs/structured-output
	{target: GeminiJSON, about: "Gemini's subset of JSON Schema, under parametersJsonSchema",
		keywords: words("type enum items prefixItems properties required additionalProperties anyOf format minimum maximum minItems maxItems"),
		noRoot:   noValues, notes: words("description title"), formats: everything, listed: true, values: mostKinds,
		tools: nameRule{extra: ".:-", max: 128, letter: true}, properties: nameRule{extra: ".:-", max: 128, letter: true}},
	{target: Groq, about: "Groq's functions, which every call is held against",
		keywords: everything, notes: everything, formats: everything, refs: true, beside: true, listed: true, tools: toolName, properties: anyName},
	{target: Mistral, about: "Mistral's functions",
		keywords: everything, notes: everything, formats: everything, refs: true, beside: true, listed: true, tools: toolName, properties: anyName},
	// https://github.com/MoonshotAI/walle
	{target: Moonshot, about: "Moonshot's flavour of JSON Schema, in which alternatives have their own types",
		keywords: words("type enum const items prefixItems properties required additionalProperties anyOf pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minProperties maxProperties"),
		noRoot:   noValues, notes: words("description title default examples"), formats: everything,
		listed: true, tools: nameRule{extra: "-", max: 64, letter: true}, properties: anyName},
	// https://github.com/ollama/ollama/blob/main/api/types.go
	{target: Ollama, about: "what Ollama keeps of a tool's schema before the model sees it",
		keywords: words("type enum items properties required anyOf"), noRoot: noValues, notes: words("description"), beside: true, whole: true, mute: true,
		tools: anyName, properties: anyName},
	// https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
	{target: LlamaCPP, about: "llama.cpp's grammars made of a schema",
		keywords: words("type enum const items properties required additionalProperties anyOf pattern format minLength maxLength minItems maxItems"),
		noRoot:   noValues, notes: words("description title"), formats: words("date time date-time"), patterns: anchoredPatterns,
		integers: words("minimum maximum exclusiveMinimum exclusiveMaximum"), listed: true, grammar: true, tools: toolName, properties: anyName},
	// https://docs.vllm.ai/en/latest/features/structured_outputs.html
	{target: VLLM, about: "vLLM's guided decoding with a schema",
		keywords: words("type enum const items prefixItems properties required additionalProperties anyOf pattern format minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength"),
		noRoot:   noValues, notes: words("description title"), patterns: simplePatterns,
		formats: words("email date time date-time duration ipv4 ipv6 hostname uuid uri uri-reference uri-template json-pointer relative-json-pointer"),
		listed:  true, tools: toolName, properties: anyName},
}

// rulesOf returns the row of a target, nil for what is none.
func rulesOf(t Target) *rules {
	for i := range table {
		if table[i].target == t {
			return &table[i]
		}
	}
	return nil
}
