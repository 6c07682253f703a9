package config

import (
	"fmt"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/spelling"
	"github.com/callwright/callwright/internal/transformset"
	"github.com/callwright/callwright/transform"
)

// TransformSettings name the transforms of requests and answers, see package transform. At each point those of Named
// come first.
type TransformSettings struct {
	Named      TransformNames `json:"transforms,omitempty" default:"none" jsonschema:"transforms and presets of any point"`
	ToolResult TransformNames `json:"tool_result_transforms,omitempty" default:"none" jsonschema:"transforms of the results of tools, before they are sent"`
	Message    TransformNames `json:"message_transforms,omitempty" default:"none" jsonschema:"transforms of the conversation, before it is sent"`
	Tool       TransformNames `json:"tool_transforms,omitempty" default:"none" jsonschema:"transforms of the declared tools, before they are sent"`
	Response   TransformNames `json:"response_transforms,omitempty" default:"none" jsonschema:"transforms of the answer, before calls are looked for in it"`
	ToolCall   TransformNames `json:"tool_call_transforms,omitempty" default:"none" jsonschema:"transforms of calls, before they are validated"`
}

// TransformNames are names of transforms and presets: a list, or one text with commas between them.
type TransformNames []string

// A transformKey is one of the keys that list transforms, and its point, "" for all of them.
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

// after returns the transforms of base and then those of t.
func (t *TransformSettings) after(base *TransformSettings) TransformSettings {
	var out TransformSettings
	first, next := base.keys(), t.keys()
	for i, k := range out.keys() {
		*k.list = slices.Concat(*first[i].list, *next[i].list)
	}
	return out
}

// transforms returns the transforms of requests to a model with these settings and of its answers, nil for none.
func (s *Settings) transforms() *transformset.Set {
	var names []string
	for _, k := range s.TransformSettings.keys() {
		names = append(names, *k.list...)
	}
	if names == nil {
		return nil
	}
	list, err := transform.ByName(names...)
	if err != nil { // the check of the configuration has said so
		return nil
	}
	return transformset.New(list, s.Policy, s.Rules)
}

func (l *TransformNames) read(d *decoder, at location) {
	*l = d.names(at)
}

// transforms checks the names of transforms and where they stand.
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

// shortest is how long a part of a name must be to tell which ones are meant.
const shortest = 4

// unknownTransform says that no transform has a name, and which ones may be meant.
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
