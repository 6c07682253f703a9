package classes_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
)

// Histories that a provider refuses, and opaque state that has to come back.

// A step is a message as a provider got it: who speaks, the ids and names of its calls and results, and whether it says anything.
type step struct {
	role           string
	calls, results []call
	text           string
	raw            m
}

// steps are the messages of a request in no API's form.
func steps(r *received) (out []step) {
	for _, v := range list(r.body, "messages") {
		s := step{role: str(v, "role"), raw: v.(m), text: str(v, "content")}
		for _, c := range list(v, "tool_calls") {
			s.calls = append(s.calls, call{id: str(c, "id"), name: str(c, "function", "name")})
		}
		if s.role == "tool" {
			s.results = append(s.results, call{id: str(v, "tool_call_id")})
		}
		for _, b := range list(v, "content") {
			s.text += str(b, "text")
			switch str(b, "type") {
			case "tool_use":
				s.calls = append(s.calls, call{id: str(b, "id"), name: str(b, "name")})
			case "tool_result":
				s.results = append(s.results, call{id: str(b, "tool_use_id")})
			}
		}
		out = append(out, s)
	}
	for _, v := range list(r.body, "contents") {
		s := step{role: str(v, "role"), raw: v.(m)}
		for _, p := range list(v, "parts") {
			s.text += str(p, "text")
			if f := member(p, "functionCall"); f != nil {
				s.calls = append(s.calls, call{name: str(f, "name")})
			}
			if f := member(p, "functionResponse"); f != nil {
				s.results = append(s.results, call{name: str(f, "name")})
			}
		}
		out = append(out, s)
	}
	return out
}

// openaiPairs are OpenAI's rules about calls and their results.
func openaiPairs(r *received) *refusal {
	all := steps(r)
	for i, s := range all {
		for k, c := range s.calls {
			if i+1+k >= len(all) || len(all[i+1+k].results) == 0 {
				return &refusal{400, stated("An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: "+c.id, "", nil)}
			}
		}
		if s.role == "tool" && (i == 0 || all[i-1].role != "tool" && len(all[i-1].calls) == 0) {
			return &refusal{400, stated("messages with role 'tool' must be a response to a message with 'tool_calls' before them.", "", nil)}
		}
	}
	return nil
}

// anthropicPairs are Anthropic's.
func anthropicPairs(r *received) *refusal {
	all := steps(r)
	for i, s := range all {
		given := map[string]bool{}
		if i+1 < len(all) {
			for _, result := range all[i+1].results {
				given[result.id] = true
			}
		}
		for _, c := range s.calls {
			if !given[c.id] {
				return &refusal{400, anthropicError(fmt.Sprintf("messages.%d: `tool_use` ids were found without `tool_result` blocks immediately after: %s. Each `tool_use` block must have a corresponding `tool_result` block in the next message.", i, c.id))}
			}
		}
		asked := map[string]bool{}
		if i > 0 {
			for _, c := range all[i-1].calls {
				asked[c.id] = true
			}
		}
		for _, result := range s.results {
			if !asked[result.id] {
				return &refusal{400, anthropicError(fmt.Sprintf("messages.%d.content.0: unexpected `tool_use_id` found in `tool_result` blocks: %s. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.", i, result.id))}
			}
		}
	}
	return nil
}

// geminiGroups are Gemini's.
func geminiGroups(r *received) *refusal {
	all := steps(r)
	for i, s := range all {
		results := 0
		if i+1 < len(all) {
			results = len(all[i+1].results)
		}
		if len(s.calls) > 0 && results != len(s.calls) {
			return &refusal{400, googleError("Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.")}
		}
	}
	return nil
}

// pairsOf are the rules of a provider of an API.
func pairsOf(r *received) *refusal {
	switch r.api {
	case chat:
		return openaiPairs(r)
	case anthropic:
		return anthropicPairs(r)
	case gemini:
		return geminiGroups(r)
	}
	return nil
}

// talk is a request about the weather with this history.
func talk(turns ...turn) request {
	return request{tools: []string{"get_weather", "read_file"}, turns: turns}
}

func said(role, text string) turn { return turn{role: role, text: text} }

func called(calls ...call) turn { return turn{role: "assistant", calls: calls} }

