package bfcl

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strings"
)

// An accepted maps a tool name to its arguments, and each argument to its accepted values. The value "" means that the
// argument is optional.
type accepted map[string]map[string][]any

// readAccepted decodes one element of Question.Truth.
func readAccepted(text []byte) (accepted, error) {
	v, err := decodeValue(text)
	out := accepted{}
	tools, _ := v.(map[string]any)
	for tool, args := range tools {
		out[tool] = map[string][]any{}
		members, _ := args.(map[string]any)
		for name, values := range members {
			out[tool][name] = toList(values)
		}
	}
	return out, err
}

// A typedSchema contains the keywords of a JSON Schema that the BFCL rules use.
type typedSchema struct {
	Type       string
	Items      *typedSchema
	Properties map[string]*typedSchema
	Required   []string
}

// typeName returns the declared type. It returns "string" if there is none or it is unknown.
func (s *typedSchema) typeName() string {
	if s == nil || !slices.Contains([]string{"string", "integer", "number", "boolean", "array", "object"}, s.Type) {
		return "string"
	}
	return s.Type
}

// decodeValue decodes JSON as nil, bool, string, *big.Int, float64, []any or map[string]any.
func decodeValue(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return numbersOf(v), err
}

func numbersOf(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, ok := new(big.Int).SetString(v.String(), 10); ok {
			return i
		}
		f, _ := v.Float64() // infinite if out of range
		return f
	case []any:
		for i := range v {
			v[i] = numbersOf(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbersOf(v[k])
		}
	}
	return v
}

// typeOf returns the JSON Schema type of a decoded value.
func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case *big.Int:
		return "integer"
	case float64:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "null"
}

// asDeclared converts the numbers in v to the types that the schema declares: an integer to float64 for "number", an
// integral float64 to *big.Int for "integer".
func asDeclared(v any, s *typedSchema) any {
	if s == nil {
		return v
	}
	switch value := v.(type) {
	case *big.Int:
		if s.Type == "number" {
			f, _ := new(big.Float).SetInt(value).Float64()
			return f
		}
	case float64:
		if s.Type == "integer" && value == math.Trunc(value) && !math.IsInf(value, 0) {
			i, _ := big.NewFloat(value).Int(nil)
			return i
		}
	case []any:
		if s.Type == "array" {
			for i := range value {
				value[i] = asDeclared(value[i], s.Items)
			}
		}
	case map[string]any:
		if s.Type == "object" {
			for k := range value {
				value[k] = asDeclared(value[k], s.Properties[k])
			}
		}
	}
	return v
}

// uncounted removes the characters that are ignored when strings are compared, and makes single quotes double quotes.
var uncounted = strings.NewReplacer(" ", "", ",", "", ".", "", "/", "", "-", "", "_", "", "*", "", "^", "", "'", `"`)

// plain returns a string in lower case without ignored characters. It returns other values unchanged.
func plain(v any) any {
	if s, ok := v.(string); ok {
		return strings.ToLower(uncounted.Replace(s))
	}
	return v
}

// equal reports whether two decoded values are equal in Python.
func equal(a, b any) bool {
	if x, ok := numeric(a); ok {
		y, ok := numeric(b)
		return ok && x.Cmp(y) == 0
	}
	switch a := a.(type) {
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if other, ok := b[k]; !ok || !equal(v, other) {
				return false
			}
		}
		return true
	case string:
		return a == b
	}
	return a == nil && b == nil
}

func numeric(v any) (*big.Float, bool) {
	switch v := v.(type) {
	case bool:
		if v {
			return big.NewFloat(1), true
		}
		return new(big.Float), true
	case float64:
		return big.NewFloat(v), true
	case *big.Int:
		return new(big.Float).SetInt(v), true
	}
	return nil, false
}

// isAmong reports whether v equals one of the options after the function as has converted both.
func isAmong(v any, options []any, as func(any) any) bool {
	return slices.ContainsFunc(options, func(o any) bool { return equal(as(v), as(o)) })
}

func exactly(v any) any { return v }

// toList returns the elements of a list, or nil for any other value.
func toList(option any) []any {
	list, _ := option.([]any)
	return list
}

// fits reports whether v has the declared type, with elements of the type items if that is not "", or the type of the
// accepted values. other reports whether the accepted values have a type other than the declared one.
func fits(v any, options []any, declared, items string) (ok, other bool) {
	kind := ""
	if i := slices.IndexFunc(options, func(o any) bool { return o != "" }); i >= 0 {
		kind = typeOf(options[i])
	}
	other = kind != "" && kind != declared
	if typeOf(v) == declared {
		if items == "" || slices.ContainsFunc(options, func(o any) bool { return elementsFit(toList(v), o, items) }) {
			return true, other
		}
	}
	if typeOf(v) != kind {
		return false, false
	}
	return kind != declared, true
}

func elementsFit(v []any, option any, items string) bool {
	list, ok := option.([]any)
	return !ok || !slices.ContainsFunc(v, func(e any) bool { fit, _ := fits(e, list, items, ""); return !fit })
}

// isObject reports whether v matches one of the options. An option maps each member name to its accepted values.
func isObject(v any, options []any) bool {
	object, ok := v.(map[string]any)
	return ok && slices.ContainsFunc(options, func(o any) bool {
		option, ok := o.(map[string]any)
		if !ok || len(option) != len(object) {
			return false
		}
		for k, member := range object {
			wanted, ok := option[k]
			if inner, is := wanted.(map[string]any); is && !isObject(member, []any{inner}) || !is &&
				(!ok || !isAmong(member, toList(wanted), plain)) {
				return false
			}
		}
		return true
	})
}

func areObjects(v []any, options []any) bool {
	return slices.ContainsFunc(options, func(o any) bool {
		return slices.EqualFunc(v, toList(o), func(e, option any) bool { return isObject(e, []any{option}) })
	})
}

// hasValue reports whether v is an accepted value of an argument with schema s.
func hasValue(v any, s *typedSchema, options []any) bool {
	declared, items := s.typeName(), ""
	if declared == "array" {
		items = s.Items.typeName()
	}
	v = asDeclared(v, s)
	ok, other := fits(v, options, declared, items)
	switch {
	case !ok:
		return false
	case other:
	case declared == "object":
		return isObject(v, options)
	case items == "object":
		return areObjects(toList(v), options)
	case declared == "string":
		return isAmong(v, options, plain)
	case declared == "array":
		return slices.ContainsFunc(options, func(o any) bool {
			return slices.EqualFunc(toList(v), toList(o), func(a, b any) bool { return equal(plain(a), plain(b)) })
		})
	}
	return isAmong(v, options, exactly)
}

// hasArguments reports whether text, the JSON arguments of a call, has all required arguments and only accepted values.
func hasArguments(text []byte, s *typedSchema, options map[string][]any) bool {
	v, err := decodeValue(text)
	args, ok := v.(map[string]any)
	if err != nil || !ok {
		return false
	}
	for _, name := range s.Required {
		if _, ok := args[name]; !ok {
			return false
		}
	}
	for name, v := range args {
		prop, known := s.Properties[name]
		values, ok := options[name]
		if !known || !ok || !hasValue(v, prop, values) {
			return false
		}
	}
	for name, values := range options {
		if _, ok := args[name]; !ok && !slices.Contains(values, any("")) {
			return false
		}
	}
	return true
}
