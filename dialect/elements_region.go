package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/shown"
)

// beginElements opens a region of calls whose arguments are nested elements, at the mark x, which stands at t[i:].
func (s *Scanner) beginElements(i int, x token) {
	s.flush(s.blank(i))
	s.enter(i)
	s.r.marked, s.r.format, s.r.shown = true, "minimax_m3", s.isPresented(i, shown.Marked)
	s.state = inElements
}

// elements reads calls whose arguments are nested elements. Only tags with the prefix are tags.
func (s *Scanner) elements() bool {
	v, r := s.view(), &s.r
	p := s.marks.prefix
	for {
		n := strings.Index(v[r.i:], p)
		if n < 0 {
			r.i = max(r.i, len(v)-len(p)+1)
			return s.nestCut()
		}
		at := r.i + n
		x, found := s.lexPrefixed(v[at:], s.ended)
		if found == maybe {
			r.i = at
			return false
		}
		r.i = at + x.n
		switch {
		case x.tag == "invoke" && !x.close:
			s.takeElements(v, at)
			r.name, r.named, r.at, r.body = x.attr, true, at, r.i
		case x.tag == "invoke":
			s.takeElements(v, at)
			if len(r.stack) == 0 {
				return s.leave()
			}
		case x.tag == "tool_call" && !x.close:
			r.push(x.tag)
		case x.tag == "tool_call":
			s.takeElements(v, at)
			return s.leave()
		}
	}
}

// takeElements takes the call whose elements end at end.
func (s *Scanner) takeElements(v string, end int) {
	r := &s.r
	if !r.named {
		return
	}
	root, unclosed := markup.Read(v[r.body:end], s.marks.prefix)
	c := &Call{Written: r.name, Args: elementArgs(root, s.tools.named(r.name)), bare: len(root.Kids) == 0}
	if unclosed != nil && (len(unclosed.Kids) > 0 || endsTorn(unclosed)) {
		s.refuseCall(c, Malformed, r.i)
		return
	}
	s.emitAlone(c, r.i)
}

// nestCut handles the end of the text among nested elements.
func (s *Scanner) nestCut() bool {
	v, r := s.view(), &s.r
	if !s.ended {
		return false
	}
	r.i = len(v)
	if r.named {
		root, unclosed := markup.Read(v[r.body:], s.marks.prefix)
		c := &Call{Written: r.name, Args: elementArgs(root, s.tools.named(r.name)), bare: len(root.Kids) == 0, open: 1, Truncated: unclosed != nil}
		if unclosed == nil {
			s.emitAlone(c, r.i)
		} else {
			s.refuseCall(c, Truncated, r.i)
		}
	}
	return s.leave()
}

// endsTorn reports whether an element without its closing tag ends in what may be another one.
func endsTorn(e *markup.Element) bool {
	end := markup.EndingOf(e.Text(), e.Name)
	return end.Tag || end.Torn
}
