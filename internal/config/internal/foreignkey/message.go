package foreignkey

import (
	"fmt"
	"slices"
	"strings"
)

// Advice returns the error for an unknown key of another program. Names are the keys of the object at below.
func Advice(key, below string, names []string) (string, bool) {
	r, ok := Find(key, below)
	if !ok {
		return "", false
	}
	of := ""
	if r.Program != "" {
		of = " (" + r.Program + ")"
	}
	if r.Path == "" {
		return fmt.Sprintf("unknown key %q%s: %s", key, of, r.Note), true
	}
	note := ""
	if r.Note != "" {
		note = " (" + r.Note + ")"
	}
	return fmt.Sprintf("unknown key %q%s: did you mean %s%s?", key, of, relative(r.Path, names), note), true
}

// relative returns a path as it reads from an object with these keys: without the path of the object, where the object
// has the key that follows.
func relative(path string, names []string) string {
	for _, object := range []string{"models.NAME.", "providers.NAME.", "keys[]."} {
		rest, below := strings.CutPrefix(path, object)
		first, _, _ := strings.Cut(rest, ".")
		if below && slices.Contains(names, first) {
			return rest
		}
	}
	return path
}
