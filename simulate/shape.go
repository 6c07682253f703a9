package simulate

import (
	"math/big"
	"slices"
	"strings"
)

// A shape is the combination of a schema and its references, reduced to the facts that generating a value needs.
type shape struct {
	kinds  []string // permitted JSON types; nil: any
	fixed  *node    // value of const; nil: none
	enum   []*node  // values of enum; nil: none
	preset []*node  // examples and defaults
	bounds
	minLen     int
	maxLen     int // length of a string; -1: no limit
	pattern    string
	format     string
	minItems   int
	maxItems   int // -1: no limit
	unique     bool
	items      []*node
	prefix     []*node
	contains   []*node
	minMembers int
	keys       []string           // names of the properties, in order
	props      map[string][]*node // all schemas of each property
	required   []string
	others     []*node // additionalProperties
	matching   []*node // patternProperties
	dependent  []*node // dependentRequired
}

// bounds are the limits of a number; nil means no limit.
type bounds struct {
	low, high         *big.Rat
	openLow, openHigh bool // low or high itself is excluded
	step              *big.Rat
}

// maxShape is the maximum number of schemas in a shape, because references can be cyclic.
const maxShape = 200

// A shaper converts schemas to shapes. Of the alternatives in anyOf and oneOf it uses one, see choose.
type shaper struct {
	root  *node
	taken []*node // schemas already in the current shape
}

// shapeOf returns the shape of values that satisfy all the schemas.
func (s *shaper) shapeOf(schemas []*node) shape {
	out := shape{maxLen: -1, maxItems: -1, props: map[string][]*node{}}
	s.taken = s.taken[:0]
	for _, n := range schemas {
		s.take(&out, n)
	}
	return out
}

func (s *shaper) take(out *shape, n *node) {
	if len(s.taken) >= maxShape || !n.is("object") || slices.Contains(s.taken, n) { // each schema is used once
		return
	}
	s.taken = append(s.taken, n)
	if to := s.resolve(n.at("$ref").str()); to != nil {
		s.take(out, to)
	}
	out.takeKinds(n)
	out.takeValues(n)
	out.takeNumber(n)
	out.takeText(n)
	out.takeList(n)
	out.takeObject(n)
	for _, part := range n.at("allOf").list() {
		s.take(out, part)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if choice := s.choose(out, n.at(key).list()); choice != nil {
			s.take(out, choice)
		}
	}
}

// choose returns the first schema in all with a permitted type that is not only null. If there is none, it returns the
// first schema. It returns nil for an empty list.
func (s *shaper) choose(out *shape, all []*node) *node {
	for _, n := range all {
		target := n
		if to := s.resolve(n.at("$ref").str()); to != nil {
			target = to
		}
		kinds := kindsOf(target)
		if slices.Equal(kinds, []string{"null"}) || n.is("boolean") && !n.isTrue() {
			continue
		}
		if kinds == nil || out.kinds == nil || slices.ContainsFunc(kinds, out.allows) {
			return n
		}
	}
	if len(all) > 0 {
		return all[0]
	}
	return nil
}

// resolve returns the schema at a reference such as "#/$defs/a", nil if it is not in the document.
func (s *shaper) resolve(ref string) *node {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	n := s.root
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if part == "" {
			continue
		}
		part = strings.NewReplacer("~1", "/", "~0", "~", "%24", "$").Replace(part)
		if n = n.element(part); n == nil {
			return nil
		}
	}
	return n
}

// element returns the member with exactly this name, or the array element with this index; nil if it is missing.
func (n *node) element(name string) *node {
	if n == nil {
		return nil
	}
	if n.kind == "array" {
		if i := small(name, -1); i >= 0 && i < len(n.items) {
			return n.items[i]
		}
		return nil
	}
	if i := slices.Index(n.keys, name); i >= 0 {
		return n.items[i]
	}
	return nil
}

// kindsOf returns the types of a schema in lower case (Gemini's are in upper case). "nullable" adds null.
func kindsOf(n *node) []string {
	var out []string
	t := n.at("type")
	if t.is("string") {
		out = []string{strings.ToLower(t.text)}
	}
	for _, one := range t.list() {
		out = append(out, strings.ToLower(one.str()))
	}
	if out != nil && n.at("nullable").isTrue() {
		out = append(out, "null")
	}
	return out
}

// allows reports whether the shape permits values of the JSON type kind.
func (s *shape) allows(kind string) bool {
	return s.kinds == nil || slices.Contains(s.kinds, kind) || kind == "integer" && slices.Contains(s.kinds, "number")
}

func (s *shape) takeKinds(n *node) {
	kinds := kindsOf(n)
	if kinds == nil {
		return
	}
	if s.kinds == nil {
		s.kinds = kinds
		return
	}
	var both []string
	for _, k := range kinds {
		if s.allows(k) || k == "number" && s.allows("integer") {
			both = append(both, map[bool]string{true: "integer", false: k}[k == "number" && !slices.Contains(s.kinds, "number")])
		}
	}
	if both != nil {
		s.kinds = both
	}
}

