// Package toolglob matches tool names with glob patterns.
package toolglob

import (
	"path"
	"strings"
)

// Matches reports whether a tool name matches pattern, or one of several patterns separated by commas. The syntax is
// that of path.Match, except that "*" and "?" also match "/". Options and approval rules of package agent use it.
func Matches(pattern, name string) bool {
	for one := range strings.SplitSeq(pattern, ",") {
		// "/" has no special meaning, so replace it for path.Match.
		if ok, err := path.Match(strings.ReplaceAll(strings.TrimSpace(one), "/", "\x00"),
			strings.ReplaceAll(name, "/", "\x00")); ok && err == nil {
			return true
		}
	}
	return false
}
