package jsonx

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of JSON values. Invalid, the zero value, is what does not begin like any of them. Text is a JSON string:
// String is the function that reads one.
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

var kinds = [256]Kind{
	'n': Null, 't': Bool, 'f': Bool, '"': Text, '[': Array, '{': Object, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// KindOf tells the kind of v by its first byte that is not white space. It does not look further.
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

// IsText tells a string by its first byte; v has no white space before it, as in all the tests below.
func IsText(v []byte) bool { return len(v) > 0 && v[0] == '"' }

// IsObject tells an object by its first byte.
func IsObject(v []byte) bool { return len(v) > 0 && v[0] == '{' }

// IsArray tells an array by its first byte.
func IsArray(v []byte) bool { return len(v) > 0 && v[0] == '[' }

// IsNull tells null, and a value that is missing.
func IsNull(v []byte) bool { return len(v) == 0 || v[0] == 'n' }

// IsTrue tells true by its first byte.
func IsTrue(v []byte) bool { return len(v) > 0 && v[0] == 't' }
