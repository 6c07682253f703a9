package describe

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect"
)

// markSets returns the sets of markers to try, the most complete first: all markers of the example, those around the
// call, the first of these, and none. For a call on a line after words, they are the marker of the line, and none.
func (l *layout) markSets() [][]dialect.Mark {
	if line, ok := l.line(); ok {
		return [][]dialect.Mark{{line}, nil}
	}
	around, inside := l.marks()
	sets := [][]dialect.Mark{slices.Concat(around, inside), around}
	if len(around) > 1 {
		sets = append(sets, around[:1])
	}
	return append(sets, nil)
}

// marks returns the markers around the call and those between its parts.
func (l *layout) marks() (around, inside []dialect.Mark) {
	but := l.object
	if but == (span{}) {
		but = span{-1, -1}
	}
	list := slices.DeleteFunc(tokens(l.text, but), func(t token) bool {
		return slices.ContainsFunc(l.params, func(p param) bool { return p.value.holds(t.span) })
	})
	last := l.last()
	for _, t := range list {
		if t.closing && !t.special || t.from >= last {
			continue
		}
		open, role, isMark := l.role(t)
		if !isMark {
			continue
		}
		m := dialect.Mark{Open: open, Close: l.closer(list, t), Role: role}
		switch {
		case slices.ContainsFunc(around, func(o dialect.Mark) bool { return o.Open == m.Open }),
			slices.ContainsFunc(inside, func(o dialect.Mark) bool { return o.Open == m.Open }):
		case role == dialect.Wrap:
			around = append(around, m)
		default:
			inside = append(inside, m)
		}
	}
	return around, inside
}

// attributes returns the names of the tag attributes whose value is the tool name or the key of an argument.
func (l *layout) attributes() []string {
	var out []string
	for _, t := range tokens(l.text, span{-1, -1}) {
		here := t.said == l.name || slices.ContainsFunc(l.params, func(p param) bool { return t.said == p.key })
		if here && t.key != "" && !slices.Contains(out, t.key) {
			out = append(out, t.key)
		}
	}
	return out
}

// last returns the offset that separates the opening markers from the closing ones: the end of the arguments, or the
// start of the name if it follows them.
func (l *layout) last() int {
	body := l.body()
	return max(l.name.from, body.to)
}

// role returns the opening text and the role of the marker for a token of the example. isMark is false for a token that
// needs no marker, such as an element named after the tool or an argument.
func (l *layout) role(t token) (open string, role dialect.Role, isMark bool) {
	text := t.text(l.text)
	switch {
	case t.holds(l.name) && t.special:
		return l.text[t.from:l.name.from] + "%s" + l.text[l.name.to:t.to], dialect.Wrap, true
	case t.holds(l.name):
		return "<" + t.name + ">", dialect.Wrap, t.said == l.name
	}
	for _, p := range l.params {
		switch {
		case !p.whole.holds(t.span):
		case t.holds(p.key):
			return "<" + t.name + ">", dialect.Value, t.said == p.key
		case t.to <= p.key.from:
			return text, dialect.Key, true
		default:
			return text, dialect.Value, true
		}
	}
	begins := min(l.name.from, l.body().from)
	if l.parser == Object {
		begins = l.object.from
	}
	switch {
	case t.from < begins && t.special:
		return text, dialect.Wrap, true
	case t.from < begins:
		return "<" + t.name + ">", dialect.Wrap, true
	case t.special:
		return text, dialect.Separate, true
	}
	return "", 0, false
}

// closer returns the closing marker of a token: its closing tag, or for the n-th special token from the start the n-th
// from the end.
func (l *layout) closer(list []token, open token) string {
	if !open.special {
		for _, t := range list {
			if t.closing && !t.special && t.name == open.name && t.from >= open.to {
				return "</" + open.name + ">"
			}
		}
		return ""
	}
	var before, after []token
	for _, t := range list {
		switch {
		case !t.special:
		case t.from < min(l.name.from, l.body().from) || t.holds(l.name):
			before = append(before, t)
		case t.from >= l.last():
			after = append(after, t)
		}
	}
	for i, t := range before {
		if n := len(after) - 1 - i; t.span == open.span && n >= 0 {
			return after[n].text(l.text)
		}
	}
	return ""
}

// line returns the marker of a call whose name and arguments follow words on a line. ok is false if the call has
// another structure.
func (l *layout) line() (dialect.Mark, bool) {
	if l.parser != Named || l.name.from > l.args.from {
		return dialect.Mark{}, false
	}
	before := l.text[:l.name.from]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	m := dialect.Mark{Open: strings.TrimSpace(before), Close: strings.TrimSpace(l.text[l.name.to:l.args.from]), Role: dialect.Line}
	return m, m.Open != "" && !strings.ContainsAny(m.Open+m.Close, "<[{(`~&")
}
