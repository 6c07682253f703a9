package refusal

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/wire/internal/refusal/answerform"
)

// A Wire classifies the error messages with which providers reject requests of one API.
type Wire struct {
	// Own maps general features to the features of this API, which usually name another request member.
	Own map[callwright.Feature]callwright.Feature

	// Phrases lists wordings with a specific meaning in this API. Read tests them before the general ones.
	Phrases []Phrase

	Grouped bool // tools are declared in groups, as in Gemini's API
}

// Read classifies an error message by its wording. ok is false for unknown wording. Names and positions are taken from
// the innermost nested message, in which they are not quoted again.
func (w *Wire) Read(message string) (c Class, ok bool) {
	levels := words(message)
	slices.Reverse(levels)
	low := strings.ToLower(strings.Join(levels, "\n"))
	for _, first := range [][]Phrase{parsers, w.Phrases} {
		if c, ok = class(first, low); ok {
			return c, true
		}
	}
	if !strings.Contains(low, "field required") && !strings.Contains(low, "missing field `") {
		for _, words := range levels {
			if aboutSchema(words, low) {
				return Class{callwright.KindSchema, w.Tool(words)}, true
			}
		}
	}
	for _, words := range levels {
		if f := answerform.FindRefusedForm(strings.ToLower(words)); f != "" {
			return w.own(Class{callwright.KindUnsupported, f}), true
		}
	}
	if c, ok = class(phrases, low); ok {
		return w.own(c), true
	}
	for _, words := range levels {
		if path := refusedMember(words); path != "" {
			return w.Member(path, words), true
		}
	}
	if c, ok = class(vague, low); ok {
		return w.own(c), true
	}
	return Class{}, false
}

// own returns c with its feature replaced by the feature of this API in w.Own, if there is one.
func (w *Wire) own(c Class) Class {
	if f, ok := w.Own[c.Feature]; ok {
		c.Feature = f
	}
	return c
}

// Member classifies the rejection of the request member at path. It is KindInvalid for a member that every request
// needs. words is the error message.
func (w *Wire) Member(path, words string) Class {
	path = plainPath(path)
	if f, ok := members[path]; ok {
		if f == eitherRole {
			f = refusedRole(words)
		}
		return w.own(Class{callwright.KindUnsupported, f})
	}
	for _, in := range parents {
		if strings.HasPrefix(path, in.prefix) {
			return w.own(Class{callwright.KindUnsupported, in.feature})
		}
	}
	if last := path[strings.LastIndexByte(path, '.')+1:]; last == "" || requiredMembers[last] {
		return Class{Kind: callwright.KindInvalid}
	}
	return Class{callwright.KindUnsupported, member(path)}
}

// parents lists members whose rejection also covers the members below them, by path prefix.
var parents = []struct {
	prefix  string
	feature callwright.Feature
}{
	{"text.format.", feature.ResponseFormat},
	{"reasoning.", feature.Effort},
	{"thinking.", feature.Reasoning},
	{"generationConfig.thinkingConfig.", feature.Reasoning},
}

// members maps the paths of request members, in the format of plainPath and of all APIs, to the features that are
// missing if the member is rejected.
var members = map[string]callwright.Feature{
	"tools": feature.Tools, "functions": feature.Tools,
	"tool_choice": feature.Choice, "function_call": feature.Choice,
	"parallel_tool_calls": feature.Parallel, "tool_choice.disable_parallel_tool_use": feature.Parallel,
	"response_format": feature.ResponseFormat, "text.format": feature.ResponseFormat, "output_config.format": feature.ResponseFormat,
	"generationConfig.responseSchema": feature.ResponseFormat, "generationConfig.responseJsonSchema": feature.ResponseFormat,
	"reasoning_effort": feature.Reasoning, "reasoning": feature.Reasoning, "thinking": feature.Reasoning, "think": feature.Reasoning,
	"generationConfig.thinkingConfig": feature.Reasoning,
	"output_config.effort":            feature.Effort,
	"messages.*.role":                 eitherRole, "input.*.role": eitherRole,
	"stream_options": feature.StreamOptions,
	"tools.*.type":   feature.CustomTools,
	"strict":         feature.Strict, "tools.*.strict": feature.Strict, "tools.*.function.strict": feature.Strict,
	"tools.*.functionDeclarations.*.strict": feature.Strict,
	"tools.*.defer_loading":                 feature.DeferredLoading, "tools.*.function.defer_loading": feature.DeferredLoading,

	"generationConfig.temperature": member("temperature"), "options.temperature": member("temperature"),
	"generationConfig.topP": member("top_p"), "options.top_p": member("top_p"), "topP": member("top_p"),
	"generationConfig.topK": member("top_k"), "options.top_k": member("top_k"), "topK": member("top_k"),
	"generationConfig.seed": member("seed"), "options.seed": member("seed"),
	"generationConfig.stopSequences": member("stop"), "options.stop": member("stop"), "stop_sequences": member("stop"),
	"stopSequences":                    member("stop"),
	"generationConfig.presencePenalty": member("presence_penalty"), "options.presence_penalty": member("presence_penalty"),
	"presencePenalty":                   member("presence_penalty"),
	"generationConfig.frequencyPenalty": member("frequency_penalty"), "options.frequency_penalty": member("frequency_penalty"),
	"frequencyPenalty": member("frequency_penalty"),
}

