package constraint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// impossible represents the expression of a schema that no value satisfies. It is not valid GBNF.
const impossible = "\x00"

// blank is the expression of white space between JSON tokens. It is limited, since small models tend to generate
// endless white space.
const blank = `"" | " " | "\n"{1,2} [ \t]{0,20}`

// schemas creates the expressions of values that satisfy the schemas of one document.
type schemas struct {
	rules *ruleSet
	root  []byte            // the document, to which references are resolved
	refs  map[string]string // rules of references
	open  map[string]bool   // references that were entered since the last token, to detect cycles
	depth int
}

// newSchemas returns the schemas of a document, with rules in r.
func newSchemas(r *ruleSet, document []byte) *schemas {
	return &schemas{rules: r, root: document, refs: map[string]string{}, open: map[string]bool{}}
}

// resolve returns the schema of a reference within the document. It returns false if there is none.
func (s *schemas) resolve(ref string) ([]byte, bool) {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok || pointer != "" && pointer[0] != '/' {
		return nil, false
	}
	at := s.root
	for _, token := range strings.Split(pointer, "/")[1:] {
		token = jsonx.UnescapeToken(token)
		switch {
		case jsonx.IsObject(at):
			if at, ok = jsonx.Find(at, token); !ok {
				return nil, false
			}
		case jsonx.IsArray(at):
			list := slices.Collect(jsonx.Elements(at))
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(list) {
				return nil, false
			}
			at = list[i]
		default:
			return nil, false
		}
	}
	return at, true
}

// value returns the expression of the values that satisfy all given schemas.
func (s *schemas) value(list ...[]byte) string {
	s.depth++
	defer func() { s.depth-- }()
	if s.depth > maxDepth || !s.rules.reads() {
		return s.any()
	}
	if len(list) == 1 {
		if ref, ok := onlyReference(list[0]); ok {
			return s.reference(ref)
		}
	}
	n := newShape()
	for _, schema := range list {
		n.add(s, schema, 0)
	}
	return s.shape(&n)
}

// onlyReference returns the reference of a schema without other constraints. ok is false for any other schema.
func onlyReference(schema []byte) (ref string, ok bool) {
	if !jsonx.IsObject(schema) {
		return "", false
	}
	for k, v := range jsonx.Members(schema) {
		switch k.String() {
		case "$ref":
			ref, ok = jsonx.TextOf(v), true
		case "description", "title", "default", "examples", "$comment", "deprecated":
		default:
			return "", false
		}
	}
	return ref, ok
}

// reference returns the rule of a reference. A reference permits any value if it has no target, or if it leads to
// itself without a token between.
func (s *schemas) reference(ref string) string {
	target, ok := s.resolve(ref)
	switch name, known := s.refs[ref]; {
	case !ok || s.open[ref]:
		return s.any()
	case known:
		return name
	}
	name := s.rules.name()
	s.refs[ref], s.open[ref] = name, true
	body := s.value(target)
	delete(s.open, ref)
	if body == impossible { // the rule is unused, since nothing refers to an impossible value
		s.refs[ref] = impossible
		s.rules.define(name, `"\x00"`)
		return impossible
	}
	s.rules.define(name, body)
	return name
}

// nestedValue is like value, for the schema of a value within an array or object. References may be recursive there.
func (s *schemas) nestedValue(list ...[]byte) string {
	was := s.open
	s.open = map[string]bool{}
	out := s.value(list...)
	s.open = was
	return out
}

// shape returns the grammar expression that matches the JSON values of a shape, the union of several schemas.
func (s *schemas) shape(n *shape) string {
	switch {
	case n.never:
		return impossible
	case len(n.alternatives) > 0:
		return s.choice(n)
	case n.isAny():
		return s.any()
	case n.values != nil:
		return s.buildEnum(n)
	}
	var forms []string
	for _, kind := range []string{"object", "array", "string", "number", "integer", "boolean", "null"} {
		if n.takes(kind) && !(kind == "integer" && n.takes("number")) {
			if form := s.ofType(n, kind); form != impossible {
				forms = append(forms, form)
			}
		}
	}
	return s.among(forms)
}

// ofType returns the expression of the values of a shape that have the type kind.
func (s *schemas) ofType(n *shape, kind string) string {
	switch kind {
	case "object":
		return s.object(n)
	case "array":
		return s.array(n)
	case "string":
		return s.text(n)
	case "number":
		return s.number(n)
	case "integer":
		return s.integer(n)
	case "boolean":
		return s.rules.rule(`"true" | "false"`)
	}
	return `"null"`
}

// among returns a grammar expression that matches any of the expressions in forms, or impossible if forms is empty.
func (s *schemas) among(forms []string) string {
	slices.Sort(forms)
	switch forms = slices.Compact(forms); len(forms) {
	case 0:
		return impossible
	case 1:
		return forms[0]
	}
	return s.rules.rule(oneOf(forms...))
}

