package items

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Side says which kind of message an item belongs to.
type Side uint8

// The sides. An item with an unknown role is Nowhere.
const (
	Nowhere Side = iota
	OfSystem
	OfUser
	OfModel
	OfTools
)

// Role returns the role of a message of this side, "" for Nowhere.
func (s Side) Role() callwright.Role {
	return [...]callwright.Role{"", callwright.RoleSystem, callwright.RoleUser, callwright.RoleAssistant, callwright.RoleTool}[s]
}

// Joins reports whether successive items of this side belong to one message. This is true for OfModel only.
func (s Side) Joins() bool { return s == OfModel }

// sides maps the roles of message items to sides.
var sides = map[string]Side{"system": OfSystem, "developer": OfSystem, "user": OfUser, "assistant": OfModel}

// A Class describes an input or output item. Exactly one of Message, Reasoning, Call, Result and Opaque is set.
type Class struct {
	Side      Side
	Message   bool
	Reasoning bool
	Call      *Form // the item calls a client's tool
	Result    *Form // the item is the output of such a call
	Opaque    bool  // all other items
}

// TypeOf returns the type of an item with these members: kind, or item_reference for an item that has only an id.
func TypeOf(kind string, id, role, content []byte) string {
	if kind == "" && jsonx.IsText(id) && role == nil && content == nil {
		return reference
	}
	return kind
}

const reference = "item_reference"

// ClassOf returns the class of an item from its type, role and call_id (nil if missing). An item of an unknown type
// belongs to the model if its type ends in "_call", otherwise to the user.
func ClassOf(kind, role string, id []byte) Class {
	switch kind {
	case "", "message":
		return Class{Side: sides[role], Message: true}
	case "reasoning":
		return Class{Side: OfModel, Reasoning: true}
	}
	for i := range forms {
		switch f := &forms[i]; {
		case kind == f.Call && (f.Tool == "" || jsonx.IsText(id)):
			return Class{Side: OfModel, Call: f}
		case kind == f.Output && (f.Tool == "" || jsonx.IsText(id)):
			return Class{Side: OfTools, Result: f}
		}
	}
	if s, ok := sides[role]; ok && s != OfSystem {
		return Class{Side: s, Opaque: true}
	}
	if strings.HasSuffix(kind, "_call") || modelItems[kind] {
		return Class{Side: OfModel, Opaque: true}
	}
	return Class{Side: OfUser, Opaque: true}
}

// ClassOfItem returns the class of an item's JSON.
func ClassOfItem(item []byte) Class {
	in := jsonx.FieldsOf(item)
	var id []byte
	if !RanByProvider(in.Get("execution"), in.Get("environment")) {
		id = in.Get("call_id")
	}
	return ClassOf(string(jsonx.TextBytes(in.Get("type"))), string(jsonx.TextBytes(in.Get("role"))), id)
}

// Alike reports whether c and other are of the same kind: messages, reasoning, calls, or something else.
func (c Class) Alike(other Class) bool {
	return c.Message == other.Message && c.Reasoning == other.Reasoning && (c.Call == nil) == (other.Call == nil)
}

// CallID returns the call_id of a call or output item. ok is false if the provider runs the call, or the id is missing.
func CallID(item []byte) (id []byte, ok bool) {
	execution, _ := jsonx.Find(item, "execution")
	environment, _ := jsonx.Find(item, "environment")
	if RanByProvider(execution, environment) {
		return nil, false
	}
	return jsonx.Find(item, "call_id")
}

// RanByProvider reports whether the provider runs the call of an item with these members: execution is "server", or
// environment is an object whose type is not "local".
func RanByProvider(execution, environment []byte) bool {
	where := kit.TextAt(environment, "type")
	return string(jsonx.TextBytes(execution)) == "server" || where != "" && where != "local"
}

// modelItems are types of items of the model that do not end in "_call".
var modelItems = map[string]bool{reference: true, "compaction": true, "mcp_list_tools": true, "mcp_approval_request": true,
	"tool_search_output": true, "shell_call_output": true}

