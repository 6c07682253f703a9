package codecs_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/longtest"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/codecs"
)

// fullRequests have every kind of member that a request of each wire may have. required are the members without which the API
// itself takes no request: all others may be null, empty, missing or of an unknown value. A "*" is any element of a list.
var fullRequests = map[callwright.WireName]struct {
	body     string
	required []string
	variants []string // further values of members
	single   []string // lists that the API takes as a single element, too
}{
	callwright.WireOpenAI: {body: `{"model":"m","messages":[
		{"role":"developer","content":"Be brief.","name":"ops"},
		{"role":"system","content":[{"type":"text","text":"Use tools.","cache_control":{"type":"ephemeral"}}]},
		{"role":"user","name":"ann","content":[{"type":"text","text":"See","refusal":"x"},{"type":"image_url","image_url":{"url":"https://a.example/i","detail":"low"}},
			{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}},{"type":"file","file":{"file_id":"file-1","filename":"a.pdf","file_data":"data:application/pdf;base64,AA=="}}]},
		{"role":"assistant","content":"Hm.","refusal":"no","name":"bot","audio":{"id":"audio_1"},"reasoning_content":"r","reasoning":"r","reasoning_details":[{"type":"reasoning.text","text":"r"}],"annotations":[],
			"function_call":{"name":"f","arguments":"{}"},
			"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"},"index":0,"extra_content":{"google":{"thought_signature":"x"}}},{"id":"c2","type":"custom","custom":{"name":"patch","input":"x"}}]},
		{"role":"tool","tool_call_id":"c1","name":"f","content":"3"},{"role":"tool","tool_call_id":"c2","content":[{"type":"text","text":"ok"}]}],
		"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{"a":{"type":"integer"}}},"strict":true},"cache_control":{"type":"ephemeral"}},
			{"type":"custom","custom":{"name":"patch","description":"d","format":{"type":"grammar","grammar":{"syntax":"lark","definition":"start: x"}}}}],
		"functions":[{"name":"g","description":"d","parameters":{"type":"object"}}],"function_call":"auto",
		"tool_choice":{"type":"function","function":{"name":"f"}},"parallel_tool_calls":true,"stream":true,"stream_options":{"include_usage":true,"include_obfuscation":false},
		"max_tokens":9,"max_completion_tokens":9,"temperature":1,"top_p":1,"top_k":4,"min_p":0.1,"presence_penalty":0,"frequency_penalty":0,"repetition_penalty":1,"seed":7,"stop":["a"],"n":1,
		"response_format":{"type":"json_schema","json_schema":{"name":"a","description":"d","schema":{"type":"object"},"strict":true}},
		"reasoning_effort":"low","reasoning":{"effort":"low","max_tokens":5,"enabled":true,"exclude":false},"thinking":{"type":"enabled","budget_tokens":1024,"clear_thinking":true},"verbosity":"low",
		"user":"u","store":false,"metadata":{"a":"b"},"logprobs":true,"top_logprobs":2,"logit_bias":{"1":2},"modalities":["text"],"audio":{"voice":"alloy","format":"wav"},
		"prediction":{"type":"content","content":"x"},"service_tier":"auto","prompt_cache_key":"k","safety_identifier":"s","web_search_options":{"search_context_size":"low"}}`,
		required: []string{"model", "messages", "messages.*.role", "messages.*.content.*.type", "messages.*.content.*.text", "messages.*.tool_calls.*.function", "messages.*.tool_calls.*.function.name",
			"messages.*.tool_calls.*.custom", "messages.*.tool_calls.*.custom.name", "messages.*.function_call.name", "tools.*.function", "tools.*.function.name", "tools.*.custom", "tools.*.custom.name", "tools.*.type",
			"functions.*.name", "tool_choice.type", "tool_choice.function", "tool_choice.function.name"},
		variants: []string{`tool_choice "unheard_of"`, `tool_choice {"type":"unheard_of"}`, `tool_choice {"type":"allowed_tools"}`, `tool_choice {"type":"allowed_tools","allowed_tools":{"mode":"unheard_of","tools":[]}}`,
			`function_call "unheard_of"`, `function_call {}`, `response_format {"type":"unheard_of"}`, `response_format {"type":"json_schema"}`, `response_format {"type":"json_schema","json_schema":{}}`, `reasoning_effort "unheard_of"`, `reasoning {}`, `thinking {}`,
			`stream_options {}`, `tools [{"type":"unheard_of"}]`, `tools [{"function":{"name":"f"}}]`, `tools [{"custom":{"name":"f"}}]`},
		single: []string{"stop"}},
	callwright.WireResponses: {body: `{"model":"m","instructions":"Be brief.","input":[
		{"type":"message","role":"developer","content":"x","id":"msg_0","status":"completed"},
		{"role":"user","content":[{"type":"input_text","text":"See"},{"type":"input_image","image_url":"https://a.example/i","file_id":"file-1","detail":"low"},
			{"type":"input_file","file_id":"file-1","filename":"a.pdf","file_data":"data:application/pdf;base64,AA==","file_url":"https://a.example/f"},{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}}]},
		{"type":"message","role":"assistant","id":"msg_1","status":"completed","phase":"final","content":[{"type":"output_text","text":"Hm.","annotations":[],"logprobs":[],"refusal":"x"},{"type":"refusal","refusal":"no"}]},
		{"type":"reasoning","id":"rs_1","status":"completed","summary":[{"type":"summary_text","text":"s"}],"content":[{"type":"reasoning_text","text":"s"}],"encrypted_content":"gA"},
		{"type":"function_call","id":"fc_1","call_id":"c1","name":"f","arguments":"{}","status":"completed","namespace":"ns"},
		{"type":"custom_tool_call","id":"ctc_1","call_id":"c2","name":"patch","input":"x","status":"completed"},
		{"type":"function_call_output","id":"o1","call_id":"c1","output":"3","status":"completed"},
		{"type":"custom_tool_call_output","id":"o2","call_id":"c2","output":[{"type":"input_text","text":"ok"}]},
		{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}},
		{"type":"item_reference","id":"msg_9"},
		{"type":"local_shell_call","id":"lsh_1","call_id":"c3","status":"completed","action":{"type":"exec","command":["ls"],"env":{"A":"b"},"timeout_ms":9,"working_directory":"/","user":"u"}},
		{"type":"local_shell_call_output","id":"lso_1","call_id":"c3","output":"ok","status":"completed"},
		{"type":"shell_call","id":"sh_1","call_id":"c4","status":"completed","action":{"commands":["ls"],"timeout_ms":9,"max_output_length":9},"environment":{"type":"local"}},
		{"type":"shell_call_output","id":"sho_1","call_id":"c4","status":"completed","max_output_length":9,"output":[{"stdout":"a","stderr":"","outcome":{"type":"exit","exit_code":0}}]},
		{"type":"apply_patch_call","id":"apc_1","call_id":"c5","status":"completed","operation":{"type":"update_file","path":"a","diff":"d"}},
		{"type":"apply_patch_call_output","id":"apo_1","call_id":"c5","status":"completed","output":"ok"},
		{"type":"tool_search_call","id":"tsc_1","call_id":"c6","execution":"client","status":"completed","arguments":{"q":"a"}},
		{"type":"tool_search_output","id":"tso_1","call_id":"c6","execution":"client","status":"completed","tools":[{"type":"function","name":"found","description":"d","parameters":{"type":"object"},"defer_loading":true}]},
		{"type":"file_search_call","id":"fs_1","status":"completed","queries":["q"],"results":[{"file_id":"f","text":"t","score":1,"attributes":{"a":"b"}}]},
		{"type":"code_interpreter_call","id":"ci_1","status":"completed","code":"1","container_id":"c","outputs":[{"type":"logs","logs":"x"}]},
		{"type":"mcp_call","id":"mcp_1","server_label":"s","arguments":"{}","output":"o","error":"e","approval_request_id":"a","status":"completed"},
		{"type":"additional_tools","role":"developer","tools":[{"type":"function","name":"more","description":"d","parameters":{"type":"object"},"strict":false}]},
		{"type":"compaction","id":"cmp_1","encrypted_content":"gA"},
		{"type":"compaction_trigger","id":"t_1"}],
		"tools":[{"type":"function","name":"f","description":"d","parameters":{"type":"object"},"strict":true,"defer_loading":false},{"type":"custom","name":"patch","description":"d","format":{"type":"grammar","syntax":"lark","definition":"start: x"}},
			{"type":"namespace","name":"ns","description":"d","tools":[{"type":"function","name":"g","description":"d","parameters":{"type":"object"},"strict":false}]},
			{"type":"web_search","filters":{"allowed_domains":["a"]},"search_context_size":"low","user_location":{"type":"approximate","city":"Oslo"}}],
		"tool_choice":{"type":"function","name":"f"},"parallel_tool_calls":true,"max_tool_calls":3,"stream":true,"stream_options":{"include_obfuscation":false},
		"max_output_tokens":64,"temperature":1,"top_p":1,"top_logprobs":2,"text":{"format":{"type":"json_schema","name":"a","description":"d","schema":{"type":"object"},"strict":true},"verbosity":"low"},
		"reasoning":{"effort":"low","summary":"auto","generate_summary":"auto"},"include":["reasoning.encrypted_content"],"user":"u","store":false,"background":false,"truncation":"auto","metadata":{"a":"b"},
		"prompt":{"id":"p","version":"1","variables":{"a":"b"}},"previous_response_id":"resp_0","conversation":"conv_1","service_tier":"auto","prompt_cache_key":"k","safety_identifier":"s","context_management":[{"type":"compaction","compact_threshold":9}]}`,
		required: []string{"model", "input", "input.*.role", "input.*.content", "input.*.content.*.type", "input.*.content.*.text", "input.*.content.*.refusal", "input.*.type", "input.*.call_id", "input.*.name",
			"tools.*.type", "tools.*.name", "tools.*.tools.*.name", "tools.*.tools.*.type", "tool_choice.type", "tool_choice.name"},
		variants: []string{`tool_choice "unheard_of"`, `tool_choice {"type":"unheard_of"}`, `tool_choice {"type":"allowed_tools"}`, `text {}`, `text {"format":{"type":"unheard_of"}}`, `text {"format":{}}`, `text {"format":null}`, `reasoning {}`,
			`tools [{"type":"unheard_of"}]`, `tools [{"name":"f","parameters":{"type":"object"}}]`, `tools [{"type":"namespace","name":"n","tools":[]}]`, `tools [{"type":"namespace","name":"n"}]`, `input "x"`}},
	callwright.WireAnthropic: {body: `{"model":"m","max_tokens":9,"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral","ttl":"5m"},"citations":[]}],"messages":[
		{"role":"user","content":[{"type":"text","text":"See","cache_control":{"type":"ephemeral"},"citations":[]},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA=="},"cache_control":{"type":"ephemeral"}},
			{"type":"document","source":{"type":"text","media_type":"text/plain","data":"x"},"title":"t","context":"c","citations":{"enabled":true}}]},
		{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"text","text":"Hm."},{"type":"tool_use","id":"c1","name":"f","input":{"a":1},"caller":{"type":"direct"},"cache_control":{"type":"ephemeral"}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","is_error":false,"content":[{"type":"text","text":"3"},{"type":"tool_reference","tool_name":"f"},
			{"type":"search_result","source":"s","title":"t","content":[{"type":"text","text":"x"}],"citations":{"enabled":true},"cache_control":{"type":"ephemeral"}}],"cache_control":{"type":"ephemeral"}}]},
		{"role":"system","content":[{"type":"text","text":"Mind."}],"output_config":{"effort":"low"}},
		{"role":"assistant","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},
			{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"e","page_age":"1"}]},
			{"type":"text","text":"So.","citations":[{"type":"web_search_result_location","url":"u","title":"t","cited_text":"c","encrypted_index":"e"}]},
			{"type":"compaction","content":"c"}]},
		{"role":"user","content":[{"type":"container_upload","file_id":"f"},{"type":"text","text":"Go on."}]}],
		"tools":[{"type":"custom","name":"f","description":"d","input_schema":{"type":"object"},"strict":true,"cache_control":{"type":"ephemeral"},"defer_loading":false,"allowed_callers":["direct"],"input_examples":[{"a":1}],"eager_input_streaming":true},
			{"type":"web_search_20250305","name":"web_search","max_uses":3,"allowed_domains":["a"],"user_location":{"type":"approximate","city":"Oslo"}}],
		"tool_choice":{"type":"tool","name":"f","disable_parallel_tool_use":true},"stream":true,"temperature":1,"top_p":1,"top_k":4,"stop_sequences":["a"],
		"thinking":{"type":"enabled","budget_tokens":1024,"display":"summarized"},"output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object"}}},"metadata":{"user_id":"u"},
		"service_tier":"auto","container":"c","mcp_servers":[{"type":"url","url":"https://a.example","name":"s"}],"context_management":{"edits":[]},"speed":"fast","inference_geo":"us"}`,
		required: []string{"model", "max_tokens", "messages", "messages.*.role", "messages.*.content", "messages.*.content.*.type", "messages.*.content.*.text", "messages.*.content.*.thinking", "messages.*.content.*.signature", "messages.*.content.*.data", "messages.*.content.*.source",
			"messages.*.content.*.source.*", "messages.*.content.*.id", "messages.*.content.*.name", "messages.*.content.*.input", "messages.*.content.*.tool_use_id", "messages.*.content.*.content.*.type", "messages.*.content.*.content.*.text",
			"system.*.type", "system.*.text", "tools.*.name", "tools.*.type", "tools.*.input_schema", "tool_choice.type", "tool_choice.name", "thinking.type", "thinking.budget_tokens", "output_config.format.type", "output_config.format.schema"}},
	callwright.WireGemini: {body: `{"systemInstruction":{"role":"user","parts":[{"text":"Be brief."}]},"contents":[
		{"role":"user","parts":[{"text":"See","thought":false,"videoMetadata":{"fps":1}},{"inlineData":{"mimeType":"image/png","data":"AA==","displayName":"a"}},{"fileData":{"mimeType":"image/png","fileUri":"gs://a/b","displayName":"a"}}]},
		{"role":"model","parts":[{"text":"t","thought":true,"thoughtSignature":"cw=="},{"functionCall":{"id":"c1","name":"f","args":{"a":1}},"thoughtSignature":"cw=="},{"executableCode":{"language":"PYTHON","code":"1"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"1"}}]},
		{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"3"},"willContinue":false,"scheduling":"SILENT","parts":[{"inlineData":{"mimeType":"image/png","data":"AA=="}}]}}]}],
		"tools":[{"functionDeclarations":[{"name":"f","description":"d","behavior":"BLOCKING","parameters":{"type":"OBJECT","properties":{"a":{"type":"INTEGER"}}},"response":{"type":"STRING"}},{"name":"g","parametersJsonSchema":{"type":"object"},"responseJsonSchema":{"type":"string"}}]},
			{"googleSearch":{"timeRangeFilter":{"startTime":"a","endTime":"b"}}},{"codeExecution":{}}],
		"toolConfig":{"functionCallingConfig":{"mode":"ANY","allowedFunctionNames":["f"]},"retrievalConfig":{"languageCode":"en"}},
		"generationConfig":{"stopSequences":["a"],"temperature":1,"topP":1,"topK":4,"maxOutputTokens":9,"candidateCount":1,"seed":7,"presencePenalty":0,"frequencyPenalty":0,"responseMimeType":"application/json","responseSchema":{"type":"OBJECT"},
			"responseModalities":["TEXT"],"responseLogprobs":true,"logprobs":2,"mediaResolution":"MEDIA_RESOLUTION_LOW","thinkingConfig":{"thinkingBudget":5,"thinkingLevel":"low","includeThoughts":true},"speechConfig":{"languageCode":"en"}},
		"safetySettings":[{"category":"HARM_CATEGORY_HARASSMENT","threshold":"BLOCK_NONE"}],"cachedContent":"cachedContents/x","labels":{"a":"b"}}`,
		required: []string{"contents", "tools.*.functionDeclarations.*.name", "contents.*.parts.*.functionCall.name", "contents.*.parts.*.functionResponse.name", "contents.*.parts.*.inlineData.data"},
		single:   []string{"contents", "contents.*.parts", "systemInstruction.parts", "tools", "tools.*.functionDeclarations", "generationConfig.stopSequences", "toolConfig.functionCallingConfig.allowedFunctionNames", "safetySettings"}},
	callwright.WireOllama: {body: `{"model":"m","messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"See","images":["AA=="]},
		{"role":"assistant","content":"Hm.","thinking":"t","tool_calls":[{"id":"c1","type":"function","function":{"index":0,"name":"f","arguments":{"a":1}}}]},{"role":"tool","content":"3","tool_name":"f","tool_call_id":"c1"}],
		"tools":[{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}},"items":{}}],
		"format":{"type":"object"},"options":{"temperature":1,"top_p":1,"top_k":4,"num_predict":9,"seed":7,"stop":["a"],"presence_penalty":0,"frequency_penalty":0,"num_ctx":9,"min_p":0.1},
		"stream":true,"think":"low","keep_alive":"5m","logprobs":true,"top_logprobs":2,"truncate":true,"shift":true}`,
		required: []string{"model", "messages", "messages.*.role", "messages.*.tool_calls.*.function", "messages.*.tool_calls.*.function.name", "tools.*.function", "tools.*.function.name"}},
}

