package jsonx

import "strings"

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of JSON values. Invalid, the zero value, is the kind of a text that does not begin like any of them. Text
// is a JSON string: String is the function that reads one.
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

// String returns the name that JSON Schema has for the kind, "invalid" for Invalid.
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return kindNames[Invalid]
	}
	return kindNames[k]
}

// InWords is the kind as it stands in a sentence: "an array", "null", "a string".
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

// KindOf returns the kind of v by its first byte that is not white space. It does not look further.
func KindOf(v []byte) Kind {
	i := Space(v, 0)
	if i >= len(v) {
		return Invalid
	}
	return kinds[v[i]]
}

// Trim returns v without the JSON white space around it. It aliases v.
func Trim(v []byte) []byte {
	i, end := Space(v, 0), len(v)
	for end > i && isSpace(v[end-1]) {
		end--
	}
	return v[i:end]
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// IsText reports whether v is a string, by its first byte. v has no white space before it, here and in the functions
// below.
func IsText(v []byte) bool { return len(v) > 0 && v[0] == '"' }

// IsObject reports whether v is an object.
func IsObject(v []byte) bool { return len(v) > 0 && v[0] == '{' }

// IsArray reports whether v is an array.
func IsArray(v []byte) bool { return len(v) > 0 && v[0] == '[' }

// IsNull reports whether v is null, or missing.
func IsNull(v []byte) bool { return len(v) == 0 || v[0] == 'n' }

// IsTrue reports whether v is true.
func IsTrue(v []byte) bool { return len(v) > 0 && v[0] == 't' }

// IsNullWord reports whether a word without quotes stands for null where it could be a string, too: null in any case,
// or Python's None. Other words for nothing are words.
func IsNullWord(word string) bool {
	return len(word) == 4 && (strings.EqualFold(word, "null") || word == "None")
}
