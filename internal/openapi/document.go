package openapi

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
)

// An Operation is one HTTP method of one path.
type Operation struct {
	Method string
	Path   string // with variables in braces, such as /v1/keys/{name}
	ID     string
	Tag    string
	Says   string // summary: one sentence
	Needs  string // verb (permission) that the API key needs; empty if any key is sufficient
	Open   bool   // no API key is needed
	Params []Param
	Body   reflect.Type // Go type of the request body; nil for none
	// BodyOptional means that the body may be omitted. Patch means that the body is a JSON Merge Patch: each member may be
	// null, which removes the value.
	BodyOptional, Patch bool
	// AnyBody means that the body is an arbitrary JSON object, in the format of a provider's API.
	AnyBody bool
	Answers []Answer // successful responses
	Fails   []int    // HTTP error statuses, in addition to those of all operations
}

// A Param is a parameter. It is a path parameter if the path contains {Name}, otherwise a query parameter.
type Param struct {
	Name, Says string
	Schema     Schema
	Required   bool
}

// An Answer is one successful response of an operation.
type Answer struct {
	Status int
	Says   string
	Type   reflect.Type // Go type of the JSON body; nil for none
	Or     reflect.Type // alternative Go type of the JSON body; nil for none
	Text   string       // content type of a body that is not JSON; "" for none
}

// An Info has the title, version and description of the document.
type Info struct {
	Title, Version, Description string
}

type object = map[string]any

// statuses describes the HTTP error statuses.
var statuses = map[int]string{
	400: "The request is invalid. The error has the place and the expected value.",
	401: "The request has no key, or an invalid key.",
	403: "The key does not allow this operation.",
	404: "The resource does not exist.",
	405: "The path does not have this method.",
	409: "The operation conflicts with the current state. The error has the reason.",
	413: "The body is too large.",
	415: "The body is not JSON.",
	429: "A limit of the key is reached. Retry-After has the time to wait.",
	500: "The gateway failed with an internal error.",
	501: "The gateway does not support this operation.",
	502: "A provider failed.",
	503: "A service that the gateway needs is unavailable. The error names it. Try again.",
}

// Document returns the OpenAPI document of the operations as JSON. types generates the schemas.
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
				"bearer": object{"type": "http", "scheme": "bearer", "description": "A key of the gateway. A gateway without keys needs none."},
			},
			"responses": errorResponses(),
		},
	}
	return json.MarshalIndent(doc, "", " ")
}

// errorSchema returns the schema of error bodies: {"error": ...} in the format of the client's API. If the API cannot
// be determined, the format is OpenAI's.
func errorSchema() object {
	return object{
		"type": "object", "required": []string{"error"},
		"properties": object{"error": object{"anyOf": []object{
			{"type": "object", "required": []string{"message"},
				"properties": object{"message": object{"type": "string",
					"description": "the place, the expected and the actual value, and the remedy"}}},
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

// object returns the Operation Object of the OpenAPI document.
func (op *Operation) object(types *Types) object {
	out := object{"operationId": op.ID, "tags": []string{op.Tag}, "summary": op.Says, "responses": op.responses(types)}
	switch {
	case op.Open:
		out["security"] = []object{}
	default:
		out["security"] = []object{{"bearer": []string{}}}
		out["description"] = "Any key is enough."
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

// BodySchema returns the schema of the request body without $ref. It returns nil if the operation has no body.
func (op *Operation) BodySchema(types *Types) *Schema {
	switch {
	case op.AnyBody:
		return &Schema{Type: "object"}
	case op.Body == nil:
		return nil
	}
	own := &Types{Enums: types.Enums, Refine: types.Refine} // the components of the document are for responses only
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