// choice returns the expression of a shape with alternatives. It expresses only the first group of alternatives, with
// the keywords beside it.
func (s *schemas) choice(n *shape) string {
	rest := n.clone()
	group := rest.alternatives[0]
	rest.alternatives = nil
	alone := rest.isAny()
	var forms []string
	for _, alternative := range group {
		form := ""
		if alone {
			form = s.value(alternative)
		} else {
			one := rest.clone()
			one.add(s, alternative, s.depth)
			s.depth++
			if form = s.any(); s.depth <= maxDepth {
				form = s.shape(&one)
			}
			s.depth--
		}
		if form != impossible {
			forms = append(forms, form)
		}
	}
	return s.among(forms)
}

// buildEnum returns the choice between the values of an enum that have a permitted type.
func (s *schemas) buildEnum(n *shape) string {
	var forms []string
	for _, v := range n.values {
		if n.types == nil || slices.ContainsFunc(n.types, func(kind string) bool { return isOf(v, kind) }) {
			forms = append(forms, literal(string(jsonx.Compact(nil, v))))
		}
	}
	return s.among(forms)
}

// isOf reports whether a value has the type kind.
func isOf(v []byte, kind string) bool {
	switch kind {
	case "object":
		return jsonx.IsObject(v)
	case "array":
		return jsonx.IsArray(v)
	case "string":
		return jsonx.IsText(v)
	case "boolean":
		return string(v) == "true" || string(v) == "false"
	case "null":
		return jsonx.IsNull(v)
	case "integer":
		return jsonx.KindOf(v) == jsonx.Number && strings.Trim(string(v), "-0123456789") == ""
	}
	return jsonx.KindOf(v) == jsonx.Number
}

// any returns the expression of any JSON value.
func (s *schemas) any() string {
	name, ok := s.rules.byBody["any"]
	if ok {
		return name
	}
	name = s.rules.name()
	s.rules.byBody["any"] = name
	member := sequence(s.plainText(), s.blank(), `":"`, s.blank(), name, s.blank())
	s.rules.define(name, oneOf(
		s.rules.rule(s.list(`"{"`, member, `"}"`)), s.rules.rule(s.list(`"["`, sequence(name, s.blank()), `"]"`)),
		s.plainText(), s.rules.rule(`"-"? `+integerDigits+" "+fractionDigits), `"true"`, `"false"`, `"null"`))
	return name
}

// list returns the expression of any number of elements between brackets. element must end with white space.
func (s *schemas) list(open, element, shut string) string {
	more := s.rules.rule(sequence(`","`, s.blank(), element))
	return sequence(open, s.blank(), s.rules.repeat(s.rules.rule(sequence(element, more+"*")), 0, 1), shut)
}

func (s *schemas) blank() string { return s.rules.rule(blank) }

// array returns the expression of an array of a shape.
func (s *schemas) array(n *shape) string {
	if n.maxItems >= 0 && n.maxItems < n.minItems {
		return impossible
	}
	var fixed []string
	for _, schema := range n.prefix {
		form := s.nestedValue(schema)
		if form == impossible {
			break
		}
		fixed = append(fixed, sequence(form, s.blank()))
	}
	most, item := n.maxItems, impossible
	if len(fixed) == len(n.prefix) && string(n.items) != "false" {
		item = s.nestedValue(n.items)
	}
	if item == impossible {
		most = lower(most, len(fixed))
	}
	if most >= 0 && most < n.minItems {
		return impossible
	}
	if most >= 0 && most < len(fixed) {
		fixed = fixed[:most]
	}
	comma := sequence(`","`, s.blank())
	rest := ""
	if most < 0 || most > len(fixed) {
		element := sequence(item, s.blank())
		following := s.rules.rule(sequence(comma, element))
		left := func(limit int) int { return max(limit-len(fixed), min(limit, 0)) }
		if len(fixed) > 0 {
			rest = s.rules.repeat(following, max(left(n.minItems), 0), left(most))
		} else {
			rest = sequence(element, s.rules.repeat(following, max(n.minItems-1, 0), max(most-1, min(most, -1))))
			if n.minItems == 0 {
				rest = s.rules.repeat(s.rules.rule(rest), 0, 1)
			}
		}
	}
	for i := len(fixed) - 1; i >= 0; i-- {
		part := sequence(fixed[i], rest)
		if i > 0 {
			part = sequence(comma, part)
		}
		if rest = s.rules.rule(part); i >= n.minItems {
			rest += "?"
		}
	}
	return s.rules.rule(sequence(`"["`, s.blank(), rest, `"]"`))
}
