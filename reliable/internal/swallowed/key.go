package swallowed

import (
	"regexp"
	"strings"
)

// namespace matches an optional namespace before the name of a tag, such as "antml:" or "|DSML|".
const namespace = `(?:[A-Za-z][\w.-]*:|[|｜]\s*\w+\s*[|｜]\s*|ifm\|)?`

// around matches the text before or after a parameter name in a key: complete or truncated parameter tags, quotes and
// white space.
var around = regexp.MustCompile(`^(?:\s|</?` + namespace +
	`(?:parameter|param|arg|argument|tool_call|function|invoke|(?:arg|param)_(?:key|value|type))(?:\s+name)?(?:[=:][\w-]*)?["']?\s*>?|["']?\s*/?>|["'=])*$`)

// maxKey is the maximum length in bytes of a key in which Name searches.
const maxKey = 512

// Name returns the parameter name in a key with parts of tags, such as `path</arg_key>` -> path. ok is false if the
// key has no part of a tag, has other text, or matches more than one of names.
func Name(key string, names []string) (name string, ok bool) {
	if !strings.ContainsAny(key, "<>") || len(key) > maxKey {
		return "", false
	}
	for _, n := range names {
		for from := 0; n != "" && from+len(n) <= len(key); from++ {
			i := strings.Index(key[from:], n)
			if i < 0 {
				break
			}
			if from += i; !around.MatchString(key[:from]) || !around.MatchString(key[from+len(n):]) {
				continue
			}
			if ok && n != name {
				return "", false
			}
			name, ok = n, true
		}
	}
	return name, ok
}

// parts matches a complete or truncated tag of a parameter or call in a key.
var parts = regexp.MustCompile(`</?` + namespace +
	`(?:(?:arg|param)_(?:key|value|type)\b|(?:parameter|param|tool_call|function|invoke)(?:\s+name)?\s*[=>])`)

// IsMarked reports whether a key has a complete or truncated tag of a call format.
func IsMarked(key string) bool { return strings.IndexByte(key, '<') >= 0 && parts.MatchString(key) }
