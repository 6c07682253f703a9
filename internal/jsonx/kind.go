package jsonx

import "strings"

// Kind is the type of a JSON value.
type Kind uint8

// The kinds of JSON values. Invalid, the zero value, means text that cannot begin a value. Text is a JSON string; the
// function String decodes it.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	Text
	Array
	Object
)

var kindNames = [...]string{"invalid", "null", "boolean", "number", "string", "array", "object"}

// String returns the name of the kind in JSON Schema, such as "boolean", or "invalid".
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return kindNames[Invalid]
	}
	return kindNames[k]
}

// InWords returns the kind with an article for messages: "an array", "null", "a string".
func (k Kind) InWords() string {
	switch k {
	case Array, Object:
		return "an " + k.String()
	case Null:
		return "null"
	}
	return "a " + k.String()
}

var kinds = [256]Kind{
	'n': Null, 't': Bool, 'f': Bool, '"': Text, '[': Array, '{': Object, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// KindOf returns the kind of v by its first byte after white space. It reads no further.
func KindOf(v []byte) Kind {
	i := Space(v, 0)
	if i >= len(v) {
		return Invalid
	}
	return kinds[v[i]]
}

// Trim returns v without surrounding JSON white space. The result aliases v.
func Trim(v []byte) []byte {
	i, end := Space(v, 0), len(v)
	for end > i && isSpace(v[end-1]) {
		end--
	}
	return v[i:end]
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// IsText reports whether v is a string, by its first byte. v must not begin with white space, as in the functions
// below.
func IsText(v []byte) bool { return len(v) > 0 && v[0] == '"' }

// IsObject reports whether v is an object, by its first byte.
func IsObject(v []byte) bool { return len(v) > 0 && v[0] == '{' }

// IsArray reports whether v is an array, by its first byte.
func IsArray(v []byte) bool { return len(v) > 0 && v[0] == '[' }

// IsNull reports whether v is null, by its first byte, or empty.
func IsNull(v []byte) bool { return len(v) == 0 || v[0] == 'n' }

// IsTrue reports whether v is true, by its first byte.
func IsTrue(v []byte) bool { return len(v) > 0 && v[0] == 't' }

// IsNullWord reports whether an unquoted word means null: "null" in any case, or Python's "None". Other words such as
// "nil" do not.
func IsNullWord(word string) bool {
	return len(word) == 4 && (strings.EqualFold(word, "null") || word == "None")
}
