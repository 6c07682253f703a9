package markup

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// A PlainTag is an opening tag that is not a marker of a format.
type PlainTag struct {
	Name       string
	Key        string // argument name from an attribute, if any
	Attributes string
	Size       int
	Alone      bool // <name/>
}

// PlainTagAt parses the opening tag at the beginning of t. Its Size is 0 if there is none. Quoted attributes may have
// any characters.
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

// ElementName returns the name of the opening tag at the beginning of t, "" if there is none.
func ElementName(t string) string {
	if x := PlainTagAt(t); x.Size > 0 {
		return x.Name
	}
	return ""
}

// SuffixOf returns the suffix of the name in an opening tag, such as ":x" in <tool_call:x>.
func SuffixOf(tag string) string {
	name := ElementName(tag)
	if base := TrimTagSuffix(name); base != name {
		return name[len(base):]
	}
	return ""
}

// SuffixAfter returns the suffix after name in an opening or closing tag: a colon and the following characters up to
// white space or '>'.
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

// IsTagHead reports whether t is an incomplete opening tag.
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

// closesPlainly reports whether t has a bracket outside quotes.
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

// IsNameElement reports whether an element with this name contains a tool name.
func IsNameElement(name string) bool {
	switch name {
	case "tool_name", "name", "function_name", "invoke_name":
		return true
	}
	return false
}

// IsContainer reports whether an element with this name contains the arguments of a call.
func IsContainer(name string) bool {
	switch name {
	case "parameters", "arguments", "args", "params", "input", "tool_input":
		return true
	}
	return false
}

// TrimTagSuffix removes the suffix that some models append to every tag name, as in <tool_call:suffix>.
func TrimTagSuffix(name string) string {
	if i := strings.IndexByte(name, ':'); i > 0 && !strings.Contains(name[i+1:], "_") {
		return name[:i]
	}
	return name
}

// capitals are tag names that some models write with a capital letter, as in <Parameter=name>.
var capitals = [...]string{"Function", "Parameter"}

// Fold returns a name in capitals in lower case, and any other name unchanged.
func Fold(name string) string {
	for _, c := range capitals {
		if name == c {
			return strings.ToLower(name)
		}
	}
	return name
}

// BeginsCapital reports whether name is a prefix of a name in capitals.
func BeginsCapital(name string) bool {
	return name != "" && (strings.HasPrefix(capitals[0], name) || strings.HasPrefix(capitals[1], name))
}
