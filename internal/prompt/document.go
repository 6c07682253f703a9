package prompt

import (
	"strconv"
	"strings"
)

// A Document is a wording of the modes json_schema and json_object: the form of the JSON object that conveys calls or
// an answer, and the text that describes it.
type Document struct {
	Name    string
	Version int    // grows with each change of the wording or the form
	Source  string // what it is taken from; "" for a wording of this project
	Form    Form
	// Scratchpad lets thoughts stand before the other members.
	Scratchpad bool
	Slots      Slots
	// Body has the places $(tools) for the definitions and $(example) for a document with a call.
	Body     string
	Answer   string // says how to answer without a call, where none is required
	Several  string // says that there may be several calls, where there may
	Thoughts string // describes the scratchpad
}

// Form is the shape of a document.
type Form uint8

// Shapes of documents.
const (
	ListOfCalls Form = iota // {"toolCalls":[...]} or {"toolCalls":[],"answer":"..."}
	Either                  // {"toolCalls":[...]} or {"answer":"..."}
	ToolFirst               // {"tool":"...","arguments":{...}} or {"tool":null,"answer":"..."}: one call
)

// An Offer holds the tools and the choice for which a document is described.
type Offer struct {
	Tools       func(b *strings.Builder) // writes the definitions
	Name        string                   // of the first tool that may be called
	Schema      []byte                   // of its arguments
	Forced, One bool                     // a call is required; an answer has one call at most
}

// Title is the name of the wording with its version, as reports show it.
func (d *Document) Title() string { return d.Name + " " + strconv.Itoa(d.Version) }

// Write describes the document.
func (d *Document) Write(b *strings.Builder, o Offer) {
	fill(b, d.Body, func(place string) {
		switch place {
		case "tools":
			o.Tools(b)
		case "example":
			d.example(b, o)
		}
	})
	if !o.Forced {
		b.WriteString(d.Answer)
	}
	if !o.One {
		b.WriteString(d.Several)
	}
	if d.Scratchpad {
		b.WriteString(d.Thoughts)
	}
}

// example writes a document with a call.
func (d *Document) example(b *strings.Builder, o Offer) {
	name, args := "<name of the tool>", "{<its arguments>}"
	if d.Slots == Declared {
		name, args = o.Name, string(Arguments(o.Schema))
	}
	if d.Form == ToolFirst {
		b.WriteString(`{"tool": "` + name + `", "arguments": ` + args + `}`)
		return
	}
	b.WriteString(`{"toolCalls": [{"name": "` + name + `", "arguments": ` + args + `}]}`)
}

// documents are all wordings of the modes json_schema and json_object, the default first.
var documents = []Document{
	{
		Name: "list", Version: 1, Form: ListOfCalls, Slots: Declared,
		Body:   "$(tools)\nReply with one JSON object: a list of calls, $(example).",
		Answer: ` If no tool fits the request, the list is empty and "answer" has your text: {"toolCalls": [], "answer": "..."}.`,
	},
	{
		Name: "list+slots", Version: 1, Form: ListOfCalls,
		Body:   "$(tools)\nReply with one JSON object: a list of calls, $(example).",
		Answer: ` If no tool fits the request, the list is empty and "answer" has your text: {"toolCalls": [], "answer": "..."}.`,
	},
	{
		Name: "list+several", Version: 1, Form: ListOfCalls, Slots: Declared,
		Body:    "$(tools)\nReply with one JSON object: a list of calls, $(example).",
		Answer:  ` If no tool fits the request, the list is empty and "answer" has your text: {"toolCalls": [], "answer": "..."}.`,
		Several: " When the request asks for several things, the list has one call for each of them.",
	},
	{
		Name: "list+scratchpad", Version: 1, Form: ListOfCalls, Slots: Declared, Scratchpad: true,
		Body:     "$(tools)\nReply with one JSON object: a list of calls, $(example).",
		Answer:   ` If no tool fits the request, the list is empty and "answer" has your text: {"toolCalls": [], "answer": "..."}.`,
		Thoughts: ` You may put thoughts into "scratchpad" before the list.`,
	},
	{
		Name: "tool-first", Version: 1, Form: ToolFirst, Slots: Declared,
		Body:   "$(tools)\nReply with one JSON object. First choose the tool: $(example).",
		Answer: ` If no tool fits the request: {"tool": null, "answer": "..."}.`,
	},
	{
		Name: "either", Version: 1, Form: Either, Slots: Bracketed, Scratchpad: true,
		Body:     "$(tools)\nAnswer with one JSON object and nothing else. To call tools: $(example).",
		Answer:   ` To answer: {"answer":"TEXT"}.`,
		Thoughts: ` You may put thoughts into "scratchpad" beside either of them.`,
	},
	{
		Name: "either+plain", Version: 1, Form: Either, Slots: Declared,
		Body:    "$(tools)\nReply with one JSON object. If a tool fits the request, call it: $(example).",
		Answer:  ` Only if no tool fits: {"answer": "..."}.`,
		Several: " If several calls are asked for, the list has several.",
	},
}

// DocumentFor returns the document of a name, the default for any other.
func DocumentFor(name string) *Document {
	for i := range documents {
		if documents[i].Name == name {
			return &documents[i]
		}
	}
	return &documents[0]
}

// Documents returns all documents, the default first. The rows must not be changed.
func Documents() []Document { return documents }
