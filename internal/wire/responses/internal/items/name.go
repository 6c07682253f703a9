package items

import (
	"encoding/hex"
	"hash/fnv"
	"strings"
)

// maxName is the maximum length in bytes of a tool name that all APIs accept.
const maxName = 64

// JoinedName returns the callwright name of a tool inside a namespace: NAMESPACE__NAME, without a further "__" if the
// namespace ends in one. Each character other than letters, digits, "_" and "-" becomes "_". A name that was changed by
// this or is longer than 64 bytes gets a suffix, as by WithTail. If both names are equal, the result is that name.
func JoinedName(namespace, name string) string {
	if namespace == name { // a deferred tool outside namespaces is called like this
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

// WithTail returns name, shortened if necessary, with a suffix that is a 32-bit hash of whole: f_0a1b2c3d. The suffix
// distinguishes equal names that were made from different texts (whole). The result has at most 64 bytes.
func WithTail(name, whole string) string {
	h := fnv.New32a()
	h.Write([]byte(whole))
	tail := "_" + hex.EncodeToString(h.Sum(nil))
	return name[:min(len(name), maxName-len(tail))] + tail
}
