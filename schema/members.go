package schema

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/callwright/callwright/internal/jsonx"
)

func itoa(i int) string { return strconv.Itoa(i) }

// member is a member of an object: its name and the offsets of its key and value.
type member struct {
	name        string
	key, keyEnd int
	start, end  int
	gone        bool
	renamed     string // new name, "" if unchanged
	now         []byte // new value, nil if unchanged
}

func (m member) value(obj []byte) []byte { return obj[m.start:m.end] }

// fewMembers is the initial capacity for members.
const fewMembers = 8

// membersOf returns the members of an object in order.
func membersOf(obj []byte) []member {
	list := make([]member, 0, fewMembers)
	jsonx.WalkMembers(obj, jsonx.Space(obj, 0), func(k jsonx.Key, at int) int {
		key, keyEnd := jsonx.KeySpan(obj, k, at)
		end := jsonx.SkipValue(obj, at)
		list = append(list, member{name: jsonx.TextOf(k), key: key, keyEnd: keyEnd, start: at, end: end})
		return end
	})
	return list
}

// hasOneMember reports whether v is an object with exactly one member.
func hasOneMember(v []byte) bool {
	n := 0
	for range jsonx.Members(v) {
		if n++; n > 1 {
			return false
		}
	}
	return n == 1
}

// isDeclared reports whether a schema of view declares the member name in properties.
func isDeclared(view []*node, name string) bool {
	for _, n := range view {
		if n.object != nil && n.object.declares(name) {
			return true
		}
	}
	return false
}

// fitObject coerces an object: it renames misspelled members, coerces values and removes placeholders of optional
// members.
func (f *fitter) fitObject(g goal, v []byte, path string) outcome {
	list := membersOf(v)
	changes := f.rename(g, v, list, path)
	var view []*node
	for i := range list {
		m := &list[i]
		if m.renamed != "" {
			continue
		}
		view = appendChildren(view[:0], g.flat, m.name)
		if f.check(view, m.value(v)) {
			continue
		}
		at := join(path, m.name)
		r := f.mend(goal{applicableSchemas: view}, m.value(v), at)
		switch {
		case !r.fits && f.isPlaceholder(g.flat, m, v):
			m.gone = true
			changes = append(changes, change(rulePlaceholder, at, m.value(v), nil))
		case len(r.changes) > 0:
			m.now = r.json
			changes = appendChanges(changes, r.changes)
		}
	}
	return f.applyEdits(g, v, memberEdits(v, list), changes)
}

// appendChanges appends more to changes, with extra initial capacity.
func appendChanges(changes, more []Change) []Change {
	return append(slices.Grow(changes, max(fewChanges-len(changes), len(more))), more...)
}

// fewChanges is the initial capacity for changes.
const fewChanges = 4

// isPlaceholder reports whether the member is declared, optional, and has a placeholder value such as null, "" or
// "none".
func (f *fitter) isPlaceholder(view []*node, m *member, obj []byte) bool {
	return f.allows(rulePlaceholder) && isNothing(m.value(obj)) && isDeclared(view, m.name) && !isRequired(view, m.name) && f.budget >= 0
}

// nothings are strings that mean no value, in lower case.
var nothings = []string{"", "null", "undefined", "none", "nil"}

func isNothing(v []byte) bool {
	if kindOf(v) != kindString {
		return kindOf(v) == kindNull
	}
	return isNothingText(jsonx.TextOf(v))
}

func isNothingText(s string) bool {
	s = strings.TrimSpace(s)
	return s == "" || (s[0]|0x20 == 'n' || s[0]|0x20 == 'u') && slices.Contains(nothings, lower(s))
}

