package schema

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// join appends a reference token to a JSON pointer.
func join(path, step string) string {
	if strings.ContainsAny(step, "~/") {
		step = jsonx.EscapeToken(step)
	}
	return path + "/" + step
}

// refPath converts a reference such as "#/a/b" to the JSON pointer /a/b.
func refPath(ref string) string {
	if p, err := url.PathUnescape(ref[1:]); err == nil {
		return p
	}
	return ref[1:]
}

// resolve returns the value at a JSON pointer in the decoded document v. ok is false if there is none.
func resolve(v any, path string) (any, bool) {
	if path == "" {
		return v, true
	}
	for step := range strings.SplitSeq(path[1:], "/") {
		switch at := v.(type) {
		case map[string]any:
			var ok bool
			if v, ok = at[jsonx.UnescapeToken(step)]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// steps returns the unescaped reference tokens of a JSON pointer.
func steps(path string) []string {
	if path == "" {
		return nil
	}
	list := strings.Split(path[1:], "/")
	for i := range list {
		list[i] = jsonx.UnescapeToken(list[i])
	}
	return list
}

// element returns the array element whose index is the pointer token step, nil if there is none.
func element(arr []byte, step string) []byte {
	want, err := strconv.Atoi(step)
	if err != nil {
		return nil
	}
	i := 0
	for v := range jsonx.Elements(arr) {
		if i == want {
			return v
		}
		i++
	}
	return nil
}

// indexOf parses step as an array index. It returns -1 if step is not a number.
func indexOf(step string) int {
	i, err := strconv.Atoi(step)
	if err != nil {
		return -1
	}
	return i
}
