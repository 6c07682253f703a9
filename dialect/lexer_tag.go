package dialect

import (
	"cmp"
	"strings"

	"github.com/callwright/callwright/dialect/internal/callshape"
	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
)

// lexTag reads <name>, </name>, <name=value> or <name key="value">.
func (l *lexer) lexTag(t string, ended bool) (token, tristate) {
	x := token{}
	i := 1
	if i < len(t) && t[i] == '/' {
		x.close, i = true, 2
	}
	start := i
	from, v := markup.NamespaceEnd(t, i, ended)
	if v != yes {
		return x, v
	}
	barred := from > start && chars.BarAt(t, start) > 0
	i = from
	for i < len(t) && chars.IsTagByte(t[i]) && i-from < chars.MaxToken {
		i++
	}
	name := t[from:i]
	if i < len(t) && (t[i] == '=' || x.close && t[i] == '>') {
		name = markup.Fold(name)
	}
	if barred {
		end, v := markup.BlockEnd(t, from, ended)
		if v == maybe {
			return x, maybe
		}
		if v == yes {
			name, i = "function_calls", end
		}
	}
	if i < len(t) && t[i] > ' ' && t[i] != '>' && t[i] != '=' && t[i] != '/' {
		i = l.suffixEnd(t, name, i)
	}
	if i == len(t) {
		if ended || !l.beginsTag(name) {
			return x, no
		}
		return x, maybe
	}
	if !l.knows(name, &x) {
		base, glued := strings.CutSuffix(name, "name")
		if !glued || t[i] != '=' || !l.knows(base, &x) || x.named {
			return x, no
		}
		i -= len("name") // <functionname="x">: the space is missing
	}
	if barred {
		x.format = cmp.Or(l.marks.bars[strings.Trim(t[start:from], " |｜‖▁")], x.format)
	}
	if x.role == Cite && x.close {
		var found tristate
		x.n, found = markup.CitationEnd(t, i, ended)
		return x, found
	}
	return l.lexAttributes(t, i, x, ended)
}

// beginsTag reports whether name is a prefix of a known tag name.
func (l *lexer) beginsTag(name string) bool {
	name = markup.TrimTagSuffix(name)
	if hasPrefixed(l.marks.names, name) || l.names.begins(name) || markup.BeginsCapital(name) {
		return true
	}
	n := strings.LastIndexByte(name, 'n') // as in <functionname=
	if n < 0 || !strings.HasPrefix("name", name[n:]) {
		return false
	}
	_, known := l.marks.tags[name[:n]]
	return known
}

// knows looks a tag name up in the formats' markers and then in the declared tools. It fills x and reports whether the
// name is known.
func (l *lexer) knows(name string, x *token) bool {
	if _, ok := l.marks.tags[name]; !ok {
		name = markup.TrimTagSuffix(name)
	}
	if e, ok := l.marks.tags[name]; ok {
		x.tag, x.role, x.format, x.close = e.tag, e.role, e.format, x.close || e.close
		return true
	}
	if l.names.has(name) {
		x.tag, x.role, x.format, x.attr, x.named = name, Wrap, "tool_tag", name, true
		return true
	}
	return false
}

// suffixEnd returns the end of a tag suffix with characters that names cannot have, as in <tool_call:a+b>. It returns
// i if there is none.
func (l *lexer) suffixEnd(t, name string, i int) int {
	base := markup.TrimTagSuffix(name)
	if _, ok := l.marks.tags[base]; !ok || base == name {
		return i
	}
	for k := i; k-i < chars.MaxToken; k++ {
		switch {
		case k == len(t) || t[k] == '>':
			return k
		case chars.IsSpace(t[k]) || strings.IndexByte("<\"'", t[k]) >= 0:
			return i
		}
	}
	return i
}

// lexAttributes reads the rest of a tag from t[i:].
func (l *lexer) lexAttributes(t string, i int, x token, ended bool) (token, tristate) {
	switch t[i] {
	case '>':
		x.n = i + 1
		return x, yes
	case '=':
		x.lines = true
		var found tristate
		x.attr, x.n, x.alone, found = markup.ReadAssignedValue(t, i+1, ended)
		return x, found
	case ' ', '\t', '\n', '\r', '/', 'n', 0xc4, 0xe2:
	default:
		return x, no
	}
	x.line = t[i-1] == ':' && !x.close
	if x.line && x.tag == "tool" {
		if at, found := markup.LabelAt(t, i, ended, l.names.has); found != no {
			x.n = at
			return x, found
		}
	}
	return l.lexAttributeList(t, i, x, ended)
}

// lexAttributeList reads the attributes between the name and the end of a tag.
func (l *lexer) lexAttributeList(t string, i int, x token, ended bool) (token, tristate) {
	limit, from := min(len(t), chars.MaxTag), i
	for i < limit {
		switch c := t[i]; {
		case x.named && !x.close && c != '>' && !chars.IsSpace(c) && isBelow(t[from:i]) && !markup.IsAttribute(t[i:limit]):
			x.slashed, x.n = true, from
			isOpen := !ended && limit < chars.MaxTag && markup.NameEnd(t[i:]) == limit-i
			return x, yesMaybe(isOpen) | yesIf(!isOpen)
		case c == '>':
			x.n = i + 1
			return x, yes
		case c == '<' || c == '{':
			x.n = i
			return x, x.lacksBracket(t, i, ended)
		case chars.IsSpace(c):
			i++
		case c >= 0x80 && markup.SpaceMark(t[i:limit]) > 0:
			i += markup.SpaceMark(t[i:limit])
		case c >= 0x80 && markup.SpaceMark(t[i:limit]) < 0:
			return x, unless(ended || limit == chars.MaxTag)
		case c == '/':
			x.alone = true
			i++
		case chars.IsTagByte(c):
			end := attribute(t[:limit], i, &x, l.marks.attrs)
			switch {
			case end < 0:
				return x, unless(ended || limit == chars.MaxTag)
			case end == i && x.line:
				for i < limit && chars.IsTagByte(t[i]) {
					i++
				}
				continue
			case end == i:
				return x, no
			case t[end-1] == '>': // a special token in place of the end of the tag
				x.n = end
				return x, yes
			}
			i = end
		default:
			return x, no
		}
	}
	return x, unless(ended || limit == chars.MaxTag)
}

// lacksBracket reports whether a tag ends at t[i:] without its closing bracket. The bracket is missing at the end of
// the line, or misplaced after the call inside the element.
func (x *token) lacksBracket(t string, i int, ended bool) tristate {
	if t[i] == '<' {
		return yesIf((x.attr != "" || markup.IsBarred(t)) && !x.named && isBelow(t[len(strings.TrimRight(t[:i], " \t\r\n")):i]))
	}
	if x.role != Wrap || x.close || x.named || x.attr != "" {
		return no
	}
	key, found := markup.FirstKey(t[i:], ended)
	if found == yes {
		found = yesIf(callshape.MayBegin(key))
	}
	return found
}

// isBelow reports whether the white space gap contains a newline.
func isBelow(gap string) bool { return strings.IndexByte(gap, '\n') >= 0 }

// asFunction converts a parameter tag with a tool name to a function tag: <parameter=name> to <function=name>. It
// returns false if x is not such a tag.
func (l *lexer) asFunction(x *token) bool {
	if x.role != Value || x.close || !x.lines || !l.names.has(x.attr) {
		return false
	}
	x.tag, x.role, x.format = "function", Wrap, "qwen3_coder"
	return true
}
