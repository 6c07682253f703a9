package spelling

import "strings"

// Or joins names with commas and "or": "a, b or c".
func Or(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
	return strings.Join(names, "")
}
