package schema

import (
	"encoding/json"
	"slices"
	"strings"
)

// translate converts notations that are not JSON Schema in the schema m at path: type names, nullable, and keywords of
// older drafts.
func (src *source) translate(path string, m map[string]any) error {
	for name := range keywordShapes[src.draft] {
		if v, ok := m[name]; ok && v == nil && name != "const" {
			delete(m, name)
			src.leaveOut(path, name, "null is not a valid value")
		}
	}
	if _, ok := m["required"].(bool); ok && src.draft != 4 {
		delete(m, "required")
		src.leaveOut(path, "required", "a boolean is not a list of names")
	}
	src.translateBounds(path, m)
	src.translateItems(path, m)
	src.translateDependencies(path, m)
	if err := src.translateType(path, m); err != nil {
		return err
	}
	if m["nullable"] == true {
		src.allowNull(path, m)
	}
	return nil
}

// translateBounds converts the draft 4 notation exclusiveMinimum: true to that of later drafts.
func (src *source) translateBounds(path string, m map[string]any) {
	if src.draft == 4 {
		return
	}
	for _, b := range [...][2]string{{"exclusiveMinimum", "minimum"}, {"exclusiveMaximum", "maximum"}} {
		on, ok := m[b[0]].(bool)
		if !ok {
			continue
		}
		delete(m, b[0])
		if limit, given := m[b[1]]; on && given {
			m[b[0]] = limit
			delete(m, b[1])
			src.read(path+"/"+b[0], "true", show(limit))
		}
	}
}

// translateItems converts an array in items to prefixItems of draft 2020-12.
func (src *source) translateItems(path string, m map[string]any) {
	list, ok := m["items"].([]any)
	if !ok || src.draft != 2020 {
		return
	}
	delete(m, "items")
	src.read(path+"/items", "a list", "prefixItems")
	if rest, given := m["additionalItems"]; given {
		m["items"] = rest
		delete(m, "additionalItems")
	}
	if _, given := m["prefixItems"]; !given && len(list) > 0 {
		m["prefixItems"] = list
	}
}

// translateDependencies converts dependencies to dependentRequired and dependentSchemas of draft 2019-09.
func (src *source) translateDependencies(path string, m map[string]any) {
	all, ok := m["dependencies"].(map[string]any)
	if !ok || src.draft <= 7 || m["dependentRequired"] != nil || m["dependentSchemas"] != nil {
		return
	}
	lists, schemas := map[string]any{}, map[string]any{}
	for k, v := range all {
		if _, list := v.([]any); list {
			lists[k] = v
		} else {
			schemas[k] = v
		}
	}
	delete(m, "dependencies")
	m["dependentRequired"], m["dependentSchemas"] = lists, schemas
	src.read(path+"/dependencies", "dependencies", "dependentRequired and dependentSchemas")
}

func (src *source) translateType(path string, m map[string]any) error {
	switch t := m["type"].(type) {
	case nil:
		return nil
	case string:
		if m["type"] = src.typeName(path, t); m["type"] == "" {
			delete(m, "type")
		}
		return nil
	case []any:
		return src.translateTypes(path, t, m)
	default:
		return refuse(path+"/type", "want the name of a type or a list of them, got %s", show(t))
	}
}

func (src *source) translateTypes(path string, names []any, m map[string]any) error {
	if len(names) == 0 {
		return refuse(path+"/type", "want at least one type, got an empty list")
	}
	list := make([]any, 0, len(names))
	for _, n := range names {
		name, ok := n.(string)
		if !ok && n == nil {
			name = "none"
		} else if !ok {
			return refuse(path+"/type", "want names of types, got %s", show(n))
		}
		now := src.typeName(path, name)
		if now == "" {
			delete(m, "type")
			return nil
		}
		if !slices.Contains(list, any(now)) {
			list = append(list, now)
		}
	}
	m["type"] = list
	return nil
}

// typeName returns the JSON Schema type for a type name, "" for any type. It records a conversion. An unknown name
// gives "" and is recorded as unchecked.
func (src *source) typeName(path, name string) string {
	if _, ok := kindByName[name]; ok {
		return name
	}
	now, ok := TypeName(name)
	if !ok {
		src.leaveOut(path, "type", "there is no type "+show(name))
		return ""
	}
	src.read(path+"/type", name, now)
	return now
}

// TypeName returns the JSON Schema type for a type name of OpenAPI, such as "STRING", or of a programming language,
// such as dict, float or list[str]. It returns "" for a name of any value. ok is false for an unknown name.
func TypeName(name string) (now string, ok bool) {
	if _, ok := kindByName[name]; ok {
		return name, true
	}
	folded := strings.ToLower(strings.TrimSpace(name))
	if strings.HasSuffix(folded, "[]") {
		folded = "array"
	}
	if at := strings.IndexAny(folded, "[<("); at > 0 {
		folded = folded[:at] // for list[str] and Dict<string, int>
	}
	now, ok = typeReadings[folded]
	return now, ok
}

// combinators are the keywords with subschemas for the same value.
var combinators = []string{"$ref", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"}

// allowNull converts nullable: true: it adds null to the type and restricts the subschemas in combinators to values
// other than null.
func (src *source) allowNull(path string, m map[string]any) {
	delete(m, "nullable")
	src.read(path+"/nullable", "true", "null allowed")
	switch t := m["type"].(type) {
	case string:
		if t != "null" {
			m["type"] = []any{t, "null"}
		}
	case []any:
		if !slices.Contains(t, any("null")) {
			m["type"] = append(t, "null")
		}
	}
	if v, ok := m["const"]; ok {
		m["enum"] = []any{v}
		delete(m, "const")
	}
	if list, ok := m["enum"].([]any); ok && !slices.Contains(list, nil) {
		m["enum"] = append(list, nil)
	}
	beside := map[string]any{}
	for _, name := range combinators {
		if v, ok := m[name]; ok {
			beside[name] = v
			delete(m, name)
		}
	}
	if len(beside) > 0 {
		m["anyOf"] = []any{beside, map[string]any{"type": "null"}}
	}
}

// tameCount converts a count such as 3.0 or 1e400 to an integer of at most 2^53. ok is false if it is negative or not
// integral.
func tameCount(v any) (json.Number, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return "", false
	}
	d := parseDecimal([]byte(n))
	if d.neg && !d.zero() || !d.integral() {
		return "", false
	}
	return json.Number(d.clampInt()), true
}
