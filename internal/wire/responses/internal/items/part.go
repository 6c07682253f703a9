package items

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// own is the name of this API. Its methods read and write callwright.Extra objects, whose members only this API has.
const own = kit.API(callwright.WireResponses)

var origin = callwright.Origin{Wire: callwright.WireResponses}

// Opaque returns a part that holds a copy of the item or content part v.
func Opaque(v []byte) callwright.Opaque {
	return callwright.Opaque{Extra: own.Extra(slices.Clone(v))}
}

// AppendMessage appends the parts of an assistant message item. The Extra of the first text has a member "item" with
// the members of the item beside role and content.
func AppendMessage(parts []callwright.Part, v []byte) []callwright.Part {
	content, _ := jsonx.Find(v, "content")
	from := len(parts)
	if jsonx.IsText(content) {
		parts = append(parts, callwright.Text{Text: jsonx.TextOf(content)})
	} else {
		parts = Content(parts, content)
	}
	item := own.ExtraOf(v, []string{"role", "content"}).JSON
	if item == nil {
		item = json.RawMessage("{}")
	}
	if len(parts) > from {
		if t, ok := parts[from].(callwright.Text); ok {
			t.Extra = own.Keep(t.Extra, "item", item)
			parts[from] = t
			return parts
		}
	}
	return append(parts[:from], Opaque(v))
}

// Content appends the parts of the content v, which is a string or a list of parts.
func Content(parts []callwright.Part, v []byte) []callwright.Part {
	if jsonx.IsText(v) {
		return append(parts, callwright.Text{Text: jsonx.TextOf(v)})
	}
	for p := range jsonx.Elements(v) {
		parts = append(parts, part(p))
	}
	return parts
}

// part decodes an element of a content list. An element of an unknown type becomes an Opaque.
func part(v []byte) callwright.Part {
	kind, _ := jsonx.Find(v, "type")
	switch string(jsonx.TextBytes(kind)) {
	case "input_text", "output_text":
		return callwright.Text{Text: kit.TextAt(v, "text"), Extra: own.ExtraOf(v, []string{"type", "text"})}
	case "text":
		return callwright.Text{Text: kit.TextAt(v, "text"), Extra: own.ExtraOf(v, []string{"text"})}
	case "refusal":
		return callwright.Text{Text: kit.TextAt(v, "refusal"), Extra: own.ExtraOf(v, []string{"refusal"})}
	case "input_image":
		p := callwright.Image{FileID: kit.TextAt(v, "file_id"), Detail: kit.TextAt(v, "detail"),
			Extra: own.ExtraOf(v, []string{"type", "file_id", "detail", "image_url"})}
		url, ok := kit.TextAt(v, "image_url"), false
		if p.MediaType, p.Data, ok = kit.SplitDataURL(url); !ok {
			p.URL = url
		}
		return p
	case "input_file":
		f := callwright.File{Name: kit.TextAt(v, "filename"), FileID: kit.TextAt(v, "file_id"), URL: kit.TextAt(v, "file_url"),
			Extra: own.ExtraOf(v, []string{"type", "file_id", "filename", "file_data", "file_url"})}
		data, ok := kit.TextAt(v, "file_data"), false
		if f.MediaType, f.Data, ok = kit.SplitDataURL(data); !ok {
			f.Data = data
		}
		return f
	case "input_audio":
		in, _ := jsonx.Find(v, "input_audio")
		return callwright.File{MediaType: "audio/" + kit.TextAt(in, "format"), Data: kit.TextAt(in, "data"),
			Extra: own.ExtraOf(v, []string{"type"}, kit.NestedMember{Key: "input_audio", Known: []string{"data", "format"}})}
	}
	return Opaque(v)
}

// Reasoning decodes a reasoning item. The text is that of content, or of summary if content has none. Extra keeps both
// lists unless the encoder can restore them from the text.
func Reasoning(v []byte) callwright.Reasoning {
	r := callwright.Reasoning{Redacted: kit.TextAt(v, "encrypted_content"), ID: kit.TextAt(v, "id"), Origin: origin}
	summary, _ := jsonx.Find(v, "summary")
	content, _ := jsonx.Find(v, "content")
	known := []string{"type", "id", "encrypted_content", "summary"}
	if r.Text = JoinedTexts(content); r.Text == "" {
		r.Text = JoinedTexts(summary)
	}
	if !plainSummary(summary, r.Text) {
		known = known[:3]
	}
	r.Extra = own.ExtraOf(v, known)
	return r
}

// JoinedTexts joins the member text of all elements of a JSON list with empty lines.
func JoinedTexts(list []byte) string {
	var only string
	var all strings.Builder
	n := 0
	for p := range jsonx.Elements(list) {
		words := kit.TextAt(p, "text")
		switch n++; n {
		case 1:
			only = words
			continue
		case 2:
			all.WriteString(only)
		}
		all.WriteString("\n\n")
		all.WriteString(words)
	}
	if n < 2 {
		return only
	}
	return all.String()
}

