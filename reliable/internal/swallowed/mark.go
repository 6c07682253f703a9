package swallowed

import (
	"bytes"
	"slices"
)

// A role is the part of a call that a mark opens or ends.
type role uint8

const (
	opens     role = iota // a parameter, whose name the mark has
	element               // a parameter, or an element of the value's own: a tag that is named after the parameter
	closes                // any parameter
	closesOwn             // the parameter of this name
	ends                  // the call, or what stands around it
	begins                // a call, or what stands around it
)

// A mark is a part of a text that belongs to the format of a call.
type mark struct {
	role       role
	name       string // of the parameter
	start, end int
	plain      bool // an element without attributes
	lines      bool // a line end behind the opener and one before the closer are the format's
	orphan     bool // a closer: nothing before it in the text is left for it to close
}

// words are in every mark but the tags that are named after a parameter.
var words = [][]byte{[]byte("param"), []byte("arg_"), []byte("argument"), []byte("tool_arg:"), []byte("arg name"), []byte("arg key")}

// MayHold reports whether the value of a parameter is a string of JSON that can hold the rest of its call. It is quick.
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
