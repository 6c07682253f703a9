package constraint

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// freeOrder is the maximum number of properties of an object whose members may be in any order. Each subset of them
// needs a rule.
const freeOrder = 5

// A member is the expression of a member of an object.
type member struct {
	expression string
	required   bool
}

// object returns the expression of an object of a shape. Without named properties any members are permitted. With named
// ones, others are permitted only by additionalProperties.
func (s *schemas) object(n *shape) string {
	var members []member
	names := make([]string, 0, len(n.properties))
	for _, p := range n.properties {
		names = append(names, p.name)
		required := slices.Contains(n.required, p.name)
		form := s.nestedValue(p.schemas...)
		switch {
		case form != impossible:
			members = append(members, member{s.member(literal(quoteJSON(p.name)), form), required})
		case required:
			return impossible
		}
	}
	for _, name := range n.required {
		if !slices.Contains(names, name) {
			names = append(names, name)
			members = append(members, member{s.member(literal(quoteJSON(name)), s.any()), true})
		}
	}
	extra := ""
	if n.open != nil && string(n.open) != "false" || n.open == nil && len(members) == 0 && !n.named {
		if form := s.nestedValue(n.open); form != impossible {
			extra = s.member(s.otherName(names), form)
		}
	}
	inner := ""
	if len(members) <= freeOrder {
		inner = s.anyOrder(members, extra)
	} else {
		inner = s.inOrder(members, extra)
	}
	return s.rules.rule(sequence(`"{"`, s.blank(), inner, `"}"`))
}

// quoteJSON returns a text as a JSON string.
func quoteJSON(text string) string { return string(jsonx.AppendQuote(nil, text)) }

// member returns the rule of a member, with white space after it.
func (s *schemas) member(name, value string) string {
	return s.rules.rule(sequence(name, s.blank(), `":"`, s.blank(), value, s.blank()))
}

// anyOrder returns the rule of members in any order, each at most once and the required ones exactly once. extra, the
// expression of further members, may occur between them.
func (s *schemas) anyOrder(members []member, extra string) string {
	needed := 0
	for i, m := range members {
		if m.required {
			needed |= 1 << i
		}
	}
	names := make([]string, 1<<len(members)) // rules by the set of members that were written, as a bit set
	comma := sequence(`","`, s.blank())
	next := func(set int, first bool) string {
		var forms []string
		before := comma
		if first {
			before = ""
		}
		if set&needed == needed {
			forms = append(forms, "")
		}
		for i, m := range members {
			if set&(1<<i) == 0 {
				forms = append(forms, sequence(before, m.expression, names[set|1<<i]))
			}
		}
		if extra != "" {
			forms = append(forms, sequence(before, extra, names[set]))
		}
		return oneOf(forms...)
	}
	for set := len(names) - 1; set >= 0; set-- {
		if set == len(names)-1 && extra == "" {
			continue // all are written, so nothing follows
		}
		if extra == "" {
			if set > 0 {
				names[set] = s.rules.rule(next(set, false))
			}
			continue
		}
		names[set] = s.rules.name() // the rule refers to itself
		s.rules.define(names[set], next(set, false))
	}
	if len(members) == 0 && extra == "" {
		return ""
	}
	return s.rules.rule(next(0, true))
}

// inOrder returns the rule of members in their order, with optional ones, followed by further members of the expression
// extra.
func (s *schemas) inOrder(members []member, extra string) string {
	comma := sequence(`","`, s.blank())
	rest, first := "", "" // after a member, and before all members
	if extra != "" {
		more := s.rules.repeat(s.rules.rule(sequence(comma, extra)), 0, -1)
		rest, first = s.rules.rule(more), s.rules.rule(oneOf("", sequence(extra, more)))
	}
	for i := len(members) - 1; i >= 0; i-- {
		m := members[i]
		behind, before := []string{sequence(comma, m.expression, rest)}, []string{sequence(m.expression, rest)}
		if !m.required {
			behind, before = append(behind, rest), append(before, first)
		}
		rest, first = s.rules.rule(oneOf(behind...)), s.rules.rule(oneOf(before...))
	}
	return first
}

// otherName returns the expression of a JSON string that equals none of the names.
func (s *schemas) otherName(names []string) string {
	if len(names) == 0 {
		return s.plainText()
	}
	return s.rules.rule(sequence(`"\""`, s.notAmong(names)))
}

// notAmong returns the expression of the remaining characters of a string and its closing quote. It excludes the texts
// in rests. A string that contains an escape is always permitted.
func (s *schemas) notAmong(rests []string) string {
	char := s.char()
	forms := []string{}
	if !slices.Contains(rests, "") {
		forms = append(forms, `"\""`)
	}
	after := map[rune][]string{}
	var heads []rune
	for _, rest := range rests {
		if rest == "" {
			continue
		}
		head := []rune(rest)[0]
		if head < 0x20 || strings.ContainsRune(`"\`, head) {
			continue
		}
		if after[head] == nil {
			heads = append(heads, head)
		}
		after[head] = append(after[head], strings.TrimPrefix(rest, string(head)))
	}
	excluded := []span{{'"', '"'}, {'\\', '\\'}, {0, 0x1f}}
	for _, head := range heads {
		excluded = append(excluded, span{head, head})
		forms = append(forms, sequence(literal(string(head)), s.notAmong(after[head])))
	}
	forms = append(forms, sequence(class(true, excluded...), char+"*", `"\""`), sequence(s.escape(), char+"*", `"\""`))
	return s.rules.rule(oneOf(forms...))
}