// place is where a member stands: names, and numbers of elements.
type place []any

// pattern is the place with a "*" for each number.
func (p place) pattern() string {
	var out []string
	for _, step := range p {
		if name, ok := step.(string); ok {
			out = append(out, name)
		} else {
			out = append(out, "*")
		}
	}
	return strings.Join(out, ".")
}

// members are the places of all members of v.
func members(v any, at place) (out []place) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			here := append(slices.Clone(at), key)
			out = append(append(out, here), members(v[key], here)...)
		}
	case []any:
		for i, e := range v {
			out = append(out, members(e, append(slices.Clone(at), i))...)
		}
	}
	return out
}

// with is the document with the value at a place changed; the change of a value that is gone removes it.
func with(v any, at place, change func(any) (any, bool)) any {
	switch in := v.(type) {
	case map[string]any:
		out := maps.Clone(in)
		key := at[0].(string)
		if len(at) > 1 {
			out[key] = with(in[key], at[1:], change)
		} else if now, ok := change(in[key]); ok {
			out[key] = now
		} else {
			delete(out, key)
		}
		return out
	case []any:
		out := slices.Clone(in)
		out[at[0].(int)] = with(in[at[0].(int)], at[1:], change)
		return out
	}
	return v
}

// joinedBy is the document in which a member that nobody knows joins those of the object at a place, and of each object in the list
// there; ok is false where there is neither.
func joinedBy(doc any, at place) (joined any, ok bool) {
	join := func(v any) any {
		in, is := v.(map[string]any)
		if !is {
			return v
		}
		ok = true
		out := maps.Clone(in)
		out["unheard_of"] = map[string]any{"a": []any{1.0, nil, "x"}}
		return out
	}
	change := func(v any) (any, bool) {
		if list, is := v.([]any); is {
			out := slices.Clone(list)
			for i := range out {
				out[i] = join(out[i])
			}
			return out, true
		}
		return join(v), true
	}
	if len(at) == 0 {
		return join(doc), ok
	}
	joined = with(doc, at, change)
	return joined, ok
}

