package simulate

import (
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Limits for generated values. maxDepth is the nesting level from which values are as small as possible, maxMade the
// number of values in one document, maxList the length of an array.
const (
	maxDepth = 12
	maxMade  = 2000
	maxList  = 100
)

// A maker generates JSON values that satisfy a schema. It prefers values from the prompt, then defaults and examples of
// the schema, then sample values.
type maker struct {
	shaper
	said  *promptWords // words of the prompt; nil: use none
	nth   int          // index of the value to generate among distinct values
	count int
}

// sample returns a small JSON value that satisfies the schema, "null" if the schema cannot be parsed.
func sample(schema []byte) string {
	root, err := parseNode(schema)
	if err != nil {
		return "null"
	}
	m := maker{shaper: shaper{root: root}}
	return m.value([]*node{root}, "", 0)
}

// value returns a JSON value that satisfies all the schemas. key is the member name of the value, depth its nesting
// level.
func (m *maker) value(schemas []*node, key string, depth int) string {
	if m.count++; m.count > maxMade {
		return "null"
	}
	s := m.shapeOf(schemas)
	if s.fixed != nil {
		return s.fixed.raw
	}
	if len(s.enum) > 0 {
		return m.choice(s.enum, key)
	}
	switch s.kind() {
	case "object":
		return m.object(s, depth)
	case "array":
		return m.array(s, key, depth)
	case "integer", "number":
		return m.number(s, key)
	case "boolean":
		return m.boolean(s, key)
	case "null":
		return "null"
	}
	return m.text(s, key)
}

// choice returns the enum value that the prompt contains, otherwise the first one other than null. For nth > 0 it
// returns the nth value after this first one.
func (m *maker) choice(enum []*node, key string) string {
	if m.nth == 0 {
		if i := m.said.oneOf(enum, key); i >= 0 {
			return enum[i].raw
		}
	}
	i := slices.IndexFunc(enum, func(n *node) bool { return !n.is("null") })
	return enum[(max(0, i)+m.nth)%len(enum)].raw
}

// findPreset returns the first default or example of the schema that has one of the JSON types.
func (s *shape) findPreset(kinds ...string) (string, bool) {
	for _, p := range s.preset {
		if slices.Contains(kinds, p.kind) {
			return p.raw, true
		}
	}
	return "", false
}

func (m *maker) boolean(s shape, key string) string {
	if v, ok := m.said.truth(key); ok {
		return v
	}
	if v, ok := s.findPreset("boolean"); ok && m.nth == 0 {
		return v
	}
	return strconv.FormatBool(m.nth%2 == 0)
}

func (m *maker) number(s shape, key string) string {
	whole := s.kind() == "integer"
	fits := func(text string) bool {
		r := rational(text)
		return r != nil && (!whole || r.IsInt()) && s.inBounds(r)
	}
	if v, ok := m.said.number(key, fits); ok && m.nth == 0 {
		return v
	}
	if v, ok := s.findPreset("number"); ok && m.nth == 0 && fits(v) {
		return v
	}
	r := s.sampleNumber(whole, int64(m.nth))
	if r.IsInt() {
		return r.Num().String()
	}
	digits, _ := r.FloatPrec()
	return r.FloatString(min(digits, 20))
}

func (s *shape) inBounds(r *big.Rat) bool {
	switch {
	case s.low != nil && (r.Cmp(s.low) < 0 || s.openLow && r.Cmp(s.low) == 0):
		return false
	case s.high != nil && (r.Cmp(s.high) > 0 || s.openHigh && r.Cmp(s.high) == 0):
		return false
	case s.step != nil && !new(big.Rat).Quo(r, s.step).IsInt():
		return false
	}
	return true
}

// sampleNumber returns a number within the bounds of the schema: 3 if permitted. nth > 0 selects further numbers.
func (s *shape) sampleNumber(whole bool, nth int64) *big.Rat {
	step := s.step
	if step == nil && whole {
		step = big.NewRat(1, 1)
	}
	try := func(r *big.Rat) *big.Rat {
		if step != nil {
			r = new(big.Rat).Mul(step, ceil(new(big.Rat).Quo(r, step)))
		}
		for range nth {
			r = new(big.Rat).Add(r, cmpRat(step, big.NewRat(1, 1)))
		}
		return r
	}
	candidates := []*big.Rat{big.NewRat(3, 1)}
	one := cmpRat(step, big.NewRat(1, 1))
	if s.low != nil {
		candidates = append(candidates, s.low, new(big.Rat).Add(s.low, one))
	}
	if s.high != nil {
		candidates = append(candidates, s.high, new(big.Rat).Sub(s.high, one))
	}
	if s.low != nil && s.high != nil {
		candidates = append(candidates, new(big.Rat).Quo(new(big.Rat).Add(s.low, s.high), big.NewRat(2, 1)))
	}
	for _, c := range append(candidates, new(big.Rat)) {
		if r := try(c); s.inBounds(r) {
			return r
		}
	}
	return candidates[0]
}

// cmpRat returns a, or b if a is nil.
func cmpRat(a, b *big.Rat) *big.Rat {
	if a != nil {
		return a
	}
	return b
}

// ceil returns r rounded up to an integer.
func ceil(r *big.Rat) *big.Rat {
	q, rest := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	if rest.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	return new(big.Rat).SetInt(q)
}

// formats maps each format of JSON Schema to a sample value.
var formats = map[string]string{
	"date-time": "2026-01-15T09:30:00Z", "date": "2026-01-15", "time": "09:30:00Z", "duration": "PT1H",
	"email": "ada@example.com", "idn-email": "ada@example.com", "hostname": "example.com", "idn-hostname": "example.com",
	"ipv4": "192.0.2.7", "ipv6": "2001:db8::7", "uuid": "7f0c6f0e-6b4d-4a53-9d0e-3c2b1a4f5e6d",
	"uri": "https://example.com/a", "url": "https://example.com/a", "iri": "https://example.com/a", "uri-reference": "/a",
	"iri-reference": "/a",
	"uri-template":  "/a/{b}", "json-pointer": "/a", "relative-json-pointer": "0", "regex": "^a$", "byte": "YQ==",
}

func (m *maker) text(s shape, key string) string {
	pattern, _ := regexp.Compile(s.pattern)
	fits := func(text string) bool {
		n := utf8.RuneCountInString(text)
		return n >= s.minLen && (s.maxLen < 0 || n <= s.maxLen) && (pattern == nil || pattern.MatchString(text)) &&
			(formats[s.format] == "" || sameForm(s.format, text))
	}
	if v, ok := m.said.word(key, fits); ok && m.nth == 0 {
		return quote(v)
	}
	if v, ok := s.findPreset("string"); ok && m.nth == 0 && fits(plain(v)) {
		return v
	}
	if v := formats[s.format]; v != "" {
		return quote(m.another(v, s.format))
	}
	if s.pattern != "" {
		if v, ok := matching(s.pattern, s.minLen, s.maxLen); ok {
			return quote(v)
		}
	}
	v := "sample"
	if m.nth > 0 {
		v += strconv.Itoa(m.nth)
	}
	if n := len(v); n < s.minLen {
		v += strings.Repeat("e", s.minLen-n)
	}
	if s.maxLen >= 0 && len(v) > s.maxLen {
		v = v[len(v)-s.maxLen:]
	}
	return quote(v)
}

// another returns a variant of the sample text for the format; m.nth selects the variant.
func (m *maker) another(text, format string) string {
	if m.nth == 0 {
		return text
	}
	n := strconv.Itoa(m.nth % 9)
	switch format {
	case "date-time", "date":
		return strings.Replace(text, "-01-15", "-01-2"+n, 1)
	case "time":
		return strings.Replace(text, ":30:", ":4"+n+":", 1)
	case "duration":
		return "PT" + strconv.Itoa(m.nth+1) + "H"
	case "email", "idn-email", "hostname", "idn-hostname":
		return "a" + n + text
	case "relative-json-pointer":
		return n
	case "byte", "regex":
		return text
	case "ipv4", "ipv6":
		return strings.TrimSuffix(text, "7") + n
	case "uuid":
		return text[:len(text)-1] + n
	}
	return text + n
}

// sameForm reports whether a word of the prompt can be a value of the format: it has the same punctuation as the
// sample.
func sameForm(format, text string) bool {
	marks := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune("-:/@.T", r) {
				return r
			}
			return -1
		}, s)
	}
	switch format {
	case "email", "idn-email":
		return strings.Count(text, "@") == 1 && strings.Contains(text, ".")
	case "uri", "url", "iri":
		return strings.Contains(text, "://")
	case "hostname", "idn-hostname", "uri-reference", "iri-reference":
		return !strings.ContainsAny(text, " \t<>") && strings.ContainsAny(text, "./")
	}
	return len(text) == len(formats[format]) && marks(text) == marks(formats[format])
}