func gave(results ...result) turn { return turn{role: "tool", results: results} }

var (
	callA = call{"call_aaaaaaaa1", "get_weather", oslo}
	callB = call{"call_bbbbbbbb2", "read_file", `{"path":"a"}`}
	gaveA = result{id: "call_aaaaaaaa1", name: "get_weather", text: "12"}
	gaveB = result{id: "call_bbbbbbbb2", name: "read_file", text: "text"}
)

// mistralIDs refuses ids that are not nine letters and digits.
func mistralIDs(r *received) *refusal {
	re := regexp.MustCompile(`^[a-zA-Z0-9]{9}$`)
	for _, id := range pastIDs(r) {
		if !re.MatchString(id) {
			return &refusal{400, text(m{"object": "error", "message": "Tool call id was " + id + " but must be a-z, A-Z, 0-9, with a length of 9.", "type": "invalid_request_message_order", "code": "3280"})}
		}
	}
	return nil
}

// longIDs refuses ids beyond 64 characters.
func longIDs(r *received) *refusal {
	for i, id := range pastIDs(r) {
		if len(id) > 64 {
			return &refusal{400, stated(fmt.Sprintf("Invalid 'messages[%d].tool_calls[0].id': string too long. Expected a string with maximum length 64, but got a string with length %d instead.", i, len(id)), "string_above_max_length", nil)}
		}
	}
	return nil
}

// roles are the roles of a request's messages, the system's aside.
func roles(r *received) (out []string) {
	for _, s := range steps(r) {
		if s.role != "system" {
			out = append(out, s.role)
		}
	}
	return out
}

func alternating(r *received) *refusal {
	was := ""
	for _, role := range roles(r) {
		if role == was && role != "tool" {
			return &refusal{500, text(m{"error": m{"code": 500, "type": "server_error", "message": "Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results."}})}
		}
		was = role
	}
	return nil
}

func noUserAfterTool(r *received) *refusal {
	was := ""
	for _, role := range roles(r) {
		if role == "user" && was == "tool" {
			return &refusal{400, text(m{"object": "error", "message": "Unexpected role 'user' after role 'tool'", "type": "invalid_request_message_order", "code": "3230"})}
		}
		was = role
	}
	return nil
}

// filled refuses messages that say nothing.
func filled(status int, body string) func(*received) *refusal {
	return func(r *received) *refusal {
		for _, s := range steps(r) {
			content, isText := s.raw["content"].(string)
			if isText && content == "" || len(s.calls)+len(s.results) == 0 && strings.TrimSpace(s.text) == "" {
				return &refusal{status, body}
			}
			for _, b := range list(s.raw, "content") {
				if str(b, "type") == "text" && strings.TrimSpace(str(b, "text")) == "" {
					return &refusal{status, body}
				}
			}
		}
		return nil
	}
}

// reasoned refuses turns of the model in which reasoning_content is missing or empty.
func reasoned(onlyCalls bool, message string) func(*received) *refusal {
	return func(r *received) *refusal {
		for i, s := range steps(r) {
			if s.role == "assistant" && (len(s.calls) > 0 || !onlyCalls) && str(s.raw, "reasoning_content") == "" {
				return &refusal{400, stated(strings.ReplaceAll(message, "INDEX", fmt.Sprint(i)), "invalid_request_error", nil)}
			}
		}
		return nil
	}
}

func noReasoning(r *received) *refusal {
	for _, s := range steps(r) {
		if s.raw["reasoning_content"] != nil {
			return &refusal{422, text(m{"detail": []any{m{"type": "extra_forbidden", "loc": []any{"body", "messages", 1, "assistant", "reasoning_content"}, "msg": "Extra inputs are not permitted"}}})}
		}
	}
	return nil
}

// signed refuses Gemini's calls without a signature.
func signed(r *received) *refusal {
	for _, c := range list(r.body, "contents") {
		first := true
		for _, p := range list(c, "parts") {
			if member(p, "functionCall") == nil {
				continue
			}
			if first && str(p, "thoughtSignature") == "" {
				return &refusal{400, googleError("Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly. Additional data, function call `default_api:get_weather` , position 2.")}
			}
			first = false
		}
	}
	return nil
}

