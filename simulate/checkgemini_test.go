package simulate_test

import (
	"strings"

	"github.com/callwright/callwright/simulate"
)

// contents returns a conversation that opens with a user.
func contents(all ...string) string {
	return `"contents":[{"role":"user","parts":[{"text":"Hi"}]},` + strings.Join(all, ",") + `]`
}

func model(parts ...string) string {
	return `{"role":"model","parts":[` + strings.Join(parts, ",") + `]}`
}

func back(parts ...string) string {
	return `{"role":"user","parts":[` + strings.Join(parts, ",") + `]}`
}

// made returns a call of a, given the answer to one. Further members are of the call, or of the answer.
func made(members string) string { return `{"functionCall":{"name":"a","args":{}` + members + `}}` }

func given(members string) string {
	return `{"functionResponse":{"name":"a","response":{"output":"x"}` + members + `}}`
}

// signedCall returns a call of a with a signature.
func signedCall(sign string) string { return withMember(made(""), `"thoughtSignature":"`+sign+`"`) }

// parameters declares a function whose schema has one property p.
func parameters(property string) string {
	return declares(`"parameters":{"type":"OBJECT","properties":{"p":` + property + `}}`)
}

// declares declares a function with more members.
func declares(members string) string {
	return `"tools":[{"functionDeclarations":[{"name":"a",` + members + `}]}]`
}

