package anthropic

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// clientTool is a tool of this API that the client runs: the model knows it by its type, and its definition has no
// schema. Elsewhere it is a function with the schema that the API documents.
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview
type clientTool struct {
	prefix      string // of the type, which a date ends
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

// readClientTool is the definition of a tool that the client runs; ok is false where the provider does.
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

// isTyped reports whether a tool is known by its type: its definition is written as it came.
func isTyped(t *callwright.Tool) bool {
	kind := own.Member(t.Extra, "type")
	return kind != nil && string(jsonx.TextBytes(kind)) != "custom"
}

// additionMark is the member by which a tool is known that a message declares: it is not declared again beside the
// others.
const additionMark = "tool_addition"

// addedTool is the definition of a tool in a block of a message, nil without one. One that only refers to a tool
// defines none.
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

// withAdded are tools with those that messages declare under names of their own.
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
