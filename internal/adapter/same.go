package adapter

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
)

// saysSame reports whether the translated schema differs from the original only by dropped annotations and unused
// definitions.
func saysSame(out *value, raw []byte) bool {
	p := parser{text: raw}
	was, _ := p.value(jsonx.Space(raw, 0), nil, "")
	return sameSchema(out, was)
}

// sameSchema compares a translated schema with the original schema as saysSame does.
func sameSchema(out, was *value) bool {
	if !out.isObject() || !was.isObject() {
		return bytes.Equal(out.json(), was.json())
	}
	at := 0
	for _, m := range was.members {
		if at == len(out.members) || out.members[at].key != m.key {
			if slices.Contains(quiet, m.key) {
				continue
			}
			return false
		}
		if !sameBelow(m.key, out.members[at].value, m.value) {
			return false
		}
		at++
	}
	return at == len(out.members)
}

// sameBelow compares the values of a keyword as sameSchema does.
func sameBelow(key string, out, was *value) bool {
	switch forms[key] {
	case oneSchema:
		return sameSchema(out, was)
	case schemaList:
		return slices.EqualFunc(out.items, was.items, sameSchema)
	case schemaMap:
		at := 0
		for _, m := range was.members {
			switch {
			case at < len(out.members) && out.members[at].key == m.key:
				if !sameSchema(out.members[at].value, m.value) {
					return false
				}
				at++
			case !slices.Contains(containers[:], key):
				return false
			}
		}
		return at == len(out.members)
	}
	return bytes.Equal(out.json(), was.json())
}

// cost returns the size of a translated schema as a part of the target's budget for strict tools. It is zero for a
// target without a budget.
func (r *rules) cost(v *value) Budget {
	if r.budget == (Budget{}) {
		return Budget{}
	}
	sum := Budget{Tools: 1}
	sum.count(v)
	return sum
}

// count adds the size of a schema, with the schemas in it.
func (b *Budget) count(v *value) {
	props := v.get("properties").pairs()
	if required := v.get("required").names(); len(props) > len(required) {
		b.Optional += len(props) - len(required)
	}
	if v.has("anyOf") || len(v.get("type").elements()) > 1 {
		b.Unions++
	}
	for _, m := range v.pairs() {
		switch forms[m.key] {
		case oneSchema:
			b.count(m.value)
		case schemaList:
			for _, e := range m.value.items {
				b.count(e)
			}
		case schemaMap:
			for _, p := range m.value.members {
				b.count(p.value)
			}
		}
	}
}

// Add returns the sum of b and c.
func (b Budget) Add(c Budget) Budget {
	return Budget{b.Tools + c.Tools, b.Optional + c.Optional, b.Unions + c.Unions}
}

// Within reports whether b does not exceed limit. A zero field of limit is no limit.
func (b Budget) Within(limit Budget) bool {
	return (limit.Tools == 0 || b.Tools <= limit.Tools) && (limit.Optional == 0 || b.Optional <= limit.Optional) &&
		(limit.Unions == 0 || b.Unions <= limit.Unions)
}
