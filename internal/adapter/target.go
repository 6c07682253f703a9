package adapter

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
	Basic           Target = "basic"
)

// Targets lists every target, in the order of the table.
func Targets() []Target {
	out := make([]Target, len(table))
	for i := range table {
		out[i] = table[i].target
	}
	return out
}

// About returns a sentence on a target, "" for an unknown one.
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

	keywords set // that limit values; "*" for all, so that a schema may stay as it is
	integers set // keywords that it takes of integers alone
	notes    set // annotations
	noRoot   set // keywords that the root may not have
	formats  set // "*" for all
	patterns patternRule

	refs    bool // references to definitions, recursive ones too
	beside  bool // keywords may stand beside anyOf
	typed   typeRule
	listed  bool // every array says what its items are
	objects objectRule
	single  bool // one type at a time, in capitals; null is the keyword nullable
	values  kinds
	whole   bool // below items nothing is dropped
	few     bool // minItems is 0 or 1
	grammar bool // a grammar is made of it, whose size counts
	depth   int  // steps down, 0 without limit
	most    int  // values of an enum, 0 without limit

	root   rootRule
	silent bool // keywords that limit nothing and lead nowhere, such as $schema, may stay

	names  nameRules
	others siblings
	budget Budget // of strict tools
}

// An objectRule is a target's rule for objects.
type objectRule struct {
	closed bool // they are closed
	filled bool // all properties are required
	some   bool // they have properties
}

// A rootRule is a target's rule for the root.
type rootRule struct {
	mute  bool // it has no description
	union bool // that of an answer may be a union, or no object
}

// nameRules say which names a target takes.
type nameRules struct{ tools, properties NameRule }

// siblings are further targets of the same provider.
type siblings struct {
	strict Target // of strict tools, "" without
	answer Target // of schemas for answers, "" where it is the same one
}

// A Budget is how much all strict tools of a request may have together. Zero members are without limit.
type Budget struct {
	Tools    int // strict tools
	Optional int // properties that are not required
	Unions   int // properties of several types
}

// kinds are which values an enum may have.
type kinds uint8

const (
	anyKind     kinds = iota
	scalarKinds       // no arrays and objects
	mostKinds         // strings, numbers and null
	textKinds         // strings
)

// A typeRule says whether every schema has a type, and which schema stands for any value then.
type typeRule uint8

const (
	noTypes     typeRule = iota // a schema may do without
	scalarTypes                 // text, numbers and booleans stand for any value
	everyType                   // a list of all types does
)

// A patternRule says which patterns a target takes.
type patternRule uint8

const (
	allPatterns      patternRule = iota
	straightPatterns             // those that do not look around
	simplePatterns
	anchoredPatterns
)

// A NameRule says which names are taken. The zero rule takes letters, digits and '_'.
type NameRule struct {
	Extra      string // characters beside letters, digits and '_'
	Max        int    // bytes, 0 without limit
	Letter     bool   // it begins with a letter or '_'
	LetterOnly bool   // with a letter
	Free       bool   // any name is taken
}

// ToolNames returns the rule for names of tools of a target: any, for an unknown target.
func (t Target) ToolNames() NameRule {
	if r := rulesOf(t); r != nil {
		return r.names.tools
	}
	return anyName
}

// Strict returns the target of strict tools at the provider of a target, "" where its strict tools have no subset of
// their own, and how much of them a request may have.
func (t Target) Strict() (Target, Budget) {
	if r := rulesOf(t); r != nil && r.others.strict != "" {
		return r.others.strict, rulesOf(r.others.strict).budget
	}
	return "", Budget{}
}

// Answers returns the target of schemas for answers at the provider of a target: some take another subset there than in
// tools.
func (t Target) Answers() Target {
	if r := rulesOf(t); r != nil && r.others.answer != "" {
		return r.others.answer
	}
	return t
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
	toolName   = NameRule{Extra: "-", Max: 64}
	anyName    = NameRule{Free: true}
)

