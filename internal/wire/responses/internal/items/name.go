package items

import (
	"encoding/hex"
	"hash/fnv"
	"strings"
)

// maxName is the maximum length of a tool's name in the vocabulary here: that of all APIs.
const maxName = 64

// JoinedName is the name in the vocabulary of a tool inside a namespace. Namespaces that end in the joint already, as
// those that agents make for MCP servers do, get no other.
func JoinedName(namespace, name string) string {
	if namespace == name { // a deferred tool of its own comes back like that
		return name
	}
	joint := "__"
	if strings.HasSuffix(namespace, joint) {
		joint = ""
	}
	joined := namespace + joint + name
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, joined)
	if clean == joined && len(clean) <= maxName {
		return clean
	}
	return WithTail(clean, joined)
}

// WithTail is a name with a tail by which it differs from others, made of whole.
func WithTail(name, whole string) string {
	h := fnv.New32a()
	h.Write([]byte(whole))
	tail := "_" + hex.EncodeToString(h.Sum(nil))
	return name[:min(len(name), maxName-len(tail))] + tail
}
