package prompt

import (
	"strconv"
	"strings"
)

// A Document is a prompt template of the modes json_schema and json_object. It defines the shape of the JSON object
// with which the model makes calls or answers, and the text that describes this object.
type Document struct {
	Name    string
	Version int    // incremented when the template or its shape changes
	Source  string // URL of the source; "" for a template of this project
	Form    Form
	// Scratchpad allows a member "scratchpad", in which the model writes its reasoning, before the other members.
	Scratchpad bool
	Slots      Slots
	// Body is the template text. $(tools) stands for the tool definitions, $(example) for an example object with a call.
	Body     string
	Answer   string // added unless a call is required: how to answer without a call
	Several  string // added if several calls are allowed
	Thoughts string // added with Scratchpad: describes that member
}

// Form is the shape of the JSON object of a Document.
type Form uint8

// Shapes of the JSON object.
const (
	ListOfCalls Form = iota // {"toolCalls":[...]}, or {"toolCalls":[],"answer":"..."} without calls
	Either                  // {"toolCalls":[...]} or {"answer":"..."}
	ToolFirst               // {"tool":"...","arguments":{...}}, at most one call, or {"tool":null,"answer":"..."}
)

// An Offer contains the tools and the tool choice of a request, for Document.Write.
type Offer struct {
	Tools       func(b *strings.Builder) // writes the tool definitions
	Name        string                   // name of the first tool that may be called
	Schema      []byte                   // JSON Schema of the arguments of this tool
	Forced, One bool                     // Forced: a call is required; One: at most one call
}

// Title returns name and version, such as "list 1", for reports.
func (d *Document) Title() string { return d.Name + " " + strconv.Itoa(d.Version) }

// Write writes the prompt text of the Document for an Offer.
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

// example writes an example object with one call.
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

// documents lists the templates of the modes json_schema and json_object. The first is the default.
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

// DocumentFor returns the Document with a name, or the default if there is none.
func DocumentFor(name string) *Document {
	for i := range documents {
		if documents[i].Name == name {
			return &documents[i]
		}
	}
	return &documents[0]
}

// Documents returns all Documents, the default first. The caller must not change them.
func Documents() []Document { return documents }
