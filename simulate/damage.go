package simulate

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// stock maps a JSON type to the argument that widen adds if the tool's schema has no property of this type.
var stock = map[string]member{
	"string":  {"units", `"celsius"`},
	"number":  {"days", "3"},
	"boolean": {"hourly", "true"},
	"array":   {"fields", `["wind", "rain"]`},
	"object":  {"place", `{"country": "NO"}`},
}

// widen makes sure that a call has an argument of the JSON type kind, and returns its key. It uses an argument that the
// call has, or adds one from the tool's schema or from stock. It never adds a key twice: if no unused key is left, it
// returns "".
func (a *response) widen(c *call, kind string) string {
	members := membersOf(c.args)
	for _, m := range members {
		if kindOf(m.value) == kind && m.key != "city" {
			return m.key
		}
	}
	add := stock[kind]
	props, _ := properties(a.seen.schemas[c.name])
	for _, key := range slices.Sorted(maps.Keys(props)) {
		if v := sample(props[key]); kindOf(v) == kind && key != "city" && !has(members, key) {
			add = member{key, v}
			break
		}
	}
	if has(members, add.key) {
		return "" // the key in stock has a value of another type
	}
	c.args = joinMembers(append(members, add))
	return add.key
}

// has reports whether members contains the key.
func has(members []member, key string) bool {
	return slices.ContainsFunc(members, func(m member) bool { return m.key == key })
}

// kindOf returns the JSON type of a valid JSON value, determined by its first byte; "" for an empty string.
func kindOf(value string) string {
	switch {
	case value == "":
		return ""
	case value[0] == '{':
		return "object"
	case value[0] == '[':
		return "array"
	case value[0] == '"':
		return "string"
	case value == "true" || value == "false":
		return "boolean"
	case value == "null":
		return "null"
	}
	return "number"
}

// change replaces the value of the call's argument key by to(value). Both are JSON.
func (c *call) change(key string, to func(value string) string) {
	members := membersOf(c.args)
	for i, m := range members {
		if m.key == key {
			members[i].value = to(m.value)
		}
	}
	c.args = joinMembers(members)
}

// swallowLast removes the last member of a JSON object and appends it to the string value of the first member as an XML
// parameter element. It returns args unchanged if there is only one member or the first value is not a string.
func swallowLast(args string) string {
	members := membersOf(args)
	if len(members) < 2 || kindOf(members[0].value) != "string" {
		return args
	}
	last := members[len(members)-1]
	tail := quote("</" + members[0].key + ">\n<parameter name=\"" + last.key + "\">" + last.value)
	members[0].value = strings.TrimSuffix(members[0].value, `"`) + tail[1:]
	return joinMembers(members[:len(members)-1])
}

// placeholder adds an optional argument with the given value, such as null, that the call does not have yet.
func (a *response) placeholder(c *call, value string) {
	members, key := membersOf(c.args), stock["number"].key
	props, required := properties(a.seen.schemas[c.name])
	for _, k := range slices.Sorted(maps.Keys(props)) {
		if !slices.Contains(required, k) && kindOf(sample(props[k])) != "string" && !has(members, k) {
			key = k
			break
		}
	}
	if !has(members, key) {
		c.args = joinMembers(append(members, member{key, value}))
	}
}

// truncateJSON returns JSON that ends inside its last string, or after half of its bytes if it has no string.
func truncateJSON(args string) string {
	end := strings.LastIndexByte(args, '"')
	if end < 2 {
		return args[:len(args)/2]
	}
	_, n := utf8.DecodeLastRuneInString(args[:end])
	return args[:end-n]
}

// unquoteKeys returns the object with unquoted keys, such as {a: 1} for {"a": 1}.
func unquoteKeys(args string) string {
	var parts []string
	for _, m := range membersOf(args) {
		parts = append(parts, m.key+": "+m.value)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// python returns the object as a Python literal, such as {'a': True}.
func python(args string) string {
	var parts []string
	for _, m := range membersOf(args) {
		parts = append(parts, "'"+m.key+"': "+strings.ReplaceAll(pythonLiteral(m.value), `"`, "'"))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// missingQuote returns the object without the opening quote of its last key, such as {"a": 1, b": 2}.
func missingQuote(args string) string {
	members := membersOf(args)
	if len(members) < 2 {
		return args
	}
	last := members[len(members)-1]
	head := joinMembers(members[:len(members)-1])
	return head[:len(head)-1] + ", " + last.key + `": ` + last.value + "}"
}

// properties returns the properties of an object schema by name, and the names of the required ones.
func properties(schema json.RawMessage) (map[string]json.RawMessage, []string) {
	var n struct {
		Properties map[string]json.RawMessage
		Required   []string
	}
	if json.Unmarshal(schema, &n) != nil {
		return nil, nil
	}
	return n.Properties, n.Required
}
