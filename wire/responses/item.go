package responses

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// side says whose turn an item belongs to.
type side uint8

const (
	nowhere side = iota
	ofSystem
	ofUser
	ofModel
	ofTools
)

func (s side) role() callwright.Role {
	return [...]callwright.Role{"", callwright.RoleSystem, callwright.RoleUser, callwright.RoleAssistant, callwright.RoleTool}[s]
}

// joins reports whether items of that side which follow one another are one turn.
func (s side) joins() bool { return s >= ofModel }

// sides are the roles of messages.
var sides = map[string]side{"system": ofSystem, "developer": ofSystem, "user": ofUser, "assistant": ofModel}

// itemClass is what an item is.
type itemClass struct {
	side      side
	message   bool
	reasoning bool
	call      *callForm
	result    *callForm
	opaque    bool
}

// classOf reads what an item is by its type, its role and its call_id. Where nobody knows the type, items called after a call
// and those that stand for something the model gave are the model's, others the user's.
func classOf(kind, role string, id []byte) itemClass {
	switch kind {
	case "", "message":
		return itemClass{side: sides[role], message: true}
	case "reasoning":
		return itemClass{side: ofModel, reasoning: true}
	}
	for i := range callForms {
		switch f := &callForms[i]; {
		case kind == f.call && (f.tool == "" || jsonx.IsText(id)):
			return itemClass{side: ofModel, call: f}
		case kind == f.output && (f.tool == "" || jsonx.IsText(id)):
			return itemClass{side: ofTools, result: f}
		}
	}
	if s, ok := sides[role]; ok && s != ofSystem {
		return itemClass{side: s, opaque: true}
	}
	if strings.HasSuffix(kind, "_call") || modelItems[kind] {
		return itemClass{side: ofModel, opaque: true}
	}
	return itemClass{side: ofUser, opaque: true}
}

// callID is the id of a call, or of the call that an output answers, where the client has to do with it: calls that the provider
// runs itself come and go as they are.
func callID(item []byte) (id []byte, ok bool) {
	execution, _ := jsonx.Find(item, "execution")
	environment, _ := jsonx.Find(item, "environment")
	if ranByProvider(execution, environment) {
		return nil, false
	}
	return jsonx.Find(item, "call_id")
}

// ranByProvider reports whether an item with these members is about a call that the provider runs: a search of its own, a command
// in a container.
func ranByProvider(execution, environment []byte) bool {
	where := textAt(environment, "type")
	return jsonx.Alias(execution) == "server" || where != "" && where != "local"
}

// modelItems are further items that a model gives.
var modelItems = map[string]bool{"item_reference": true, "compaction": true, "mcp_list_tools": true, "mcp_approval_request": true,
	"tool_search_output": true, "shell_call_output": true}

// additionalTools is the item with which a client brings tools into the conversation.
const additionalTools = "additional_tools"

// toolItems are items that bring tools into the conversation which the model may call from then on.
var toolItems = map[string]bool{"tool_search_output": true, additionalTools: true}

// textParts are the parts that hold text, with the member that has it. Some servers write text for both directions.
var textParts = map[string]string{"input_text": "text", "output_text": "text", "text": "text", "refusal": "refusal"}

// callForm is a kind of call: the types of its items, the member with what is asked, and the tool that a client declares for it.
// The two forms without a tool are called by a name; the API defines the others, and a function of the same name stands
// for them in the vocabulary, with what a call asks as its arguments.
type callForm struct {
	call, output string
	input        string
	kind         callwright.ToolType
	prefix       string // of the ids of its items
	tool         string
	description  string
	schema       string // loose: it helps models of other wires and must never refuse what the API takes
}

var callForms = []callForm{
	{call: "function_call", output: "function_call_output", input: "arguments", prefix: "fc_"},
	{call: "custom_tool_call", output: "custom_tool_call_output", input: "input", kind: callwright.CustomTool, prefix: "ctc_"},
	{call: "local_shell_call", output: "local_shell_call_output", input: "action", prefix: "lsh_", tool: "local_shell",
		description: "Runs a command in the user's shell and gives its output.",
		schema: `{"type":"object","properties":{"type":{"type":"string","enum":["exec"]},"command":{"type":"array","items":{"type":"string"}},` +
			`"timeout_ms":{"type":["integer","null"]},"working_directory":{"type":["string","null"]},"user":{"type":["string","null"]},"env":{"type":"object"}},` +
			`"required":["type","command","env"]}`},
	{call: "shell_call", output: "shell_call_output", input: "action", prefix: "sh_", tool: "shell",
		description: "Runs commands in the user's shell and gives their outputs.",
		schema: `{"type":"object","properties":{"commands":{"type":"array","items":{"type":"string"}},"timeout_ms":{"type":["integer","null"]},` +
			`"max_output_length":{"type":["integer","null"]}},"required":["commands"]}`},
	{call: "apply_patch_call", output: "apply_patch_call_output", input: "operation", prefix: "apc_", tool: "apply_patch",
		description: "Creates, changes or deletes one file. A change, and the content of a new file, is given as a V4A diff.",
		schema: `{"type":"object","properties":{"type":{"type":"string","enum":["create_file","update_file","delete_file"]},` +
			`"path":{"type":"string"},"diff":{"type":"string"}},"required":["type","path"]}`},
	{call: "tool_search_call", output: "tool_search_output", input: "arguments", prefix: "tsc_", tool: "tool_search",
		description: "Finds further tools.", schema: `{"type":"object"}`},
}

// formOf finds a form by the type of a call's items, the first where there is none.
func formOf(call string) *callForm {
	for i := range callForms {
		if callForms[i].call == call {
			return &callForms[i]
		}
	}
	return &callForms[0]
}

// formByTool finds the form of a tool that the API defines and the client runs, by the tool's type.
func formByTool(kind string) *callForm {
	for i := range callForms {
		if f := &callForms[i]; f.tool != "" && f.tool == kind {
			return f
		}
	}
	return nil
}