var geminiCases = []checkList{
	{simulate.Gemini, "gemini", []checkCase{
		{"unknown-member", `"seed":1`, `Unknown name \"seed\": Cannot find field.`, `"generationConfig":{"seed":1}`},
		{"unknown-member", `"generation_config":{"maxTokens":1}`, `Unknown name \"maxTokens\" at 'generation_config': Cannot find field.`, `"generation_config":{"max_output_tokens":1}`},
		{"unknown-member", parameters(`{"type":"INTEGER","exclusiveMinimum":1}`), `Unknown name \"exclusiveMinimum\" at 'tools[0].function_declarations[0].parameters.properties[0].value': Cannot find field.`,
			parameters(`{"type":"INTEGER","minimum":1}`)},
		{"unknown-member", parameters(`{"anyOf":[{"type":"STRING","const":"x"}]}`), `at 'tools[0].function_declarations[0].parameters.properties[0].value.any_of[0]'`, parameters(`{"anyOf":[{"type":"STRING","enum":["x"]}]}`)},
		{"unknown-member", declares(`"parameters":{"type":"OBJECT","properties":{"p":{"type":"STRING"}},"additionalProperties":false,"$schema":"x"}`), `Unknown name \"$schema\" at`,
			declares(`"parametersJsonSchema":{"type":"object","additionalProperties":false,"$schema":"x"}`)},
		{"unknown-member", declares(`"strict":true`), `Unknown name \"strict\" at 'tools[0].function_declarations[0]'`, declares(`"description":"d"`)},
		{"unknown-member", contents(model(`{"text":"x","signature":"y"}`), back(`{"text":"x"}`)), `Unknown name \"signature\" at 'contents[1].parts[0]'`, contents(model(`{"text":"x","thought_signature":"y"}`), back(`{"text":"x"}`))},
		{"schema", declares(`"parameters":{"type":"OBJECT","properties":{"p":{"type":"STRING"}}},"parametersJsonSchema":{"type":"object"}`), "cannot both be set", declares(`"parametersJsonSchema":{"type":"object"}`)},
		{"schema", parameters(`{"type":["STRING","NULL"]}`), "Proto field is not repeating, cannot start list.", parameters(`{"type":"STRING","nullable":true}`)},
		{"schema", parameters(`{"type":"INTEGER","enum":[7]}`), "Invalid value at 'tools[0].function_declarations[0].parameters.properties[0].value.enum[0]' (TYPE_STRING), 7", parameters(`{"type":"STRING","enum":["7"]}`)},
		{"schema", parameters(`{"type":"INTEGER","enum":["7"]}`), "enum: only allowed for STRING type", parameters(`{"type":"string","enum":["7"]}`)},
		{"schema", parameters(`{"type":"ARRAY"}`), "items: missing field.", parameters(`{"type":"ARRAY","items":{"type":"STRING"}}`)},
		{"schema", parameters(`{"type":"OBJECT"}`), "properties: should be non-empty for OBJECT type", parameters(`{"type":"OBJECT","properties":{"q":{"type":"STRING"}}}`)},
		{"schema", parameters(`{"type":"STRING","format":"uri"}`), "only 'enum' and 'date-time' are supported for STRING type", parameters(`{"type":"STRING","format":"date-time"}`)},
		{"schema", parameters(`{"description":"d","anyOf":[{"type":"STRING"}]}`), "when using any_of, it must be the only field set", parameters(`{"anyOf":[{"type":"STRING"}]}`)},
		{"schema", declares(`"parameters":{"type":"OBJECT","properties":{"p":{"type":"STRING"}},"required":["q"]}`), "required[0]: property is not defined", declares(`"parameters":{"type":"OBJECT","properties":{"p":{"type":"STRING"}},"required":["p"]}`)},
		{"schema", declares(`"parameters":{"type":"OBJECT","properties":{"p-q":{"type":"STRING"}}}`), "property name p-q must be", declares(`"parameters":{"type":"OBJECT","properties":{"p_q":{"type":"STRING"}}}`)},
		{"functions", `"tools":[{"functionDeclarations":[{"name":"1a"}]}]`, "Invalid function name. Must start with a letter or an underscore.", `"tools":[{"functionDeclarations":[{"name":"_a.b:c-1"}]}]`},
		{"functions", `"tools":[{"functionDeclarations":[{"name":"a"}]},{"functionDeclarations":[{"name":"a"}]}]`, "Duplicate function declaration found: a", `"tools":[{"functionDeclarations":[{"name":"a"}]},{"functionDeclarations":[{"name":"b"}]}]`},
		{"functions", `"tools":[{"functionDeclarations":[` + many(129, `{"name":"a%d"}`) + `]}]`, "at most 128, got 129", `"tools":[{"functionDeclarations":[` + many(128, `{"name":"a%d"}`) + `]}]`},
		{"choice", `"tools":null,"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}`, "Function calling config is set without function_declarations.", `"toolConfig":{"functionCallingConfig":{"mode":"ANY"}}`},
		{"choice", `"toolConfig":{"functionCallingConfig":{"mode":"AUTO","allowedFunctionNames":["a"]}}`, "should be set only when function calling mode is ANY", `"toolConfig":{"functionCallingConfig":{"mode":"VALIDATED","allowedFunctionNames":["a"]}}`},
		{"choice", `"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["a","b"]}}`, "allowed_function_names[1]: function b is not declared.", `"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["a"]}}`},
		{"contents", `"contents":[]`, "contents is not specified", `"contents":[{"parts":[{"text":"x"}]}]`},
		{"contents", `"contents":[{"role":"assistant","parts":[{"text":"x"}]}]`, "Please use a valid role: user, model.", `"contents":[{"role":"user","parts":[{"text":"x"}]}]`},
		{"contents", `"contents":[{"role":"user","parts":[]}]`, "contents[0].parts: contents.parts must not be empty.", `"contents":[{"role":"user","parts":[{"text":""}]}]`},
		{"contents", contents(model(`{"thoughtSignature":"x"}`), back(`{"text":"x"}`)), "contents[1].parts[0].data: required oneof field 'data' must have one initialized field", contents(model(`{"text":"","thoughtSignature":"x"}`), back(`{"text":"x"}`))},
		{"contents", contents(model(strings.ReplaceAll(made(""), `{}`, `"{}"`)), back(given(""))), "function_call.args' (type.googleapis.com/google.protobuf.Struct)", contents(model(made("")), back(given("")))},
		{"contents", contents(model(made("")), back(`{"functionResponse":{"name":"a","response":"x"}}`)), "function_response.response' (type.googleapis.com/google.protobuf.Struct)", contents(model(made("")), back(`{"functionResponse":{"name":"a","response":{}}}`))},
		{"contents", contents(model(made("")), back(`{"functionResponse":{"response":{}}}`)), "function_response.name: Name cannot be empty.", contents(model(made("")), back(given("")))},
		{"order", contents(model(made(""), made("")), back(given(""))), "number of function response parts is equal to the number of function call parts", contents(model(made(""), made("")), back(given(""), given("")))},
		{"order", contents(model(made(""), made("")), back(given("")), back(given(""))), "number of function response parts is equal", contents(model(made(""), made("")), back(given(""), given("")))},
		{"order", contents(model(made(""))), "number of function response parts is equal", contents(model(`{"text":"x"}`))},
		{"order", contents(model(made("")), model(`{"text":"x"}`), back(given(""))), "number of function response parts is equal", contents(model(made("")), model(`{"text":""}`), back(given("")))},
		{"order", contents(model(made(`,"id":"1"`)), back(given(`,"id":"2"`))), "number of function response parts is equal", contents(model(made(`,"id":"1"`)), back(given(`,"id":"1"`)))},
		{"order", contents(model(made("")), back(strings.ReplaceAll(given(""), `"a"`, `"b"`))), "number of function response parts is equal", contents(model(made(`,"id":"1"`)), back(given("")))},
		{"order", contents(back(given(""))), "function response turn comes immediately after a function call turn.", contents(model(made("")), back(given("")))},
		{"order", contents(model(`{"text":"x"}`), model(made("")), back(given(""))), "function call turn comes immediately after a user turn or after a function response turn.", contents(model(made("")), back(given("")), model(made("")), back(given("")))},
	}},
	{simulate.Gemini, "gemini-2.5", []checkCase{
		{"json-with-tools", `"generationConfig":{"responseMimeType":"application/json"}`, "Function calling with a response mime type: 'application/json' is unsupported", `"generationConfig":{"responseMimeType":"text/plain"}`},
	}},
	{simulate.Gemini, "gemini-3", []checkCase{
		{"signature", contents(model(made("")), back(given(""))), "function call `default_api:a` in the 2. content block is missing a `thought_signature`.", contents(model(signedCall(sealed("gemini"))), back(given("")))},
		{"signature", contents(model(made(""), signedCall(sealed("gemini"))), back(given(""), given(""))), "is missing a `thought_signature`.", contents(model(signedCall(sealed("gemini")), made("")), back(given(""), given("")))},
		{"signature", contents(model(signedCall(sealed("gemini"))), back(given("")), model(made("")), back(given(""))), "in the 4. content block is missing", contents(model(made("")), back(given("")), back(`{"text":"x"}`))},
		{"signature", contents(model(signedCall(sealed("anthropic"))), back(given(""))), "Corrupted thought signature.", contents(model(signedCall("skip_thought_signature_validator")), back(given("")))},
		{"signature", contents(model(signedCall("???")), back(given(""))), "Corrupted thought signature.", contents(model(signedCall("context_engineering_is_the_way_to_go")), back(given("")))},
	}},
}

