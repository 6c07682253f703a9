package interop

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// ReadTools reads declared tools in whatever shape they come: a list or one tool alone, each in the shape of any form
// of [All], and objects that hold such lists: the body of a request, the result of MCP's tools/list, Gemini's
// functionDeclarations. Errors are *callwright.Error of KindInvalid, with the place.
func ReadTools(text []byte) ([]callwright.Tool, error) {
	text = jsonx.Trim(bytes.TrimPrefix(text, []byte("\ufeff")))
	if len(text) == 0 {
		return nil, nil
	}
	if err := jsonx.Valid(text); err != nil {
		return nil, toolsError("", err.Error())
	}
	r := toolReader{}
	err := r.read(text, "", 0)
	return r.tools, err
}

// holders are the places of lists of tools in objects that hold them.
var holders = []Path{"tools", "functions", "functionDeclarations", "function_declarations", "result.tools"}

// namingMembers are the members of a single tool that a JSON Schema does not have.
var namingMembers = []string{"name", "function", "toolSpec"}

// NamesTools reports whether an object is a tool or holds tools, as opposed to a JSON Schema. It looks at the names of
// the object's members alone.
func NamesTools(object []byte) bool {
	for k := range jsonx.Members(object) {
		holds := func(h Path) bool { head, _ := h.cut(); return k.Is(head) }
		if slices.ContainsFunc(namingMembers, k.Is) || slices.ContainsFunc(holders, holds) {
			return true
		}
	}
	return false
}

// maxHolders bounds how deep such objects may be nested.
const maxHolders = 4

type toolReader struct{ tools []callwright.Tool }

// read reads a list, an object that holds one, or one tool, whose place is a JSON pointer.
func (r *toolReader) read(v []byte, place string, depth int) error {
	switch {
	case jsonx.IsNull(v):
		return nil
	case depth > maxHolders:
		return toolsError(place, "expected a tool, got lists nested too deep")
	case jsonx.IsArray(v):
		i := 0
		for e := range jsonx.Elements(v) {
			if err := r.read(e, place+"/"+strconv.Itoa(i), depth+1); err != nil {
				return err
			}
			i++
		}
		return nil
	}
	d, err := parse(v)
	if err != nil {
		return toolsError(place, "expected a tool, got "+jsonx.KindOf(v).String())
	}
	form, isTool := shapeOf(d)
	if !isTool {
		for _, h := range holders {
			if list, ok := d.get(h); ok {
				return r.read(list, place+h.pointer(), depth+1)
			}
		}
		return toolsError(place, "expected a tool, got an object with "+membersOf(d))
	}
	t, err := form.ReadTool(v)
	if e, ok := errors.AsType[*callwright.Error](err); ok {
		return toolsError(place+e.Path, strings.TrimPrefix(e.Message, form.Name+": "))
	}
	r.tools = append(r.tools, t)
	return err
}

// shapes identify the form of a tool by a member that only tools of that form have, in this order; kind is the required
// value of type, an asterisk for any. The last ones are for tools with few members.
var shapes = []struct {
	member Path
	kind   string
	form   *Form
}{
	{"function", "", &OpenAI},
	{"custom", "", &OpenAI},
	{"input_schema", "", &Anthropic},
	{"inputSchema", "", &MCP},
	{"parametersJsonSchema", "", &Gemini},
	{"tool_name", "", &Generic},
	{"type", "function", &Responses},
	{"type", "custom", &Responses},
	{"type", "*", &Anthropic}, // a tool of the provider's own
	{"name", "", &Gemini},     // a function declaration, OpenAI's old functions
}

// shapeOf returns the form of a tool, or that it is none.
func shapeOf(d *doc) (Form, bool) {
	v, _ := d.get("type")
	kind, _ := jsonx.String(v)
	for _, s := range shapes {
		if _, ok := d.get(s.member); ok && (s.kind == "" || s.kind == kind || s.kind == "*" && kind != "") {
			return *s.form, true
		}
	}
	return Form{}, false
}

// membersOf names the members of an object for a message.
func membersOf(d *doc) string {
	const most = 5
	var names []string
	for _, m := range d.list[:min(len(d.list), most)] {
		names = append(names, m.Key)
	}
	if len(d.list) > most {
		names = append(names, "...")
	}
	if len(names) == 0 {
		return "no members"
	}
	return "the members " + strings.Join(names, ", ")
}

func toolsError(place, message string) error {
	return &callwright.Error{Op: "interop.read_tools", Kind: callwright.KindInvalid, Path: place, Message: message}
}
