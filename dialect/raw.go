package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/split"
)

// rawValues has the ends of raw (unescaped) values in a range of the text. A raw value may contain markers, so its end
// is determined from all later markers of the range.
type rawValues struct {
	plan     *split.Plan
	from, to int // offsets of the range
	seen     int // offset up to which the end of the reasoning was searched
}

// rawEnd returns the end of the current value as determined from later markers. found is maybe if more text is needed,
// and no if the value is not raw.
func (s *Scanner) rawEnd() (end split.Value, found tristate) {
	r := &s.r
	if !r.isRaw || r.keyed || r.isExample || !r.marked || !s.tools.resolveTool(r.name).param(r.key).types().TakeText() {
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

// stretchEnd returns the end of the text that determines the end of the current value: the end of the response, or of
// the reasoning around the value. It returns maybe if that end did not arrive yet.
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

// rawMarks returns the markers in v from the one that opens the current value. tail reports that text follows the last.
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

// A markList collects the markers of a text.
type markList struct {
	s       *Scanner
	v       string
	last    int // end of the last marker
	marks   []split.Mark
	tool    string // tool of the current call
	key     string // key of the following value
	keyed   bool   // the previous marker opens a key
	aside   bool   // the previous marker has role Aside
	unnamed bool   // the previous marker opens a call whose name follows
}

// add adds the marker x at v[i:] and returns the offset to continue at.
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
			if m.Kind = split.Close; b.key != "" && b.takes(b.key) { // the opening marker of the value is missing
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

// takes reports whether key is a parameter of the current tool, or the tool declares none.
func (b *markList) takes(key string) bool {
	t := b.s.tools.resolveTool(b.tool)
	return t != nil && len(t.Params) == 0 || t.declares(key)
}

// rawTools provides the declared tools to package split.
type rawTools struct{ *toolset }

// Has reports whether the tool is declared.
func (t *rawTools) Has(tool string) bool { return t.resolveTool(tool) != nil }

// May reports whether a call of the tool can have the arguments in names: all are declared and none is repeated.
func (t *rawTools) May(tool string, names []string) bool {
	d := t.resolveTool(tool)
	for i, name := range names {
		if d != nil && len(d.Params) > 0 && d.param(name) == nil || slices.Contains(names[:i], name) {
			return false
		}
	}
	return true
}

// Lacks reports whether a required parameter is missing in names.
func (t *rawTools) Lacks(tool string, names []string) bool {
	d := t.resolveTool(tool)
	return d != nil && slices.ContainsFunc(d.Params, func(p Param) bool { return p.Required && !slices.Contains(names, p.Name) })
}

// TakesText reports whether the argument of the tool can be any text.
func (t *rawTools) TakesText(tool, name string) bool {
	return t.resolveTool(tool).param(name).types().TakeText()
}
