package constraint

import (
	"errors"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Tool is a callable tool: its name and the schema of its arguments as the model sees them. An empty schema permits
// any object.
type Tool struct {
	Name   string
	Schema []byte
}

// Conditions are the conditions on a response besides well-formed calls.
type Conditions struct {
	Forced bool // it must begin with a call, without text before
	Single bool // it has at most one call
}

// errForm is the error for a form whose calls cannot be distinguished from text.
var errForm = errors.New("constraint: calls in this format cannot be distinguished from text")

// GBNF returns a grammar for llama-server. The mark of a form is the text with which a call begins, such as
// "<tool_call>". Free text ends at the mark, or at a JSON object that begins with the name of a tool and the key of its
// arguments. Then only a call of a tool is permitted. After a call with a mark, further calls or the end follow. After
// an object without a mark, free text continues. With how.Forced, the response begins with a call. It returns an error
// if the grammar is too large.
func GBNF(f Form, tools []Tool, how Conditions) (string, error) {
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

// A writer creates the expressions of calls.
type writer struct {
	form Form
	*schemas
	tools     []Tool
	arguments []string // expressions of the arguments, by tool
	calls     []string // expressions of the name, the text between, and the arguments
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

// argumentsOf returns the expression of arguments, which are always an object.
func (s *schemas) argumentsOf(schema []byte) string {
	return s.value(schema, []byte(`{"type":"object"}`))
}

// name returns the name of a tool as the form writes it, with JSON escapes if it is part of a JSON string.
func (w *writer) name(t Tool) string {
	if _, ok := w.form.argumentsKey(); ok {
		return quoteJSON(t.Name)[1 : len(quoteJSON(t.Name))-1]
	}
	return t.Name
}

// section returns the expression of the calls after the form's Mark, up to the end of the response.
func (w *writer) section(how Conditions) string {
	call := w.rules.rule(oneOf(w.calls...))
	more := ""
	if !how.Single {
		more = w.rules.rule(sequence(w.loose(w.form.join), call)) + "*"
	}
	return sequence(w.loose(w.form.before), call, more, w.loose(w.form.after+"\n"))
}

// objects adds to t the grammar of a tool's calls that are JSON objects without the form's Mark, such as
// {"name": "f", "arguments": {}}. arguments is the rule of the arguments, free that of the text after the object.
func (w *writer) objects(t *trigger, tool Tool, arguments, free string) {
	at := t.addSpacedLiterals(t.literal(0, "{"), `"name"`, ":", quoteJSON(tool.Name), ",")
	for _, key := range w.objectKeys() {
		end := t.addSpacedLiterals(at, quoteJSON(key))
		t.nodes[end].then = w.rules.rule(sequence(w.blank(), `":"`, w.blank(), arguments, w.blank(), `"}"`, free))
	}
}

// objectKeys returns the keys of the arguments in calls that are objects without a mark.
func (w *writer) objectKeys() []string {
	if key, ok := w.form.argumentsKey(); ok && key != "arguments" && w.form.Mark == "" {
		return []string{"arguments", key}
	}
	return []string{"arguments"}
}

// Document returns a grammar for llama-server of the documents that satisfy a schema. It returns an error if there are
// none or the grammar is too large.
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
