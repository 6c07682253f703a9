package schema

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// TextKind is the notation of a parameter value in text.
type TextKind uint8

const (
	// Literal is plain text without quoting, such as the content of an XML element.
	Literal TextKind = iota
	// JSON is a JSON value, or plain text if it is not valid JSON.
	JSON
	// Python is a Python literal that is also JSON, or a string in single quotes without escapes, or True, False or None,
	// or otherwise plain text.
	Python
)

// FromText converts the text of a parameter value to JSON according to the schema's type. path has the member names and
// indexes from the root to the value. If the schema allows null, boolean, number, array or object and the text is a
// valid one, that is the result. Otherwise the result is a string. Examples: "3" gives 3 for an integer and "3" for a
// string; "1, 2" gives [1,2] for an array of numbers.
//
// Words for no value other than null and None stay strings if strings are allowed. If only strings are allowed, Literal
// text is used unchanged; the other kinds unquote a quoted string, and convert null (JSON) or None (Python) to null. If
// no type is declared, Literal text becomes a string or null, and valid JSON stays as it is with the other kinds. Text
// that cannot be converted becomes a string, for Coerce and Validate to handle.
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

// readUntypedText converts text if the schema declares no type.
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

// readQuoted returns the JSON string for a text in quotes. ok is false if the text is not quoted.
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

// isEmptyText reports whether text is only white space. Such text becomes a string, not null.
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

// isOpen reports whether no schema of view restricts the type of the value.
func isOpen(view []*node) bool {
	for _, n := range flatten(view...) {
		if n.kinds != 0 || n.values != nil || n.anyOf != nil || n.oneOf != nil {
			return false
		}
	}
	return true
}

// at returns the schemas for the value at path, including those in the branches of unions.
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

// below returns the schemas in flat for a member name or an array index.
func below(flat []*node, step string) []*node {
	if next := childrenOf(flat, step); len(next) > 0 {
		return next
	}
	if i := indexOf(step); i >= 0 {
		return itemOf(flat, i)
	}
	return nil
}

// maxUnions is the maximum nesting depth of unions that is searched for a member.
const maxUnions = 4

// inBranches returns the schemas for a member in the branches of unions. If branches have different schemas, the
// result is a new union of them.
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