// table has every target. Its sources are the makers' guides to function calling and structured outputs, the sources of
// open servers, and refusals that people report.
var table = []rules{
	// A pattern that looks around is refused, or ends in an error of the server:
	// https://github.com/vercel/ai/issues/16021, https://github.com/anomalyco/opencode/issues/30553.
	{target: OpenAI, about: "OpenAI's functions that are not strict: a hint to the model, with an object at the root",
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
	{target: Anthropic, about: "Anthropic's tools that are not strict: a hint to the model, with an object at the root",
		keywords: everything, notes: everything, formats: everything, refs: true, beside: true, silent: true,
		names:  nameRules{NameRule{Extra: "-", Max: 128}, NameRule{Extra: ".-", Max: 64}},
		others: siblings{strict: AnthropicStrict, answer: AnthropicStrict}},
	// https://docs.claude.com/en/docs/build-with-claude/structured-outputs
	{target: AnthropicStrict, about: "Anthropic's strict tools and answers: closed objects, no recursion, few bounds",
		keywords: words("type enum const items properties required additionalProperties anyOf format pattern minItems"),
		noRoot:   noValues, notes: words("description title"),
		formats: words("date-time time date duration email hostname uri ipv4 ipv6 uuid"), patterns: simplePatterns,
		typed: scalarTypes, listed: true, objects: objectRule{closed: true}, few: true, values: scalarKinds, root: rootRule{union: true},
		names: nameRules{NameRule{Extra: "-", Max: 128}, NameRule{Extra: ".-", Max: 64}}, budget: Budget{Tools: 20, Optional: 24, Unions: 16}},
	// https://ai.google.dev/api/caching#Schema
	{target: Gemini, about: "Gemini's own Schema, under parameters",
		keywords: words("type enum items properties required anyOf pattern format minimum maximum minLength maxLength minItems maxItems minProperties maxProperties"),
		noRoot:   noValues, notes: words("description title default example"), formats: words("date-time"),
		typed: scalarTypes, listed: true, objects: objectRule{some: true}, single: true, values: textKinds,
		names: nameRules{NameRule{Extra: ".:-", Max: 128, Letter: true}, NameRule{Max: 64, Letter: true}}},
	// https://ai.google.dev/gemini-api/docs/structured-output
	{target: GeminiJSON, about: "Gemini's subset of JSON Schema, under parametersJsonSchema",
		keywords: words("type enum items prefixItems properties required additionalProperties anyOf format minimum maximum minItems maxItems"),
		noRoot:   noValues, notes: words("description title"), formats: everything, listed: true, values: mostKinds, root: rootRule{union: true},
		names: nameRules{NameRule{Extra: ".:-", Max: 128, Letter: true}, NameRule{Extra: ".:-", Max: 128, Letter: true}}},
	{target: Groq, about: "Groq's functions, which every call is held against",
		keywords: everything, notes: everything, formats: everything, refs: true, beside: true, listed: true, silent: true,
		root: rootRule{union: true}, names: nameRules{toolName, anyName}},
	{target: Mistral, about: "Mistral's functions",
		keywords: everything, notes: everything, formats: everything, refs: true, beside: true, listed: true, silent: true,
		root: rootRule{union: true}, names: nameRules{toolName, anyName}},
	// https://github.com/MoonshotAI/walle
	{target: Moonshot, about: "Moonshot's flavour of JSON Schema, in which alternatives have their own types",
		keywords: words("type enum const items prefixItems properties required additionalProperties anyOf pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minProperties maxProperties"),
		noRoot:   noValues, notes: words("description title default examples"), formats: everything,
		listed: true, root: rootRule{union: true}, names: nameRules{NameRule{Extra: "-", Max: 64, Letter: true, LetterOnly: true}, anyName}},
	// https://github.com/ollama/ollama/blob/main/api/types.go
	{target: Ollama, about: "what Ollama keeps of a tool's schema before the model sees it",
		keywords: words("type enum items properties required anyOf"), noRoot: noValues, notes: words("description"),
		beside: true, whole: true, root: rootRule{mute: true}, silent: true,
		names: nameRules{anyName, anyName}, others: siblings{answer: LlamaCPP}},
	// https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
	{target: LlamaCPP, about: "llama.cpp's grammars made of a schema",
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
	{target: Basic, about: "what all of them take: few keywords, enums of strings",
		keywords: words("type enum items properties required anyOf"), noRoot: noValues, notes: words("description"),
		typed: scalarTypes, listed: true, values: textKinds,
		names: nameRules{NameRule{Extra: "-", Max: 64, Letter: true, LetterOnly: true}, NameRule{Max: 64, Letter: true}}},
}

// rulesOf returns the row of a target, nil for an unknown one.
func rulesOf(t Target) *rules {
	for i := range table {
		if table[i].target == t {
			return &table[i]
		}
	}
	return nil
}
