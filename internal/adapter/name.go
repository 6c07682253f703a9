package adapter

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// Takes reports whether the target accepts a name.
func (r NameRule) Takes(name string) bool {
	return r.Free || name != "" && (r.Max == 0 || len(name) <= r.Max) && r.clean(name) == name
}

// clean replaces characters that the target does not accept in a name by '_'. It puts '_' or "t_" before a first
// character that the target does not accept there.
func (r NameRule) clean(name string) string {
	out := strings.Map(func(c rune) rune {
		if c == '_' || c < 0x80 && isWordByte(byte(c)) || strings.ContainsRune(r.Extra, c) {
			return c
		}
		return '_'
	}, name)
	letter := out != "" && out[0]|0x20 >= 'a' && out[0]|0x20 <= 'z'
	switch {
	case letter, out != "" && !r.Letter:
		return out
	case r.LetterOnly:
		return "t_" + out
	case out == "" || out[0] != '_':
		return "_" + out
	}
	return out
}

// appendHash returns the clean name with a hash of the original name, so that different names practically never
// collide. The result exceeds Max if Max is shorter than the hash.
func (r NameRule) appendHash(name string) string {
	tail, out := tailOf(name), r.clean(name)
	if r.Max > 0 {
		out = out[:min(len(out), max(r.Max-len(tail), 0))]
	}
	return out + tail
}

// tailOf returns "_" and a hash of a name, 8 hexadecimal digits.
func tailOf(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	return "_" + strconv.FormatUint(uint64(h.Sum32())|1<<32, 16)[1:]
}

// WithoutTail returns the name sent without the hash that NewNames appended for the tool called name. ok is false if
// there is none.
func WithoutTail(sent, name string) (short string, ok bool) {
	short, ok = strings.CutSuffix(sent, tailOf(name))
	return short, ok && short != ""
}

// cut returns the clean name, cut to Max bytes.
func (r NameRule) cut(name string) string {
	out := r.clean(name)
	if r.Max > 0 && len(out) > r.Max {
		out = out[:r.Max]
	}
	return out
}

// propertyName returns the name under which a property is sent. It depends only on the original name, so that it is the
// same everywhere in the schema.
func (t *translator) propertyName(name string) string {
	if t.rules.names.properties.Takes(name) {
		return name
	}
	sent := t.rules.names.properties.appendHash(name)
	if t.renamed == nil {
		t.renamed = map[string]string{}
	}
	t.renamed[sent] = name
	return sent
}

// Names are the names of tools in the form that a target accepts. Use NewNames.
type Names struct {
	sent, original map[string]string
}

// NewNames chooses a name for each tool: the original name if the rule accepts it, else the name with other characters
// replaced by '_' and cut to Max bytes. If another tool has that name, or would get it, a hash of the original name is
// appended. The result does not depend on the order of names.
func NewNames(rule NameRule, names []string) *Names { return NewNamesWhere(rule.Takes, rule, names) }

// NewNamesWhere is NewNames for a target that also accepts some names that the rule does not. takes reports whether it
// accepts a name.
func NewNamesWhere(takes func(name string) bool, rule NameRule, names []string) *Names {
	out := &Names{sent: make(map[string]string, len(names)), original: make(map[string]string, len(names))}
	var others []string
	for _, name := range names {
		if name == "" || takes(name) {
			out.put(name, name)
		} else {
			others = append(others, name)
		}
	}
	if others == nil {
		return out
	}
	slices.Sort(others)
	others = slices.Compact(others)
	count := make(map[string]int, len(others))
	for _, name := range others {
		count[rule.cut(name)]++
	}
	var tailed []string
	for _, name := range others {
		sent := rule.cut(name)
		if _, taken := out.original[sent]; taken || count[sent] > 1 {
			tailed = append(tailed, name)
			continue
		}
		out.put(name, sent)
	}
	for _, name := range tailed {
		sent := rule.appendHash(name)
		for out.original[sent] != "" { // happens once in four billion cases
			sent = rule.appendHash(sent + name)
		}
		out.put(name, sent)
	}
	return out
}

// put records the name under which a tool is sent.
func (n *Names) put(name, sent string) { n.sent[name], n.original[sent] = sent, name }

// SentName returns the name under which a tool is sent, or name if it is not one of the tools.
func (n *Names) SentName(name string) string {
	if sent, ok := n.sent[name]; ok {
		return sent
	}
	return name
}

// Original returns the tool that is sent under a name, or sent if there is none.
func (n *Names) Original(sent string) string {
	if name, ok := n.original[sent]; ok {
		return name
	}
	return sent
}
