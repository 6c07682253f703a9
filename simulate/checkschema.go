package simulate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// OpenAI's rules for schemas of functions and of strict mode, as of 2026. The lengths of strings and uniqueItems are
// rejected according to many reports, although the guide permits them.
var (
	rootForbidden   = strings.Fields("oneOf anyOf allOf enum not")
	strictForbidden = strings.Fields(`oneOf allOf not if then else dependentRequired dependentSchemas minLength maxLength uniqueItems
		contains minContains maxContains minProperties maxProperties propertyNames patternProperties unevaluatedItems
		unevaluatedProperties default`)
	strictFormats = strings.Fields("date-time time date duration email hostname ipv4 ipv6 uuid")
)

const (
	strictDepth      = 10
	strictProperties = 5000
	strictEnum       = 1000
)

// openAIFunction checks the "parameters" schema of a function. at is its path in the error.
func openAIFunction(f *node, at string) *failure {
	if !f.has("parameters") {
		return nil
	}
	root := f.at("parameters")
	why := functionSchema(root)
	if why == "" && f.at("strict").isTrue() {
		why = strictSchema(root)
	}
	if why == "" {
		return nil
	}
	return no(at, "Invalid schema for function '%s': %s", f.at("name").str(), why)
}

// functionSchema returns the fault of a function's schema, "" if there is none.
func functionSchema(root *node) string {
	if kind := root.at("type"); kind.str() != "object" {
		was := "None"
		if kind != nil {
			was = kind.raw
		}
		return fmt.Sprintf("schema must be a JSON Schema of 'type: \"object\"', got 'type: %s'.", was)
	}
	for _, key := range rootForbidden {
		if root.has(key) {
			return "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level."
		}
	}
	return walkSchema(root, nil, func(n *node, path []string) string {
		if n.at("type").str() == "array" && !n.has("items") && !n.has("prefixItems") {
			return inContext(path) + "array schema missing items."
		}
		return ""
	})
}

// strictSchema returns the fault of a schema for strict mode, "" if there is none.
func strictSchema(root *node) string {
	count := 0
	return walkSchema(root, nil, func(n *node, path []string) string {
		count += len(n.at("properties").names())
		for _, key := range strictForbidden {
			if n.has(key) {
				return inContext(path) + "'" + key + "' is not permitted."
			}
		}
		switch format := n.at("format").str(); {
		case n.has("$ref") && len(n.keys) > 1:
			return inContext(path) + "$ref cannot have keywords " +
				pythonSet(slices.DeleteFunc(n.names(), func(k string) bool { return k == "$ref" })) + "."
		case format != "" && !slices.Contains(strictFormats, format):
			return inContext(path) + "'" + format + "' is not a valid format."
		case len(path) > 0 && !n.has("type") && !n.has("$ref") && !n.has("anyOf") && !n.has("enum") && !n.has("const"):
			return inContext(path) + "schema must have a 'type' key."
		case count > strictProperties:
			return "the schema has more than " + strconv.Itoa(strictProperties) + " properties in all."
		case len(n.at("enum").list()) > strictEnum:
			return inContext(path) + "enum has more than " + strconv.Itoa(strictEnum) + " values."
		case slices.Index(path, "$defs") < 0 && len(path) > 2*strictDepth:
			return "the schema is nested deeper than " + strconv.Itoa(strictDepth) + " levels."
		}
		return strictObject(n, path)
	})
}

// strictObject returns the fault of an object schema for strict mode: additionalProperties must be false, and all
// properties required.
func strictObject(n *node, path []string) string {
	if n.at("type").str() != "object" {
		return ""
	}
	if more := n.at("additionalProperties"); !more.is("boolean") || more.isTrue() {
		return inContext(path) + "'additionalProperties' is required to be supplied and to be false."
	}
	required := map[string]bool{}
	for _, r := range n.at("required").list() {
		required[r.str()] = true
	}
	for _, name := range n.at("properties").names() {
		if !required[name] {
			return inContext(path) + "'required' is required to be supplied and to be an array including every key in properties. Missing '" + name + "'."
		}
		delete(required, name)
	}
	for _, r := range n.at("required").list() {
		if required[r.str()] {
			return inContext(path) + "'required' is required to be supplied and to be an array including every key in properties. Extra required key '" + r.str() + "' supplied."
		}
	}
	return ""
}

// walkSchema calls visit for a schema and its subschemas until a call returns an error message, and returns it. path
// contains the keys from the root to the subschema.
func walkSchema(n *node, path []string, visit func(*node, []string) string) string {
	if !n.is("object") {
		return ""
	}
	if why := visit(n, path); why != "" {
		return why
	}
	for key, value := range n.members() {
		switch key {
		case "properties", "$defs", "definitions":
			for name, p := range value.members() {
				if why := walkSchema(p, append(slices.Clone(path), key, name), visit); why != "" {
					return why
				}
			}
		case "items", "additionalProperties":
			if why := walkSchema(value, append(slices.Clone(path), key), visit); why != "" {
				return why
			}
		case "anyOf", "oneOf", "allOf", "prefixItems":
			for i, p := range value.list() {
				if why := walkSchema(p, append(slices.Clone(path), key, strconv.Itoa(i)), visit); why != "" {
					return why
				}
			}
		}
	}
	return ""
}

// inContext returns the beginning of an OpenAI error message with a path, written as a Python tuple: "In
// context=('properties', 'a'), ".
func inContext(path []string) string {
	var parts []string
	for _, p := range path {
		parts = append(parts, "'"+p+"'")
	}
	text := strings.Join(parts, ", ")
	if len(parts) == 1 {
		text += ","
	}
	return "In context=(" + text + "), "
}

// pythonSet writes names as a Python set, such as "{'a', 'b'}".
func pythonSet(names []string) string { return "{'" + strings.Join(names, "', '") + "'}" }