// Below returns a table for Wire.Own of an API whose sampling parameters are members of the object parent. name
// converts "top_p" to the name in that API.
func Below(parent string, name func(string) string) map[callwright.Feature]callwright.Feature {
	out := map[callwright.Feature]callwright.Feature{}
	for _, p := range []string{"temperature", "top_p", "top_k", "seed", "stop", "presence_penalty", "frequency_penalty"} {
		out[member(p)] = member(parent + "." + name(p))
	}
	return out
}

// eitherRole is a placeholder in members for the system or the developer role. refusedRole decides which.
const eitherRole callwright.Feature = "role"

// refusedRole returns the feature for the role, system or developer, that an error message names.
func refusedRole(message string) callwright.Feature {
	if strings.Contains(message, "developer") {
		return feature.DeveloperRole
	}
	return feature.SystemRole
}

// requiredMembers lists members that every request needs. A rejection of their value means that the request is invalid.
var requiredMembers = map[string]bool{"model": true, "messages": true, "contents": true, "input": true, "instructions": true,
	"role": true, "content": true, "parts": true,
	"tool_calls": true, "tool_call_id": true, "name": true, "arguments": true, "function": true, "type": true}

// plainPath normalizes a path: dots between names, "*" for an index, no block types after an index, which Anthropic's
// API inserts. tools[0].custom.strict gives tools.*.strict.
func plainPath(path string) string {
	steps := strings.FieldsFunc(strings.TrimPrefix(path, "body."), func(r rune) bool { return strings.ContainsRune(".[]/'\"`,;(){} ", r) })
	kept := steps[:0]
	for i, s := range steps {
		_, err := strconv.Atoi(s)
		switch {
		case err == nil:
			kept = append(kept, "*")
		case i+1 < len(steps) && len(kept) > 0 && kept[len(kept)-1] == "*" && slices.Contains(blockTypes, s):
		default:
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, ".")
}

// blockTypes lists the types that paths of Anthropic's API have after the index of an element.
var blockTypes = []string{
	"custom", "text", "image", "document", "tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "search_result",
}

// memberWords lists wordings, in lower case, directly before the name of a rejected member: of OpenAI, llama.cpp, xAI,
// LiteLLM, Zod, Python, and servers in Rust.
var memberWords = []string{
	"unsupported parameter: ", "unsupported param: ", "unknown parameter: ", "unrecognized request argument supplied: ",
	"argument not supported on this model: ",
	"does not support parameters: ", "unrecognized key(s) in object: ", "unexpected keyword argument ", "unknown field ",
}

// refusedMember returns the path of the request member that an error message rejects, "" if the message names none:
// "Unsupported parameter: 'top_k'" gives "top_k".
func refusedMember(message string) string {
	low := strings.ToLower(message)
	if len(low) != len(message) { // lowering changed the length of a letter, so that offsets differ
		message = low
	}
	if at := strings.Index(low, "extra inputs are not permitted"); at >= 0 { // Pydantic's
		if _, after, ok := strings.Cut(message[at:], "field:"); ok {
			return firstName(after)
		}
		path := strings.TrimRight(message[:at], ": ")
		return strings.Trim(path[strings.LastIndexAny(path, " \n\t")+1:], `'"`)
	}
	if at := strings.Index(low, `unknown name "`); at >= 0 { // Google's
		return unknownName(message[at:])
	}
	for _, words := range memberWords {
		if at := strings.Index(low, words); at >= 0 {
			return firstName(message[at+len(words):])
		}
	}
	if at := strings.Index(low, "unsupported value: '"); at >= 0 { // the quoted string may also be the value
		name, rest, _ := strings.Cut(message[at+len("unsupported value: '"):], "'")
		if strings.HasPrefix(rest, " does not support") {
			return name
		}
	}
	if at := strings.Index(low, "' is unsupported"); at >= 0 { // Groq's
		return message[strings.LastIndexByte(message[:at], '\'')+1 : at]
	}
	return ""
}

// firstName returns the name at the start of text, in quotes or brackets or as a word: "'strict' is unknown" gives
// "strict".
func firstName(text string) string {
	text = strings.TrimLeft(text, " ")
	if inner := strings.TrimLeft(text, "[{'\"`"); inner != text {
		return inner[:len(inner)-len(strings.TrimLeft(inner, nameBytes))]
	}
	if end := strings.IndexAny(text, " \n\t"); end >= 0 {
		text = text[:end]
	}
	return strings.TrimRight(text, ".,;:")
}

// nameBytes are the bytes that names and paths in messages consist of.
const nameBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.[]/*$"

// unknownName returns the path from Google's message: Unknown name "x" at 'generation_config': Cannot find field.
func unknownName(message string) string {
	_, rest, _ := strings.Cut(message, `"`)
	field, at, closed := strings.Cut(rest, `"`)
	if !closed {
		return ""
	}
	if place, ok := strings.CutPrefix(at, " at '"); ok {
		place, _, _ = strings.Cut(place, "'")
		return CamelPath(place) + "." + field
	}
	return field
}

// CamelPath converts a path in snake_case to camelCase: generation_config.top_p gives generationConfig.topP.
func CamelPath(s string) string {
	words := strings.Split(s, "_")
	for i := range words[1:] {
		if w := words[i+1]; w != "" {
			words[i+1] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "")
}
