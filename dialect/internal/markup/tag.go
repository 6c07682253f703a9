package markup

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// A Tag is a tag found in text.
type Tag struct {
	Name  string
	Size  int  // in bytes
	Close bool // </a>
	Alone bool // <a/>
}

// maxSize is the maximum size of a tag with its attributes in bytes.
const maxSize = 640

// TagAt parses the tag at the beginning of t. It skips attributes for an index or a type. For a tag with other
// attributes ok is false.
func TagAt(t string) (x Tag, ok bool) {
	i := 1
	if i < len(t) && t[i] == '/' {
		x.Close = true
		i++
	}
	from := i
	for i < len(t) && chars.IsTagByte(t[i]) {
		i++
	}
	x.Name = t[from:i]
	if i == from || i >= len(t) || t[0] != '<' {
		return x, false
	}
	if i = attributesEnd(t[:min(len(t), maxSize)], i); i < 0 {
		return x, false
	}
	if t[i] == '/' {
		x.Alone = !x.Close
		i++
	}
	x.Size = i + 1
	return x, i < len(t) && t[i] == '>'
}

// attributesEnd returns the end of the attributes at t[i:], which a slash or bracket must follow. Otherwise it returns
// -1.
func attributesEnd(t string, i int) int {
	for {
		gap := i
		for i < len(t) && chars.IsSpace(t[i]) {
			i++
		}
		switch {
		case i >= len(t):
			return -1
		case t[i] == '>' || t[i] == '/':
			return i
		case i == gap:
			return -1
		}
		key, value, n := Attribute(t[i:])
		if n == 0 || key != "type" && (value == "" || len(value) > 6 || strings.Trim(value, "0123456789") != "") {
			return -1
		}
		i += n
	}
}

// Attribute parses key="value" at the beginning of t. n is its size, 0 if there is none.
func Attribute(t string) (key, value string, n int) {
	n = NameEnd(t)
	if key = t[:n]; n == 0 || n+1 >= len(t) || t[n] != '=' || t[n+1] != '"' && t[n+1] != '\'' {
		return "", "", 0
	}
	rest := t[n+2:]
	end := strings.IndexByte(rest, t[n+1])
	if end < 0 {
		return "", "", 0
	}
	return key, rest[:end], n + 2 + end + 1
}

// IsAttribute reports whether t begins with an attribute name and an equals sign, or with the end of a tag.
func IsAttribute(t string) bool {
	end := NameEnd(t)
	return end < len(t) && (t[end] == '=' || end == 0 && t[end] != '<')
}

// NameEnd returns the length of the tag or attribute name at the beginning of t.
func NameEnd(t string) (end int) {
	for end < len(t) && chars.IsTagByte(t[end]) {
		end++
	}
	return end
}

// HasTags reports whether text contains a possible tag.
func HasTags(text string) bool {
	for {
		n := strings.IndexByte(text, '<')
		if n < 0 || n+1 >= len(text) {
			return false
		}
		if text = text[n+1:]; chars.IsLetter(text[0]) || text[0] == '/' || text[0] == '|' {
			return true
		}
	}
}
