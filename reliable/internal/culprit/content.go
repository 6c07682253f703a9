package culprit

import (
	"encoding/json"
	"regexp"
	"strings"
)

// minQuoted is the shortest quotation that tells a schema from others.
const minQuoted = 6

// paths are the forms in which refusals write the place in a schema: with dots or slashes, and as a tuple.
var (
	joinedPath = regexp.MustCompile(`(?:properties|\$defs|definitions|items)(?:[./](?:[\w$-]+|\[\d+\]))+`)
	tuplePath  = regexp.MustCompile(`\(((?:'[^']*'(?:, )?)+)\)`)
)

// schemas are the schemas of a tool in which a place or a text may stand, as it was sent and as it was declared.
var schemas = []func(*Tool) []byte{func(t *Tool) []byte { return t.Schema }, func(t *Tool) []byte { return t.Declared }}

// byPath is the only tool whose schema has a place that the words tell, -1 where none or several have it. A last step
// that the schema does not have may be the keyword that it lacks.
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

// pathsIn are the places in schemas that the words tell.
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

// has reports whether a schema has something at the end of a path of names.
func has(v any, steps []string) bool {
	if len(steps) == 0 {
		return true
	}
	switch v := v.(type) {
	case map[string]any:
		below, ok := v[steps[0]]
		return ok && has(below, steps[1:])
	case []any:
		for _, e := range v { // the number of an alternative may be another one than in the schema as sent
			if has(e, steps[1:]) {
				return true
			}
		}
	}
	return false
}

// quotation is a text in quotes.
var quotation = regexp.MustCompile("\"((?:[^\"\\\\]|\\\\.){6,})\"|'([^']{6,})'|`([^`]{6,})`|(\\{\".*\\})")

// byQuotation is the only tool whose schema has a piece of text that the words quote, -1 where none or several have it.
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

// isCommon reports whether a quoted text is a word of JSON Schema.
func isCommon(text string) bool {
	return strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$") == ""
}

// only is the index of the only tool for which a condition holds, -1 where it holds for none or several.
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

// isProperty reports whether a name is that of a property of one of the tools.
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

// decodeJSON is a JSON text as a value, nil for one that is none.
func decodeJSON(text []byte) any {
	var v any
	if json.Unmarshal(text, &v) != nil {
		return nil
	}
	return v
}
