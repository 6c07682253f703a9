package markup

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// A Tag is a tag as it was met.
type Tag struct {
	Name  string
	Size  int  // bytes
	Close bool // </a>
	Alone bool // <a/>
}

// maxSize bounds a tag with its attributes.
const maxSize = 640

// TagAt reads the tag at the beginning of t. Attributes are passed where they say which of several it is, or of which
// type; with any other, it is no tag.
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

// attributesEnd is where the attributes at t[i:] end, which is a slash or a bracket; -1 when something else stands
// there.
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

// Attribute reads key="value" at the beginning of t; n is its length, 0 where it is none.
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

// IsAttribute reports whether the name of an attribute and an equals sign, or the end of a tag, stand at the beginning
// of t.
func IsAttribute(t string) bool {
	end := NameEnd(t)
	return end < len(t) && (t[end] == '=' || end == 0 && t[end] != '<')
}

// NameEnd is where the name of a tag or an attribute at the beginning of t ends.
func NameEnd(t string) (end int) {
	for end < len(t) && chars.IsTagByte(t[end]) {
		end++
	}
	return end
}

// HasTags reports whether a text holds a possible tag.
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
