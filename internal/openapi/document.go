package openapi

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// An Operation is the operation at a path with a method.
type Operation struct {
	Method string
	Path   string // with variables in braces
	ID     string
	Tag    string
	Says   string // a sentence
	Needs  string // the verb that a key needs, empty for any key
	Open   bool   // it needs no key
	Params []Param
	Body   reflect.Type // of the request; nil for none
	// BodyOptional says that the body may be left out, Patch that each of its members may be null, which removes it.
	BodyOptional, Patch bool
	// AnyBody says that the body is a JSON object of an API of a provider.
	AnyBody bool
	Answers []Answer // the successful ones
	Fails   []int    // the statuses of its errors, beside those that every operation has
}

// A Param is a parameter, of the path where the path has it and of the query else.
type Param struct {
	Name, Says string
	Schema     Schema
	Required   bool
}

// An Answer is one answer of an operation.
type Answer struct {
	Status int
	Says   string
	Type   reflect.Type // of JSON; nil for none
	Or     reflect.Type // another type that JSON may have; nil for none
	Text   string       // a content type beside or in place of JSON
}

// An Info says whose document it is.
type Info struct {
	Title, Version, Description string
}

type object = map[string]any

// statuses describe the errors.
var statuses = map[int]string{
	400: "The request is wrong. The error says where, and what was expected.",
	401: "No key was sent, or one that is not taken.",
	403: "The key is not for this.",
	404: "There is no such thing.",
	405: "The path does not have this method.",
	409: "It cannot be done as things are now: the error says what is in the way.",
	413: "The body is too large.",
	415: "The body is not JSON.",
	429: "A limit of the key is reached. Retry-After says when to try again.",
	500: "The gateway failed on this request.",
	501: "The gateway does not do this.",
	502: "A provider failed.",
	503: "What it needs is away: the error says what. Try again.",
}

// Document returns the document of operations.
func Document(info Info, types *Types, ops []Operation) ([]byte, error) {
	paths := object{}
	for i := range ops {
		op := &ops[i]
		at, _ := paths[op.Path].(object)
		if at == nil {
			at = object{}
			paths[op.Path] = at
		}
		at[strings.ToLower(op.Method)] = op.object(types)
	}
	schemas := object{"Error": errorSchema()}
	for _, m := range types.Components {
		schemas[m.Name] = m.Schema
	}
	doc := object{
		"openapi": "3.1.0",
		"info":    object{"title": info.Title, "version": info.Version, "description": info.Description},
		"servers": []object{{"url": "/"}},
		"paths":   paths,
		"components": object{
			"schemas": schemas,
			"securitySchemes": object{
				"bearer": object{"type": "http", "scheme": "bearer", "description": "A key of the gateway. One without keys asks for none."},
			},
			"responses": errorResponses(),
		},
	}
	return json.MarshalIndent(doc, "", " ")
}

// errorSchema is the schema of errors: in the form of the client's API, of OpenAI's where it does not show which that
// is.
func errorSchema() object {
	return object{
		"type": "object", "required": []string{"error"},
		"properties": object{"error": object{"anyOf": []object{
			{"type": "object", "required": []string{"message"},
				"properties": object{"message": object{"type": "string", "description": "where, what was expected, what came, and what to do"}}},
			{"type": "string", "description": "the same, for clients of Ollama's API"},
		}}},
	}
}

func errorResponses() object {
	out := object{}
	for status, says := range statuses {
		out["E"+strconv.Itoa(status)] = object{
			"description": says, "content": object{"application/json": object{"schema": object{"$ref": refPrefix + "Error"}}},
		}
	}
	return out
}

// object returns the operation as the document has it.
func (op *Operation) object(types *Types) object {
	out := object{"operationId": op.ID, "tags": []string{op.Tag}, "summary": op.Says, "responses": op.responses(types)}
	switch {
	case op.Open:
		out["security"] = []object{}
	default:
		out["security"] = []object{{"bearer": []string{}}}
		out["description"] = "Any key may do it."
		if op.Needs != "" {
			out["description"] = "The key needs the verb `" + op.Needs + "`."
		}
	}
	var params []object
	for i := range op.Params {
		params = append(params, op.Params[i].object(op.Path))
	}
	if params != nil {
		out["parameters"] = params
	}
	if schema := op.BodySchema(types); schema != nil {
		out["requestBody"] = object{"required": !op.BodyOptional, "content": object{"application/json": object{"schema": schema}}}
	}
	return out
}

// BodySchema returns the schema of the body, which refers to no other, nil for none.
func (op *Operation) BodySchema(types *Types) *Schema {
	switch {
	case op.AnyBody:
		return &Schema{Type: "object"}
	case op.Body == nil:
		return nil
	}
	own := &Types{Enums: types.Enums, Refine: types.Refine} // the components of the document are those of answers
	return own.closeSchema(own.Of(op.Body), op.Patch)
}

func (p *Param) object(path string) object {
	out := object{"name": p.Name, "in": "query", "description": p.Says, "schema": p.Schema}
	if strings.Contains(path, "{"+p.Name+"}") {
		out["in"] = "path"
		out["required"] = true
	} else if p.Required {
		out["required"] = true
	}
	return out
}

func (op *Operation) responses(types *Types) object {
	out := object{}
	for _, a := range op.Answers {
		content := object{}
		if a.Type != nil {
			schema := types.Of(a.Type)
			if a.Or != nil {
				schema = &Schema{AnyOf: []*Schema{schema, types.Of(a.Or)}}
			}
			content["application/json"] = object{"schema": schema}
		}
		if a.Text != "" {
			content[a.Text] = object{"schema": object{"type": "string"}}
		}
		one := object{"description": a.Says}
		if len(content) > 0 {
			one["content"] = content
		}
		out[strconv.Itoa(a.Status)] = one
	}
	fails := op.Fails
	if !op.Open {
		fails = append([]int{401, 403, 503}, fails...)
	}
	for _, status := range fails {
		out[strconv.Itoa(status)] = object{"$ref": "#/components/responses/E" + strconv.Itoa(status)}
	}
	return out
}