var ollamaCases = []checkList{
	{simulate.Ollama, "ollama", []checkCase{
		{"types", talk(`{"role":"user","content":[]}`), "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string", talk(said)},
		{"types", talk(ollamaCall(`"{}"`)), "json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments", talk(ollamaCall(`{}`))},
		{"images", talk(`{"role":"user","content":"x","images":["data:image/png;base64,AAAA"]}`), "illegal base64 data at input byte 4", talk(`{"role":"user","content":"x","images":["AAAA"]}`)},
		{"format", `"format":"xml"`, `invalid format: \"xml\"; expected \"json\" or a valid JSON Schema object`, `"format":"json"`},
		{"format", `"format":[]`, "invalid format: []", `"format":{"type":"object"}`},
	}},
	{simulate.Ollama, "ollama-plain", []checkCase{
		{"tools", ``, "does not support tools", `"tools":null`},
		{"thinking", `"tools":null,"think":true`, "does not support thinking", `"tools":null,"think":false`},
		{"thinking", `"tools":null,"think":"low"`, "does not support thinking", `"tools":[]`},
	}},
}

func ollamaCall(args string) string {
	return `{"role":"assistant","tool_calls":[{"function":{"name":"a","arguments":` + args + `}}]},{"role":"tool","tool_name":"a","content":"x"}`
}