// AdditionalTools is the type of an input item in which a client declares further tools.
const AdditionalTools = "additional_tools"

// BringsTools reports whether items of the type kind declare tools that the model may call from then on.
func BringsTools(kind string) bool { return kind == "tool_search_output" || kind == AdditionalTools }

// TextMember returns the member with the text of a content part of the type kind, or "" if such a part is not text.
// Some servers use the type "text" for both input and output.
func TextMember(kind string) string { return textMembers[kind] }

var textMembers = map[string]string{"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}

// A Form describes a type of call. Function and Custom are for calls of tools by name. The other forms are for tools
// that the API defines. In package callwright such a tool is a function with the name Tool, whose arguments are the
// input of the call.
type Form struct {
	Call, Output string              // item types of the call and of its output
	Input        string              // member of the call with its input
	Kind         callwright.ToolType // type of the calls in package callwright
	Prefix       string              // of generated item ids
	Tool         string              // name of the API's tool, "" for Function and Custom
	Description  string              // for models of other APIs
	Schema       string              // of the input, for models of other APIs; accepts everything that the API accepts
}

var forms = []Form{
	{Call: "function_call", Output: "function_call_output", Input: "arguments", Prefix: "fc_"},
	{Call: "custom_tool_call", Output: "custom_tool_call_output", Input: "input", Kind: callwright.CustomTool, Prefix: "ctc_"},
	{Call: "local_shell_call", Output: "local_shell_call_output", Input: "action", Prefix: "lsh_", Tool: "local_shell",
		Description: "Runs a command in the user's shell and gives its output.",
		Schema: `{"type":"object","properties":{"type":{"type":"string","enum":["exec"]},"command":{"type":"array","items":{"type":"string"}},` +
			`"timeout_ms":{"type":["integer","null"]},"working_directory":{"type":["string","null"]},"user":{"type":["string","null"]},"env":{"type":"object"}},` +
			`"required":["type","command","env"]}`},
	{Call: "shell_call", Output: "shell_call_output", Input: "action", Prefix: "sh_", Tool: "shell",
		Description: "Runs commands in the user's shell and gives their outputs.",
		Schema: `{"type":"object","properties":{"commands":{"type":"array","items":{"type":"string"}},"timeout_ms":{"type":["integer","null"]},` +
			`"max_output_length":{"type":["integer","null"]}},"required":["commands"]}`},
	{Call: "apply_patch_call", Output: "apply_patch_call_output", Input: "operation", Prefix: "apc_", Tool: "apply_patch",
		Description: "Creates, changes or deletes one file. A change, and the content of a new file, is given as a V4A diff.",
		Schema: `{"type":"object","properties":{"type":{"type":"string","enum":["create_file","update_file","delete_file"]},` +
			`"path":{"type":"string"},"diff":{"type":"string"}},"required":["type","path"]}`},
	{Call: "tool_search_call", Output: "tool_search_output", Input: "arguments", Prefix: "tsc_", Tool: "tool_search",
		Description: "Finds further tools.", Schema: `{"type":"object"}`},
}

// FormOf returns the form whose calls have the item type call, or Function if there is none.
func FormOf(call string) *Form {
	for i := range forms {
		if forms[i].Call == call {
			return &forms[i]
		}
	}
	return &forms[0]
}

// FormByTool returns the form of an API-defined tool of the type kind, such as "local_shell", or nil if there is none.
func FormByTool(kind string) *Form {
	for i := range forms {
		if f := &forms[i]; f.Tool != "" && f.Tool == kind {
			return f
		}
	}
	return nil
}

// FormByOutput returns the form whose outputs have the item type kind, or nil if there is none.
func FormByOutput(kind string) *Form {
	for i := range forms {
		if forms[i].Output == kind {
			return &forms[i]
		}
	}
	return nil
}

// The forms of calls of client-defined tools.
var (
	Function = &forms[0] // function_call, with JSON arguments
	Custom   = &forms[1] // custom_tool_call, with free text as input
)
