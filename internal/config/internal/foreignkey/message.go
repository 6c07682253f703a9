package foreignkey

import (
	"fmt"
	"slices"
	"strings"
)

// Advice returns the error message for an unknown key that another program has. below is the path of the object with
// the key, names are the keys that the object permits. It returns false if no program has the key.
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

// relative returns path relative to an object, such as base_url for providers.NAME.base_url, if the first part is in
// names, the keys of the object. Otherwise it returns path.
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