func get(v any, at place) any {
	for _, step := range at {
		if i, ok := step.(int); ok {
			v = v.([]any)[i]
		} else {
			v = v.(map[string]any)[step.(string)]
		}
	}
	return v
}

// A request is not refused for an optional member that is null, empty, missing, or of a value that nobody knows; neither by the
// wire it comes over nor by the one that it leaves over.
func TestOptionalMembers(t *testing.T) {
	changes := map[string]func(any) (any, bool){
		"null":    func(any) (any, bool) { return nil, true },
		"missing": func(any) (any, bool) { return nil, false },
		"unknown": func(v any) (any, bool) {
			if _, ok := v.(string); ok {
				return "unheard_of", true
			}
			return v, true
		},
		"empty": func(v any) (any, bool) {
			switch v.(type) {
			case string:
				return "", true
			case []any:
				return []any{}, true
			case map[string]any:
				return map[string]any{}, true
			}
			return v, true
		},
	}
	for _, c := range codecs.All() {
		full := fullRequests[c.Name()]
		var doc any
		if err := json.Unmarshal([]byte(full.body), &doc); err != nil {
			t.Fatalf("%s: %v", c.Name(), err)
		}
		check(t, c, "as it is", full.body)
		for i, at := range members(doc, nil) {
			if slices.Contains(full.required, at.pattern()) || !longtest.IsEnabled() && i%4 != 0 {
				continue
			}
			for name, change := range changes {
				for _, order := range []bool{false, true} {
					check(t, c, name+" "+fmt.Sprint(at...), string(written(nil, with(doc, at, change), order)))
				}
			}
		}
		for _, at := range append(members(doc, nil), nil) {
			if joined, ok := joinedBy(doc, at); ok {
				check(t, c, "an unknown member at "+fmt.Sprint(at...), string(written(nil, joined, false)))
			}
		}
		for _, v := range full.variants {
			key, value, _ := strings.Cut(v, " ")
			check(t, c, v, string(written(nil, with(doc, place{key}, func(any) (any, bool) { return json.RawMessage(value), true }), false)))
		}
		for _, at := range members(doc, nil) {
			if list, ok := get(doc, at).([]any); ok && len(list) > 0 && slices.Contains(full.single, at.pattern()) {
				body := written(nil, with(doc, at, func(any) (any, bool) { return list[0], true }), false)
				check(t, c, "single "+fmt.Sprint(at...), string(body))
			}
		}
	}
}

