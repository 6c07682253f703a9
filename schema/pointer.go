package schema

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// join adds a step to a JSON pointer.
func join(path, step string) string {
	if strings.ContainsAny(step, "~/") {
		step = jsonx.EscapeToken(step)
	}
	return path + "/" + step
}

// refPath turns the reference "#/a/b" into the pointer /a/b, in the form that join gives.
func refPath(ref string) string {
	if p, err := url.PathUnescape(ref[1:]); err == nil {
		return p
	}
	return ref[1:]
}

// resolve finds the value that a JSON pointer leads to.
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

// steps takes a JSON pointer apart.
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

// element returns the element of an array that a step of a pointer names.
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

// indexOf reads a step as an index, -1 when it is none.
func indexOf(step string) int {
	i, err := strconv.Atoi(step)
	if err != nil {
		return -1
	}
	return i
}
