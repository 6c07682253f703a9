package prompt

import (
	"slices"
	"strconv"
	"strings"
)

// A Text is a prompt template of the mode text: a system prompt that defines the tools and the syntax of a call.
type Text struct {
	Name       string
	Version    int    // incremented when the template changes
	Formats    string // dialects that it is written for, separated by spaces; "" for any
	AlsoParses string // further dialects in which the model may write calls, separated by spaces
	Families   string // parts of the names of models that it is the default for, separated by spaces; "" for any
	Source     string // URL of the chat template or page; "" for a template of this project
	Variant    bool   // it is never a default and is used only if requested by name
	Slots      Slots
	List       List
	// Body is the template text. $(tools) stands for the tool definitions, $(call) for an example call in the dialect, and
	// $(rules) for the syntax rules of the dialect.
	Body string
	Sentences
}

// Sentences are the sentences after the Body of a Text. Each includes its line break. An empty sentence is omitted.
type Sentences struct {
	Must    string // used if at least one call is required
	MustOne string // used if a call of one tool is required; $(tool) is its name
	None    string // used if no call is required
	Several string // used if an answer may have several calls
	Single  string // used if an answer may have only one call
}

// Slots is the style of the tool name and the arguments in an example call.
type Slots uint8

// Styles of example calls.
const (
	Bracketed Slots = iota // <function-name> and <args-json-object>, from which the model cannot copy a tool name
	Capitals               // TOOL_NAME and PARAMETER
	Declared               // the first declared tool, with example values for its JSON Schema
)

// List is the style of the tool definitions in a Text.
type List uint8

// Styles of tool definitions.
const (
	Schemas    List = iota // complete JSON Schemas, in the syntax of the dialect
	Signatures             // one line for each tool, with the types of its parameters
	Adaptive               // Schemas for up to ManyTools tools, otherwise Signatures
)

// ManyTools is the largest number of tools for which Adaptive writes complete schemas.
const ManyTools = 12

// Short reports whether n tools are written as signatures.
func (l List) Short(n int) bool { return l == Signatures || l == Adaptive && n > ManyTools }

// A Fill contains the functions that write the variable parts of a Text: $(tools), $(call) and $(rules).
type Fill struct {
	Tools, Call, Rules func(b *strings.Builder)
}

// Write writes the Body with its placeholders replaced by the output of with, and a final line break.
func (t *Text) Write(b *strings.Builder, with Fill) {
	fill(b, t.Body, func(place string) {
		switch place {
		case "tools":
			with.Tools(b)
		case "call":
			with.Call(b)
		case "rules":
			with.Rules(b)
		}
	})
	b.WriteByte('\n')
}

// fill writes text. For each placeholder $(name) it calls place with the name.
func fill(b *strings.Builder, text string, place func(name string)) {
	for {
		before, after, ok := strings.Cut(text, "$(")
		b.WriteString(before)
		if !ok {
			return
		}
		var name string
		name, text, _ = strings.Cut(after, ")")
		place(name)
	}
}

// TextFor returns the Text with the given name. If there is none, it returns the default for the dialect format: the
// Text with the longest family that is part of the model's name, then the Text without families, then the general one.
func TextFor(name, format, model string) *Text {
	best, longest := &texts[0], -1
	model = normalizeName(model)
	for i := range texts {
		t := &texts[i]
		if t.Name == name {
			return t
		}
		if t.Variant || !slices.Contains(strings.Fields(t.Formats), format) {
			continue
		}
		if n := familyIn(t.Families, model); n > longest {
			best, longest = t, n
		}
	}
	return best
}

// familyIn returns the length of the longest of the families that is part of a normalized model name. It returns 0 if
// families is empty and -1 if none is part of the name.
func familyIn(families, model string) int {
	if families == "" {
		return 0
	}
	longest := -1
	for f := range strings.FieldsSeq(families) {
		if f = normalizeName(f); strings.Contains(model, f) {
			longest = max(longest, len(f))
		}
	}
	return longest
}

// normalizeName returns a model name in lower case without "-", "_", ".", ":" and spaces, because servers spell one
// model in several ways.
func normalizeName(name string) string { return divisions.Replace(strings.ToLower(name)) }

var divisions = strings.NewReplacer("-", "", "_", "", ".", "", ":", "", " ", "")

// Title returns name and version, such as "hermes 1", for reports.
func (t *Text) Title() string { return t.Name + " " + strconv.Itoa(t.Version) }

// Texts returns all Texts, the general one first. The caller must not change them.
func Texts() []Text { return texts }
