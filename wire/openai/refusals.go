package openai

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/wire/internal/kit"
)

// errorClass is what a provider's error comes to.
type errorClass struct {
	kind    callwright.Kind
	feature callwright.Feature
}

// codes are the error codes (and types) that say by themselves what is wrong.
var codes = map[string]errorClass{
	"context_length_exceeded": {callwright.KindContextLength, ""}, "string_above_max_length": {callwright.KindContextLength, ""},
	"rate_limit_exceeded": {callwright.KindRateLimited, ""}, "rate_limit_error": {callwright.KindRateLimited, ""}, "too_many_requests": {callwright.KindRateLimited, ""},
	"insufficient_quota": {callwright.KindBilling, ""}, "billing_hard_limit_reached": {callwright.KindBilling, ""}, "billing_not_active": {callwright.KindBilling, ""},
	"tool_use_failed": {callwright.KindRefusedCall, ""},
	"content_filter":  {callwright.KindContentFilter, ""}, "content_policy_violation": {callwright.KindContentFilter, ""}, "ResponsibleAIPolicyViolation": {callwright.KindContentFilter, ""},
	"invalid_api_key": {callwright.KindAuth, ""}, "authentication_error": {callwright.KindAuth, ""},
	"permission_error": {callwright.KindPermission, ""}, "permission_denied": {callwright.KindPermission, ""},
	"model_not_found": {callwright.KindNotFound, ""}, "not_found_error": {callwright.KindNotFound, ""}, "DeploymentNotFound": {callwright.KindNotFound, ""},
	"invalid_function_parameters": {callwright.KindSchema, ""},
	"array_above_max_length":      {callwright.KindUnsupported, callwright.FeatureMaxTools},
	"request_too_large":           {callwright.KindTooLarge, ""},
	"overloaded_error":            {callwright.KindOverloaded, ""}, "engine_overloaded": {callwright.KindOverloaded, ""},
	"server_error": {callwright.KindServer, ""}, "provider_unavailable": {callwright.KindServer, ""},
	"api_error": {callwright.KindServer, ""}, "internal_server_error": {callwright.KindServer, ""},
	"timeout_error":         {callwright.KindTimeout, ""},
	"unsupported_parameter": {callwright.KindUnsupported, callwright.FeatureField}, "unsupported_value": {callwright.KindUnsupported, callwright.FeatureField}, "unknown_parameter": {callwright.KindUnsupported, callwright.FeatureField},
	"invalid_request_message_order": {callwright.KindInvalid, ""}, "invalid_function_call": {callwright.KindInvalid, ""},
}

// features are the members whose refusal has a name of its own.
var features = map[string]callwright.Feature{
	"tools": callwright.FeatureTools, "functions": callwright.FeatureTools,
	"tool_choice": callwright.FeatureChoice, "function_call": callwright.FeatureChoice,
	"parallel_tool_calls": callwright.FeatureParallel,
	"response_format":     callwright.FeatureResponseFormat,
	"reasoning_effort":    callwright.FeatureReasoning, "reasoning": callwright.FeatureReasoning, "thinking": callwright.FeatureReasoning,
	"messages.*.role": eitherRole,
	"stream_options":  callwright.FeatureStreamOptions,
	"tools.*.type":    callwright.FeatureCustomTools,
	"strict":          callwright.FeatureStrict, "tools.*.function.strict": callwright.FeatureStrict, "tools.*.custom.strict": callwright.FeatureStrict,
}

// eitherRole stands for the role of instructions that was refused, which refusedRole tells.
const eitherRole callwright.Feature = "role"

// vital are the members without which a request means nothing; a refusal of their value is a wrong request.
var vital = map[string]bool{"model": true, "messages": true, "role": true, "content": true, "tool_calls": true,
	"tool_call_id": true, "name": true, "arguments": true, "function": true, "type": true}

// featureOf names the feature for a member that was refused, "" for none. The steps of a path are joined by dots, with *
// for an index: tools[0].function.strict is field:tools.*.function.strict.
func featureOf(param string) callwright.Feature {
	param = strings.TrimPrefix(param, "body.")
	steps := strings.FieldsFunc(param, func(r rune) bool { return r == '.' || r == '[' || r == ']' || r == '/' })
	for i, s := range steps {
		if s != "" && strings.Trim(s, "0123456789") == "" {
			steps[i] = "*"
		}
	}
	param = strings.Join(steps, ".")
	if f, ok := features[param]; ok {
		return f
	}
	if len(steps) == 0 || vital[steps[len(steps)-1]] {
		return ""
	}
	return callwright.FeatureField + callwright.Feature(param)
}

