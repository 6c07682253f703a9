// Package namepattern matches names with patterns that contain asterisks.
package namepattern

import "strings"

// Matches reports whether name matches pattern, in which an asterisk stands for any characters, also none.
func Matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(name, first) || len(name) < len(first)+len(last) || !strings.HasSuffix(name, last) {
		return false
	}
	name = name[len(first) : len(name)-len(last)]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(name, p)
		if i < 0 {
			return false
		}
		name = name[i+len(p):]
	}
	return true
}
