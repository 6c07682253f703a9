package swallowed

import (
	"regexp"
	"strings"
)

// namespace may stand before the word of a tag.
const namespace = `(?:[A-Za-z][\w.-]*:|[|｜]\s*\w+\s*[|｜]\s*|ifm\|)?`

// around are the texts that may stand around a name in a key: tags of parameters, whole or cut, and rests of them.
var around = regexp.MustCompile(`^(?:\s|</?` + namespace +
	`(?:parameter|param|arg|argument|tool_call|function|invoke|(?:arg|param)_(?:key|value|type))(?:\s+name)?(?:[=:][\w-]*)?["']?\s*>?|["']?\s*/?>|["'=])*$`)

// maxKey bounds the keys in which a name is looked for.
const maxKey = 512

// Name returns the name in a key that has marks around it. ok is false for a key without marks, and for one that holds
// anything else or more than one of the names.
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

// parts are tags in a key, cut ones too.
var parts = regexp.MustCompile(`</?` + namespace +
	`(?:(?:arg|param)_(?:key|value|type)\b|(?:parameter|param|tool_call|function|invoke)(?:\s+name)?\s*[=>])`)

// IsMarked reports whether a key has marks of a call's format in it.
func IsMarked(key string) bool { return strings.IndexByte(key, '<') >= 0 && parts.MatchString(key) }
