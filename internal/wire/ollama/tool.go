package ollama

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// functionKeys are the members of a tool's function that are decoded to fields of callwright.Tool.
var functionKeys = []string{"name", "description", "parameters"}

// decodeTools decodes a list of tools, or null.
func decodeTools(list []byte) ([]callwright.Tool, error) {
	var out []callwright.Tool
	for v := range jsonx.Elements(list) {
		if len(out) == kit.MaxTools {
			return nil, kit.TooManyTools(opDecode)
		}
		t, err := decodeTool(v, "/tools/"+strconv.Itoa(len(out)))
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

func decodeTool(v []byte, path string) (callwright.Tool, *callwright.Error) {
	var t callwright.Tool
	if !jsonx.IsObject(v) {
		return t, kindError(path, "a tool object", v)
	}
	f, _ := jsonx.Find(v, "function")
	if !jsonx.IsObject(f) {
		return t, kindError(path+"/function", "a function object", f)
	}
	for k, m := range jsonx.Members(f) {
		switch {
		case k.Is("name"):
			if !jsonx.IsText(m) {
				return t, kindError(path+"/function/name", "a string", m)
			}
			t.Name = jsonx.TextOf(m)
		case k.Is("description"):
			t.Description = jsonx.TextOf(m)
		case k.Is("parameters") && !jsonx.IsNull(m):
			if !jsonx.IsObject(m) {
				return t, kindError(path+"/function/parameters", "a schema object", m)
			}
			t.Schema = json.RawMessage(m)
		}
	}
	if t.Name == "" {
		return t, invalid(path+"/function/name", "expected the name of a function, got none")
	}
	t.Extra = own.ExtraOf(v, []string{"type"}, kit.NestedMember{Key: "function", Known: functionKeys})
	return t, nil
}

// limits reports whether the tool choice allows no tool or only some. This API has no parameter for that, so that the
// other tools are left out of the request.
func limits(c callwright.Choice) bool { return c.Mode == callwright.ChoiceNone || len(c.Names) > 0 }

// toolList returns the JSON list of the tools to send, nil if it would be empty. The result may be cached.
func (e *requestEncoder) toolList() []byte {
	if limits(e.req.Params.Choice) {
		return e.tools()
	}
	type setting struct{}
	return kit.WriteTools(e.req, &e.notes, setting{}, e.tools)
}

// tools encodes the JSON list of the tools to send. It returns nil if it would be empty.
func (e *requestEncoder) tools() []byte {
	tools, err := e.req.DeclaredTools()
	if err != nil {
		e.fail(err)
		return nil
	}
	choice := e.req.Params.Choice
	room := 0
	for _, t := range tools {
		room += len(t.Name) + len(t.Description) + len(t.Schema) + len(t.Extra.JSON) + 96
	}
	w := newWriter(make([]byte, 0, room))
	w.Open("", '[')
	strict := 0
	for i, t := range tools {
		path := "/tools/" + strconv.Itoa(i)
		switch {
		case choice.Mode == callwright.ChoiceNone || len(choice.Names) > 0 && !slices.Contains(choice.Names, t.Name):
			e.notes.Add(callwright.Note{Rule: "tools.filtered", Path: path, Was: t.Name, Why: "the tool choice does not allow it"})
			continue
		case !e.notes.OfTool(&t, own, path):
			continue
		case t.Strict != nil && *t.Strict:
			strict++
		}
		e.function(&w, t, path)
	}
	if strict > 0 {
		e.notes.Add(callwright.Note{Rule: "tools.strict", Path: "/tools", Was: strconv.Itoa(strict) + " strict tools",
			Why: "the wire has no strict tools"})
	}
	if len(w.Buf) == 1 {
		return nil
	}
	w.Close(']')
	return w.Buf
}

func (e *requestEncoder) function(w *writer, t callwright.Tool, path string) {
	if t.Type == callwright.CustomTool {
		f, note := kit.AsFunction(t, path)
		e.notes.Add(note)
		t = f
	}
	schema := []byte(kit.NoParameters)
	if !jsonx.IsNull(jsonx.Trim(t.Schema)) {
		schema = e.schema(t.Schema, path)
	}
	w.Open("", '{')
	w.Text("type", "function")
	w.Open("function", '{')
	w.Text("name", t.Name)
	w.OptionalText("description", t.Description)
	w.Raw("parameters", schema)
	w.Within(t.Extra, "function")
	w.Close('}')
	w.Extra(t.Extra, "function")
	w.Close('}')
}

// schema returns the schema of a tool's parameters. If it is not a JSON object, the result is an empty object schema.
func (e *requestEncoder) schema(schema []byte, path string) []byte {
	read := companion.Of(e.req).Body != nil && e.req.Tools == nil // it is part of a validated body
	if jsonx.KindOf(schema) == jsonx.Object && (read || jsonx.Valid(schema) == nil) {
		return schema
	}
	e.notes.Add(callwright.Note{Rule: "tools.schema_type", Path: path + "/function/parameters", Was: string(schema), Now: kit.NoParameters,
		Why: "the schema must be an object"})
	return []byte(kit.NoParameters)
}
