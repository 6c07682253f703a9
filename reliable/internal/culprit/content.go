package culprit

import (
	"encoding/json"
	"regexp"
	"strings"
)

// minQuoted is the minimum length in bytes of quoted text that identifies a schema.
const minQuoted = 6

// Notations of a path in a schema in error messages: with dots or slashes, or as a tuple.
var (
	joinedPath = regexp.MustCompile(`(?:properties|\$defs|definitions|items)(?:[./](?:[\w$-]+|\[\d+\]))+`)
	tuplePath  = regexp.MustCompile(`\(((?:'[^']*'(?:, )?)+)\)`)
)

// schemas are functions that return the schemas of a tool to which an error may refer: as sent and as declared.
var schemas = []func(*Tool) []byte{func(t *Tool) []byte { return t.Schema }, func(t *Tool) []byte { return t.Declared }}

// byPath returns the index of the only tool whose schema has a path in the error message, -1 if none or several have
// it. The last element of the path may be missing, because it can be a required keyword.
func byPath(words string, tools []Tool) int {
	for _, path := range pathsIn(words) {
		for _, steps := range [][]string{path, path[:len(path)-1]} {
			if len(steps) < 2 {
				continue
			}
			for _, schema := range schemas {
				if i := only(tools, func(t *Tool) bool { return has(decodeJSON(schema(t)), steps) }); i >= 0 {
					return i
				}
			}
		}
	}
	return -1
}

// pathsIn returns the schema paths in the error message.
func pathsIn(words string) (out [][]string) {
	for _, m := range tuplePath.FindAllStringSubmatch(words, 4) {
		steps := strings.Split(m[1], ", ")
		for i := range steps {
			steps[i] = strings.Trim(steps[i], "'")
		}
		out = append(out, steps)
	}
	for _, m := range joinedPath.FindAllString(words, 4) {
		out = append(out, strings.FieldsFunc(m, func(r rune) bool { return r == '.' || r == '/' || r == '[' || r == ']' }))
	}
	return out
}

// has reports whether a schema has a value at the path steps, whatever the index of a list element in the path.
func has(v any, steps []string) bool {
	if len(steps) == 0 {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		below, ok := v[steps[0]]
		return ok && has(below, steps[1:])
	case []any:
		for _, e := range v { // the index of a branch may differ from that in the sent schema
			if has(e, steps[1:]) {
				return true
			}
		}
	}
	return false
}

// quotation matches quoted text in an error message.
var quotation = regexp.MustCompile("\"((?:[^\"\\\\]|\\\\.){6,})\"|'([^']{6,})'|`([^`]{6,})`|(\\{\".*\\})")

// byQuotation returns the index of the only tool whose schema has text that the error message quotes, -1 if none or
// several have it.
func byQuotation(words string, tools []Tool) int {
	for _, m := range quotation.FindAllStringSubmatch(words, 8) {
		quoted := m[1] + m[2] + m[3] + m[4]
		escaped, err := json.Marshal(quoted)
		if err != nil || len(quoted) < minQuoted || isCommon(quoted) {
			continue
		}
		inner := string(escaped[1 : len(escaped)-1])
		for _, schema := range schemas {
			if i := only(tools, func(t *Tool) bool {
				return strings.Contains(string(schema(t)), quoted) || strings.Contains(string(schema(t)), inner)
			}); i >= 0 {
				return i
			}
		}
	}
	return -1
}

// isCommon reports whether text has only ASCII letters and "$", like a keyword of JSON Schema.
func isCommon(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$") == ""
}

// only returns the index of the only tool for which holds is true, -1 if there is none or more than one.
func only(tools []Tool, holds func(*Tool) bool) int {
	found := -1
	for i := range tools {
		if !holds(&tools[i]) {
			continue
		}
		if found >= 0 {
			return -1
		}
		found = i
	}
	return found
}

// isProperty reports whether the schema of any tool, as sent or as declared, contains name as a JSON string.
func isProperty(name string, tools []Tool) bool {
	quoted, err := json.Marshal(name)
	if err != nil {
		return false
	}
	for i := range tools {
		if strings.Contains(string(tools[i].Schema), string(quoted)) || strings.Contains(string(tools[i].Declared), string(quoted)) {
			return true
		}
	}
	return false
}

// decodeJSON decodes JSON. It returns nil for invalid JSON.
func decodeJSON(text []byte) any {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return nil
	}
	return v
}