// plainSummary reports whether an encoder can restore the summary from words: it is one summary_text part with words as
// its text and no further members, or an empty list if words is empty.
func plainSummary(summary []byte, words string) bool {
	n := 0
	for p := range jsonx.Elements(summary) {
		if n++; n > 1 || kit.TextAt(p, "type") != "summary_text" || !hasText(p, words) || words == "" {
			return false
		}
		if own.ExtraOf(p, []string{"type", "text"}).JSON != nil {
			return false
		}
	}
	return n == 1 || words == "" && jsonx.IsArray(summary)
}

func hasText(part []byte, words string) bool {
	v, _ := jsonx.Find(part, "text")
	return string(jsonx.TextBytes(v)) == words
}

// Call decodes a call item of the form f. A tool in a namespace gets its joined name. Extra has the unknown members
// except those named in passing.
func Call(v []byte, f *Form, passing ...string) callwright.Call {
	in := jsonx.FieldsOf(v)
	id := jsonx.TextOf(in.Get("call_id"))
	c := callwright.Call{ID: id, Name: f.Tool, Type: f.Kind, Origin: origin}
	known := append(append(make([]string, 0, 5), "call_id", f.Input), passing...)
	if f.Tool == "" {
		known = append(known, "type", "name")
		c.Name = jsonx.TextOf(in.Get("name"))
		if ns := jsonx.TextOf(in.Get("namespace")); ns != "" {
			c.Name = JoinedName(ns, c.Name)
			known = known[:len(known)-1] // keeps "name" in Extra, beside "namespace"
		}
	} else if id == "" {
		c.ID = jsonx.TextOf(in.Get("id"))
	}
	asked := in.Get(f.Input)
	if f.Kind == callwright.CustomTool {
		c.Input = jsonx.TextOf(asked)
	} else {
		c.Arguments = argumentsOf(asked)
	}
	c.Extra = own.Rest(&in, known)
	return c
}

// ReadCallInput returns the input of a call item of the form f as a string: free text, or JSON arguments.
func ReadCallInput(v []byte, f *Form) string {
	in, _ := jsonx.Find(v, f.Input)
	if jsonx.IsText(in) || f.Kind == callwright.CustomTool {
		return jsonx.TextOf(in)
	}
	return string(argumentsOf(in))
}

// argumentsOf returns the arguments of a call as JSON. A string is unquoted, any other value is returned in compact
// form. The result for null and for "" is nil.
func argumentsOf(v []byte) json.RawMessage {
	switch {
	case jsonx.IsNull(v), jsonx.IsText(v) && len(v) == 2:
		return nil
	case jsonx.IsText(v):
		return jsonx.Unquote(nil, v)
	}
	return jsonx.Compact(nil, v)
}

// Result decodes an output item of the form f. id is its call_id. An output that is neither a string nor a list of
// parts becomes a text with its JSON.
func Result(v []byte, f *Form, id []byte) callwright.Result {
	r := callwright.Result{CallID: jsonx.TextOf(id), Name: f.Tool, Type: f.Kind}
	known := []string{"call_id", "output"}
	if f.Tool == "" {
		known = append(known, "type")
		r.Name = kit.TextAt(v, "name") // also kept in Extra: a result without a name is sent back without one
	}
	output, _ := jsonx.Find(v, "output")
	if f.Tool == "tool_search" {
		output, _ = jsonx.Find(v, "tools")
	}
	switch {
	case jsonx.IsText(output), f.Tool == "" && jsonx.IsArray(output):
		r.Parts = Content(nil, output)
	case !jsonx.IsNull(output):
		r.Parts = []callwright.Part{callwright.Text{Text: string(output)}}
		known = []string{"call_id"}
	}
	r.IsError = f.Tool == "apply_patch" && kit.TextAt(v, "status") == "failed"
	r.Extra = own.ExtraOf(v, known)
	return r
}

// JoinLists returns a JSON list with the elements of the JSON lists a and b.
func JoinLists(a, b []byte) []byte {
	first, second := jsonx.Trim(a[1:len(a)-1]), jsonx.Trim(b[1:len(b)-1])
	out := append(make([]byte, 0, len(a)+len(b)), '[')
	out = append(out, first...)
	if len(first) > 0 && len(second) > 0 {
		out = append(out, ',')
	}
	return append(append(out, second...), ']')
}

// HaveReasoning reports whether one of the parts is Reasoning.
func HaveReasoning(parts []callwright.Part) bool {
	return slices.ContainsFunc(parts, func(p callwright.Part) bool {
		_, is := p.(callwright.Reasoning)
		return is
	})
}