// phrase is wording by which a provider says what it lacks where it has no code for it. All of has must occur in the
// message, in lower case. The feature field: is completed with the name that the message quotes after the last of has.
type phrase struct {
	has     []string
	kind    callwright.Kind
	feature callwright.Feature
}

// phrases is the one place that knows providers' wording, more special ones first.
var phrases = []phrase{
	{[]string{"tools with reasoning_effort are not supported"}, callwright.KindUnsupported, callwright.FeatureToolsWithReasoning},
	{[]string{"function tools", "/v1/responses"}, callwright.KindUnsupported, callwright.FeatureToolsWithReasoning},
	{[]string{"json mode cannot be combined with tool"}, callwright.KindUnsupported, callwright.FeatureJSONWithTools},
	{[]string{"custom grammar constraints with tools"}, callwright.KindUnsupported, callwright.FeatureJSONWithTools},
	{[]string{"function calling with a response mime type", "unsupported"}, callwright.KindUnsupported, callwright.FeatureJSONWithTools},
	{[]string{"does not support response format"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"response_format", "not support"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"tool_choice forces tool use"}, callwright.KindUnsupported, callwright.FeatureForcedChoice},
	{[]string{"does not support this tool_choice"}, callwright.KindUnsupported, callwright.FeatureForcedChoice},
	{[]string{"tool_choice", "incompatible with thinking"}, callwright.KindUnsupported, callwright.FeatureForcedChoice},
	{[]string{"tool_choice", "thinking mode"}, callwright.KindUnsupported, callwright.FeatureForcedChoice},
	{[]string{"tool_choice", "being set to required"}, callwright.KindUnsupported, callwright.FeatureForcedChoice},
	{[]string{"tool_choice", "not support"}, callwright.KindUnsupported, callwright.FeatureChoice},
	{[]string{"parallel_tool_calls", "not support"}, callwright.KindUnsupported, callwright.FeatureParallel},
	{[]string{"does not support thinking"}, callwright.KindUnsupported, callwright.FeatureReasoning},
	{[]string{"'developer'", "expected tags"}, callwright.KindUnsupported, callwright.FeatureDeveloperRole},
	{[]string{"`developer`", "expected one of"}, callwright.KindUnsupported, callwright.FeatureDeveloperRole},
	{[]string{"unexpected message role"}, callwright.KindUnsupported, callwright.FeatureDeveloperRole},
	{[]string{"assistant with prefix true"}, callwright.KindUnsupported, callwright.FeaturePrefillMark},
	{[]string{"does not support assistant message prefill"}, callwright.KindUnsupported, callwright.FeaturePrefill},
	{[]string{"unexpected role 'user' after role 'tool'"}, callwright.KindUnsupported, callwright.FeatureUserAfterTool},
	{[]string{"roles must alternate"}, callwright.KindUnsupported, callwright.FeatureAlternation},
	{[]string{"system message must be at the beginning"}, callwright.KindUnsupported, callwright.FeatureSystemMessages},
	{[]string{"only one system message"}, callwright.KindUnsupported, callwright.FeatureSystemMessages},
	{[]string{"multiple system messages"}, callwright.KindUnsupported, callwright.FeatureSystemMessages},
	{[]string{"content", "none is not an allowed value"}, callwright.KindUnsupported, callwright.FeatureNullContent},
	{[]string{"key 'parameters' not found"}, callwright.KindUnsupported, callwright.FeatureToolParameters},
	{[]string{"tools", "parameters", "field required"}, callwright.KindUnsupported, callwright.FeatureToolParameters},
	{[]string{"must define tools"}, callwright.KindUnsupported, callwright.FeatureToolsForCalls},
	{[]string{"without `tools=` param"}, callwright.KindUnsupported, callwright.FeatureToolsForCalls},
	{[]string{"toolconfig field must be defined"}, callwright.KindUnsupported, callwright.FeatureToolsForCalls},
	{[]string{"can handle the requested parameters"}, callwright.KindUnsupported, callwright.FeatureTools},
	{[]string{"was provided without its required 'reasoning' item"}, callwright.KindUnsupported, callwright.FeatureItemIDs},
	{[]string{"invalid value: 'tool_search'"}, callwright.KindUnsupported, callwright.FeatureDeferredLoading},
	{[]string{"unknown variant `tool_search`"}, callwright.KindUnsupported, callwright.FeatureDeferredLoading},
	{[]string{"tool_search", "not support"}, callwright.KindUnsupported, callwright.FeatureDeferredLoading},
	{[]string{"tool type", "tool_search"}, callwright.KindUnsupported, callwright.FeatureDeferredLoading},
	{[]string{"unknown variant `custom`"}, callwright.KindUnsupported, callwright.FeatureCustomTools},
	{[]string{"invalid value: 'namespace'"}, callwright.KindUnsupported, callwright.FeatureCustomTools},
	{[]string{"invalid value: 'custom'"}, callwright.KindUnsupported, callwright.FeatureCustomTools},
	{[]string{"tools", "input should be 'function'"}, callwright.KindUnsupported, callwright.FeatureCustomTools},
	{[]string{"tools", ".type", "must be one of", "function"}, callwright.KindUnsupported, callwright.FeatureCustomTools},
	{[]string{"tool type", "custom"}, callwright.KindUnsupported, callwright.FeatureCustomTools},
	{[]string{"tools of type", "custom"}, callwright.KindUnsupported, callwright.FeatureCustomTools},
	{[]string{"custom tool", "not support"}, callwright.KindUnsupported, callwright.FeatureCustomTools},
	{[]string{"only", "function", "tools", "supported"}, callwright.KindUnsupported, callwright.FeatureCustomTools},
	{[]string{"unsupported tool type"}, callwright.KindUnsupported, callwright.FeatureCustomTools},
	{[]string{"image input is not supported"}, callwright.KindUnsupported, callwright.FeatureImages},
	{[]string{"image", "mmproj"}, callwright.KindUnsupported, callwright.FeatureImages},
	{[]string{"invalid json schema in format"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"failed to parse grammar"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"json schema conversion failed"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"failed to initialize samplers"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"error parsing grammar"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"not supported by xgrammar"}, callwright.KindUnsupported, callwright.FeatureResponseFormat},
	{[]string{"unexpected empty grammar stack"}, callwright.KindUnsupported, callwright.FeatureGrammar},
	{[]string{"think value", "not supported"}, callwright.KindUnsupported, callwright.FeatureReasoning},
	{[]string{"does not support image"}, callwright.KindUnsupported, callwright.FeatureImages},
	{[]string{"tool call id", "a-z, a-z, 0-9", "with a length of"}, callwright.KindUnsupported, callwright.FeatureCallIDs},
	{[]string{"missing", "reasoning_content"}, callwright.KindUnsupported, callwright.FeatureReasoningBack},
	{[]string{"array too long"}, callwright.KindUnsupported, callwright.FeatureMaxTools},
	{[]string{"maximum context length"}, callwright.KindContextLength, ""},
	{[]string{"context length", "exceed"}, callwright.KindContextLength, ""},
	{[]string{"exceeds the available context size"}, callwright.KindContextLength, ""},
	{[]string{"prompt is too long"}, callwright.KindContextLength, ""},
	{[]string{"too many tokens", "context"}, callwright.KindContextLength, ""},
	{[]string{"content management policy"}, callwright.KindContentFilter, ""},
	{[]string{"invalid schema for function"}, callwright.KindSchema, ""},
	{[]string{"failed to call a function"}, callwright.KindRefusedCall, ""},
	{[]string{"temporarily rate-limited"}, callwright.KindRateLimited, ""},
}

