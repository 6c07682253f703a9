package schema

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// TextKind says how the value of a parameter was written.
type TextKind uint8

const (
	// Literal is text that stands for itself, such as the body of an XML element.
	Literal TextKind = iota
	// JSON is JSON, or text that stands for itself where it is not.
	JSON
	// Python is a literal of Python as far as it is JSON too, True, False, None, or text that stands for itself.
	Python
)

// FromText returns the JSON of a parameter's value that was written as text, read by the declared type: null, boolean,
// number, array and object where they are declared and the text holds one that fits, a string otherwise. Words for
// nothing other than null and None are strings where strings are allowed. An array of numbers may be written without
// brackets. Text of a parameter that accepts only strings is never read, but for JSON and Python text that is a string
// in quotes or null. Where no type is declared, Literal text is a string (or null), and JSON is read as JSON. The path
// leads through member names and indexes from the root. Text is never dropped: unreadable text is a string, for Coerce
// and Validate to check.
func (s *Schema) FromText(path []string, text string, k TextKind) []byte {
	f := &fitter{s: s, machine: machines.Get(), budget: newBudget(text)}
	defer f.machine.release()
	view := f.at(path)
	kinds := possible(view)
	plain := jsonx.AppendQuote(nil, text)
	if k != Literal {
		if v, ok := readQuoted(text, k); ok && kinds&kindString != 0 {
			return v
		}
	}
	if kinds == kindString {
		if trimmed := strings.TrimSpace(text); trimmed == "null" && k == JSON || trimmed == "None" && k == Python {
			return []byte("null")
		}
		return plain
	}
	if kinds == kindAll && isOpen(view) {
		return s.readUntypedText(text, k, plain)
	}
	found := f.ofString(kinds, plain)
	if kinds&kindNull != 0 && (isEmptyText(text) || kinds&kindString != 0 && !jsonx.IsNullWord(strings.TrimSpace(text))) {
		found = drop(found, ruleNull)
	}
	if list, ok := numberList(strings.TrimSpace(text)); ok && kinds&kindArray != 0 && kinds&kindString == 0 && f.check(view, list) {
		return list
	}
	for _, r := range found {
		if !isHeuristic(r.rule) && f.check(view, r.json) {
			return r.json
		}
	}
	if kinds&kindString != 0 {
		return plain
	}
	for _, r := range found {
		if !isHeuristic(r.rule) {
			return r.json
		}
	}
	return plain
}

// readUntypedText reads text for which no type is declared.
func (s *Schema) readUntypedText(text string, k TextKind, plain []byte) []byte {
	trimmed := strings.TrimSpace(text)
	if strings.EqualFold(trimmed, "null") {
		return []byte("null")
	}
	if k == Python {
		if v, ok := pythonWords[trimmed]; ok {
			return []byte(v)
		}
	}
	if v := []byte(trimmed); k != Literal && jsonx.Valid(v) == nil {
		return v
	}
	return plain
}

var pythonWords = map[string]string{"True": "true", "False": "false", "None": "null"}

// readQuoted returns text that is a string in quotes, as JSON.
func readQuoted(text string, k TextKind) ([]byte, bool) {
	v := []byte(strings.TrimSpace(text))
	if len(v) < 2 {
		return nil, false
	}
	if v[0] == '"' && jsonx.Valid(v) == nil {
		return v, true
	}
	inner := string(v[1 : len(v)-1])
	if k == Python && v[0] == '\'' && v[len(v)-1] == '\'' && !strings.ContainsAny(inner, `'\`) {
		return jsonx.AppendQuote(nil, inner), true
	}
	return nil, false
}

// isEmptyText reports whether a text has nothing in it: it is a string rather than null.
func isEmptyText(text string) bool { return strings.TrimSpace(text) == "" }

func drop(list []reading, rule string) []reading {
	out := list[:0]
	for _, r := range list {
		if r.rule != rule {
			out = append(out, r)
		}
	}
	return out
}

// isOpen reports whether a view says nothing of the types of its value.
func isOpen(view []*node) bool {
	for _, n := range flatten(view...) {
		if n.kinds != 0 || n.values != nil || n.anyOf != nil || n.oneOf != nil {
			return false
		}
	}
	return true
}

// at returns the schemas of the value that a path leads to, over all branches of unions.
func (f *fitter) at(path []string) []*node {
	view := []*node{f.s.root}
	for _, step := range path {
		flat := flatten(view...)
		next := below(flat, step)
		if len(next) == 0 {
			next = inBranches(flat, step, maxUnions)
		}
		view = next
	}
	return view
}

// below returns the schemas that a view has for a member or an element.
func below(flat []*node, step string) []*node {
	if next := childrenOf(flat, step); len(next) > 0 {
		return next
	}
	if i := indexOf(step); i >= 0 {
		return itemOf(flat, i)
	}
	return nil
}

// maxUnions bounds how deep unions in unions are searched for a member.
const maxUnions = 4

// inBranches looks for a member in the branches of unions. Branches that differ on it make a union of their own.
func inBranches(flat []*node, step string, depth int) []*node {
	var found []*node
	for _, n := range flat {
		for _, list := range [...][]*node{n.anyOf, n.oneOf} {
			for _, b := range list {
				inner := flatten(b)
				next := below(inner, step)
				if len(next) == 0 && depth > 1 {
					next = inBranches(inner, step, depth-1)
				}
				for _, one := range next {
					if !slices.Contains(found, one) {
						found = append(found, one)
					}
				}
			}
		}
	}
	if len(found) < 2 {
		return found
	}
	either := &node{anyOf: found, joined: true}
	either.may = either.possible()
	return []*node{either}
}
