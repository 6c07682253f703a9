package config

import (
	"fmt"

	"github.com/callwright/callwright/internal/spelling"
)

// unknown says that a name means nothing: which one is like it, or, where none is, which ones there are.
func unknown(what, name string, names []string) error {
	if near := Nearest(name, names); near != "" {
		return fmt.Errorf("unknown %s %q: did you mean %s?", what, name, near)
	}
	return fmt.Errorf("unknown %s %q: expected %s", what, name, oneOf(names))
}

// Nearest returns the one of the names that a person may have meant by a name that is not among them, "" where none is near enough. It is for
// messages: nothing may be done by it.
func Nearest(name string, names []string) string { return spelling.Nearest(name, names) }