// refusedFields are words around the name of a member that is refused: of OpenAI, Fireworks and others that check with Pydantic, Groq,
// servers in Rust, and Gemini, in this order.
var refusedFields = []string{
	"unsupported parameter:", "unsupported value:", "argument not supported on this model:", "unrecognized request argument supplied:",
	"unknown parameter:", "extra inputs are not permitted", "' is unsupported", "unknown field `", "\": cannot find field",
}

// echo is wording in which a server's parser repeats the model's text that it could not read, between before and after.
type echo struct{ before, then, after string }

// echoes: llama.cpp gives the place and the rest of the text, Ollama the text and then the cause.
var echoes = []echo{
	{"Failed to parse input at pos ", ": ", ""},
	{"Failed to parse input: ", "", ""},
	{"error parsing tool call: raw='", "", "', err="},
}

// ownWords begin sentences that a provider puts where the model's text should stand.
var ownWords = []string{
	"tool use failed", "tool call validation failed", "failed to call a function", "tool choice is ", "attempted to call tool",
	"max completion tokens reached", "model generated invalid",
}

// saysItself reports whether a text that should be the model's is a sentence of the provider about it.
func saysItself(text string) bool {
	low := strings.ToLower(strings.TrimSpace(text[:min(len(text), 100)]))
	return slices.ContainsFunc(ownWords, func(words string) bool { return strings.HasPrefix(low, words) })
}

