package constraint

import (
	"bytes"

	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/lru"
)

// Rule is the rule of the note about a constraint, which the provider makes where it sends one.
const Rule = "tools.constrained"

// An API is the form in which an engine takes constraints, as caps.Caps.Constraint names it.
type API string

// The forms of constraints.
const (
	APIGrammar       API = "gbnf"
	APIStructuralTag API = "structural_tag"
	APIStructures    API = "structures"
)

// A Constraint is one that was written for an API: a grammar, or the JSON of a form of the answer. It does not change.
type Constraint struct {
	API  API
	Text string
}

// A Cache keeps the latest constraints by their inputs. Safe for concurrent use.
type Cache struct{ made *lru.Cache[kind, *Constraint] }

// A kind holds the inputs of a constraint beside its tools.
type kind struct {
	api  API
	form Form
	how  How

	document bool // the text is the schema of the whole answer
}

// NewCache returns a Cache.
func NewCache() *Cache { return &Cache{lru.New(256, write)} }

// Document returns the constraint on answers that are documents of a schema, nil where there is none.
func (c *Cache) Document(api API, schema []byte) *Constraint {
	return c.made.Get(kind{api: api, document: true}, schema)
}

// Constraint returns the constraint for an API, nil where there is none: the API has no form, calls cannot be told from
// text, or the tools are too many.
func (c *Cache) Constraint(api API, f Form, tools []Tool, how How) *Constraint {
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

// write makes the constraint of a list of names and schemas, or of the schema of a document. It keeps nothing of the
// text.
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
