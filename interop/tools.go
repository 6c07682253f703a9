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

// ReadTools parses declared tools in any format of [All]. text is one tool, a list of tools, or an object that contains
// such a list: a request body, an MCP tools/list result, or Gemini's functionDeclarations. Errors are *callwright.Error
// of KindInvalid, with a JSON Pointer as Path.
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

// holders are the paths of tool lists in objects that contain them.
var holders = []Path{"tools", "functions", "functionDeclarations", "function_declarations", "result.tools"}

// namingMembers are members of a single tool that a JSON Schema does not have.
var namingMembers = []string{"name", "function", "toolSpec"}

// NamesTools reports whether a JSON object is a tool or contains a list of tools, in contrast to a JSON Schema. It only
// examines the names of the object's members.
func NamesTools(object []byte) bool {
	for k := range jsonx.Members(object) {
		holds := func(h Path) bool { head, _ := h.cut(); return k.Is(head) }
		if slices.ContainsFunc(namingMembers, k.Is) || slices.ContainsFunc(holders, holds) {
			return true
		}
	}
	return false
}

// maxHolders is the maximum nesting depth of objects with lists of tools.
const maxHolders = 4

type toolReader struct{ tools []callwright.Tool }

// read parses a list of tools, an object that contains one, or one tool. place is the JSON Pointer of v.
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

// shapes identify the format of a tool by a member that is specific to it, in this order. kind is the required value of
// "type", "*" for any value. The last rows are for tools with few members.
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
	{"type", "*", &Anthropic}, // a provider-hosted tool
	{"name", "", &Gemini},     // a Gemini function declaration, or OpenAI's former "functions"
}

// shapeOf returns the format of a tool. ok is false if no row of shapes matches.
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

// membersOf lists up to five member names of an object for an error message.
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
