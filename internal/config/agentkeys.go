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

// An AgentKey is a key of the settings of agents, as a command line says it.
type AgentKey struct {
	Name, Default, Meaning string
	Value                  string   // what stands for its value in a help text; "" for true and false
	Words                  []string // the values that it may have, nil where there are others
	List                   bool     // whether it may have several
}

// AgentKeys returns the keys of the settings of agents that a command line can say, in their order. Files of tools and
// MCP servers are none of them: they are said in other ways.
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

// formOf is how values of a type are written on a command line.
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

// Set sets a key to a value, or to several where it takes a list, as if a configuration had them: with the same checks
// of each by itself, but without variables. Objects are written as JSON. The old value is replaced.
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

// set reads a document with one key.
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