// written is v as JSON, the members of objects in the order of their names, or against it.
func written(dst []byte, v any, backwards bool) []byte {
	switch v := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		if backwards {
			slices.Reverse(keys)
		}
		dst = append(dst, '{')
		for i, key := range keys {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsonx.AppendQuote(dst, key), ':')
			dst = written(dst, v[key], backwards)
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = written(dst, e, backwards)
		}
		return append(dst, ']')
	}
	out, _ := json.Marshal(v)
	return append(dst, out...)
}

// check reads a request and writes it for every wire.
func check(t *testing.T, c wire.Codec, what, body string) {
	t.Helper()
	req, err := c.DecodeRequest([]byte(body))
	if err != nil {
		t.Errorf("%s, %s: %v", c.Name(), what, err)
		return
	}
	if req.Model == "" {
		req.Model = "m"
	}
	if _, err := req.History(); err != nil {
		t.Errorf("%s, %s: %v", c.Name(), what, err)
		return
	}
	if _, err := req.DeclaredTools(); err != nil {
		t.Errorf("%s, %s: %v", c.Name(), what, err)
		return
	}
	for _, to := range codecs.All() {
		out, _, err := to.EncodeRequest(req, "other", caps.Caps{})
		if err == nil {
			err = jsonx.Valid(out)
		}
		if err != nil {
			t.Errorf("%s to %s, %s: %v", c.Name(), to.Name(), what, err)
		}
	}
}