func (m *maker) array(s shape, key string, depth int) string {
	n := min(max(1, s.minItems, len(s.prefix)), maxList)
	if s.items == nil && s.prefix == nil && s.contains == nil && s.minItems == 0 {
		if v, ok := s.findPreset("array"); ok {
			return v
		}
	}
	if s.maxItems >= 0 {
		n = min(n, s.maxItems)
	}
	if depth > maxDepth {
		n = min(n, s.minItems)
	}
	nth := m.nth
	defer func() { m.nth = nth }()
	var out []string
	for i := range n {
		schemas := s.items
		switch {
		case i < len(s.prefix):
			schemas = []*node{s.prefix[i]}
		case i == len(s.prefix) && s.contains != nil:
			schemas = append(slices.Clone(s.items), s.contains...)
		}
		if m.nth = nth; s.unique {
			m.nth += i
		}
		if schemas == nil && m.nth == 0 {
			out = append(out, `"wind"`)
			continue
		}
		out = append(out, m.value(schemas, singular(key), depth+1))
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// singular returns the name of one element of the list key, such as "city" + "s" without the "s".
func singular(key string) string { return strings.TrimSuffix(key, "s") }

// object returns a JSON object with the required members, the members that the prompt mentions, and further members up
// to minProperties.
func (m *maker) object(s shape, depth int) string {
	var members []member
	have := map[string]bool{}
	var add func(key string)
	add = func(key string) {
		if have[key] {
			return
		}
		have[key] = true
		members = append(members, member{key, m.value(s.member(key), key, depth+1)})
		for _, d := range s.dependent {
			for _, also := range d.element(key).list() {
				add(also.str())
			}
		}
	}
	for _, key := range s.keys {
		if slices.Contains(s.required, key) || depth == 0 && m.said.names(key, s.props[key]) {
			add(key)
		}
	}
	for _, key := range s.required {
		add(key)
	}
	for _, key := range s.keys {
		if len(members) < s.minMembers {
			add(key)
		}
	}
	for i := 0; len(members) < min(s.minMembers, maxList); i++ {
		add("extra" + strconv.Itoa(i))
	}
	return joinMembers(members)
}

// member returns the schemas that apply to the member key: from properties, else from patternProperties, else from
// additionalProperties.
func (s *shape) member(key string) []*node {
	if own := s.props[key]; own != nil {
		return own
	}
	var out []*node
	for _, set := range s.matching {
		for pattern, n := range set.members() {
			if ok, err := regexp.MatchString(pattern, key); err == nil && ok {
				out = append(out, n)
			}
		}
	}
	if out == nil {
		out = s.others
	}
	return out
}
