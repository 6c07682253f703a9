package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/markup"
)

// A plainTag is a tag that is no format's mark.
type plainTag struct {
	name       string
	key        string // the name of an argument, where an attribute gives it
	attributes string
	size       int
	alone      bool // <name/>
}

// plainTagAt reads the opening tag at the beginning of t; its size is 0 where there is none. In quotes its attributes may
// hold anything.
func plainTagAt(t string) (x plainTag) {
	i := 1
	for i < len(t) && isTagByte(t[i]) {
		i++
	}
	if i == 1 || i >= len(t) || t[0] != '<' {
		return x
	}
	x.name = t[1:i]
	for from := i; i < len(t) && i < maxTag; {
		switch {
		case isSpace(t[i]):
			i++
		case t[i] == '>', t[i] == '/' && i+1 < len(t) && t[i+1] == '>':
			x.attributes = strings.TrimSpace(t[from:i])
			x.alone = t[i] == '/'
			x.size = i + 1
			if x.alone {
				x.size++
			}
			return x
		default:
			key, value, n := markup.Attribute(t[i:])
			if n == 0 || i == from {
				return plainTag{}
			}
			if key == "name" || key == "key" {
				x.key = strings.TrimSpace(value)
			}
			i += n
		}
	}
	return plainTag{}
}

// elementName is the name in an opening tag at the beginning of t, or empty.
func elementName(t string) string {
	if x := plainTagAt(t); x.size > 0 {
		return x.name
	}
	return ""
}

// suffixOf is what stands behind the name of an opening tag, from a colon on.
func suffixOf(tag string) string {
	name := elementName(tag)
	if base := unsuffixed(name); base != name {
		return name[len(base):]
	}
	return ""
}

// isTagHead reports whether t is the beginning of an opening tag and no more.
func isTagHead(t string) bool {
	i := 1
	for i < len(t) && isTagByte(t[i]) {
		i++
	}
	if i == len(t) {
		return len(t) < maxToken
	}
	return i > 1 && len(t) < maxTag && (t[i] == '/' && i+1 == len(t) || isSpace(t[i]) && !closesPlainly(t[i:]))
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

func isNameElement(name string) bool {
	switch name {
	case "tool_name", "name", "function_name":
		return true
	}
	return false
}

func isContainer(name string) bool {
	switch name {
	case "parameters", "arguments", "args", "params", "input", "tool_input":
		return true
	}
	return false
}
