package adapter

import (
	"hash/fnv"
	"strconv"
	"strings"
)

// Takes reports whether a name is taken as it is.
func (r NameRule) Takes(name string) bool {
	return r.Free || name != "" && (r.Max == 0 || len(name) <= r.Max) && r.clean(name) == name
}

// clean writes '_' for what a name may not have.
func (r NameRule) clean(name string) string {
	out := strings.Map(func(c rune) rune {
		if c == '_' || c < 0x80 && isWordByte(byte(c)) || strings.ContainsRune(r.Extra, c) {
			return c
		}
		return '_'
	}, name)
	if out == "" || r.Letter && !(out[0] == '_' || out[0]|0x20 >= 'a' && out[0]|0x20 <= 'z') {
		out = "_" + out
	}
	return out
}

// tailed is a clean name with a tail of the hash of the name as it was: no other name has the same, but for one in four thousand million.
// Where the rule has no room for the tail, it is longer than that.
func (r NameRule) tailed(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	tail := "_" + strconv.FormatUint(uint64(h.Sum32())|1<<32, 16)[1:]
	out := r.clean(name)
	if r.Max > 0 {
		out = out[:min(len(out), max(r.Max-len(tail), 0))]
	}
	return out + tail
}

// propertyName is the name under which a property is sent. It depends on the name alone, so that it is the same wherever it stands.
func (t *translator) propertyName(name string) string {
	if t.rules.names.properties.Takes(name) {
		return name
	}
	sent := t.rules.names.properties.tailed(name)
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

// NewNames finds a name for each tool: its own where the rule takes it, else a clean form of it with a tail of its hash. It depends on the
// name alone, so that a tool keeps it whatever tools come beside it, in the same conversation too.
func NewNames(rule NameRule, names []string) *Names {
	out := &Names{sent: make(map[string]string, len(names)), original: make(map[string]string, len(names))}
	for _, name := range names {
		if name == "" || rule.Takes(name) {
			out.sent[name], out.original[name] = name, name
		}
	}
	for _, name := range names {
		if _, done := out.sent[name]; done {
			continue
		}
		sent := rule.tailed(name)
		for out.original[sent] != "" { // once in four thousand million
			sent = rule.tailed(sent + name)
		}
		out.sent[name], out.original[sent] = sent, name
	}
	return out
}

// Sent returns the name under which a tool is sent, the name itself where it is not one of the set.
func (n *Names) Sent(name string) string {
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
