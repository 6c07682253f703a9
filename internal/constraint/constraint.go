package constraint

import (
	"bytes"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/lru"
)

// Rule is the rule of the note that a provider adds when it sends a constraint.
const Rule = "tools.constrained"

// An API is the format in which an inference engine accepts constraints, as in caps.Caps.Constraint.
type API string

// The values of API.
const (
	APIGrammar       API = "gbnf"
	APIStructuralTag API = "structural_tag"
	APIStructures    API = "structures"
)

// A Constraint is an immutable constraint for an API: a GBNF grammar or the JSON of a response format.
type Constraint struct {
	API  API
	Text string
}

// A Cache caches constraints by their inputs. It is safe for concurrent use.
type Cache struct{ made *lru.Cache[kind, *Constraint] }

// A kind contains the inputs of a constraint except the tools.
type kind struct {
	api  API
	form Form
	how  Conditions

	document bool // whether the text is the schema of the whole response
}

// NewCache returns an empty Cache of at most 256 constraints.
func NewCache() *Cache { return &Cache{lru.New(256, write)} }

// Document returns the constraint for responses that are documents of a schema, or nil if there is none.
func (c *Cache) Document(api API, schema []byte) *Constraint {
	return c.made.Get(kind{api: api, document: true}, schema)
}

// Constraint returns the constraint for tool calls. It returns nil if the API cannot express the form, calls cannot be
// distinguished from text, or there are too many tools.
func (c *Cache) Constraint(api API, f Form, tools []Tool, how Conditions) *Constraint {
	size := 2
	for _, t := range tools {
		size += len(t.Name) + len(t.Schema) + len(`"",null,`)
	}
	text := append(make([]byte, 0, size), '[')
	for i, t := range tools {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(jsonx.AppendQuote(text, t.Name), ',')
		if jsonx.IsObject(t.Schema) {
			text = append(text, t.Schema...)
		} else {
			text = append(text, "null"...)
		}
	}
	return c.made.Get(kind{api: api, form: f, how: how}, append(text, ']'))
}

// write creates a constraint from a list of tool names and schemas, or from the schema of a document. It returns nil if
// that is impossible. It does not retain text.
func write(k kind, text []byte) *Constraint {
	if k.document {
		if out, err := Document(bytes.Clone(text)); err == nil && k.api == APIGrammar {
			return &Constraint{k.api, out}
		}
		return nil
	}
	var tools []Tool
	for v := range jsonx.Elements(bytes.Clone(text)) {
		if n := len(tools); n > 0 && tools[n-1].Schema == nil {
			tools[n-1].Schema = v
			continue
		}
		tools = append(tools, Tool{Name: jsonx.TextOf(v)})
	}
	var out string
	var err error
	switch k.api {
	case APIGrammar:
		out, err = GBNF(k.form, tools, k.how)
	case APIStructuralTag:
		out, err = StructuralTag(k.form, tools, k.how)
	case APIStructures:
		out, err = Structures(k.form, tools)
	default:
		return nil
	}
	if err != nil {
		return nil
	}
	return &Constraint{k.api, out}
}
