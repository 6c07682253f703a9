// Package variable expands references to environment variables in configurations.
package variable

import (
	"fmt"
	"strings"
)

// Expand replaces ${NAME} in text by the value of the environment variable, and ${NAME:-default} by default if the
// variable is unset or empty. "$${" becomes "${". Values are not expanded again. It reports whether it replaced a
// reference. A variable that is not set is an error.
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
			return "", false, fmt.Errorf("expected a } after ${ (write $${ for a literal ${)")
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
			return "", false, fmt.Errorf("environment variable %s is not set (write ${%s:-default} for a default)", name, name)
		}
		out.WriteString(value)
		text, changed = rest, true
	}
}

// IsName reports whether name is a valid name of an environment variable: letters, digits and '_', with no digit at the
// start.
func IsName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_')
	}) && (name[0] < '0' || name[0] > '9')
}
