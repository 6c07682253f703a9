package config

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// NowhereURL is the address of each provider in the result of [Config.SettingsOf] that is not at its built-in address.
const NowhereURL = "http://replay.invalid"

// SettingsOf returns the part of the configuration that determines requests to the named models, as YAML for [Parse].
// It contains their entries, the entries of their aliases and groups, their fallbacks and providers, and the settings
// for all models. It omits settings that only decide whether and where a request is sent: credentials, headers,
// addresses, access keys, budgets and state.
func (c *Config) SettingsOf(names ...callwright.ModelID) ([]byte, error) {
	p := part{c: c, models: map[string]bool{}, providers: map[string]bool{}}
	for _, name := range names {
		p.name(string(name))
	}
	var b strings.Builder
	for _, top := range []struct {
		key   string
		value any
	}{{"cache", c.Cache}, {"call_rules", c.CallRules}, {"experimental", c.Experimental}} {
		if err := p.line(&b, top.key, reflect.ValueOf(top.value)); err != nil {
			return nil, err
		}
	}
	for _, k := range c.TransformSettings.keys() {
		if err := p.line(&b, k.name, reflect.ValueOf(*k.list)); err != nil {
			return nil, err
		}
	}
	if err := p.entries(&b); err != nil {
		return nil, err
	}
	if b.Len() == 0 {
		return []byte("{}"), nil
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}

// A part is a selection of the models and providers of a configuration, by name.
type part struct {
	c                 *Config
	models, providers map[string]bool
}

// name adds the entries and providers that apply to requests for a name, with its fallbacks.
func (p *part) name(name string) {
	found, err := p.c.members(name)
	if err != nil {
		if provider, _ := callwright.ModelID(name).Split(); provider != "" {
			p.providers[provider] = true
		}
		return
	}
	for _, f := range found {
		p.providers[f.provider.Name] = true
		for _, at := range f.trail {
			p.entry(at)
		}
		for i := range p.c.Models {
			if m := &p.c.Models[i]; m.general() &&
				(m.fits(f.id) || slices.ContainsFunc(f.trail, func(at string) bool { e, ok := p.c.entry(at); return ok && e == m })) {
				p.model(m)
			}
		}
	}
}

// entry adds the entry of models for a name, if there is one.
func (p *part) entry(name string) {
	if m, ok := p.c.entry(name); ok {
		p.model(m)
	}
}

// model adds an entry and the entries of its fallbacks and group members.
func (p *part) model(m *Model) {
	if p.models[m.Name] {
		return
	}
	p.models[m.Name] = true
	for _, f := range m.Fallbacks {
		p.name(string(f.Model))
	}
	for _, member := range m.Any {
		p.name(string(member))
	}
}

// entries writes the selected providers and models to b as YAML.
func (p *part) entries(b *strings.Builder) error {
	var list []entryLine
	for i := range p.c.Providers {
		one := p.c.Providers[i]
		if !p.providers[one.Name] {
			continue
		}
		base := one.BaseURL
		one.BaseURL, one.APIKey, one.Headers = "", Provider{}.APIKey, nil
		if row, ok := rowOf(one.Name); one.Name != SimulatorName && (base != "" || !ok || row.Base == "") {
			one.BaseURL = NowhereURL
		}
		one.Auth = Provider{}.Auth
		list = append(list, entryLine{one.Name, reflect.ValueOf(one)})
	}
	if err := p.section(b, "providers", list); err != nil {
		return err
	}
	list = nil
	for i := range p.c.Models {
		if m := &p.c.Models[i]; p.models[m.Name] {
			list = append(list, entryLine{m.Name, reflect.ValueOf(*m)})
		}
	}
	return p.section(b, "models", list)
}

// An entryLine is the value of one entry with its name.
type entryLine struct {
	name  string
	value reflect.Value
}

func (p *part) section(b *strings.Builder, key string, list []entryLine) error {
	if len(list) == 0 {
		return nil
	}
	fmt.Fprintf(b, "%s:\n", key)
	for _, e := range list {
		text, err := appendSetting(nil, e.value)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", key, e.name, err)
		}
		fmt.Fprintf(b, "  %s: %s\n", jsonx.AppendQuote(nil, e.name), text)
	}
	return nil
}

// line writes one top-level key to b as YAML, unless its value is empty.
func (p *part) line(b *strings.Builder, key string, v reflect.Value) error {
	if v.IsZero() || isEmpty(v) {
		return nil
	}
	text, err := appendSetting(nil, v)
	if err == nil {
		fmt.Fprintf(b, "%s: %s\n", key, text)
	}
	return err
}

func isEmpty(v reflect.Value) bool {
	return (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0 && v.IsNil()
}

// appendSetting appends a value as JSON in the form that [Parse] reads. It omits unset fields of structs.
func appendSetting(dst []byte, v reflect.Value) ([]byte, error) {
	if v.CanInterface() {
		switch at := v.Interface().(type) {
		case time.Duration:
			return jsonx.AppendQuote(dst, at.String()), nil
		case Facts:
			facts := map[string]string{}
			for _, f := range at {
				facts[f.Key] = f.Value
			}
			return appendSetting(dst, reflect.ValueOf(facts))
		case ToolFormat:
			return appendSetting(dst, reflect.ValueOf(at.Description))
		case json.Marshaler:
			text, err := at.MarshalJSON()
			return append(dst, text...), err
		case encoding.TextMarshaler:
			text, err := at.MarshalText()
			return jsonx.AppendQuote(dst, text), err
		}
	}
	switch v.Kind() {
	case reflect.Pointer:
		return appendSetting(dst, v.Elem())
	case reflect.Struct:
		return appendSettings(dst, v)
	case reflect.Slice:
		dst = append(dst, '[')
		for i := range v.Len() {
			var err error
			if dst, err = appendSetting(appendComma(dst, i), v.Index(i)); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case reflect.Map:
		return appendMap(dst, v)
	}
	text, err := jsonx.Marshal(v.Interface())
	return append(dst, text...), err
}

func appendComma(dst []byte, i int) []byte {
	if i > 0 {
		dst = append(dst, ", "...)
	}
	return dst
}

// appendMap appends a map as a JSON object with sorted keys.
func appendMap(dst []byte, v reflect.Value) ([]byte, error) {
	byName := map[string]reflect.Value{}
	for _, k := range v.MapKeys() {
		byName[k.String()] = v.MapIndex(k)
	}
	dst = append(dst, '{')
	for i, name := range slices.Sorted(maps.Keys(byName)) {
		var err error
		if dst, err = appendSetting(append(jsonx.AppendQuote(appendComma(dst, i), name), ": "...), byName[name]); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

// appendSettings appends the set fields of a struct as a JSON object. Fields of embedded structs are members of the
// same object.
func appendSettings(dst []byte, v reflect.Value) ([]byte, error) {
	dst = append(dst, '{')
	n := 0
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		at := v.FieldByIndex(f.Index)
		if name == "-" || name == "" || !f.IsExported() || at.IsZero() {
			continue
		}
		var err error
		if dst, err = appendSetting(append(jsonx.AppendQuote(appendComma(dst, n), name), ": "...), at); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		n++
	}
	return append(dst, '}'), nil
}
