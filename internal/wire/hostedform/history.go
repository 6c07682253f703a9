package hostedform

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// IDPrefix begins the ids under which clients are shown calls that were run here.
const IDPrefix = "srvtoolu_cw"

// RestoreCalls returns a history in which calls that were run here for a client of Anthropic's API are calls and
// results again: the model made and got them. Items of others stay as they are. changed is false where there are none.
func RestoreCalls(history []callwright.Message, names map[string]string) (out []callwright.Message, changed bool) {
	for i, m := range history {
		if m.Role == callwright.RoleAssistant {
			if turns := unfoldedTurn(m, names); turns != nil {
				if !changed {
					out, changed = append(out, history[:i]...), true
				}
				out = append(out, turns...)
				continue
			}
		}
		if changed {
			out = append(out, m)
		}
	}
	if !changed {
		return history, false
	}
	return out, true
}

// unfoldedTurn splits a turn behind each call that was run in it, nil where there is none.
func unfoldedTurn(m callwright.Message, names map[string]string) []callwright.Message {
	var out []callwright.Message
	var rest []callwright.Part
	for i := 0; i < len(m.Parts); i++ {
		call, ok := callOf(m.Parts[i], names)
		if !ok || i+1 == len(m.Parts) {
			rest = append(rest, m.Parts[i])
			continue
		}
		result, ok := resultOf(m.Parts[i+1], call)
		if !ok {
			rest = append(rest, m.Parts[i])
			continue
		}
		i++
		out = append(out, callwright.Message{Role: callwright.RoleAssistant, Parts: append(rest, call)},
			callwright.Message{Role: callwright.RoleTool, Parts: []callwright.Part{result}})
		rest = nil
	}
	if out != nil && len(rest) > 0 {
		out = append(out, callwright.Message{Role: callwright.RoleAssistant, Parts: rest, Extra: m.Extra})
	}
	return out
}

// blockOf returns the members of a block of Anthropic's API.
func blockOf(p callwright.Part) (jsonx.Fields, bool) {
	o, ok := p.(callwright.Opaque)
	if !ok || o.Extra.Wire != callwright.WireAnthropic {
		return jsonx.Fields{}, false
	}
	return jsonx.FieldsOf(o.Extra.JSON), true
}

func textOf(f jsonx.Fields, key string) string {
	s, _ := jsonx.String(f.Get(key))
	return s
}

// callOf reads a call that was run here: its id says so.
func callOf(p callwright.Part, names map[string]string) (callwright.Call, bool) {
	f, ok := blockOf(p)
	if !ok || textOf(f, "type") != "server_tool_use" || !strings.HasPrefix(textOf(f, "id"), IDPrefix) {
		return callwright.Call{}, false
	}
	name := textOf(f, "name")
	if ours, ok := names[name]; ok {
		name = ours
	}
	return callwright.Call{ID: textOf(f, "id"), Name: name, Arguments: append([]byte(nil), f.Get("input")...)}, true
}

// resultOf reads the outcome of a call.
func resultOf(p callwright.Part, call callwright.Call) (callwright.Result, bool) {
	f, ok := blockOf(p)
	if !ok || textOf(f, "tool_use_id") != call.ID {
		return callwright.Result{}, false
	}
	content := f.Get("content")
	said, failed := "", strings.HasSuffix(textAt(content, "type"), "_error")
	switch {
	case failed:
		said = "The tool failed: " + textAt(content, "error_code")
	case jsonx.IsArray(content):
		for e := range jsonx.Elements(content) {
			text, _ := decodeText(textAt(e, "encrypted_content"))
			said += text
		}
	case textAt(content, "type") == "code_execution_result":
		said = textAt(content, "stdout") + textAt(content, "stderr")
	default:
		said = textAt(content, "content", "source", "data")
	}
	return callwright.Result{CallID: call.ID, Name: call.Name, IsError: failed, Parts: []callwright.Part{callwright.Text{Text: said}}}, true
}

func textAt(v []byte, path ...string) string {
	m, _ := jsonx.Lookup(v, path...)
	s, _ := jsonx.String(m)
	return s
}