// ownSignatures refuses signatures that are not its own.
func ownSignatures(r *received) *refusal {
	for _, s := range steps(r) {
		for _, b := range list(s.raw, "content") {
			if str(b, "type") == "thinking" && str(b, "signature") != "ours" {
				return &refusal{400, anthropicError("messages.1.content.0: Invalid `signature` in `thinking` block")}
			}
		}
		for _, p := range list(s.raw, "parts") {
			if sig := str(p, "thoughtSignature"); sig != "" && sig != "b3Vycw==" && sig != "skip_thought_signature_validator" {
				return &refusal{400, googleError("Corrupted thought signature.")}
			}
		}
	}
	return nil
}

// paired are the rules of the Responses API about items.
func paired(r *received) *refusal {
	items := list(r.body, "input")
	for i, it := range items {
		id := str(it, "id")
		if str(it, "type") == "function_call" && strings.HasPrefix(id, "fc_") && (i == 0 || str(items[i-1], "type") != "reasoning") {
			return &refusal{400, stated("Item '"+id+"' of type 'function_call' was provided without its required 'reasoning' item: 'rs_1'.", "", m{"param": "input"})}
		}
		if str(it, "type") == "function_call" && (i+1 == len(items) || str(items[i+1], "type") != "function_call_output") {
			return &refusal{400, stated("No tool output found for function call "+str(it, "call_id")+".", "", m{"param": "input"})}
		}
	}
	return nil
}

// imaged complains unless the picture reached the provider, outside of the results that its API has as text.
func imaged(all []*received) string {
	r := all[len(all)-1]
	if !strings.Contains(string(r.raw), picture) {
		return "the picture did not reach the provider"
	}
	for _, s := range steps(r) {
		if s.role == "tool" && strings.Contains(text(s.raw), picture) {
			return "the picture stands in a result of text"
		}
	}
	return ""
}

// picture is a PNG of one pixel.
const picture = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// badPast refuses histories with arguments that are no object, as a template does that parses them.
func badPast(r *received) *refusal {
	for _, args := range pastArguments(r) {
		var o m
		if json.Unmarshal([]byte(args), &o) != nil {
			return &refusal{500, text(m{"object": "error", "message": "Unterminated string starting at: line 1 column 10 (char 9)", "type": "Internal Server Error", "code": 500})}
		}
	}
	return nil
}

// signedReply is an answer of Gemini whose call carries a signature.
var signedReply = func() reply {
	doc := text(m{"candidates": []any{m{"index": 0, "finishReason": "STOP", "content": m{"role": "model", "parts": []any{m{"functionCall": m{"name": "get_weather", "args": m{"city": "Oslo"}}, "thoughtSignature": "b3Vycw=="}}}}},
		"usageMetadata": m{"promptTokenCount": 1, "totalTokenCount": 1}, "modelVersion": "m", "responseId": "r1"})
	return reply{body: doc, frames: []string{doc}}
}()