// rename finds undeclared members whose names differ from a missing declared name only in case and separators, such as
// userId for user_id. It renames a member if the match is unique in both directions and the value fits or can be
// coerced. A valid member stays if the declared name is optional.
func (f *fitter) rename(g goal, v []byte, list []member, path string) []Change {
	isStray := func(m member) bool { return !isDeclared(g.flat, m.name) }
	if !slices.ContainsFunc(list, isStray) || !f.allows(ruleKey) {
		return nil
	}
	missing := f.missing(g.flat, list)
	if len(missing) == 0 {
		return nil
	}
	strays := map[string][]int{}
	for i := range list {
		if !isDeclared(g.flat, list[i].name) {
			folded := fold(list[i].name)
			strays[folded] = append(strays[folded], i)
		}
	}
	var changes []Change
	for _, folded := range sortedFolds(missing) {
		names, at := missing[folded], strays[folded]
		if len(names) != 1 || len(at) != 1 {
			continue
		}
		m := &list[at[0]]
		here := join(path, m.name)
		if !isRequired(g.flat, names[0]) && f.check(childrenOf(g.flat, m.name), m.value(v)) {
			continue // the declared name is optional, and the schema accepts the undeclared name
		}
		r := f.fit(goal{applicableSchemas: childrenOf(g.flat, names[0])}, m.value(v), here)
		if !r.fits {
			continue
		}
		m.renamed = names[0]
		changes = append(changes, change(ruleKey, here, []byte(m.name), []byte(names[0])))
		if len(r.changes) > 0 {
			m.now = r.json
			changes = append(changes, r.changes...)
		}
	}
	return changes
}

// missing returns the declared names that an object lacks. The key of the map is the result of fold for a name.
func (f *fitter) missing(view []*node, list []member) map[string][]string {
	have := make(map[string]bool, len(list))
	strays := make(map[string]bool)
	for i := range list {
		have[list[i].name] = true
		if !isDeclared(view, list[i].name) {
			strays[fold(list[i].name)] = true
		}
	}
	out := map[string][]string{}
	for _, n := range view {
		if n.object == nil {
			continue
		}
		for _, name := range n.object.order {
			if folded := fold(name); !have[name] && strays[folded] && !slices.Contains(out[folded], name) {
				out[folded] = append(out[folded], name)
			}
		}
	}
	return out
}

func sortedFolds(m map[string][]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// memberEdits returns the edits for the renamed, changed and removed members of obj. It preserves white space.
func memberEdits(obj []byte, list []member) []jsonx.Edit {
	tail := len(list) // all members from this index on are removed
	for tail > 0 && list[tail-1].gone {
		tail--
	}
	edits := make([]jsonx.Edit, 0, fewChanges)
	for i, m := range list[:tail] {
		if m.gone {
			edits = append(edits, jsonx.Edit{Start: m.key, End: list[i+1].key})
			continue
		}
		if m.renamed != "" {
			edits = append(edits, jsonx.Edit{Start: m.key, End: m.keyEnd, New: jsonx.AppendQuote(nil, m.renamed)})
		}
		if m.now != nil {
			edits = append(edits, jsonx.Edit{Start: m.start, End: m.end, New: m.now})
		}
	}
	if tail < len(list) {
		from := list[tail].key
		if tail > 0 {
			from = list[tail-1].end
		}
		edits = append(edits, jsonx.Edit{Start: from, End: list[len(list)-1].end})
	}
	return edits
}

// fold converts s to lower case and removes blanks, hyphens and underscores between words. It keeps them between
// digits and at the ends, where they may be significant. For example, "User-Name" gives "username".
func fold(s string) string {
	runes := []rune(s)
	out := make([]rune, 0, len(runes))
	for i, r := range runes {
		if (r == ' ' || r == '-' || r == '_') && partsWords(runes, i) {
			continue
		}
		out = append(out, unicode.ToLower(r))
	}
	return string(out)
}

func partsWords(runes []rune, i int) bool {
	if i == 0 || i == len(runes)-1 {
		return false
	}
	before, after := runes[i-1], runes[i+1]
	return unicode.IsLetter(before) && (unicode.IsLetter(after) || unicode.IsDigit(after)) || unicode.IsDigit(before) &&
		unicode.IsLetter(after)
}

func lower(s string) string {
	out := []rune(s)
	start, end := 0, len(out)
	for start < end && unicode.IsSpace(out[start]) {
		start++
	}
	for end > start && unicode.IsSpace(out[end-1]) {
		end--
	}
	for i := start; i < end; i++ {
		out[i] = unicode.ToLower(out[i])
	}
	return string(out[start:end])
}
