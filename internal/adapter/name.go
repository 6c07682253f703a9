package adapter

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
)

// Takes reports whether a name is taken as it is.
func (r NameRule) Takes(name string) bool {
	return r.Free || name != "" && (r.Max == 0 || len(name) <= r.Max) && r.clean(name) == name
}

// clean replaces characters that a name may not have by '_'.
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

// appendHash is a clean name with a tail of the hash of the name as it was: no other name has the same, but for one in
// four thousand million. Where the rule has no room for the tail, it is longer than that.
func (r NameRule) appendHash(name string) string {
	tail, out := tailOf(name), r.clean(name)
	if r.Max > 0 {
		out = out[:min(len(out), max(r.Max-len(tail), 0))]
	}
	return out + tail
}

// tailOf is the tail that tells a name apart from others with the same clean form.
func tailOf(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	return "_" + strconv.FormatUint(uint64(h.Sum32())|1<<32, 16)[1:]
}

// WithoutTail is the name under which a tool was sent without the tail that tells it apart from others. ok is false
// where it has none.
func WithoutTail(sent, name string) (short string, ok bool) {
	short, ok = strings.CutSuffix(sent, tailOf(name))
	return short, ok && short != ""
}

// cut is a clean name within the limit.
func (r NameRule) cut(name string) string {
	out := r.clean(name)
	if r.Max > 0 && len(out) > r.Max {
		out = out[:r.Max]
	}
	return out
}

// propertyName is the name under which a property is sent. It depends on the name alone, so that it is the same
// wherever it stands.
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

// Names are the names of tools as a target takes them. Make them with NewNames.
type Names struct {
	sent, original map[string]string
}

// NewNames finds a name for each tool: its own where the rule takes it, else the clean form of it, cut to the limit.
// Where another tool has that name, or comes to the same, it has a tail of the hash of the tool's own name. The order
// of names does not matter.
func NewNames(rule NameRule, names []string) *Names { return NewNamesWhere(rule.Takes, rule, names) }

// NewNamesWhere is NewNames for a target that also takes some names that the rule does not. takes reports whether it
// takes a name.
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
		for out.original[sent] != "" { // once in four thousand million
			sent = rule.appendHash(sent + name)
		}
		out.put(name, sent)
	}
	return out
}

// put enters the name under which a tool is sent.
func (n *Names) put(name, sent string) { n.sent[name], n.original[sent] = sent, name }

// SentName returns the name under which a tool is sent, the name itself where it is not one of the set.
func (n *Names) SentName(name string) string {
	if sent, ok := n.sent[name]; ok {
		return sent
	}
	return name
}

// Original returns the name of the tool that was sent under a name, the name itself where none was.
func (n *Names) Original(sent string) string {
	if name, ok := n.original[sent]; ok {
		return name
	}
	return sent
}
