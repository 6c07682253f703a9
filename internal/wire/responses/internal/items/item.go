package items

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// Side says whose turn an item belongs to.
type Side uint8

// The sides. An item whose role nobody knows belongs Nowhere.
const (
	Nowhere Side = iota
	OfSystem
	OfUser
	OfModel
	OfTools
)

// Role is the role of the turn, "" for Nowhere.
func (s Side) Role() callwright.Role {
	return [...]callwright.Role{"", callwright.RoleSystem, callwright.RoleUser, callwright.RoleAssistant, callwright.RoleTool}[s]
}

// Joins reports whether items of that side which follow one another are one turn.
func (s Side) Joins() bool { return s == OfModel }

// sides are the roles of messages.
var sides = map[string]Side{"system": OfSystem, "developer": OfSystem, "user": OfUser, "assistant": OfModel}

// A Class is the class of an item. Of Message, Reasoning, Call, Result and Opaque one is set.
type Class struct {
	Side      Side
	Message   bool
	Reasoning bool
	Call      *Form
	Result    *Form
	Opaque    bool
}

// TypeOf is the type of an item with these members: one that only names another may come without it.
func TypeOf(kind string, id, role, content []byte) string {
	if kind == "" && jsonx.IsText(id) && role == nil && content == nil {
		return reference
	}
	return kind
}

const reference = "item_reference"

// ClassOf returns the class of an item by its type, its role and its call_id. Of unknown types, items named after a
// call and those that stand for content of the model are the model's, others the user's.
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

// ClassOfItem returns the class of an item.
func ClassOfItem(item []byte) Class {
	in := jsonx.FieldsOf(item)
	var id []byte
	if !RanByProvider(in.Get("execution"), in.Get("environment")) {
		id = in.Get("call_id")
	}
	return ClassOf(string(jsonx.TextBytes(in.Get("type"))), string(jsonx.TextBytes(in.Get("role"))), id)
}

// Alike reports whether two items are of one kind.
func (c Class) Alike(other Class) bool {
	return c.Message == other.Message && c.Reasoning == other.Reasoning && (c.Call == nil) == (other.Call == nil)
}

// CallID is the id of a call, or of the call that an output answers, where the client has to do with it: calls that the
// provider runs itself come and go as they are.
func CallID(item []byte) (id []byte, ok bool) {
	execution, _ := jsonx.Find(item, "execution")
	environment, _ := jsonx.Find(item, "environment")
	if RanByProvider(execution, environment) {
		return nil, false
	}
	return jsonx.Find(item, "call_id")
}

// RanByProvider reports whether an item with these members is about a call that the provider runs: a search of its own,
// a command in a container.
func RanByProvider(execution, environment []byte) bool {
	where := kit.TextAt(environment, "type")
	return string(jsonx.TextBytes(execution)) == "server" || where != "" && where != "local"
}

// modelItems are further items that a model gives.
var modelItems = map[string]bool{reference: true, "compaction": true, "mcp_list_tools": true, "mcp_approval_request": true,
	"tool_search_output": true, "shell_call_output": true}

// AdditionalTools is the item with which a client brings tools into the conversation.
const AdditionalTools = "additional_tools"

// BringsTools reports whether items of a type bring tools into the conversation which the model may call from then on.
func BringsTools(kind string) bool { return kind == "tool_search_output" || kind == AdditionalTools }

// TextMember is the member of a part of that type which holds its text, "" for parts that are no text. Some servers
// write text for both directions.
func TextMember(kind string) string { return textMembers[kind] }

var textMembers = map[string]string{"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}

// A Form is a kind of call: the types of its items, the member with its input, and the tool that a client declares for
// it. The two forms without a tool are called by a name; the API defines the others, and a function of the same name
// stands for them in the vocabulary, with a call's input as its arguments.
type Form struct {
	Call, Output string
	Input        string
	Kind         callwright.ToolType
	Prefix       string // of the ids of its items
	Tool         string
	Description  string
	Schema       string // loose: it helps models of other wires and must never refuse what the API takes
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

// FormOf finds a form by the type of a call's items, the first where there is none.
func FormOf(call string) *Form {
	for i := range forms {
		if forms[i].Call == call {
			return &forms[i]
		}
	}
	return &forms[0]
}

// FormByTool finds the form of a tool that the API defines and the client runs, by the tool's type.
func FormByTool(kind string) *Form {
	for i := range forms {
		if f := &forms[i]; f.Tool != "" && f.Tool == kind {
			return f
		}
	}
	return nil
}

// FormByOutput finds the form whose results have that type, nil for other items.
func FormByOutput(kind string) *Form {
	for i := range forms {
		if forms[i].Output == kind {
			return &forms[i]
		}
	}
	return nil
}

// The forms of calls by name.
var (
	Function = &forms[0] // with JSON for its arguments
	Custom   = &forms[1] // with free text for its input
)
