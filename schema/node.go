package schema

import (
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A node is one compiled schema. References connect nodes to a graph.
type node struct {
	at     string // JSON pointer in the source schema
	any    bool   // the schema is true or empty: every value is valid
	none   bool   // the schema is false: no value is valid
	kinds  kindSet
	values []valueRule // the keywords enum and const
	number numberRules
	str    *stringRules
	array  *arrayRules
	object *objectRules

	ref                 *node
	allOf, anyOf, oneOf []*node
	not                 *node
	cond, then, other   *node // the keywords if, then and else

	rare   []*node // further schemas for members and elements from keywords that only the complete validator supports
	may    kindSet // kinds of values that can be valid
	joined bool    // the node has subschemas for the same value, such as allOf
	shared int     // ID for caching results, if several paths lead to the node; otherwise 0
}

// valueRule is an enum, or a const as an enum with one value.
type valueRule struct {
	keyword string
	list    []literal
}

// literal is an allowed value of enum or const.
type literal struct {
	json []byte // compact JSON
	text string // the unescaped text, for a string
	kind kindSet
}

// numberRules are the keywords for numbers, such as minimum.
type numberRules []limit

type limit struct {
	*limitKind
	by *bound
}

type stringRules struct {
	min, max    int // max is -1 if unlimited
	pattern     *regexp.Regexp
	patternText string
	patternSize int // number of instructions of the compiled pattern
	format      *jsonschema.Format
	formatName  string
}

type arrayRules struct {
	min, max        int // max is -1 if unlimited
	unique          bool
	prefix          []*node
	items           *node // schema of the elements after prefix; nil if there is none
	contains        *node
	atLeast, atMost int // minContains and maxContains; atMost is -1 if unlimited
}

type objectRules struct {
	min, max    int // max is -1 if unlimited
	props       map[string]*property
	order       []string // the names in props, in declaration order
	required    []string
	patterns    []patternRule
	rest        *node // additionalProperties; nil if there is none
	names       *node // propertyNames
	needs       []need
	needSchemas []needSchema
}

// property is a member in properties or required. bit is its number among the required members, from 1. It is 0 for an
// optional member. Numbers above 64 exceed the bit set.
type property struct {
	node *node
	bit  int
}

type patternRule struct {
	re   *regexp.Regexp
	node *node
}

// need is an entry of dependentRequired: if the member key is present, the members others are required.
type need struct {
	key    string
	others []string
}

type needSchema struct {
	key  string
	node *node
}

// kindSet is a set of JSON value types. Numbers are split in integers (also 3.0) and fractions.
type kindSet uint8

const (
	kindNull kindSet = 1 << iota
	kindBoolean
	kindInteger
	kindFraction
	kindString
	kindArray
	kindObject

	kindNumber = kindInteger | kindFraction
	kindAll    = 1<<7 - 1
)

// kindNames lists the JSON Schema types in the order used in messages.
var kindNames = []string{"string", "integer", "number", "boolean", "array", "object", "null"}

var kindByName = map[string]kindSet{
	"string": kindString, "integer": kindInteger, "number": kindNumber, "boolean": kindBoolean,
	"array": kindArray, "object": kindObject, "null": kindNull,
}

// names returns the JSON Schema types of the set.
func (k kindSet) names() []string {
	var out []string
	for _, name := range kindNames {
		bits := kindByName[name]
		if k&bits == bits && !(name == "integer" && k&kindFraction != 0) {
			out = append(out, name)
		}
	}
	return out
}

// kindWords has the text for each set, such as "string or null", because every type violation needs one.
var kindWords = func() (t [kindAll + 1]string) {
	for k := range t {
		t[k] = strings.Join(kindSet(k).names(), " or ")
	}
	return t
}()

func (k kindSet) String() string { return kindWords[k&kindAll] }

// kindByByte maps the first byte of a JSON value to its kind. A number has both number kinds.
var kindByByte = func() (t [256]kindSet) {
	t['n'], t['t'], t['f'], t['"'], t['['], t['{'], t['-'] =
		kindNull, kindBoolean, kindBoolean, kindString, kindArray, kindObject, kindNumber
	for c := '0'; c <= '9'; c++ {
		t[c] = kindNumber
	}
	return t
}()

// kindOf returns the kind of a JSON value, 0 if v is empty.
func kindOf(v []byte) kindSet {
	if len(v) == 0 {
		return 0
	}
	k := kindByByte[v[0]]
	if k != kindNumber {
		return k
	}
	if isIntegral(v) {
		return kindInteger
	}
	return kindFraction
}
