package markup

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// A PlainTag is a tag that is no format's mark.
type PlainTag struct {
	Name       string
	Key        string // the name of an argument, where an attribute gives it
	Attributes string
	Size       int
	Alone      bool // <name/>
}

// PlainTagAt reads the opening tag at the beginning of t; its size is 0 where there is none. In quotes its attributes
// may hold anything.
func PlainTagAt(t string) (x PlainTag) {
	i := 1
	for i < len(t) && chars.IsTagByte(t[i]) {
		i++
	}
	if i == 1 || i >= len(t) || t[0] != '<' {
		return x
	}
	x.Name = t[1:i]
	for from := i; i < len(t) && i < chars.MaxTag; {
		switch {
		case chars.IsSpace(t[i]):
			i++
		case t[i] == '>', t[i] == '/' && i+1 < len(t) && t[i+1] == '>':
			x.Attributes = strings.TrimSpace(t[from:i])
			x.Alone = t[i] == '/'
			x.Size = i + 1
			if x.Alone {
				x.Size++
			}
			return x
		default:
			key, value, n := Attribute(t[i:])
			if n == 0 || i == from {
				return PlainTag{}
			}
			if key == "name" || key == "key" {
				x.Key = strings.TrimSpace(value)
			}
			i += n
		}
	}
	return PlainTag{}
}

// ElementName is the name in an opening tag at the beginning of t, or empty.
func ElementName(t string) string {
	if x := PlainTagAt(t); x.Size > 0 {
		return x.Name
	}
	return ""
}

// SuffixOf is the text after the name of an opening tag, from a colon on.
func SuffixOf(tag string) string {
	name := ElementName(tag)
	if base := TrimTagSuffix(name); base != name {
		return name[len(base):]
	}
	return ""
}

// SuffixAfter is the suffix of the name in an opening or a closing tag: a colon and the characters up to white space or
// the bracket.
func SuffixAfter(tag, name string) string {
	_, rest, _ := strings.Cut(tag, name)
	if rest == "" || rest[0] != ':' {
		return ""
	}
	end := 1
	for end < len(rest) && rest[end] > ' ' && rest[end] != '>' {
		end++
	}
	return rest[:end]
}

// IsTagHead reports whether t is the beginning of an opening tag and no more.
func IsTagHead(t string) bool {
	i := 1
	for i < len(t) && chars.IsTagByte(t[i]) {
		i++
	}
	if i == len(t) {
		return len(t) < chars.MaxToken
	}
	return i > 1 && len(t) < chars.MaxTag && (t[i] == '/' && i+1 == len(t) || chars.IsSpace(t[i]) && !closesPlainly(t[i:]))
}

// closesPlainly reports whether a bracket stands outside the quotes of attributes.
func closesPlainly(t string) bool {
	for t != "" {
		n := strings.IndexAny(t, "<>\"'")
		if n < 0 {
			return false
		}
		if t[n] == '<' || t[n] == '>' {
			return true
		}
		end := strings.IndexByte(t[n+1:], t[n])
		if end < 0 {
			return false
		}
		t = t[n+end+2:]
	}
	return false
}

// IsNameElement reports whether an element of a name holds the name of a tool.
func IsNameElement(name string) bool {
	switch name {
	case "tool_name", "name", "function_name", "invoke_name":
		return true
	}
	return false
}

// IsContainer reports whether an element of a name holds the arguments of a call.
func IsContainer(name string) bool {
	switch name {
	case "parameters", "arguments", "args", "params", "input", "tool_input":
		return true
	}
	return false
}

// TrimTagSuffix removes the suffix that some checkpoints put after every tag, as in <tool_call:suffix>.
func TrimTagSuffix(name string) string {
	if i := strings.IndexByte(name, ':'); i > 0 && !strings.Contains(name[i+1:], "_") {
		return name[:i]
	}
	return name
}

// capitals are the names of tags that some models write with a capital, as in <Parameter=name>.
var capitals = [...]string{"Function", "Parameter"}

// Fold is the name of such a tag in lower case, and any other as it is.
func Fold(name string) string {
	for _, c := range capitals {
		if name == c {
			return strings.ToLower(name)
		}
	}
	return name
}

// BeginsCapital reports whether a name may become that of such a tag.
func BeginsCapital(name string) bool {
	return name != "" && (strings.HasPrefix(capitals[0], name) || strings.HasPrefix(capitals[1], name))
}
