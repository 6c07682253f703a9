package config

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/agent"
	"github.com/callwright/callwright/internal/config/internal/yamltext"
	"github.com/callwright/callwright/internal/jsonx"
)

// An AgentKey describes a key of the agent settings for a command-line flag. Default and Meaning are texts for help.
type AgentKey struct {
	Name, Default, Meaning string
	Value                  string   // placeholder of the value in a help text, such as N; "" for a Boolean
	Words                  []string // the permitted values; nil if others are possible
	List                   bool     // whether the key takes several values
}

// AgentKeys returns the keys of the agent settings that a command line can set, in the order of the fields of [Agent].
// It omits tools (files with tools) and mcp, which the command line sets in other ways.
func AgentKeys() []AgentKey {
	var out []AgentKey
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Agent]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch f.Type {
		case reflect.TypeFor[Files](), reflect.TypeFor[MCPServers]():
			continue
		}
		if f.Anonymous {
			continue
		}
		k := AgentKey{Name: name, Default: f.Tag.Get("default"), Meaning: f.Tag.Get("jsonschema")}
		k.Value, k.Words, k.List = formOf(f.Type)
		out = append(out, k)
	}
	return out
}

// formOf returns the form of a setting of type t on a command line: the placeholder of the value, such as MODEL ("" for
// a Boolean), the permitted words (nil for any), and whether it takes several values.
func formOf(t reflect.Type) (value string, words []string, list bool) {
	if t.Kind() == reflect.Pointer && t.Elem().Kind() != reflect.Struct {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[agent.ToolUseMode]():
		return "MODE", toolUseModes, false
	case reflect.TypeFor[agent.FailurePolicy]():
		return "POLICY", failurePolicies, false
	case reflect.TypeFor[agent.VerifyWhen]():
		return "WHEN", verifyTimes, false
	case reflect.TypeFor[callwright.Choice]():
		return "CHOICE", nil, false
	case reflect.TypeFor[callwright.ModelID]():
		return "MODEL", nil, false
	case reflect.TypeFor[ModelNames]():
		return "MODEL", nil, true
	case reflect.TypeFor[ToolPatterns]():
		return "PATTERN", nil, true
	case reflect.TypeFor[ProfileNames]():
		return "NAME", nil, true
	case reflect.TypeFor[time.Duration]():
		return "TIME", nil, false
	}
	switch t.Kind() {
	case reflect.Bool:
		return "", nil, false
	case reflect.Int:
		return "N", nil, false
	case reflect.Float64:
		return "NUMBER", nil, false
	case reflect.String:
		return "TEXT", nil, false
	}
	return "JSON", nil, false
}

// Set sets the key of an agent setting, such as max_steps, to values, and replaces the old value. Only a key of a list
// takes several values. Values are read and checked as in a configuration file, except that env:NAME and ${NAME} are
// not resolved. An object is written as JSON.
func (a *Agent) Set(key string, values ...string) error {
	k, ok := keysOf(reflect.TypeFor[Agent]()).find(key)
	if !ok {
		return unknown("key", key, keysOf(reflect.TypeFor[Agent]()).names())
	}
	value, _, list := formOf(reflect.TypeFor[Agent]().FieldByIndex(k.index).Type)
	if len(values) != 1 && !list {
		return fmt.Errorf("expected one value, got %d", len(values))
	}
	var text []byte
	switch {
	case value == "JSON":
		if text = jsonx.Trim([]byte(values[0])); jsonx.Valid(text) != nil || !jsonx.IsObject(text) {
			return fmt.Errorf("expected an object as JSON, got %q", callwright.Excerpt(values[0]))
		}
	case list:
		text = append(text, '[')
		for _, v := range values {
			text = append(jsonx.AppendQuote(text, v), ',')
		}
		text = append(text, ']')
	default:
		text = jsonx.AppendQuote(text, values[0])
	}
	return a.set(k, append([]byte(k.name+": "), text...))
}

// set sets the key k from doc, a YAML document with that key alone. On an error a is not changed.
func (a *Agent) set(k key, doc []byte) error {
	if len(doc) > maxSize {
		return fmt.Errorf("expected at most %d bytes, got %d", maxSize, len(doc))
	}
	if message, _, _ := yamltext.Check(doc); message != "" {
		return errors.New(message)
	}
	d := &decoder{literal: true, env: func(string) (string, bool) { return "", false }, places: map[string]position{}}
	next := *a
	reflect.ValueOf(&next).Elem().FieldByIndex(k.index).SetZero()
	if body, ok := d.tree(doc); ok && body != nil {
		d.object(location{node: body}, reflect.ValueOf(&next).Elem())
	}
	if len(d.errs) == 0 {
		newChecker(&Config{Agent: next}, d).agentNumbers("")
	}
	if len(d.errs) > 0 {
		return errors.New(d.errs[0].Message)
	}
	*a = next
	return nil
}
