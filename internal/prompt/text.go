package prompt

import (
	"slices"
	"strconv"
	"strings"
)

// A Text is a wording of mode text: a system text that defines the tools and says how a call is written.
type Text struct {
	Name     string
	Version  int    // grows with each change of the wording
	Formats  string // names of the formats that it is written for, separated by spaces; "" for any
	Reads    string // names of formats beside these in which calls are asked for, separated by spaces
	Families string // parts of the names of models that it is the default for, separated by spaces; "" for all models of its formats
	Source   string // the chat template or page that has the wording; "" for a wording of this project
	Variant  bool   // it is never a default: it is measured, or asked for by its name
	Slots    Slots
	List     List
	// Body has the places $(tools) for the definitions, $(call) for an example call in the format, and $(rules) for the
	// rules of the format.
	Body string
	Sentences
}

// Sentences follow the body, each with its line break. An empty one is left out.
type Sentences struct {
	Must    string // at least one call is required
	MustOne string // a call of one tool is required; $(tool) stands for its name
	None    string // no call is required
	Several string // an answer may have several calls
	Single  string // an answer may have one call
}

// Slots is how the example call of a text names the tool and its arguments.
type Slots uint8

// Kinds of slots.
const (
	Bracketed Slots = iota // <function-name> and <args-json-object>: no name of a tool can be copied from it
	Capitals               // TOOL_NAME and PARAMETER
	Declared               // the first declared tool, with values of its schema
)

// List is how the tools of a text are defined.
type List uint8

// Kinds of lists.
const (
	Schemas    List = iota // the whole JSON Schemas, as the format writes them
	Signatures             // one line a tool, with the types of its parameters
	Adaptive               // schemas of up to ManyTools tools, signatures of more
)

// ManyTools is the number of tools from which Adaptive writes signatures.
const ManyTools = 12

// Short reports whether n tools are written as signatures.
func (l List) Short(n int) bool { return l == Signatures || l == Adaptive && n > ManyTools }

// A Fill is the content of the places of a text.
type Fill struct {
	Tools, Call, Rules func(b *strings.Builder)
}

// Write writes the body of the text with its places filled, and a final line break.
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

// fill writes a text whose places are $(name).
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

// TextFor returns the text of a name, else the default of a format for a model: that of the longest family name in the
// model's name, else that of the format, else the general one.
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

// familyIn returns the length of the longest family in a model's glued name: 0 where no family is named, -1 where none
// is in it.
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

// normalizeName returns a name in lower case without the characters that divide its words and numbers: servers spell
// one model in several ways.
func normalizeName(name string) string { return divisions.Replace(strings.ToLower(name)) }

var divisions = strings.NewReplacer("-", "", "_", "", ".", "", ":", "", " ", "")

// Title is the name of the wording with its version, as reports show it.
func (t *Text) Title() string { return t.Name + " " + strconv.Itoa(t.Version) }

// Texts returns all texts, the general one first. The rows must not be changed.
func Texts() []Text { return texts }
