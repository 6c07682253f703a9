package openai

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/definition"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/internal/promptcache"
)

// ToolBytes returns the JSON list tools of the body, or nil if it is missing or empty.
func (b *body) ToolBytes() []byte {
	if !b.Lists("tools") {
		return nil
	}
	return b.Find("tools")
}

// decodeTools decodes the list tools, or the deprecated list functions if there are no tools.
func (b *body) decodeTools() ([]callwright.Tool, error) {
	var out []callwright.Tool
	n := 0
	for v := range jsonx.Elements(b.Find("tools")) {
		if n == kit.MaxTools {
			return nil, kit.TooManyTools(opDecode)
		}
		t, err := decodeTool(v, "/tools/"+strconv.Itoa(n))
		if err != nil {
			return nil, err
		}
		out = append(out, t)
		n++
	}
	if out != nil {
		return out, nil
	}
	n = 0
	for v := range jsonx.Elements(b.Find("functions")) {
		if n == kit.MaxTools {
			return nil, kit.TooManyTools(opDecode)
		}
		t, err := decodeFunction(v, "/functions/"+strconv.Itoa(n))
		if err != nil {
			return nil, err
		}
		out = append(out, t)
		n++
	}
	return out, nil
}

func decodeTool(v []byte, path string) (callwright.Tool, error) {
	if !jsonx.IsObject(v) {
		return callwright.Tool{}, kindError(path, "a tool object", v)
	}
	kind, _ := jsonx.Find(v, "type")
	if len(jsonx.TextBytes(kind)) == 0 { // some clients leave it out
		for _, key := range []string{"function", "custom"} {
			if in, _ := jsonx.Find(v, key); jsonx.IsObject(in) {
				kind = jsonx.AppendQuote(nil, key)
				break
			}
		}
	}
	switch string(jsonx.TextBytes(kind)) {
	case "function":
		f, _ := jsonx.Find(v, "function")
		t, err := decodeFunction(f, path+"/function")
		t.Extra = own.ExtraOf(v, []string{"type"}, kit.NestedMember{Key: "function", Known: []string{"name", "description", "parameters", "strict"}})
		return t, err
	case "custom":
		in, _ := jsonx.Find(v, "custom")
		name, _ := jsonx.Find(in, "name")
		if !jsonx.IsText(name) {
			return callwright.Tool{}, kindError(path+"/custom/name", "a string", name)
		}
		description, _ := jsonx.Find(in, "description")
		return callwright.Tool{Name: jsonx.TextOf(name), Description: jsonx.TextOf(description), Type: callwright.CustomTool,
			Extra: own.ExtraOf(v, []string{"type"}, kit.NestedMember{Key: "custom", Known: []string{"name", "description"}})}, nil
	}
	if !jsonx.IsText(kind) {
		return callwright.Tool{}, kindError(path+"/type", "the type of a tool", kind)
	}
	return callwright.Tool{Name: jsonx.TextOf(kind), Type: callwright.HostedTool,
		Extra: own.Extra(slices.Clone(v))}, nil
}

func decodeFunction(f []byte, path string) (callwright.Tool, error) {
	var t callwright.Tool
	if !jsonx.IsObject(f) {
		return t, kindError(path, "a function object", f)
	}
	for k, v := range jsonx.Members(f) {
		switch {
		case k.Is("name"):
			if !jsonx.IsText(v) {
				return t, kindError(path+"/name", "a string", v)
			}
			t.Name = jsonx.TextOf(v)
		case k.Is("description"):
			t.Description = jsonx.TextOf(v)
		case k.Is("parameters") && !jsonx.IsNull(v):
			if !jsonx.IsObject(v) && jsonx.KindOf(v) != jsonx.Bool {
				return t, kindError(path+"/parameters", "a schema object", v)
			}
			t.Schema = json.RawMessage(v)
		case k.Is("strict") && !jsonx.IsNull(v):
			strict := jsonx.IsTrue(v)
			t.Strict = &strict
		}
	}
	if t.Name == "" {
		return t, invalid(path+"/name", "expected the name of a function, got none")
	}
	return t, nil
}

