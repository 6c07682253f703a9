// Package variable puts environment variables into the texts of configurations.
package variable

import (
	"fmt"
	"strings"
)

// Expand puts the values of environment variables into a scalar: ${NAME}, and ${NAME:-default} for a variable that is
// not set or empty; "$${" stands for "${". It reports whether there was anything to put in. Values are not expanded
// again.
func Expand(text string, env func(string) (string, bool)) (string, bool, error) {
	if !strings.Contains(text, "${") {
		return text, false, nil
	}
	var out strings.Builder
	changed := false
	for {
		i := strings.Index(text, "${")
		if i < 0 {
			out.WriteString(text)
			return out.String(), changed, nil
		}
		if i > 0 && text[i-1] == '$' {
			out.WriteString(text[:i-1] + "${")
			text = text[i+2:]
			continue
		}
		out.WriteString(text[:i])
		inner, rest, closed := strings.Cut(text[i+2:], "}")
		if !closed {
			return "", false, fmt.Errorf("expected a } after ${ (to write ${ itself, write $${)")
		}
		name, fallback, has := strings.Cut(inner, ":-")
		if !IsName(name) {
			return "", false, fmt.Errorf("expected ${NAME} or ${NAME:-default}, got ${%s}", inner)
		}
		value, set := env(name)
		switch {
		case has && value == "":
			value = fallback
		case !set:
			return "", false, fmt.Errorf("environment variable %s is not set (${%s:-default} gives a default)", name, name)
		}
		out.WriteString(value)
		text, changed = rest, true
	}
}

// IsName reports whether name can be the name of an environment variable.
func IsName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_')
	}) && (name[0] < '0' || name[0] > '9')
}
