package anthropic

import (
	"fmt"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/internal/promptcache"
)

// toolMembers are the members of a tool that are decoded to fields of callwright.Tool.
var toolMembers = []string{"name", "description", "input_schema", "strict"}

// decodeTools decodes a JSON list of tools. A tool whose type is neither custom nor that of a known client tool is a
// hosted tool, with its whole definition as Extra.
func decodeTools(list []byte) ([]callwright.Tool, error) {
	tools := []callwright.Tool{}
	r := &reader{}
	for v := range jsonx.Elements(list) {
		if len(tools) == kit.MaxTools {
			return nil, kit.TooManyTools(opDecode)
		}
		path := fmt.Sprintf("/tools/%d", len(tools))
		if !r.object(path, v) {
			return nil, r.err
		}
		tools = append(tools, r.tool(path, v))
	}
	if r.err != nil {
		return nil, r.err
	}
	return tools, nil
}

func (r *reader) tool(path string, v []byte) callwright.Tool {
	var t callwright.Tool
	var rest extras
	kind, typed := jsonx.Find(v, "type")
	if typed && jsonx.KindOf(kind) == jsonx.Text && string(jsonx.TextBytes(kind)) != "custom" {
		name, _ := jsonx.Find(v, "name")
		if t, ok := readClientTool(string(jsonx.TextBytes(kind)), jsonx.TextOf(name), v); ok {
			return t
		}
		return callwright.Tool{
			Name: jsonx.TextOf(name), Type: callwright.HostedTool, Extra: own.Extra(v),
		}
	}
	name, _ := jsonx.Find(v, "name")
	t.Name = r.string(path+"/name", name)
	for k, m := range jsonx.Members(v) {
		switch {
		case k.Is("name"):
		case k.Is("description") && jsonx.KindOf(m) == jsonx.Text:
			t.Description = jsonx.TextOf(m)
		case k.Is("input_schema"):
			t.Schema = m
		case k.Is("strict") && jsonx.KindOf(m) == jsonx.Bool:
			strict := m[0] == 't'
			t.Strict = &strict
		default:
			rest.add([]byte(k.String()), m)
		}
	}
	t.Extra = own.Extra(rest.extra().JSON)
	return t
}

// filters reports whether the choice allows only some tools. This API has no parameter for that, so that the other
// tools are left out of the request.
func filters(c callwright.Choice) bool { return c.Mode != callwright.ChoiceNamed && len(c.Names) > 0 }

// toolList returns the JSON list of the tools to send, nil if it would be empty. The result may be cached.
func (e *requestEncoder) toolList() []byte {
	if filters(e.req.Params.Choice) {
		return e.tools()
	}
	type setting struct {
		strict caps.Truth
		marks  bool
	}
	return kit.WriteTools(e.req, &e.notes, setting{e.caps.StrictTools, e.marks.CarriesTools()}, e.tools)
}

// tools encodes the JSON list of the tools to send. It returns nil if it would be empty.
func (e *requestEncoder) tools() []byte {
	tools, err := e.req.DeclaredTools()
	if err != nil {
		e.err = err
		return nil
	}
	choice := e.req.Params.Choice
	allowed := map[string]bool{}
	for _, name := range choice.Names {
		allowed[name] = true
	}
	out := []byte{'['}
	for i := range tools {
		t := &tools[i]
		if e.body != nil && own.Member(t.Extra, additionMark) != nil {
			continue // a message declares it
		}
		if filters(choice) && !allowed[t.Name] {
			e.note("tools.filtered", fmt.Sprintf("/tools/%d", i), t.Name, "", "the tool choice does not allow it")
			continue
		}
		if !e.notes.OfTool(t, own, fmt.Sprintf("/tools/%d", i), e.marks.ToolMembers()...) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = e.tool(out, i, t)
	}
	if len(out) == 1 {
		return nil
	}
	return append(out, ']')
}

func (e *requestEncoder) tool(dst []byte, i int, t *callwright.Tool) []byte {
	if t.Type == callwright.HostedTool || isTyped(t) {
		return append(dst, own.JSON(t.Extra)...)
	}
	path, mark := fmt.Sprintf("/tools/%d", i), e.marks.OfTool(t)
	if t.Type == callwright.CustomTool {
		f, note := kit.AsFunction(*t, path)
		e.notes.Add(note)
		t = &f
	}
	o := open(dst)
	o.Text("name", t.Name)
	o.OptionalText("description", t.Description)
	o.Raw("input_schema", e.schema(path, t.Schema))
	if t.Strict != nil {
		if e.caps.StrictTools.Or(strictOverWire(t)) == caps.Yes {
			o.Truth("strict", *t.Strict)
		} else if *t.Strict {
			e.note("tools.strict", path+"/strict", "true", "", "strict tools are sent only if the capabilities enable them")
		}
	}
	o.Extra(t.Extra, toolMembers...)
	o.GivenRaw(promptcache.Member, mark)
	return o.close()
}

// strictOverWire returns caps.Yes if the tool was received over this API, otherwise caps.No. Clients of other APIs
// often mark all tools as strict, which exceeds this API's limit.
func strictOverWire(t *callwright.Tool) caps.Truth {
	if t.Extra.Wire == callwright.WireAnthropic {
		return caps.Yes
	}
	return caps.No
}

// schema returns an input schema with the type "object" at its root, which this API requires.
func (e *requestEncoder) schema(path string, schema []byte) []byte {
	const none = kit.NoParameters
	switch jsonx.KindOf(schema) {
	case jsonx.Invalid, jsonx.Null:
		return []byte(none)
	case jsonx.Object:
	default:
		e.note("tools.schema_type", path+"/input_schema", string(schema), none, "the schema must be an object")
		return []byte(none)
	}
	kind, _ := jsonx.Find(schema, "type")
	if string(kind) == `"object"` {
		return schema
	}
	list, _ := jsonx.ParseObject(schema)
	if kind == nil {
		list = slices.Insert(list, 0, jsonx.Member{Key: "type", Value: []byte(`"object"`)})
	}
	list.Set("type", []byte(`"object"`))
	if len(list) > 1 || kind != nil {
		e.note("tools.schema_type", path+"/input_schema/type", string(kind), `"object"`, "the root must be an object")
	} else {
		list.Set("properties", []byte("{}"))
	}
	return list.Append(nil)
}

// choice encodes tool_choice. It returns nil if there are no tools, because the API rejects tool_choice then.
func (e *requestEncoder) choice(p *params) []byte {
	tools, _ := e.req.DeclaredTools()
	c := p.Choice
	if len(tools) == 0 {
		if c.IsForced() {
			e.note("params.tool_choice", "/tool_choice", string(c.Mode), "", "there are no tools to choose from")
		}
		return nil
	}
	if c.Mode == "" && (p.Parallel == nil || *p.Parallel) {
		return nil
	}
	list := e.base("tool_choice")
	list.Delete("name")
	list.Delete("disable_parallel_tool_use")
	mode := "auto"
	for _, m := range choiceModes {
		if m.mode == c.Mode {
			mode = m.name
		}
	}
	list.Set("type", jsonx.AppendQuote(nil, mode))
	if c.Mode == callwright.ChoiceNamed && len(c.Names) > 0 {
		list.Set("name", jsonx.AppendQuote(nil, c.Names[0]))
	}
	if p.Parallel != nil && c.Mode != callwright.ChoiceNone {
		list.Set("disable_parallel_tool_use", fmt.Appendf(nil, "%t", !*p.Parallel))
	}
	return list.Append(nil)
}