var historyScenes = []scene{
	{class: "F29", name: "ids of another provider, to Mistral", provider: "mistral", model: "mistral-large-latest", doors: []api{chat, responses, anthropic}, ask: talk(said("user", "Hm?"), called(call{"call_0fypS1hVX", "get_weather", oslo}), gave(result{id: "call_0fypS1hVX", name: "get_weather", text: "12"})),
		refuse: mistralIDs, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F29", name: "ids of another provider, to an unknown one", doors: []api{chat, responses, anthropic}, ask: talk(said("user", "Hm?"), called(call{"call_0fypS1hVX", "get_weather", oslo}), gave(result{id: "call_0fypS1hVX", name: "get_weather", text: "12"})),
		refuse: mistralIDs, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F29", name: "an id that is too long", provider: "openai", model: "gpt-4o", doors: []api{chat, responses, anthropic}, ask: talk(said("user", "Hm?"), called(call{"call_" + strings.Repeat("x", 80), "get_weather", oslo}), gave(result{id: "call_" + strings.Repeat("x", 80), name: "get_weather", text: "12"})),
		refuse: longIDs, replies: replied(sunny), want: want{text: "It is sunny."}},

	{class: "F46", name: "an empty text beside calls", at: []api{anthropic}, doors: []api{anthropic}, ask: talk(said("user", "Hm?"), turn{role: "assistant", raw: `{"role":"assistant","content":[{"type":"text","text":""},{"type":"tool_use","id":"toolu_1","name":"get_weather","input":{"city":"Oslo"}}]}`}, gave(result{id: "toolu_1", name: "get_weather", text: "12"})),
		refuse: filled(400, anthropicError("messages: text content blocks must be non-empty")), replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F46", name: "blanks of the user", at: []api{anthropic}, doors: []api{anthropic, chat}, ask: talk(said("user", "Hm?"), said("assistant", "Yes?"), said("user", "  "), said("assistant", "Yes?"), said("user", "Do it.")),
		refuse: filled(400, anthropicError("messages: text content blocks must contain non-whitespace text")), replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F46", name: "an empty text where calls are, through OpenAI's API", doors: []api{chat}, ask: talk(said("user", "Hm?"), turn{role: "assistant", raw: `{"role":"assistant","content":"","tool_calls":[{"id":"call_aaaaaaaa1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}}]}`}, gave(gaveA)),
		refuse: filled(400, stated("Invalid request: text content is empty", "", nil)), replies: replied(sunny), want: want{text: "It is sunny."}},

	{class: "F47", name: "a template that wants turns to alternate", doors: []api{chat, ollama}, ask: talk(said("user", "One."), said("user", "Two."), said("assistant", "Hm."), said("assistant", "So?"), said("user", "Do it.")), refuse: alternating, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F47", name: "a user after results, at Mistral", provider: "mistral", model: "mistral-large-latest", doors: apis, ask: talk(said("user", "Hm?"), called(callA), gave(gaveA), said("user", "Stop.")), refuse: noUserAfterTool, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F47", name: "a user after results, at an unknown provider", doors: []api{chat, responses, gemini, ollama}, ask: talk(said("user", "Hm?"), called(callA), gave(gaveA), said("user", "Stop.")), refuse: noUserAfterTool, replies: replied(sunny), want: want{text: "It is sunny."}},

	{class: "F48", name: "a call without a result", at: []api{chat, anthropic, gemini}, doors: []api{chat, responses, anthropic, gemini}, ask: talk(said("user", "Hm?"), called(callA), said("user", "Go on.")), refuse: pairsOf, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F48", name: "a result without a call", at: []api{chat, anthropic}, doors: []api{chat, responses, anthropic}, ask: talk(said("user", "Hm?"), gave(gaveA), said("user", "Go on.")), refuse: pairsOf, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F48", name: "one of two results", at: []api{chat, anthropic, gemini}, doors: []api{chat, responses, anthropic, gemini}, ask: talk(said("user", "Hm?"), called(callA, callB), gave(gaveA), said("user", "Go on.")), refuse: pairsOf, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F48", name: "a result behind another message", at: []api{chat, anthropic, gemini}, doors: []api{chat, responses}, ask: talk(said("user", "Hm?"), called(callA), said("user", "Well?"), gave(gaveA)), refuse: pairsOf, replies: replied(sunny), want: want{text: "It is sunny."}},

	{class: "F49", name: "arguments that were cut", at: []api{chat, anthropic, gemini}, doors: []api{chat, responses}, ask: talk(said("user", "Hm?"), called(call{"call_aaaaaaaa1", "get_weather", `{"city":"Os`}), gave(gaveA)), refuse: badPast, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F49", name: "arguments that are no JSON", at: []api{chat, anthropic, ollama}, doors: []api{chat, responses}, ask: talk(said("user", "Hm?"), called(call{"call_aaaaaaaa1", "get_weather", `city=Oslo`}), gave(gaveA)), refuse: badPast, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F49", name: "an input that is a text", at: []api{chat, gemini}, doors: []api{anthropic, ollama, gemini}, ask: talk(said("user", "Hm?"), called(call{"call_aaaaaaaa1", "get_weather", `"cut"`}), gave(gaveA)), refuse: badPast, replies: replied(sunny), want: want{text: "It is sunny."}},

	{class: "F50", name: "results in two messages", at: []api{gemini}, doors: []api{chat, ollama, responses}, ask: talk(said("user", "Hm?"), called(callA, callB), gave(gaveA, gaveB)), refuse: geminiGroups, replies: replied(sunny), want: want{text: "It is sunny.", quiet: "another API has them apart"}},
	{class: "F50", name: "results in another order", at: []api{gemini}, doors: []api{chat, responses, anthropic}, ask: talk(said("user", "Hm?"), called(callA, callB), gave(gaveB, gaveA)), refuse: func(r *received) *refusal {
		if no := geminiGroups(r); no != nil {
			return no
		}
		for _, c := range list(r.body, "contents") {
			for _, p := range list(c, "parts") {
				name, response := str(p, "functionResponse", "name"), text(member(p, "functionResponse", "response"))
				if name == "get_weather" && !strings.Contains(response, "12") || name == "read_file" && !strings.Contains(response, "text") {
					return &refusal{400, googleError("a result of another call: " + name)}
				}
			}
		}
		return nil
	}, replies: replied(sunny), want: want{text: "It is sunny.", quiet: "another API has them apart"}},
	{class: "F50", name: "on a fallback", at: []api{gemini}, doors: []api{chat}, provider: "lab", config: "models: {lab/m: {fallbacks: [lab/n]}}", ask: talk(said("user", "Hm?"), called(callA, callB), gave(gaveA, gaveB)), refuse: func(r *received) *refusal {
		if strings.Contains(r.path, "/m:") {
			return &refusal{503, `{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`}
		}
		return geminiGroups(r)
	}, replies: replied(sunny), want: want{text: "It is sunny.", quiet: "another API has them apart"}},

	{class: "F50", name: "results of a client of its API in two contents", at: []api{gemini}, doors: []api{gemini}, ask: talk(said("user", "Hm?"), called(callA, callB), gave(gaveA), gave(gaveB)), refuse: geminiGroups, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F50", name: "one result of two of a client of its API", at: []api{gemini}, doors: []api{gemini}, ask: talk(said("user", "Hm?"), called(callA, callB), gave(gaveB)), refuse: geminiGroups, replies: replied(sunny), want: want{text: "It is sunny.", named: "F48"}},

	{class: "F51", name: "a history from elsewhere, to Gemini", at: []api{gemini}, provider: "gemini", model: "gemini-3-pro-preview", doors: apis, ask: talk(said("user", "Hm?"), called(callA), gave(gaveA)), refuse: signed, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F51", name: "a history from elsewhere, to an unknown provider of its API", at: []api{gemini}, doors: apis, ask: talk(said("user", "Hm?"), called(callA), gave(gaveA)), refuse: signed, replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F51", name: "a signature that the client dropped", at: []api{gemini}, provider: "gemini", model: "gemini-3-pro-preview", doors: []api{chat, anthropic, responses}, before: []request{question("get_weather")}, onward: true, ask: talk(said("user", "Please do it.")), refuse: func(r *received) *refusal {
		if no := signed(r); no != nil {
			return no
		}
		if len(steps(r)) > 1 && !strings.Contains(string(r.raw), "b3Vycw==") {
			return &refusal{400, googleError("Corrupted thought signature.")}
		}
		return nil
	}, replies: []reply{signedReply, {answer: sunny}}, want: want{text: "It is sunny."}},

	{class: "F52", name: "a signature of Gemini, to Anthropic", at: []api{anthropic}, provider: "anthropic", model: "claude-sonnet-4-5", doors: []api{gemini}, refuse: ownSignatures, replies: replied(sunny), want: want{text: "It is sunny."},
		ask: talk(said("user", "Hm?"), turn{role: "assistant", raw: `{"role":"model","parts":[{"text":"I think.","thought":true},{"functionCall":{"name":"get_weather","args":{"city":"Oslo"}},"thoughtSignature":"Z29vZ2xl"}]}`}, gave(gaveA))},
	{class: "F52", name: "a signature of Anthropic, to Gemini", at: []api{gemini}, provider: "gemini", model: "gemini-3-pro-preview", doors: []api{anthropic}, refuse: ownSignatures, replies: replied(sunny), want: want{text: "It is sunny."},
		ask: talk(said("user", "Hm?"), turn{role: "assistant", raw: `{"role":"assistant","content":[{"type":"thinking","thinking":"I think.","signature":"YW50aHJvcGlj"},{"type":"tool_use","id":"call_aaaaaaaa1","name":"get_weather","input":{"city":"Oslo"}}]}`}, gave(gaveA))},

	{class: "F53", name: "DeepSeek", provider: "deepseek", model: "deepseek-v4-pro", doors: []api{chat, responses, anthropic}, ask: talk(said("user", "Hm?"), called(callA), gave(gaveA)), refuse: reasoned(false, "Missing `reasoning_content` field in the assistant message at message index INDEX."), replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F53", name: "Kimi", provider: "moonshot", model: "kimi-k2-thinking", doors: []api{chat, responses, anthropic}, ask: talk(said("user", "Hm?"), called(callA), gave(gaveA)), refuse: reasoned(true, "thinking is enabled but reasoning_content is missing in assistant tool call message at index INDEX"), replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F53", name: "an unknown provider", doors: []api{chat, responses}, ask: talk(said("user", "Hm?"), called(callA), gave(gaveA)), refuse: reasoned(true, "thinking is enabled but reasoning_content is missing in assistant tool call message at index INDEX"), replies: replied(sunny), want: want{text: "It is sunny."}},
	{class: "F53", name: "a provider that refuses it", provider: "mistral", model: "mistral-large-latest", doors: []api{chat}, ask: talk(said("user", "Hm?"), turn{role: "assistant", text: "Yes?", thought: "Hm."}, said("user", "Do it.")), refuse: noReasoning, replies: replied(sunny), want: want{text: "It is sunny."}},

	{class: "F54", name: "a call's item without its reasoning", at: []api{responses}, provider: "openai-responses", model: "gpt-5", doors: []api{responses}, refuse: paired, replies: replied(sunny), want: want{text: "It is sunny."},
		ask: talk(said("user", "Hm?"), turn{role: "assistant", raw: `{"type":"function_call","id":"fc_1","call_id":"call_aaaaaaaa1","name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}`}, gave(gaveA))},
	{class: "F54", name: "a call's item without its reasoning, at an unknown provider", at: []api{responses}, doors: []api{responses}, refuse: paired, replies: replied(sunny), want: want{text: "It is sunny."},
		ask: talk(said("user", "Hm?"), turn{role: "assistant", raw: `{"type":"function_call","id":"fc_1","call_id":"call_aaaaaaaa1","name":"get_weather","arguments":"{\"city\":\"Oslo\"}"}`}, gave(gaveA))},
	{class: "F54", name: "a message between call and output", at: []api{responses}, doors: []api{responses, chat}, refuse: paired, replies: replied(sunny), want: want{text: "It is sunny.", named: "F48"},
		ask: talk(said("user", "Hm?"), called(callA), said("user", "Well?"), gave(gaveA))},

	{class: "F55", name: "to a provider of texts", at: []api{chat}, doors: []api{anthropic}, provider: "openai", model: "gpt-4o", ask: talk(said("user", "Hm?"), called(callA), gave(result{id: "call_aaaaaaaa1", name: "get_weather", text: "A chart:", image: picture})), replies: replied(sunny), want: want{text: "It is sunny.", sent: imaged}},
	{class: "F55", name: "to an unknown provider of texts", at: []api{chat}, doors: []api{anthropic}, ask: talk(said("user", "Hm?"), called(callA), gave(result{id: "call_aaaaaaaa1", name: "get_weather", text: "A chart:", image: picture})), replies: replied(sunny), want: want{text: "It is sunny.", sent: imaged}},
	{class: "F55", name: "to a model that sees nothing", at: []api{chat}, doors: []api{anthropic}, settings: "caps: {images: no}", ask: talk(said("user", "Hm?"), called(callA), gave(result{id: "call_aaaaaaaa1", name: "get_weather", text: "A chart:", image: picture})), replies: replied(sunny),
		want: want{text: "It is sunny.", sent: func(all []*received) string {
			raw := string(all[len(all)-1].raw)
			return expect(!strings.Contains(raw, picture) && strings.Contains(raw, "image"), "neither the picture may come nor its absence be silent: %s", raw)
		}}},
}
