package simulate_test

import (
	"encoding/json"
	"testing"

	"github.com/callwright/callwright/simulate"
)

// A dress is how a conversation is put into words on a wire, written without any of the code under test.
type dress struct {
	path  string // but for Gemini, whose path names the model
	body  func(conversation) object
	loop  func(calls []*heard, result string) []object // a turn of calls and its results
	form  func(schema json.RawMessage) object          // asks for an answer in JSON
	heads map[string]string
}

var schemaOfWeather = json.RawMessage(simulate.WeatherSchema)

var dresses = map[string]dress{
	simulate.OpenAI: {
		path: "/v1/chat/completions",
		body: func(c conversation) object {
			body := object{"messages": c.withSystem()}
			if c.tools {
				body["tools"] = []object{{"type": "function", "function": object{"name": "get_weather", "parameters": schemaOfWeather}}}
			}
			return c.choosing(body)
		},
		loop: func(calls []*heard, result string) []object {
			var said, results []object
			for _, c := range calls {
				function := object{"name": c.name, "arguments": c.args}
				said = append(said, object{"type": "function", "id": c.id, "function": function})
				results = append(results, object{"role": "tool", "tool_call_id": c.id, "content": result})
			}
			return append([]object{{"role": "assistant", "content": nil, "tool_calls": said}}, results...)
		},
		form: func(schema json.RawMessage) object {
			return object{"response_format": object{"type": "json_schema", "json_schema": object{"schema": schema}}}
		},
	},
	simulate.Responses: {
		path: "/v1/responses",
		body: func(c conversation) object {
			body := object{"input": c.messages}
			if c.system != "" {
				body["instructions"] = c.system
			}
			if c.tools {
				body["tools"] = []object{{"type": "function", "name": "get_weather", "parameters": schemaOfWeather, "strict": false}}
			}
			return c.choosing(body)
		},
		loop: func(calls []*heard, result string) []object {
			var out []object
			for _, c := range calls {
				out = append(out, object{"type": "function_call", "call_id": c.id, "name": c.name, "arguments": c.args})
			}
			for _, c := range calls {
				out = append(out, object{"type": "function_call_output", "call_id": c.id, "output": result})
			}
			return out
		},
		form: func(schema json.RawMessage) object {
			return object{"text": object{"format": object{"type": "json_schema", "name": "a", "schema": schema}}}
		},
	},
	simulate.Anthropic: {
		path:  "/v1/messages",
		heads: map[string]string{"Anthropic-Version": "2023-06-01"},
		body: func(c conversation) object {
			body := object{"messages": c.messages, "max_tokens": 64}
			if c.system != "" {
				body["system"] = c.system
			}
			if c.tools {
				body["tools"] = []object{{"name": "get_weather", "input_schema": schemaOfWeather}}
			}
			if c.choice != "" || c.serial {
				kind := map[string]string{"": "auto", "required": "any", "none": "none"}[c.choice]
				body["tool_choice"] = object{"type": kind, "disable_parallel_tool_use": c.serial}
			}
			return body
		},
		loop: func(calls []*heard, result string) []object {
			var said, results []object
			for _, c := range calls {
				said = append(said, object{"type": "tool_use", "id": c.id, "name": c.name, "input": json.RawMessage(c.args)})
				results = append(results, object{"type": "tool_result", "tool_use_id": c.id, "content": result})
			}
			return []object{{"role": "assistant", "content": said}, {"role": "user", "content": results}}
		},
		form: func(schema json.RawMessage) object {
			return object{"output_config": object{"format": object{"type": "json_schema", "schema": schema}}}
		},
	},
	simulate.Gemini: {
		body: func(c conversation) object {
			var contents []object
			for _, m := range c.messages {
				if m["parts"] == nil {
					m = object{"role": map[any]string{"assistant": "model"}[m["role"]], "parts": []object{{"text": plainText(m["content"])}}}
				}
				contents = append(contents, m)
			}
			body := object{"contents": contents}
			if c.system != "" {
				body["systemInstruction"] = object{"parts": []object{{"text": c.system}}}
			}
			if c.tools {
				body["tools"] = []object{{"functionDeclarations": []object{{"name": "get_weather", "parametersJsonSchema": schemaOfWeather}}}}
			}
			if c.choice != "" {
				mode := map[string]string{"required": "ANY", "none": "NONE"}[c.choice]
				body["toolConfig"] = object{"functionCallingConfig": object{"mode": mode}}
			}
			return body
		},
		loop: func(calls []*heard, result string) []object {
			var said, results []object
			for _, c := range calls {
				call := object{"functionCall": object{"name": c.name, "args": json.RawMessage(c.args)}}
				if c.sign != "" {
					call["thoughtSignature"] = c.sign
				}
				said = append(said, call)
				results = append(results, object{"functionResponse": object{"name": c.name, "response": object{"output": result}}})
			}
			return []object{{"role": "model", "parts": said}, {"role": "user", "parts": results}}
		},
		form: func(schema json.RawMessage) object {
			return object{"generationConfig": object{"responseMimeType": "application/json", "responseJsonSchema": schema}}
		},
	},
	simulate.Ollama: {
		path: "/api/chat",
		body: func(c conversation) object {
			var messages []object
			for _, m := range c.withSystem() {
				if m["tool_calls"] == nil && m["tool_name"] == nil {
					m = object{"role": m["role"], "content": plainText(m["content"])}
				}
				messages = append(messages, m)
			}
			body := object{"messages": messages}
			if c.tools {
				body["tools"] = []object{{"type": "function", "function": object{"name": "get_weather", "parameters": schemaOfWeather}}}
			}
			return body
		},
		loop: func(calls []*heard, result string) []object {
			var said, results []object
			for _, c := range calls {
				said = append(said, object{"function": object{"name": c.name, "arguments": json.RawMessage(c.args)}})
				results = append(results, object{"role": "tool", "tool_name": c.name, "content": result})
			}
			return append([]object{{"role": "assistant", "content": "", "tool_calls": said}}, results...)
		},
		form: func(schema json.RawMessage) object { return object{"format": schema} },
	},
}

// withSystem returns the messages with the system's text before them.
func (c conversation) withSystem() []object {
	if c.system == "" {
		return c.messages
	}
	return append([]object{{"role": "system", "content": c.system}}, c.messages...)
}

// choosing adds what a client says about calls on the wires of OpenAI.
func (c conversation) choosing(body object) object {
	if c.choice != "" {
		body["tool_choice"] = c.choice
	}
	if c.serial {
		body["parallel_tool_calls"] = false
	}
	return body
}

// plainText returns the text of content that is text or a list of blocks.
func plainText(content any) string {
	text, ok := content.(string)
	if blocks, isList := content.([]object); !ok && isList {
		for _, b := range blocks {
			text += b["text"].(string)
		}
	}
	return text
}

// request returns a body as it is sent, and the path to send it to. On Gemini's wire the path says what the body says on others.
func request(t testing.TB, wire string, body object) (path string, sent []byte) {
	t.Helper()
	path = dresses[wire].path
	if wire == simulate.Gemini {
		rest := object{}
		for k, v := range body {
			if k != "model" && k != "stream" {
				rest[k] = v
			}
		}
		path = "/v1beta/models/" + body["model"].(string) + ":generateContent"
		if body["stream"] == true {
			path = "/v1beta/models/" + body["model"].(string) + ":streamGenerateContent?alt=sse"
		}
		body = rest
	}
	sent, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return path, sent
}