// toolList returns the JSON list of the tools to send, nil if it would be empty.
func (e *requestEncoder) toolList(tools []callwright.Tool) []byte {
	type setting struct {
		strict        caps.Truth
		custom, marks bool
	}
	return kit.WriteTools(e.req, &e.notes, setting{e.caps.StrictTools, e.takesCustom(), e.marks.CarriesTools()}, func() []byte {
		return e.RenderList(func() { e.writeTools(tools) })
	})
}

// writeTools writes the tools as a JSON list. It leaves out, with a note, tools that this API cannot represent.
func (e *requestEncoder) writeTools(tools []callwright.Tool) {
	e.Open("", '[')
	for _, t := range tools {
		switch {
		case !e.notes.OfTool(&t, own, "/tools", e.marks.ToolMembers()...):
		case t.Type == callwright.HostedTool:
			e.Raw("", t.Extra.JSON)
		case t.Type == callwright.CustomTool && !e.takesCustom():
			f, note := kit.AsFunction(t, "/tools")
			e.notes.Add(note)
			e.function(f)
		case t.Type == callwright.CustomTool:
			e.custom(t)
		default:
			e.function(t)
		}
	}
	e.Close(']')
}

// custom writes the definition of a custom tool, whose input is free text.
func (e *requestEncoder) custom(t callwright.Tool) {
	e.Open("", '{')
	e.Text("type", "custom")
	e.Open("custom", '{')
	e.Text("name", t.Name)
	e.OptionalText("description", t.Description)
	if syntax, rules := definition.Grammar(&t); rules != "" && t.Extra.Wire != callwright.WireOpenAI {
		e.Open("format", '{')
		e.Text("type", "grammar")
		e.Open("grammar", '{')
		e.OptionalText("syntax", syntax)
		e.Text("definition", rules)
		e.Buf = append(e.Buf, "}}"...)
	}
	e.Within(t.Extra, "custom")
	e.Close('}')
	e.Extra(t.Extra, "custom")
	e.Close('}')
}

// takesCustom reports whether custom tools may be sent to the provider. If the caps do not say, they may be sent in a
// request that came over this API or that a program built.
func (e *requestEncoder) takesCustom() bool {
	return e.caps.CustomTools == caps.Yes || e.caps.CustomTools == caps.Unknown && (e.body != nil || companion.Of(e.req).Body == nil)
}

// refusesCustom reports whether v, which is JSON of the client's body, has custom tools or calls that the provider does
// not accept.
func (e *requestEncoder) refusesCustom(v []byte) bool {
	return !e.takesCustom() && jsonx.Mentions(v, "custom")
}

// refusesStrict reports whether the tools of the client's body have a member strict that the provider does not accept.
func (e *requestEncoder) refusesStrict() bool {
	return e.caps.StrictTools == caps.No && jsonx.Mentions(e.body.ToolBytes(), "strict")
}

func (e *requestEncoder) function(t callwright.Tool) {
	e.Open("", '{')
	e.Text("type", "function")
	e.Open("function", '{')
	e.Text("name", t.Name)
	e.OptionalText("description", t.Description)
	schema := t.Schema
	if schema == nil {
		schema = json.RawMessage(kit.NoParameters)
	}
	e.Raw("parameters", schema)
	switch {
	case t.Strict == nil:
	case e.caps.StrictTools != caps.No:
		e.Truth("strict", *t.Strict)
	case *t.Strict:
		e.notes.Add(callwright.Note{Rule: "tools.strict", Path: "/tools", Call: t.Name, Was: "true",
			Why: "the provider does not enforce schemas"})
	}
	e.Within(t.Extra, "function")
	e.Close('}')
	e.Extra(t.Extra, "function")
	e.GivenRaw(promptcache.Member, e.marks.OfTool(&t))
	e.Close('}')
}