// recovered is the model's text inside a server's message, "" without any.
func recovered(message string) string {
	for _, e := range echoes {
		_, rest, ok := strings.Cut(message, e.before)
		if !ok {
			continue
		}
		if e.then != "" {
			if _, rest, ok = strings.Cut(rest, e.then); !ok {
				continue
			}
		}
		if i := strings.LastIndex(rest, e.after); e.after != "" && i >= 0 {
			rest = rest[:i]
		}
		return rest
	}
	return ""
}

// classify decides what an error comes to: its code, then its wording, then its type; status decides when they do not.
func classify(status int, code, kind, param, message string) errorClass {
	v, ok := codes[code]
	if own := callwright.Kind(code); !ok && own.Status() != 0 { // the code of a gateway like this one
		v, ok = errorClass{kind: own}, true
	}
	if !ok {
		v, ok = byWording(message)
	}
	if !ok {
		v, ok = codes[kind]
	}
	switch {
	case !ok:
		return errorClass{kind: kit.KindOfStatus(status)}
	case v.kind == callwright.KindServer && status >= 400:
		if by := kit.KindOfStatus(status); by != callwright.KindInvalid {
			v.kind = by
		}
	case v.feature == callwright.FeatureMaxTools && param != "" && !strings.HasPrefix(param, "tools"):
		return errorClass{kind: callwright.KindInvalid}
	case v.feature == callwright.FeatureMaxTools:
		v.feature += kit.NumberAfter(message, "maximum length ")
	case v.feature == callwright.FeatureCallIDs:
		v.feature += kit.NumberAfter(message, "with a length of ")
	case v.feature == callwright.FeatureField:
		if param == "" {
			param = quoted(message)
		}
		if v.feature = featureOf(param); v.feature == "" {
			return errorClass{kind: callwright.KindInvalid}
		}
		if v.feature == eitherRole {
			v.feature = refusedRole(message)
		}
	}
	return v
}

// refusedRole names the role of instructions that a message about roles is about.
func refusedRole(message string) callwright.Feature {
	if strings.Contains(message, "developer") {
		return callwright.FeatureDeveloperRole
	}
	return callwright.FeatureSystemRole
}

func byWording(message string) (errorClass, bool) {
	low := strings.ToLower(message)
	for _, p := range phrases {
		if kit.SaysAll(low, p.has) {
			return errorClass{p.kind, p.feature}, true
		}
	}
	if slices.ContainsFunc(refusedFields, func(words string) bool { return strings.Contains(low, words) }) {
		return errorClass{callwright.KindUnsupported, callwright.FeatureField}, true
	}
	if kit.LacksTools(low) {
		return errorClass{callwright.KindUnsupported, callwright.FeatureTools}, true
	}
	return errorClass{}, false
}

// quoted is the member that a message is about: what stands before Pydantic's words, the first name in quotes, or the last word.
func quoted(message string) string {
	if path, _, ok := strings.Cut(message, ": Extra inputs"); ok {
		return path[strings.LastIndexByte(path, ' ')+1:]
	}
	if _, loc, ok := strings.Cut(message, "'loc': ("); ok { // Pydantic's list as Python prints it
		loc, _, _ = strings.Cut(loc, ")")
		return strings.NewReplacer("'", "", ", ", ".").Replace(loc)
	}
	for _, q := range []string{"'", "`", `"`} {
		if _, rest, ok := strings.Cut(message, q); ok {
			if name, _, ok := strings.Cut(rest, q); ok {
				return name
			}
		}
	}
	_, name, _ := strings.Cut(message, ": ")
	name, _, _ = strings.Cut(strings.TrimSpace(name), " ")
	return strings.TrimRight(name, ".,")
}
