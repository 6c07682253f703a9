package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/spelling"
	"github.com/callwright/callwright/internal/transformset"
	"github.com/callwright/callwright/transform"
)

// TransformSettings name transforms of requests and responses, see package transform, by the point at which they apply.
// A transform in Named applies at the point for which it is made, before the transforms that are listed for that point.
type TransformSettings struct {
	Named      TransformNames `json:"transforms,omitempty" default:"none" jsonschema:"transforms and presets for any point"`
	ToolResult TransformNames `json:"tool_result_transforms,omitempty" default:"none" jsonschema:"transforms of tool results, before they are sent"`
	Message    TransformNames `json:"message_transforms,omitempty" default:"none" jsonschema:"transforms of the conversation, before it is sent"`
	Tool       TransformNames `json:"tool_transforms,omitempty" default:"none" jsonschema:"transforms of the declared tools, before they are sent"`
	Response   TransformNames `json:"response_transforms,omitempty" default:"none" jsonschema:"transforms of the answer, before it is searched for calls"`
	ToolCall   TransformNames `json:"tool_call_transforms,omitempty" default:"none" jsonschema:"transforms of calls, before they are validated"`
}

// TransformNames are names of transforms and presets. In a file they are a list, or one string with commas.
type TransformNames []string

// A transformKey is a key that lists transforms, with the point at which they apply, "" for any point.
type transformKey struct {
	name  string
	point transform.Point
	list  *TransformNames
}

func (t *TransformSettings) keys() []transformKey {
	return []transformKey{
		{"transforms", "", &t.Named},
		{transform.ToolResults.Key(), transform.ToolResults, &t.ToolResult},
		{transform.Messages.Key(), transform.Messages, &t.Message},
		{transform.Tools.Key(), transform.Tools, &t.Tool},
		{transform.Responses.Key(), transform.Responses, &t.Response},
		{transform.ToolCalls.Key(), transform.ToolCalls, &t.ToolCall},
	}
}

// after returns settings that apply the transforms of base before the transforms of t.
func (t *TransformSettings) after(base *TransformSettings) TransformSettings {
	var out TransformSettings
	first, next := base.keys(), t.keys()
	for i, k := range out.keys() {
		*k.list = slices.Concat(*first[i].list, *next[i].list)
	}
	return out
}

// transforms returns the transforms for requests and responses of a model with these settings, or nil for none.
func (s *Settings) transforms() *transformset.Set {
	var names []string
	for _, k := range s.TransformSettings.keys() {
		names = append(names, *k.list...)
	}
	if names == nil {
		return nil
	}
	list, err := transform.ByName(names...)
	if err != nil { // the check of the configuration has reported it
		return nil
	}
	return transformset.New(list, s.Policy, s.Rules)
}

func (l *TransformNames) read(d *decoder, at location) {
	*l = d.names(at)
}

// transforms reports unknown transforms, and transforms under a wrong key, such as a transform of responses under
// tool_transforms.
func (k *checker) transforms(path string, t *TransformSettings) {
	for _, key := range t.keys() {
		for i, name := range *key.list {
			err := transform.CheckPoint(name, key.point)
			if !slices.Contains(transform.Names(""), name) {
				err = unknownTransform(name, key.point)
			}
			if err != nil {
				k.fail(fmt.Sprintf("%s[%d]", strings.TrimPrefix(path+"."+key.name, "."), i), "%v", err)
			}
		}
	}
}

// shortest is the minimum length of a misspelt name for suggestions of all names that contain it.
const shortest = 4

// unknownTransform returns the error for an unknown transform, with suggestions of similar names.
func unknownTransform(name string, at transform.Point) error {
	fitting, all := transform.Names(at), transform.Names("")
	if Nearest(name, fitting) != "" {
		return unknown("transform", name, fitting)
	}
	part := spelling.Plain(name)
	others := slices.DeleteFunc(slices.Clone(all), func(n string) bool { return !strings.Contains(spelling.Plain(n), part) })
	if len(part) >= shortest && len(others) > 0 {
		return fmt.Errorf("unknown transform %q: did you mean %s?", name, spelling.Or(others))
	}
	if Nearest(name, all) != "" {
		return unknown("transform", name, all)
	}
	return unknown("transform", name, fitting)
}
