package schema

import (
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A node is one schema of the compiled tree. References make the tree a graph.
type node struct {
	at     string // JSON pointer in the schema
	any    bool   // every value fits
	none   bool   // no value fits
	kinds  kindSet
	values []valueRule // enum and const
	number numberRules
	str    *stringRules
	array  *arrayRules
	object *objectRules

	ref                 *node
	allOf, anyOf, oneOf []*node
	not                 *node
	cond, then, other   *node // if, then, else

	rare   []*node // what else holds for members and elements, as far as only the complete validator can tell
	may    kindSet // kinds of values that can fit at all
	joined bool    // has further schemas for the same value
	shared int     // number by which results are remembered, when reached by several ways; else 0
}

// valueRule is an enum, or a const as an enum of one.
type valueRule struct {
	keyword string
	list    []literal
}

// literal is an allowed value.
type literal struct {
	json []byte // compact
	text string // of a string, escapes read
	kind kindSet
}

// numberRules are the limits of numbers.
type numberRules []limit

type limit struct {
	*limitKind
	by *bound
}

type stringRules struct {
	min, max    int // max is -1 without limit
	pattern     *regexp.Regexp
	patternText string
	patternSize int // instructions of the pattern
	format      *jsonschema.Format
	formatName  string
}

type arrayRules struct {
	min, max        int // max is -1 without limit
	unique          bool
	prefix          []*node
	items           *node // of the rest; nil without limit
	contains        *node
	atLeast, atMost int // matches of contains; atMost is -1 without limit
}

type objectRules struct {
	min, max    int // max is -1 without limit
	props       map[string]*property
	order       []string // names of props as declared
	required    []string
	patterns    []patternRule
	rest        *node // additionalProperties; nil without limit
	names       *node // propertyNames
	needs       []need
	needSchemas []needSchema
}

// property is a declared member. bit is its place among the required ones, from 1 on; 0 when optional, 65 and more when
// it has no bit.
type property struct {
	node *node
	bit  int
}

type patternRule struct {
	re   *regexp.Regexp
	node *node
}

// need is dependentRequired: with the member key, the others must be there.
type need struct {
	key    string
	others []string
}

type needSchema struct {
	key  string
	node *node
}

// kindSet is a set of kinds of values. Numbers are two kinds: whole ones are integers, however written.
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

// kindNames are the types of JSON Schema in the order of messages.
var kindNames = []string{"string", "integer", "number", "boolean", "array", "object", "null"}

var kindByName = map[string]kindSet{
	"string": kindString, "integer": kindInteger, "number": kindNumber, "boolean": kindBoolean,
	"array": kindArray, "object": kindObject, "null": kindNull,
}

// names lists the types of a set.
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

// kindWords has the words for every set: they stand in each violation of a type.
var kindWords = func() (t [kindAll + 1]string) {
	for k := range t {
		t[k] = strings.Join(kindSet(k).names(), " or ")
	}
	return t
}()

func (k kindSet) String() string { return kindWords[k&kindAll] }

// kindByByte has the kind of a value from its first byte, numbers as both.
var kindByByte = func() (t [256]kindSet) {
	t['n'], t['t'], t['f'], t['"'], t['['], t['{'], t['-'] =
		kindNull, kindBoolean, kindBoolean, kindString, kindArray, kindObject, kindNumber
	for c := '0'; c <= '9'; c++ {
		t[c] = kindNumber
	}
	return t
}()

// kindOf returns the one kind of a value.
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
