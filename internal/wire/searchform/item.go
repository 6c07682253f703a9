package searchform

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// KeysOf returns the keys by which a search may name a tool: tool, its callwright name, and for a tool inside a
// namespace also the namespace and "namespace.name". name is the tool's name in the namespace.
func KeysOf(tool, namespace, name string) []string {
	if namespace == "" {
		return []string{tool}
	}
	return []string{tool, namespace, namespace + "." + name}
}

// NamespaceOf returns the namespace of t: its JSON object, its name, and the tool's name within it. For a tool without
// a namespace they are nil, "" and t.Name.
func NamespaceOf(t *callwright.Tool) (about []byte, namespace, name string) {
	if about = at(t.Extra.JSON, "namespace"); about == nil {
		return nil, "", t.Name
	}
	return about, textAt(about, "name"), textAt(t.Extra.JSON, "name")
}

// DescriptionOf returns the member description of a tool namespace. about is the JSON object of the namespace.
func DescriptionOf(about []byte) string { return textAt(about, "description") }

// Items encodes a tool search and its result as items of the Responses API. about maps the name of each namespace to
// its JSON object without tools. Tools of the same namespace must follow each other in found.
// https://developers.openai.com/api/docs/guides/tools-tool-search
func Items(call *callwright.Call, found []*callwright.Tool, about map[string][]byte) [][]byte {
	const served = `,"call_id":null,"execution":"server","status":"completed",`
	asked := append(jsonx.AppendQuote([]byte(`{"type":"tool_search_call","id":`), calledPrefix+call.ID), served+`"arguments":`...)
	asked = append(append(asked, call.Arguments...), '}')
	out := append(jsonx.AppendQuote([]byte(`{"type":"tool_search_output","id":`), "tso_"+call.ID), served+`"tools":[`...)
	open := ""
	for i, t := range found {
		_, in, own := NamespaceOf(t)
		if open != "" && in != open {
			out = append(out, "]}"...)
		}
		if i > 0 {
			out = append(out, ',')
		}
		if in != "" && in != open {
			list, _ := jsonx.ParseObject(about[in])
			list = append(jsonx.List{{Key: "type", Value: []byte(`"namespace"`)}}, list...)
			namespace := list.Append(nil)
			out = append(append(out, namespace[:len(namespace)-1]...), `,"tools":[`...)
		}
		open = in
		out = appendDefinition(out, t, own)
	}
	if open != "" {
		out = append(out, "]}"...)
	}
	return [][]byte{asked, append(out, "]}"...)}
}

// calledPrefix is the prefix of the ids of tool_search_call items in the Responses API.
const calledPrefix = "tsc_"

// appendDefinition appends the declaration of the tool t in the Responses API, with the given name.
func appendDefinition(dst []byte, t *callwright.Tool, name string) []byte {
	kind := "function"
	if t.Type == callwright.CustomTool {
		kind = "custom"
	}
	list := jsonx.List{{Key: "type", Value: jsonx.AppendQuote(nil, kind)}, {Key: "name", Value: jsonx.AppendQuote(nil, name)}}
	if t.Description != "" {
		list.Set("description", jsonx.AppendQuote(nil, t.Description))
	}
	if t.Schema != nil {
		list.Set("parameters", t.Schema)
	}
	if t.Strict != nil {
		list.Set("strict", map[bool][]byte{true: []byte("true"), false: []byte("false")}[*t.Strict])
	}
	rest, _ := jsonx.ParseObject(t.Extra.JSON)
	for _, m := range rest {
		if m.Key != "namespace" && m.Key != "name" {
			list.Set(m.Key, m.Value)
		}
	}
	return list.Append(dst)
}

// keysIn returns the keys of the tools in a JSON list of tool definitions, some of which may be namespaces with tools.
func keysIn(list []byte) (keys []string) {
	for v := range jsonx.Elements(list) {
		name := textAt(v, "name")
		if textAt(v, "type") != "namespace" {
			keys = append(keys, name)
			continue
		}
		for in := range jsonx.Elements(at(v, "tools")) {
			keys = append(keys, name+"."+textAt(in, "name"))
		}
	}
	return keys
}

// KeysInResult returns the keys of the tools that a tool result of the Responses API adds, nil for other results.
func KeysInResult(r callwright.Result) []string {
	if r.Extra.Wire != callwright.WireResponses {
		return nil
	}
	return keysIn(at(r.Extra.JSON, "tools"))
}
