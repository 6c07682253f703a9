package schema

import (
	"encoding/json"
	"strconv"
)

// keyword checks the value of the keyword name in the schema m at path against its required shape, the parameter is.
// It also walks the subschemas of the keyword.
func (src *source) keyword(path, name string, is shape, m map[string]any, depth int) error {
	v, at := m[name], join(path, name)
	switch is {
	case oneSchema:
		return src.walk(at, v, depth+1)
	case schemaOrList:
		if list, ok := v.([]any); ok {
			return src.walkList(at, list, depth)
		}
		return src.walk(at, v, depth+1)
	case schemaList:
		list, ok := v.([]any)
		if !ok || len(list) == 0 {
			return refuse(at, "want a list of schemas, got %s", show(v))
		}
		return src.walkList(at, list, depth)
	case schemaMap, mixedMap:
		return src.walkMap(at, v, is, depth)
	case patternMap:
		return src.walkPatterns(path, name, m, depth)
	case foreignRef:
		src.foreign = true
		return nil
	case foreignSchema:
		src.foreign = true
		return src.walk(at, v, depth+1)
	case reference:
		to, ok := v.(string)
		if !ok {
			return refuse(at, "want a reference to a schema, got %s", show(v))
		}
		src.refs = append(src.refs, refAt{path: path, to: to})
		return nil
	case typeNames, anyValue:
		return nil // translate has validated the value
	}
	return src.plain(path, name, is, m)
}

// plain checks the value of a keyword without subschemas against its required shape, the parameter is.
func (src *source) plain(path, name string, is shape, m map[string]any) error {
	v, at := m[name], join(path, name)
	ok, want := false, ""
	switch is {
	case anyNumber, aboveZero:
		var n json.Number
		n, ok = v.(json.Number)
		want = "a number"
		if d := parseDecimal([]byte(n)); ok && is == aboveZero && (d.neg || d.zero()) {
			ok, want = false, "a number above 0"
		}
	case count:
		var n json.Number
		if n, ok = tameCount(v); ok {
			m[name] = n
		}
		want = "an integer of 0 or more"
	case flag:
		_, ok = v.(bool)
		want = "true or false"
	case valueList:
		_, ok = v.([]any)
		want = "a list of values"
	case nameList:
		ok, want = src.names(m, name), "a list of names"
	case nameLists:
		return src.nameLists(at, v)
	case text, pattern:
		_, ok = v.(string)
		want = "a string"
	}
	if !ok {
		return refuse(at, "want %s, got %s", want, show(v))
	}
	if is == pattern && !isRegexp(str(v)) {
		delete(m, name)
		src.leaveOut(path, name, "RE2 does not support the pattern "+shorten(str(v)))
	}
	if name == "format" && formatOf(str(v)) == nil {
		delete(m, name)
		src.leaveOut(path, name, "unknown format "+shorten(str(v)))
	}
	return nil
}

// names removes duplicates from an array of names. It returns false if the value is not an array of strings.
func (src *source) names(m map[string]any, name string) bool {
	list, ok := m[name].([]any)
	if !ok {
		return false
	}
	once := make([]any, 0, len(list))
	seen := make(map[string]bool, len(list))
	for _, v := range list {
		s, ok := v.(string)
		if !ok {
			return false
		}
		if !seen[s] {
			seen[s] = true
			once = append(once, v)
		}
	}
	m[name] = once
	return true
}

func (src *source) nameLists(at string, v any) error {
	m, ok := v.(map[string]any)
	if !ok {
		return refuse(at, "want an object of lists of names, got %s", show(v))
	}
	for _, k := range sortedKeys(m) {
		if !src.names(m, k) {
			return refuse(join(at, k), "want a list of names, got %s", show(m[k]))
		}
	}
	return nil
}

func (src *source) walkList(at string, list []any, depth int) error {
	for i, v := range list {
		if err := src.walk(at+"/"+strconv.Itoa(i), v, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (src *source) walkMap(at string, v any, is shape, depth int) error {
	m, ok := v.(map[string]any)
	if !ok {
		return refuse(at, "want an object of schemas, got %s", show(v))
	}
	for _, k := range sortedKeys(m) {
		if _, list := m[k].([]any); list && is == mixedMap {
			if !src.names(m, k) {
				return refuse(join(at, k), "want a list of names, got %s", show(m[k]))
			}
			continue
		}
		if err := src.walk(join(at, k), m[k], depth+1); err != nil {
			return err
		}
	}
	return nil
}

// walkPatterns walks the schemas of patternProperties. It removes patterns that RE2 does not support. It then also
// removes additionalProperties and unevaluatedProperties, because their scope is unknown without the pattern.
func (src *source) walkPatterns(path, name string, m map[string]any, depth int) error {
	at := join(path, name)
	schemas, ok := m[name].(map[string]any)
	if !ok {
		return refuse(at, "want an object of schemas by pattern, got %s", show(m[name]))
	}
	for _, k := range sortedKeys(schemas) {
		if isRegexp(k) {
			if err := src.walk(join(at, k), schemas[k], depth+1); err != nil {
				return err
			}
			continue
		}
		delete(schemas, k)
		src.leaveOut(at, k, "RE2 does not support the pattern "+shorten(k))
		for _, rest := range [...]string{"additionalProperties", "unevaluatedProperties"} {
			if _, given := m[rest]; given {
				delete(m, rest)
				src.leaveOut(path, rest, "it depends on a pattern that is left out")
			}
		}
	}
	return nil
}
