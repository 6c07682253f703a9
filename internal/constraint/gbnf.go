package constraint

import (
	"errors"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Tool is one that may be called: its name and the schema of its arguments as the model is shown them. An empty
// schema is that of an object.
type Tool struct {
	Name   string
	Schema []byte
}

// How holds the conditions of an answer beside its calls being well-formed.
type How struct {
	Forced bool // it is a call: no text comes first
	Single bool // it has at most one call
}

// errForm says that calls of a format cannot be told from text.
var errForm = errors.New("constraint: the calls of the format cannot be told from text")

// GBNF returns the grammar of answers for llama-server. Free text goes on until the mark of the form, or until a JSON
// object that begins with the name of a tool and the key of its arguments; then only a call of a tool is taken. Behind
// a marked call come further ones or the end, behind an object free text goes on. Where the answer must be a call it
// begins with one. The error is of tools whose grammar is too large.
func GBNF(f Form, tools []Tool, how How) (string, error) {
	r := newRuleSet()
	w := &writer{form: f, schemas: newSchemas(r, nil)}
	for _, t := range tools {
		w.add(t)
	}
	if len(w.calls) == 0 {
		return "", errForm
	}
	section := w.section(how)
	start := section
	if how.Forced {
		start = sequence(w.blank(), literal(f.Mark), start)
	} else {
		t := newTrigger()
		if f.Mark != "" {
			t.nodes[t.literal(0, f.Mark)].then = r.rule(section)
		}
		free := r.name()
		for i, tool := range w.tools {
			w.objects(t, tool, w.arguments[i], free)
		}
		r.define(free, r.prose(t))
		start = free
	}
	r.define("root", start)
	if r.err != nil {
		return "", r.err
	}
	return r.text.String(), nil
}

// A writer writes the expressions of calls.
type writer struct {
	form Form
	*schemas
	tools     []Tool
	arguments []string // expressions, by tool
	calls     []string // the name, what is between, and the arguments
}

// add adds a tool, unless no arguments satisfy its schema.
func (w *writer) add(t Tool) {
	schema := t.Schema
	if !jsonx.IsObject(schema) {
		schema = []byte(`{"type":"object"}`)
	}
	own := newSchemas(w.rules, schema)
	arguments := own.argumentsOf(schema)
	if arguments == impossible {
		return
	}
	w.tools, w.arguments = append(w.tools, t), append(w.arguments, arguments)
	w.calls = append(w.calls, sequence(literal(w.name(t)), w.loose(w.form.between), arguments))
}

// argumentsOf is the expression of arguments, which are an object whatever their schema says.
func (s *schemas) argumentsOf(schema []byte) string {
	return s.value(schema, []byte(`{"type":"object"}`))
}

// name is the name of a tool as the form has it: with the escapes of JSON where it stands in a string of it.
func (w *writer) name(t Tool) string {
	if _, ok := w.form.argumentsKey(); ok {
		return quoteJSON(t.Name)[1 : len(quoteJSON(t.Name))-1]
	}
	return t.Name
}

// section is the calls behind the mark, up to the end of the answer.
func (w *writer) section(how How) string {
	call := w.rules.rule(oneOf(w.calls...))
	more := ""
	if !how.Single {
		more = w.rules.rule(sequence(w.loose(w.form.join), call)) + "*"
	}
	return sequence(w.loose(w.form.before), call, more, w.loose(w.form.after+"\n"))
}

// objects adds the objects that call a tool to the triggers.
func (w *writer) objects(t *trigger, tool Tool, arguments, free string) {
	at := t.addSpacedLiterals(t.literal(0, "{"), `"name"`, ":", quoteJSON(tool.Name), ",")
	for _, key := range w.objectKeys() {
		end := t.addSpacedLiterals(at, quoteJSON(key))
		t.nodes[end].then = w.rules.rule(sequence(w.blank(), `":"`, w.blank(), arguments, w.blank(), `"}"`, free))
	}
}

// objectKeys are the keys of the arguments of calls that are objects without a mark.
func (w *writer) objectKeys() []string {
	if key, ok := w.form.argumentsKey(); ok && key != "arguments" && w.form.Mark == "" {
		return []string{"arguments", key}
	}
	return []string{"arguments"}
}

// Document returns the grammar of the documents that satisfy a schema, for llama-server.
func Document(schema []byte) (string, error) {
	r := newRuleSet()
	s := newSchemas(r, schema)
	body := s.value(schema)
	if body == impossible {
		return "", errForm
	}
	r.define("root", sequence(s.blank(), body, s.blank()))
	return r.text.String(), r.err
}