func (s *shape) takeValues(n *node) {
	if c := n.element("const"); c != nil {
		s.fixed = c
	}
	if list := n.at("enum").list(); list != nil {
		if s.enum == nil {
			s.enum = list
		} else {
			s.enum = slices.DeleteFunc(slices.Clone(s.enum), func(e *node) bool {
				return !slices.ContainsFunc(list, func(o *node) bool { return o.raw == e.raw })
			})
		}
	}
	for _, name := range []string{"default", "example"} {
		if p := n.element(name); p != nil {
			s.preset = append(s.preset, p)
		}
	}
	s.preset = append(s.preset, n.at("examples").list()...)
}

func (s *shape) takeNumber(n *node) {
	bound := func(name string, lower bool) {
		v := n.at(name)
		edge := strings.HasPrefix(name, "exclusive")
		r := rational(v.number())
		if r == nil {
			return
		}
		if lower && (s.low == nil || r.Cmp(s.low) >= 0) {
			s.openLow = edge || s.openLow && s.low != nil && r.Cmp(s.low) == 0
			s.low = r
		}
		if !lower && (s.high == nil || r.Cmp(s.high) <= 0) {
			s.openHigh = edge || s.openHigh && s.high != nil && r.Cmp(s.high) == 0
			s.high = r
		}
	}
	bound("minimum", true)
	bound("exclusiveMinimum", true)
	bound("maximum", false)
	bound("exclusiveMaximum", false)
	s.openLow = s.openLow || n.at("exclusiveMinimum").isTrue() // draft 4 of JSON Schema
	s.openHigh = s.openHigh || n.at("exclusiveMaximum").isTrue()
	if step := rational(n.at("multipleOf").number()); step != nil && step.Sign() > 0 {
		s.step = step
	}
}

func (s *shape) takeText(n *node) {
	s.minLen = max(s.minLen, small(n.at("minLength").number(), 0))
	if m := small(n.at("maxLength").number(), -1); m >= 0 && (s.maxLen < 0 || m < s.maxLen) {
		s.maxLen = m
	}
	if p := n.at("pattern"); p.is("string") {
		s.pattern = p.text
	}
	if f := n.at("format"); f.is("string") {
		s.format = f.text
	}
}

func (s *shape) takeList(n *node) {
	s.minItems = max(s.minItems, small(n.at("minItems").number(), 0))
	if m := small(n.at("maxItems").number(), -1); m >= 0 && (s.maxItems < 0 || m < s.maxItems) {
		s.maxItems = m
	}
	s.unique = s.unique || n.at("uniqueItems").isTrue()
	switch items := n.at("items"); {
	case items.is("object"):
		s.items = append(s.items, items)
	case items.is("array"): // drafts before 2020-12
		s.prefix = items.items
	}
	if p := n.at("prefixItems").list(); p != nil {
		s.prefix = p
	}
	if c := n.at("contains"); c.is("object") {
		s.contains = append(s.contains, c)
		s.minItems = max(s.minItems, 1)
	}
}

func (s *shape) takeObject(n *node) {
	s.minMembers = max(s.minMembers, small(n.at("minProperties").number(), 0))
	for key, p := range n.at("properties").members() {
		if _, known := s.props[key]; !known {
			s.keys = append(s.keys, key)
		}
		s.props[key] = append(s.props[key], p)
	}
	for _, r := range n.at("required").list() {
		if r.is("string") && !slices.Contains(s.required, r.text) {
			s.required = append(s.required, r.text)
		}
	}
	if more := n.at("additionalProperties"); more.is("object") {
		s.others = append(s.others, more)
	}
	if p := n.at("patternProperties"); p.is("object") {
		s.matching = append(s.matching, p)
	}
	if d := n.at("dependentRequired"); d.is("object") {
		s.dependent = append(s.dependent, d)
	}
}

// kind returns the JSON type of the value to generate, such as "string".
func (s *shape) kind() string {
	for _, k := range s.kinds {
		if k != "null" {
			return k
		}
	}
	switch {
	case len(s.kinds) > 0:
		return "null"
	case len(s.keys) > 0 || len(s.required) > 0 || s.others != nil || s.matching != nil:
		return "object"
	case s.items != nil || s.prefix != nil || s.minItems > 0:
		return "array"
	case s.low != nil || s.high != nil || s.step != nil:
		return "number"
	}
	return "string"
}

// small parses a non-negative integer, and returns 1000 for a larger one. If text is no such integer, it returns the
// default other.
func small(text string, other int) int {
	r := rational(text)
	if r == nil || !r.IsInt() || r.Sign() < 0 {
		return other
	}
	if r.Cmp(big.NewRat(1000, 1)) > 0 {
		return 1000
	}
	return int(r.Num().Int64())
}

// rational parses a JSON number. It returns nil for invalid text and for numbers with too many digits.
func rational(text string) *big.Rat {
	if text == "" || len(text) > 100 {
		return nil
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(strings.TrimLeft(text[i+1:], "+-0")) > 2 {
		return nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}
