package reliable_test

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

const (
	lawSchema = `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}}}`
	pixel     = "iVBORw0KGgo="
)

// writers are those of every API.
var writers = map[callwright.WireName]*writer{
	callwright.WireOpenAI: {wire: callwright.WireOpenAI, list: "messages", write: inChat,
		tools: `[{"type":"function","function":{"name":"get_weather","parameters":` + lawSchema + `}}, {"type":"function","function":{"name":"get_time","parameters":{"type":"object","properties":{}}}},` +
			`{"type":"function","function":{"name":"an.odd name","description":"x"}}]`},
	callwright.WireResponses: {wire: callwright.WireResponses, list: "input", write: inItems, instructions: func(s string) string { return `"instructions":` + quoted(s) },
		tools: `[{"type":"function","name":"get_weather","parameters":` + lawSchema + `},{"type":"function","name":"get_time","parameters":{"type":"object","properties":{}}},{"type":"custom","name":"patch"}]`},
	callwright.WireAnthropic: {wire: callwright.WireAnthropic, list: "messages", write: inBlocks, instructions: func(s string) string { return `"system":` + quoted(s) },
		tools: `[{"name":"get_weather","input_schema":` + lawSchema + `},{"name":"get_time","input_schema":{"type":"object","properties":{}}}]`},
	callwright.WireGemini: {wire: callwright.WireGemini, list: "contents", write: inContents, instructions: func(s string) string { return `"systemInstruction":{"parts":[{"text":` + quoted(s) + `}]}` },
		tools: `[{"functionDeclarations":[{"name":"get_weather","parameters":{"type":"OBJECT","properties":{"city":{"type":"STRING"}}}},{"name":"get_time"}]}]`},
	callwright.WireOllama: {wire: callwright.WireOllama, list: "messages", write: inOllama,
		tools: `[{"type":"function","function":{"name":"get_weather","parameters":` + lawSchema + `}},{"type":"function","function":{"name":"get_time","parameters":{"type":"object","properties":{}}}}]`},
}

// object joins members, leaving out those that are empty.
func object(members ...string) string {
	var given []string
	for _, m := range members {
		if m != "" {
			given = append(given, m)
		}
	}
	return "{" + strings.Join(given, ", ") + "}"
}

func member(name, v string) string { return `"` + name + `":` + v }

// given is a member with a text, nothing for an empty one.
func given(name, v string) string {
	if v == "" {
		return ""
	}
	return member(name, quoted(v))
}

func idMember(name, id string, missing bool) string {
	if missing {
		return ""
	}
	return member(name, quoted(id))
}

// asObject are arguments where they have to be JSON.
func asObject(arguments string) string {
	if jsonx.Valid([]byte(arguments)) != nil || arguments == "" {
		return quoted(arguments)
	}
	return arguments
}

func inChat(m piece) []string {
	content := member("content", quoted(m.text))
	if m.list {
		content = `"content":[{"type":"text","text":` + quoted(m.text) + `}]`
	}
	switch m.role {
	case callwright.RoleAssistant:
		var calls []string
		legacy := ""
		for k, c := range m.calls {
			if c.legacy && len(m.calls) == 1 {
				legacy = `"function_call":` + object(member("name", quoted(c.name)), member("arguments", quoted(c.arguments)))
				continue
			}
			signature := ""
			if m.signature != "" && k == 0 {
				signature = `"extra_content":{"google":{"thought_signature":"` + m.signature + `"}}`
			}
			calls = append(calls, object(idMember("id", c.id, c.noID), `"type":"function"`, `"function":`+object(member("name", quoted(c.name)), member("arguments", quoted(c.arguments))), signature))
		}
		list := ""
		if calls != nil {
			list = `"tool_calls":[` + strings.Join(calls, ",") + "]"
		}
		if m.text == "" && m.calls != nil {
			content = `"content":null`
		}
		return []string{object(`"role":"assistant"`, content, given("reasoning_content", m.thoughts), list, legacy)}
	case callwright.RoleSystem:
		return []string{object(`"role":"system"`, content)}
	}
	var out []string
	for _, r := range m.results {
		said := member("content", quoted(r.text))
		if r.image {
			said = `"content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:image/png;base64,` + pixel + `"}}]`
		}
		out = append(out, object(`"role":"tool"`, idMember("tool_call_id", r.id, r.noID), said))
	}
	if m.role == callwright.RoleUser {
		out = append(out, object(`"role":"user"`, content))
	}
	return out
}

