package jsonpatch

import (
	"math"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Pointer is a JSON Pointer (RFC 6901) as its unescaped tokens. Nil means the whole document.
type Pointer []string

// ParsePointer parses a JSON Pointer. The error is an *Error.
func ParsePointer(s string) (Pointer, error) {
	if s == "" {
		return nil, nil
	}
	if s[0] != '/' {
		return nil, &Error{Code: CodePointer,
			Message: "expected a JSON pointer, which is empty or begins with '/', such as " + clip("/"+jsonx.EscapeToken(s)) + ", got " + clip(s)}
	}
	var p Pointer
	for token := range strings.SplitSeq(s[1:], "/") {
		for rest := token; ; {
			_, after, found := strings.Cut(rest, "~")
			if !found {
				break
			}
			if after == "" || after[0] != '0' && after[0] != '1' {
				return nil, &Error{Code: CodePointer, Message: "in a JSON pointer '~' is written ~0 and '/' in a name ~1, got " + clip(s)}
			}
			rest = after
		}
		p = append(p, jsonx.UnescapeToken(token))
	}
	return p, nil
}

// String returns the pointer in its escaped form.
func (p Pointer) String() string {
	var b strings.Builder
	for _, token := range p {
		b.WriteByte('/')
		b.WriteString(jsonx.EscapeToken(token))
	}
	return b.String()
}

// within reports whether p equals q or is below it.
func (p Pointer) within(q Pointer) bool {
	if len(p) < len(q) {
		return false
	}
	for i := range q {
		if p[i] != q[i] {
			return false
		}
	}
	return true
}

// index parses a token as an array index: digits without leading zeros. It returns false for another token. A very
// large index is limited to a number larger than any array.
func index(token string) (int, bool) {
	if token == "" || len(token) > 1 && token[0] == '0' {
		return 0, false
	}
	n := 0
	for _, c := range []byte(token) {
		if c < '0' || c > '9' {
			return 0, false
		}
		if n > math.MaxInt/10-1 {
			n = math.MaxInt/10 - 1
			continue
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}
