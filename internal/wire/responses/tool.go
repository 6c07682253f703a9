package responses

import (
	"encoding/json"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// The members of a tool that are decoded. All other members are kept in Extra.
var (
	functionKeys = []string{"type", "name", "description", "parameters"}
	customKeys   = []string{"type", "name", "description"}
)

// decodeTools decodes the JSON list of tools. Tools inside a namespace become separate tools.
func decodeTools(list []byte) ([]callwright.Tool, error) {
	var out []callwright.Tool
	n := 0
	for v := range jsonx.Elements(list) {
		path := kit.Pointer("tools", n, "")
		n++
		if len(out) >= kit.MaxTools {
			return nil, kit.TooManyTools(opDecode)
		}
		if kit.TextAt(v, "type") != "namespace" {
			t, err := decodeTool(v, path)
			if err != nil {
				return nil, err
			}
			out = append(out, t)
			continue
		}
		nested, err := decodeNamespace(v, path)
		if err != nil {
			return nil, err
		}
		out = append(out, nested...)
	}
	return out, nil
}

// newHostedTool returns a tool that the provider runs. Its Extra is a copy of the whole definition v.
func newHostedTool(v []byte, kind string) callwright.Tool {
	return callwright.Tool{Name: kind, Type: callwright.HostedTool, Extra: own.Extra(slices.Clone(v))}
}

func decodeTool(v []byte, path string) (callwright.Tool, error) {
	var t callwright.Tool
	if !jsonx.IsObject(v) {
		return t, kindError(path, "a tool object", v)
	}
	kind, _ := jsonx.Find(v, "type")
	if named, _ := jsonx.Find(v, "name"); jsonx.IsNull(kind) && jsonx.IsText(named) { // some clients leave it out
		kind = []byte(`"function"`)
	}
	if !jsonx.IsText(kind) {
		return t, kindError(path+"/type", "the type of a tool", kind)
	}
	k := jsonx.TextOf(kind)
	known := functionKeys
	switch k {
	case "function":
	case "custom":
		t.Type, known = callwright.CustomTool, customKeys
	default:
		if f := items.FormByTool(k); f != nil && (k != "tool_search" || kit.TextAt(v, "execution") == "client") {
			return f.StandIn(v), nil
		}
		return newHostedTool(v, k), nil
	}
	for key, m := range jsonx.Members(v) {
		switch {
		case key.Is("name"):
			if !jsonx.IsText(m) {
				return t, kindError(path+"/name", "a string", m)
			}
			t.Name = jsonx.TextOf(m)
		case key.Is("description"):
			t.Description = jsonx.TextOf(m)
		case t.Type == callwright.CustomTool || jsonx.IsNull(m):
		case key.Is("parameters"):
			if !jsonx.IsObject(m) && jsonx.KindOf(m) != jsonx.Bool {
				return t, kindError(path+"/parameters", "a schema object", m)
			}
			t.Schema = json.RawMessage(m)
		case key.Is("strict"):
			strict := jsonx.IsTrue(m)
			t.Strict = &strict
		}
	}
	if t.Name == "" {
		return t, invalid(path+"/name", "expected the name of a tool, got none")
	}
	if t.Strict != nil { // null stays in Extra: it is not the same as false
		known = append(known[:len(known):len(known)], "strict")
	}
	t.Extra = own.ExtraOf(v, known)
	return t, nil
}

// maxNamespace is the maximum length in bytes of a namespace's name as a JSON string. A longer namespace is forwarded
// undecoded, because each of its tools would repeat the name.
const maxNamespace = 256

// decodeNamespace decodes the tools of a namespace. The Extra of each tool has the tool's name and, as "namespace", an
// object with the namespace's name. For the first tool, the object has all other members of the namespace too.
func decodeNamespace(v []byte, path string) ([]callwright.Tool, error) {
	name, _ := jsonx.Find(v, "name")
	if !jsonx.IsText(name) {
		return nil, kindError(path+"/name", "a string", name)
	}
	if len(name) > maxNamespace {
		return []callwright.Tool{newHostedTool(v, "namespace")}, nil
	}
	list, _ := jsonx.Find(v, "tools")
	shell := own.ExtraOf(v, []string{"type", "tools"})
	var out []callwright.Tool
	n := 0
	for in := range jsonx.Elements(list) {
		if n == kit.MaxTools {
			return nil, kit.TooManyTools(opDecode)
		}
		t, err := decodeTool(in, path+kit.Pointer("tools", n, ""))
		if err != nil {
			return nil, err
		}
		n++
		if t.Type == callwright.HostedTool || items.FormByTool(kit.TextAt(in, "type")) != nil {
			return []callwright.Tool{newHostedTool(v, "namespace")}, nil // calls of such a tool cannot be decoded
		}
		raw, _ := jsonx.Find(in, "name")
		t.Extra = own.Keep(own.Keep(t.Extra, "name", raw), "namespace", shell.JSON)
		shell = own.Keep(callwright.Extra{}, "name", name)
		t.Name = items.JoinedName(jsonx.TextOf(name), t.Name)
		out = append(out, t)
	}
	if out == nil {
		return []callwright.Tool{newHostedTool(v, "namespace")}, nil
	}
	return out, nil
}

// toolList returns the JSON list of the tools to send, nil if it would be empty.
func (e *requestEncoder) toolList(tools []callwright.Tool) []byte {
	type setting struct {
		custom, strict      caps.Truth
		flat, functionsOnly bool
	}
	return kit.WriteTools(e.req, &e.notes, setting{e.caps.CustomTools, e.caps.StrictTools, e.flat, e.functionsOnly}, func() []byte {
		return e.RenderList(func() { e.writeTools(tools) })
	})
}

// writeTools writes the tools as a JSON list. Successive tools of the same namespace are grouped in a namespace object.
func (e *requestEncoder) writeTools(tools []callwright.Tool) {
	e.Open("", '[')
	for i := 0; i < len(tools); {
		ns := e.namespaceOf(tools[i])
		next := i + 1
		if ns == nil || !e.declares(&tools[i]) {
			if e.declares(&tools[i]) {
				e.tool(tools[i])
			}
			i = next
			continue
		}
		for next < len(tools) && e.declares(&tools[next]) && sameNamespace(e.namespaceOf(tools[next]), ns) {
			next++
		}
		e.Open("", '{')
		e.Text("type", "namespace")
		e.Extra(own.Extra(ns))
		e.Open("tools", '[')
		for _, t := range tools[i:next] {
			t.Name = jsonx.TextOf(own.Member(t.Extra, "name"))
			e.tool(t)
		}
		e.Buf = append(e.Buf, "]}"...)
		i = next
	}
	e.Close(']')
}

// declares reports whether the list of tools includes t. Tools in input items that the provider accepts are not in it.
func (e *requestEncoder) declares(t *callwright.Tool) bool { return e.functionsOnly || isDeclared(*t) }

func sameNamespace(a, b []byte) bool {
	return a != nil && kit.TextAt(a, "name") == kit.TextAt(b, "name")
}

// namespaceOf returns the namespace object to write a tool in, or nil for none. A tool that was renamed has none.
func (e *requestEncoder) namespaceOf(t callwright.Tool) []byte {
	ns := own.Member(t.Extra, "namespace")
	if ns == nil || e.flat || t.Name != items.JoinedName(kit.TextAt(ns, "name"), jsonx.TextOf(own.Member(t.Extra, "name"))) {
		return nil
	}
	return ns
}

// besideTool are members of a tool's Extra that this codec added and that are not written.
var besideTool = []string{"namespace", "name", foundMember}

func (e *requestEncoder) tool(t callwright.Tool) {
	fromOwnWire := t.Extra.Wire == callwright.WireResponses
	if !e.notes.OfTool(&t, own, "/tools") {
		return
	}
	f := items.FormByTool(jsonx.TextOf(own.Member(t.Extra, "type")))
	switch {
	case t.Type == callwright.HostedTool, f != nil && f.Tool == t.Name && !e.functionsOnly:
		e.Raw("", t.Extra.JSON)
		return
	case f != nil:
		t.Extra = callwright.Extra{} // renamed, or unknown to the provider: a plain function
	}
	if t.Type == callwright.CustomTool && e.caps.CustomTools == caps.No {
		ns, name := own.Member(t.Extra, "namespace"), own.Member(t.Extra, "name")
		f, note := kit.AsFunction(t, "/tools")
		e.notes.Add(note)
		if t = f; ns != nil {
			t.Extra = own.Keep(own.Keep(t.Extra, "name", name), "namespace", ns)
		}
	}
	e.Open("", '{')
	if t.Type == callwright.CustomTool {
		e.Text("type", "custom")
		e.Text("name", t.Name)
		e.OptionalText("description", t.Description)
		if syntax, rules := definition.Grammar(&t); rules != "" && !fromOwnWire {
			e.Open("format", '{')
			e.Text("type", "grammar")
			e.OptionalText("syntax", syntax)
			e.Text("definition", rules)
			e.Close('}')
		}
		e.Extra(t.Extra, besideTool...)
		e.Close('}')
		return
	}
	e.Text("type", "function")
	e.Text("name", t.Name)
	e.OptionalText("description", t.Description)
	schema := t.Schema
	if schema == nil {
		schema = json.RawMessage(kit.NoParameters)
	}
	e.Raw("parameters", schema)
	// Without the member strict, the API tries strict mode first, in which optional parameters are required. If a client
	// of this API omits the member, the codec omits it too.
	if t.Strict != nil || e.body == nil && own.Member(t.Extra, "strict") == nil {
		e.Truth("strict", t.Strict != nil && *t.Strict && e.caps.StrictTools != caps.No)
	}
	e.Extra(t.Extra, besideTool...)
	e.Close('}')
}
