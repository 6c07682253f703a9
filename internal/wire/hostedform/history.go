package hostedform

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// IDPrefix is the prefix of the call ids in responses for tools that the gateway ran.
const IDPrefix = "srvtoolu_cw"

// RestoreCalls converts calls that the gateway ran for a client of Anthropic's API, which are opaque blocks in the
// client's history, back into tool calls and results, as the model made and received them. names maps the names of
// hosted tools to the tools that the model called. Calls that a provider ran stay as they are. changed is false, and
// out is history, if there are none.
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

// unfoldedTurn splits an assistant message after each call that the gateway ran, and adds a message with the call's
// result. It returns nil if there is no such call.
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

// blockOf returns the members of an opaque block of Anthropic's API. ok is false for other parts.
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

// callOf reads the block of a call that the gateway ran, which is recognized by IDPrefix. ok is false for other parts.
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

// resultOf reads a block of Anthropic's API that is the result of call. ok is false for other parts.
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
