package gemini

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// declarationKeys are the members of a function declaration that are decoded.
var declarationKeys = append([]string{"name", "description"}, spellings(parametersJSONSchema)...)

const parametersKey = "parameters"

// decodeTools decodes a list of tools, or null. Each member of a tool object other than functionDeclarations is a tool
// that the provider runs, such as googleSearch.
func decodeTools(list []byte) ([]callwright.Tool, error) {
	var out []callwright.Tool
	n := 0
	for v := range elements(list) {
		path := "/tools/" + strconv.Itoa(n)
		n++
		if !jsonx.IsObject(v) {
			return nil, kindError(path, "a tool object", v)
		}
		for k, m := range jsonx.Members(v) {
			if len(out) >= kit.MaxTools {
				return nil, kit.TooManyTools(opDecode)
			}
			if functionDeclarations.is(k) {
				functions, err := decodeDeclarations(m, path+"/"+functionDeclarations.camel)
				if err != nil {
					return nil, err
				}
				out = append(out, functions...)
				continue
			}
			out = append(out, callwright.Tool{Name: k.String(), Type: callwright.HostedTool, Extra: own.Keep(callwright.Extra{}, k.String(), m)})
		}
	}
	return out, nil
}

func decodeDeclarations(list []byte, path string) ([]callwright.Tool, error) {
	if !canBeList(list) {
		return nil, kindError(path, "a list of functions", list)
	}
	var out []callwright.Tool
	for v := range elements(list) {
		if len(out) == kit.MaxTools {
			return nil, kit.TooManyTools(opDecode)
		}
		t, err := decodeDeclaration(v, path+"/"+strconv.Itoa(len(out)))
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

// decodeDeclaration decodes a function declaration. The schema is the member parametersJsonSchema or else
// parameters, translated to JSON Schema. Extra keeps parameters unchanged.
func decodeDeclaration(v []byte, path string) (t callwright.Tool, err *callwright.Error) {
	if !jsonx.IsObject(v) {
		return t, kindError(path, "a function object", v)
	}
	name := plain("name").in(v)
	switch {
	case !jsonx.IsText(name):
		return t, kindError(path+"/name", "a string", name)
	case len(name) == 2:
		return t, invalid(path+"/name", "expected the name of a function, got none")
	}
	t.Name, t.Description = jsonx.TextOf(name), jsonx.TextOf(plain("description").in(v))
	t.Extra = own.ExtraOf(v, declarationKeys)
	schema, member := parametersJSONSchema.in(v), parametersJSONSchema.camel
	if jsonx.IsNull(schema) {
		schema, member = plain(parametersKey).in(v), parametersKey
	}
	switch {
	case jsonx.IsNull(schema):
		return t, nil
	case !jsonx.IsObject(schema):
		return t, kindError(path+"/"+member, "a schema object", schema)
	}
	t.Schema, _ = jsonSchema(schema) // types may be upper case in both members
	return t, nil
}

// toolList returns the JSON list of the tools to send, nil if it would be empty. The result may be cached.
func (e *requestEncoder) toolList() []byte {
	type setting struct {
		strict caps.Truth
		member string
	}
	return kit.WriteTools(e.req, &e.notes, setting{e.caps.StrictTools, e.schemaMember()}, e.tools)
}

// tools encodes the JSON list of the tools to send, nil if it would be empty. All functions are in one tool object, at
// the position of the first one.
func (e *requestEncoder) tools() []byte {
	tools, err := e.req.DeclaredTools()
	if err != nil {
		e.fail(err)
		return nil
	}
	w := newWriter(nil)
	w.Open("", '[')
	declared := false
	tools = slices.Clone(tools)
	for i := range tools {
		if t := &tools[i]; !e.notes.OfTool(t, own, "/tools/"+strconv.Itoa(i)) {
			t.Type, t.Extra = callwright.HostedTool, callwright.Extra{} // left out
		}
	}
	for _, t := range tools {
		switch {
		case t.Type == callwright.HostedTool && t.Extra.JSON == nil:
		case t.Type == callwright.HostedTool:
			w.Raw("", t.Extra.JSON)
		case !declared:
			declared = true
			e.functions(&w, tools)
		}
	}
	if len(w.Buf) == 1 {
		return nil
	}
	w.Close(']')
	return w.Buf
}

// functions writes the tool object that declares all functions.
func (e *requestEncoder) functions(w *writer, tools []callwright.Tool) {
	w.Open("", '{')
	w.Open(functionDeclarations.camel, '[')
	strict := 0
	for i, t := range tools {
		if t.Type == callwright.HostedTool {
			continue
		}
		if t.Strict != nil && *t.Strict {
			strict++
		}
		e.function(w, t, "/tools/"+strconv.Itoa(i))
	}
	w.Buf = append(w.Buf, "]}"...)
	if strict > 0 && e.caps.StrictTools != caps.Yes {
		e.notes.Add(callwright.Note{Rule: "tools.strict", Path: "/tools", Was: strconv.Itoa(strict) + " strict tools",
			Why: "the wire has no strict tools"})
	}
}

func (e *requestEncoder) function(w *writer, t callwright.Tool, path string) {
	if t.Type == callwright.CustomTool {
		f, note := kit.AsFunction(t, path)
		e.notes.Add(note)
		t = f
	}
	schema := jsonx.Trim(t.Schema)
	original := own.Member(t.Extra, parametersKey)
	switch {
	case jsonx.IsNull(schema):
		schema = nil
	case jsonx.KindOf(schema) != jsonx.Object || jsonx.Valid(schema) != nil:
		e.notes.Add(callwright.Note{Rule: "tools.schema_type", Path: path, Was: string(schema),
			Why: "the schema must be an object"})
		schema = nil
	}
	w.Open("", '{')
	w.Text("name", t.Name)
	w.OptionalText("description", t.Description)
	if now, _ := jsonSchema(original); original != nil && bytes.Equal(now, schema) {
		w.Raw(parametersKey, original)
	} else if schema != nil {
		w.Raw(e.schemaMember(), schema)
	}
	w.Extra(t.Extra, parametersKey)
	w.Close('}')
}

// schemaMember returns the member of a declaration for its schema: parametersJsonSchema for JSON Schema, parameters for
// an OpenAPI schema.
func (e *requestEncoder) schemaMember() string {
	if e.caps.SchemaTarget == caps.SchemaGemini {
		return parametersKey
	}
	return parametersJSONSchema.camel
}
