// Package toolglob matches names of tools by patterns.
package toolglob

import (
	"path"
	"strings"
)

// Matches reports whether a pattern, or one of several with commas between them, matches the name of a tool in the form
// of the options and approval rules of package agent.
func Matches(pattern, name string) bool {
	for one := range strings.SplitSeq(pattern, ",") {
		// A slash is like any other character here.
		if ok, err := path.Match(strings.ReplaceAll(strings.TrimSpace(one), "/", "\x00"),
			strings.ReplaceAll(name, "/", "\x00")); ok && err == nil {
			return true
		}
	}
	return false
}
