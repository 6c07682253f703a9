package transform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/dialect"
	"github.com/callwright/callwright/internal/jsonx"
)

// Builtins returns a new slice of the built-in transforms, grouped by Point.
func Builtins() []Transform { return slices.Clone(builtins) }

var builtins = []Transform{
	{Name: "assistant_tool_calls_content_null_if_blank", Point: Messages, Rules: []string{"history.null_content"}, Facts: says("null_content"),
		Doc: "sends empty or blank content of a turn with calls as null (Chat Completions)"},
	{Name: "assistant_tool_calls_reasoning_content_empty_if_missing", Point: Messages,
		Rules: []string{"history.empty_reasoning"}, Facts: says("empty_reasoning"),
		Doc: "adds an empty reasoning_content to a turn with calls that has none (Chat Completions)"},
	{Name: "assistant_tool_calls_signature_skip_validator_if_missing", Point: Messages, Rules: []string{"history.sentinel"},
		Facts: says("signed_calls"),
		Doc:   "adds skip_thought_signature_validator, which Gemini accepts as a signature, to the first call of a turn if it has no signature (Gemini, Chat Completions)"},
	{Name: "openai_tools_strip_function_descriptions", Point: Tools, Rules: []string{"tools.description"}, change: withoutDescription,
		Doc: "removes the descriptions of functions"},
	{Name: "assistant_function_call_to_tool_calls", Point: Responses, Rules: []string{"wire.function_call"},
		Doc: "reads a call in the older form function_call as a call of tool_calls"},
	{Name: "assistant_tool_calls_object_to_array", Point: Responses, Rules: []string{"wire.single_call"},
		Doc: "reads tool_calls that is an object as a list with that object"},
	{Name: "assistant_tool_calls_arguments_json_string_if_hash", Point: Responses, Rules: []string{"wire.arguments_object"},
		Doc: "reads arguments that are an object as their JSON text"},
	{Name: "assistant_content_tool_call_tags_to_tool_calls", Point: Responses, Rules: taggedRules(), Facts: says("text_calls"),
		Doc: "reads calls in `<tool_call>` tags in the text, if the answer has no native calls"},
	{Name: "assistant_tool_calls_arguments_blank_to_empty_object", Point: ToolCalls, Rules: []string{"json.empty"},
		Doc: "reads empty or blank arguments as {}"},
	{Name: "tool_result_compact_envelope", Point: ToolResults, Rules: []string{"history.compact_result"}, change: compactResult,
		Doc: "removes empty lists in warnings and errors, and an empty object in data, from a result that is a JSON object"},
}

// says returns the fact that the capability key is true, with the source caps.Configured.
func says(key string) []caps.Fact {
	return []caps.Fact{{Key: key, Value: "true", Source: caps.Configured}}
}

// taggedRules returns the rule IDs of the text formats that write calls in <tool_call> tags, such as "dialect.hermes".
func taggedRules() (rules []string) {
	for _, f := range dialect.Formats() {
		if strings.Contains(f.Example, "<tool_call>") {
			rules = append(rules, "dialect."+f.Name)
		}
	}
	return rules
}

// A Preset is a named list of transforms. Its name can be used in place of a transform's name.
type Preset struct {
	Name       string
	Transforms []string
}

// Presets returns a new slice of the presets.
func Presets() []Preset { return slices.Clone(presets) }

var presets = []Preset{
	{"openai_compatible_reliability", []string{"assistant_function_call_to_tool_calls", "assistant_tool_calls_object_to_array",
		"assistant_tool_calls_arguments_json_string_if_hash", "assistant_tool_calls_arguments_blank_to_empty_object"}},
	{"content_tag_tool_call_fallback", []string{"assistant_content_tool_call_tags_to_tool_calls"}},
	{"deepseek_openrouter_compat", []string{"assistant_tool_calls_reasoning_content_empty_if_missing"}},
	{"gemini_openrouter_compat", []string{"assistant_tool_calls_signature_skip_validator_if_missing"}},
}

// Names returns the names of all presets and of the transforms for the point, or of all transforms if at is "".
func Names(at Point) []string {
	var names []string
	for i := range builtins {
		if at == "" || builtins[i].Point == at {
			names = append(names, builtins[i].Name)
		}
	}
	for i := range presets {
		names = append(names, presets[i].Name)
	}
	return names
}

// ByName returns the built-in transforms with the given names, without duplicates. The name of a preset stands for its
// transforms. An unknown name is an error.
func ByName(names ...string) ([]Transform, error) {
	var out []Transform
	for _, name := range names {
		wanted := []string{name}
		if i := slices.IndexFunc(presets, func(p Preset) bool { return p.Name == name }); i >= 0 {
			wanted = presets[i].Transforms
		}
		for _, w := range wanted {
			t, ok := builtin(w)
			if !ok {
				return nil, fmt.Errorf("unknown transform %q: expected %s", callwright.Excerpt(name), strings.Join(Names(""), ", "))
			}
			if !slices.ContainsFunc(out, func(o Transform) bool { return o.Name == w }) {
				out = append(out, t)
			}
		}
	}
	return out, nil
}

// builtin returns the built-in transform with the given name. ok is false if there is none.
func builtin(name string) (Transform, bool) {
	i := slices.IndexFunc(builtins, func(t Transform) bool { return t.Name == name })
	if i < 0 {
		return Transform{}, false
	}
	return builtins[i], true
}

// CheckPoint returns an error if name is a built-in transform for a point other than at. Presets, unknown names and an
// empty at are not errors.
func CheckPoint(name string, at Point) error {
	if t, ok := builtin(name); ok && at != "" && t.Point != at {
		return fmt.Errorf("%s belongs to %s", name, t.Point.Key())
	}
	return nil
}

// withoutDescription returns the tool without its description if it is a function tool.
func withoutDescription(t callwright.Tool) (callwright.Tool, error) {
	if t.Type == callwright.FunctionTool {
		t.Description = ""
	}
	return t, nil
}

// A hollowMember is a member of a tool result's JSON envelope that can be omitted if its value is the empty array or
// object.
type hollowMember struct {
	name string
	kind jsonx.Kind
}

var hollow = []hollowMember{{"warnings", jsonx.Array}, {"errors", jsonx.Array}, {"data", jsonx.Object}}

// compactResult removes empty warnings, errors and data members from the text parts of a result. Other members keep
// their bytes.
func compactResult(r callwright.Result) (callwright.Result, error) {
	for i, p := range r.Parts {
		if t, ok := p.(callwright.Text); ok {
			t.Text = compact(t.Text)
			r.Parts[i] = t
		}
	}
	return r, nil
}

func compact(text string) string {
	if !strings.HasPrefix(strings.TrimSpace(text), "{") || !jsonx.ValidObject([]byte(text)) {
		return text
	}
	doc, err := jsonx.ParseObject(jsonx.Trim([]byte(text)))
	if err != nil {
		return text
	}
	kept := slices.DeleteFunc(slices.Clone(doc), saysNothing)
	if len(kept) == len(doc) {
		return text
	}
	return string(kept.Append(nil))
}

// saysNothing reports whether m is an empty "warnings", "errors" or "data" member.
func saysNothing(m jsonx.Member) bool {
	return slices.ContainsFunc(hollow, func(h hollowMember) bool {
		return m.Key == h.name && jsonx.KindOf(m.Value) == h.kind && isEmpty(m.Value)
	})
}

// isEmpty reports whether v, a valid JSON array or object, is empty.
func isEmpty(v []byte) bool {
	v = jsonx.Trim(v)
	return len(jsonx.Trim(v[1:len(v)-1])) == 0
}