func inItems(m piece) []string {
	var out []string
	switch m.role {
	case callwright.RoleAssistant:
		if m.thoughts != "" {
			encrypted := ""
			if m.signature != "" {
				encrypted = member("encrypted_content", quoted(m.signature))
			}
			out = append(out, object(`"type":"reasoning"`, `"id":"rs_1"`, `"summary":[]`, encrypted))
		}
		if m.text != "" || len(m.calls) == 0 {
			out = append(out, object(`"type":"message"`, `"role":"assistant"`, `"content":[{"type":"output_text","text":`+quoted(m.text)+`}]`))
		}
		for _, c := range m.calls {
			out = append(out, object(`"type":"function_call"`, idMember("call_id", c.id, c.noID), member("name", quoted(c.name)), member("arguments", quoted(c.arguments))))
		}
		return out
	case callwright.RoleSystem:
		return []string{object(`"role":"developer"`, member("content", quoted(m.text)))}
	}
	for _, r := range m.results {
		said := member("output", quoted(r.text))
		if r.image {
			said = `"output":[{"type":"input_text","text":"look"},{"type":"input_image","image_url":"data:image/png;base64,` + pixel + `"}]`
		}
		out = append(out, object(`"type":"function_call_output"`, member("call_id", quoted(r.id)), said))
	}
	if m.role == callwright.RoleUser {
		content := member("content", quoted(m.text))
		if m.list {
			content = `"content":[{"type":"input_text","text":` + quoted(m.text) + `}]`
		}
		out = append(out, object(`"role":"user"`, content))
	}
	return out
}

func inBlocks(m piece) []string {
	var blocks []string
	words := `{"type":"text","text":` + quoted(m.text) + `}`
	switch m.role {
	case callwright.RoleSystem:
		return []string{object(`"role":"system"`, member("content", quoted(m.text)))}
	case callwright.RoleAssistant:
		if m.thoughts != "" {
			blocks = append(blocks, object(`"type":"thinking"`, member("thinking", quoted(m.thoughts)), member("signature", quoted(m.signature))))
		}
		if m.text != "" || len(m.calls) == 0 {
			blocks = append(blocks, words)
		}
		for _, c := range m.calls {
			blocks = append(blocks, object(`"type":"tool_use"`, member("id", quoted(c.id)), member("name", quoted(c.name)), member("input", asObject(c.arguments))))
		}
	default:
		for _, r := range m.results {
			said := member("content", quoted(r.text))
			if r.image {
				said = `"content":[{"type":"text","text":"look"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + pixel + `"}}]`
			}
			failed := ""
			if r.isError {
				failed = `"is_error":true`
			}
			blocks = append(blocks, object(`"type":"tool_result"`, member("tool_use_id", quoted(r.id)), said, failed))
		}
		if m.role == callwright.RoleUser && (m.results == nil && !m.list) {
			return []string{object(`"role":"user"`, member("content", quoted(m.text)))}
		}
		if m.role == callwright.RoleUser {
			blocks = append(blocks, words)
		}
	}
	role := "user"
	if m.role == callwright.RoleAssistant {
		role = "assistant"
	}
	return []string{object(member("role", quoted(role)), `"content":[`+strings.Join(blocks, ",")+"]")}
}

func inContents(m piece) []string {
	var parts []string
	role := "user"
	words := object(member("text", quoted(m.text)))
	switch m.role {
	case callwright.RoleAssistant:
		role = "model"
		if m.thoughts != "" {
			parts = append(parts, object(member("text", quoted(m.thoughts)), `"thought":true`))
		}
		if m.text != "" || len(m.calls) == 0 {
			parts = append(parts, words)
		}
		for k, c := range m.calls {
			signature := ""
			if m.signature != "" && k == 0 {
				signature = member("thoughtSignature", quoted(m.signature))
			}
			parts = append(parts, object(member("functionCall", object(idMember("id", c.id, c.noID || c.legacy), member("name", quoted(c.name)), member("args", asObject(c.arguments)))), signature))
		}
	default:
		for _, r := range m.results {
			key, shown := "output", ""
			if r.isError {
				key = "error"
			}
			if r.image {
				shown = `"parts":[{"inlineData":{"mimeType":"image/png","data":"` + pixel + `"}}]`
			}
			parts = append(parts, object(member("functionResponse", object(idMember("id", r.id, r.noID), member("name", quoted(r.name)), member("response", object(member(key, quoted(r.text)))), shown))))
		}
		if m.role != callwright.RoleTool {
			parts = append(parts, words)
		}
	}
	return []string{object(member("role", quoted(role)), `"parts":[`+strings.Join(parts, ",")+"]")}
}

func inOllama(m piece) []string {
	var calls []string
	switch m.role {
	case callwright.RoleTool:
	default:
		for _, c := range m.calls {
			calls = append(calls, object(idMember("id", c.id, c.noID), `"function":`+object(member("name", quoted(c.name)), member("arguments", asObject(c.arguments)))))
		}
	}
	var out []string
	for _, r := range m.results {
		shown := ""
		if r.image {
			shown = `"images":["` + pixel + `"]`
		}
		out = append(out, object(`"role":"tool"`, member("content", quoted(r.text)), given("tool_name", r.name), idMember("tool_call_id", r.id, r.noID), shown))
	}
	if m.role == callwright.RoleTool {
		return out
	}
	list := ""
	if calls != nil {
		list = `"tool_calls":[` + strings.Join(calls, ",") + "]"
	}
	return append(out, object(member("role", quoted(string(m.role))), member("content", quoted(m.text)), given("thinking", m.thoughts), list))
}
