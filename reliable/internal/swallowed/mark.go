package swallowed

import (
	"bytes"
	"slices"
)

// A role is the function of a marker in a call.
type role uint8

const (
	opens     role = iota // begins a parameter; the marker has its name, as in <parameter name="x">
	element               // tag named after a parameter, as in <x>: begins the parameter, or belongs to the value
	closes                // ends any parameter, as in </parameter>
	closesOwn             // ends the parameter of this name, as in </x>
	ends                  // ends a call or a list of calls
	begins                // begins a call or a list of calls
)

// A mark is a marker of a call format in a text: a tag, a special token, or a sequence of these.
type mark struct {
	role       role
	name       string // parameter name, for the roles opens, element and closesOwn
	start, end int
	plain      bool // element without attributes
	lines      bool // a line break after the opener and one before the closer belong to the format, not to the value
	orphan     bool // closer without an opener before it in the text
}

// words has a substring of each marker, except of tags named after a parameter.
var words = [][]byte{[]byte("param"), []byte("arg_"), []byte("argument"), []byte("tool_arg:"), []byte("arg name"), []byte("arg key")}

// MayHold reports whether a JSON value of a parameter is a string that may contain further parameters of its call. It
// is a fast check with false positives.
func MayHold(value []byte, param string) bool {
	if len(value) == 0 || value[0] != '"' {
		return false
	}
	if bytes.Contains(value, []byte(`\u003`)) || bytes.Contains(value, []byte(`<\/`)) {
		return true
	}
	return bytes.IndexByte(value, '<') >= 0 && (bytes.Contains(value, []byte("</"+param)) ||
		slices.ContainsFunc(words, func(w []byte) bool { return bytes.Contains(value, w) }))
}
