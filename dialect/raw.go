package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/split"
)

// rawValues are the known ends of raw values in a stretch of the text. Values that may hold any text are read when the
// whole stretch is at hand: a mark is one only if the text after it agrees.
type rawValues struct {
	plan     *split.Plan
	from, to int // offsets of the stretch
	seen     int // offset up to which the end of reasoning was looked for
}

// rawEnd is where the value at hand ends, where the marks after it say so. found is maybe while more text is needed,
// and no where the value is read by itself.
func (s *Scanner) rawEnd() (end split.Value, found tristate) {
	r := &s.r
	if !r.isRaw || r.keyed || r.shown || !r.marked || !s.tools.resolveTool(r.name).param(r.key).types().TakeText() {
		return end, no
	}
	raw, at := &s.raw, s.base+s.from
	if body := at + r.body; raw.plan == nil || body < raw.from || body > raw.to {
		to, found := s.stretchEnd()
		if found != yes {
			return end, found
		}
		v := s.view()[:to]
		marks, tail := s.rawMarks(v)
		raw.plan, raw.from, raw.to = split.New(marks, tail, &rawTools{&s.tools}), at+r.opener, at+to
	}
	given := make([]string, len(r.args))
	for i, a := range r.args {
		given[i] = a.Key
	}
	value, known := raw.plan.Value(at+r.body, r.name, given)
	return value, yesIf(known)
}

// stretchEnd is where the text ends that decides about the value at hand: with the answer, or with the reasoning it
// stands in.
func (s *Scanner) stretchEnd() (int, tristate) {
	v, raw, at := s.view(), &s.raw, s.base+s.from
	if s.think == "" {
		return len(v), atEnd(s.ended)
	}
	for i := max(s.r.body, raw.seen-at); i < len(v); {
		n := strings.IndexAny(v[i:], "<[")
		if n < 0 {
			break
		}
		i += n
		raw.seen = at + i
		x, found := s.lex(v, i, s.ended)
		switch {
		case found == maybe:
			return 0, maybe
		case found == yes && s.endsThinking(x):
			return i, yes
		case found == yes:
			i += x.n
		default:
			i++
		}
	}
	raw.seen = at + len(v)
	return len(v), atEnd(s.ended)
}

// rawMarks are the marks of v from the one that opens the value at hand on.
func (s *Scanner) rawMarks(v string) (marks []split.Mark, tail bool) {
	s.work += len(v) - s.r.opener
	if s.state == inElements {
		return s.elementMarks(v)
	}
	b := markList{s: s, v: v, last: s.r.opener, key: s.r.key, tool: s.r.name}
	for i := s.r.opener; i < len(v); {
		n := strings.IndexAny(v[i:], "<[]")
		if n < 0 {
			break
		}
		i += n
		x, found := s.lex(v, i, true)
		if found != yes {
			i++
			continue
		}
		i = b.add(i, x)
	}
	return b.marks, strings.TrimSpace(v[b.last:]) != ""
}

// A markList makes the marks of a text.
type markList struct {
	s       *Scanner
	v       string
	last    int // where the last mark ended
	marks   []split.Mark
	tool    string // whose call is at hand
	key     string // of the value that follows
	keyed   bool   // the mark before opens a key
	aside   bool   // the mark before opens what belongs to no value
	unnamed bool   // the mark before opens a call whose name follows
}

// add adds the mark x at v[i:] and returns where to go on.
func (b *markList) add(i int, x token) int {
	end := i + x.n
	between := strings.TrimSpace(b.v[b.last:i])
	at := b.s.base + b.s.from
	m := split.Mark{Name: x.attr, At: at + i, End: at + end, Gap: between != ""}
	if b.unnamed {
		b.marks[len(b.marks)-1].Name, b.tool = between, between
	}
	switch {
	case b.keyed:
		b.key, m.Gap = between, false
	case b.aside:
		m.Gap = false
	}
	b.keyed, b.aside, b.unnamed = x.role == Key && !x.close, x.role == Aside && !x.close, false
	start := b.last
	b.last = end
	switch {
	case x.role == Value && (x.close || m.Name != "" || b.key != "" || !x.alone):
		m.Kind, m.Tag = split.Open, x.tag+markup.SuffixAfter(b.v[i:end], x.tag)
		if m.Name == "" {
			m.Name = b.key
		}
		if x.close {
			if m.Kind = split.Close; b.key != "" && b.takes(b.key) { // the mark that opens the value is missing
				b.marks = append(b.marks, split.Mark{Kind: split.Open, Tag: m.Tag, Name: b.key, At: at + start, End: at + start})
			}
			m.Name = ""
		}
		b.key = ""
	case x.role <= Section && x.close:
		m.Kind = split.End
	case x.role <= Section && !x.alone:
		m.Kind = split.Begin
		b.unnamed, b.tool = x.attr == "", x.attr
	}
	b.marks = append(b.marks, m)
	switch {
	case m.Kind == split.Open && x.alone:
		b.marks = append(b.marks, split.Mark{Kind: split.Close, Tag: m.Tag, At: m.End, End: m.End})
	case m.Kind == split.Open:
		return markup.CDATAEnd(b.v, end)
	case m.Kind == split.Begin || x.role == Separate:
		return literal.ObjectEnd(b.v, end)
	}
	return end
}

// takes reports whether a key is one of the parameters of the tool at hand, or it declares none.
func (b *markList) takes(key string) bool {
	t := b.s.tools.resolveTool(b.tool)
	return t != nil && len(t.Params) == 0 || t.declares(key)
}

// rawTools are the declared tools, by the arguments that their calls can have.
type rawTools struct{ *toolset }

// Has reports whether a tool is declared.
func (t *rawTools) Has(tool string) bool { return t.resolveTool(tool) != nil }

// May reports whether a call of a tool can have these arguments: each once, and declared.
func (t *rawTools) May(tool string, names []string) bool {
	d := t.resolveTool(tool)
	for i, name := range names {
		if d != nil && len(d.Params) > 0 && d.param(name) == nil || slices.Contains(names[:i], name) {
			return false
		}
	}
	return true
}

// Lacks reports whether a required parameter is not among the names.
func (t *rawTools) Lacks(tool string, names []string) bool {
	d := t.resolveTool(tool)
	return d != nil && slices.ContainsFunc(d.Params, func(p Param) bool { return p.Required && !slices.Contains(names, p.Name) })
}

// TakesText reports whether an argument of a tool may be any text.
func (t *rawTools) TakesText(tool, name string) bool {
	return t.resolveTool(tool).param(name).types().TakeText()
}
