package anthropic

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// clientTool describes an Anthropic-defined tool that the client runs, such as bash. Its definition has a type and no
// schema. In package callwright it is a function with the schema from the API's documentation.
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview
type clientTool struct {
	prefix      string // type without the date at its end: "bash_" for bash_20250124
	description string
	schema      string
}

var clientTools = []clientTool{
	{"bash_", "Runs a command in a bash session that persists. restart begins a new session.",
		`{"type":"object","properties":{"command":{"type":"string","description":"The command to run."},"restart":{"type":"boolean","description":"Begin a new session."}}}`},
	{"text_editor_", "Views, creates and edits text files. The command is view, create, str_replace or insert.",
		`{"type":"object","properties":{"command":{"type":"string"},"path":{"type":"string"},"file_text":{"type":"string","description":"Of create: the whole file."},` +
			`"old_str":{"type":"string","description":"Of str_replace: the text to replace, which stands in the file once."},"new_str":{"type":"string","description":"Of str_replace and insert: the new text."},` +
			`"insert_line":{"type":"integer","description":"Of insert: the line behind which the text goes."},"insert_text":{"type":"string","description":"Of insert: the text."},` +
			`"view_range":{"type":"array","items":{"type":"integer"},"description":"Of view: the first and the last line."}},"required":["command","path"]}`},
	{"memory_", "Keeps files with notes below /memories. The command is view, create, str_replace, insert, delete or rename.",
		`{"type":"object","properties":{"command":{"type":"string"},"path":{"type":"string"},"file_text":{"type":"string"},"old_str":{"type":"string"},"new_str":{"type":"string"},` +
			`"insert_line":{"type":"integer"},"insert_text":{"type":"string"},"old_path":{"type":"string"},"new_path":{"type":"string"},"view_range":{"type":"array","items":{"type":"integer"}}},"required":["command"]}`},
	{"computer_", "Uses the screen, the mouse and the keyboard. The action is key, type, mouse_move, left_click, left_click_drag, right_click, middle_click, double_click, triple_click, " +
		"left_mouse_down, left_mouse_up, scroll, hold_key, wait, zoom, screenshot or cursor_position.",
		`{"type":"object","properties":{"action":{"type":"string"},"coordinate":{"type":"array","items":{"type":"integer"},"description":"x and y on the screen."},"start_coordinate":{"type":"array","items":{"type":"integer"}},` +
			`"text":{"type":"string","description":"The text to type, or the keys."},"scroll_direction":{"type":"string"},"scroll_amount":{"type":"integer"},"duration":{"type":"number"},"region":{"type":"array","items":{"type":"integer"}}},"required":["action"]}`},
}

// readClientTool returns the function for an Anthropic-defined tool that the client runs. kind is its type and v its
// definition. ok is false if the provider runs the tool.
func readClientTool(kind, name string, v []byte) (t callwright.Tool, ok bool) {
	for _, c := range clientTools {
		if !strings.HasPrefix(kind, c.prefix) {
			continue
		}
		t = callwright.Tool{Name: name, Description: c.description, Schema: json.RawMessage(c.schema), Extra: own.Extra(v)}
		for _, side := range []string{"width", "height"} {
			if px, found := jsonx.Find(v, "display_"+side+"_px"); found {
				t.Description += " The screen has a " + side + " of " + string(px) + " pixels."
			}
		}
		return t, true
	}
	return t, false
}

// isTyped reports whether the tool has a type other than custom. Its definition is sent unchanged.
func isTyped(t *callwright.Tool) bool {
	kind := own.Member(t.Extra, "type")
	return kind != nil && string(jsonx.TextBytes(kind)) != "custom"
}

// additionMark is the type of a block that declares a tool inside a message. In the Extra of a tool it is a member that
// means that such a block declares the tool, so that the list of tools does not.
const additionMark = "tool_addition"

// addedTool returns the tool definition in a tool_addition block, or nil if the block only refers to a tool.
func addedTool(block []byte) []byte {
	tool, _ := jsonx.Find(block, "tool")
	if kind, _ := jsonx.Find(tool, "type"); string(jsonx.TextBytes(kind)) != "tool_definition" {
		return nil
	}
	definition, ok := jsonx.Find(tool, "definition")
	if !ok {
		definition = tool
	}
	if name, _ := jsonx.Find(definition, "name"); jsonx.KindOf(name) != jsonx.Text {
		return nil
	}
	return definition
}

// withAdded appends the tools that messages declare, unless tools already has one of that name.
func withAdded(tools []callwright.Tool, added [][]byte) ([]callwright.Tool, error) {
	for _, v := range added {
		one, err := decodeTools(slices.Concat([]byte{'['}, v, []byte{']'}))
		if err != nil {
			return nil, err
		}
		t := one[0]
		if slices.ContainsFunc(tools, func(had callwright.Tool) bool { return had.Name == t.Name }) {
			continue
		}
		t.Extra = own.Keep(t.Extra, additionMark, []byte("true"))
		tools = append(tools, t)
	}
	return tools, nil
}
