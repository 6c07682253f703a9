package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/shown"
	"github.com/callwright/callwright/dialect/internal/split"
)

// beginElements begins a region of calls whose arguments are nested XML elements, at the marker x at t[i:].
func (s *Scanner) beginElements(i int, x token) {
	s.flush(s.blank(i))
	s.enter(i)
	s.r.marked, s.r.format, s.r.isExample = true, "minimax_m3", s.isPresented(i, shown.Marked)
	s.state = inElements
}

// elements scans calls whose arguments are nested elements (format minimax_m3). Only tags with the format's prefix
// count.
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
		switch s.topElement(v, at) {
		case maybe:
			r.i = at
			return false
		case yes:
			continue
		}
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

// topElement adds the element at v[at:] as an argument of the current call if its end is certain, and then returns yes.
func (s *Scanner) topElement(v string, at int) tristate {
	r := &s.r
	begin := at + len(s.marks.prefix)
	if !r.named || r.isTorn || begin >= len(v) || v[begin] != '<' {
		return no
	}
	tag, ok := markup.TagAt(v[begin:])
	switch {
	case !ok && !s.ended && markup.IsTagHead(v[begin:]):
		return maybe
	case !ok || tag.Close || tag.Alone || (tag.Name == "invoke" || tag.Name == "tool_call") && s.tools.resolveTool(r.name).param(tag.Name) == nil:
		return no
	}
	if root := s.elementsUpTo(v, at); root == nil {
		r.isTorn = true // the tag is inside another element
		return no
	}
	r.key, r.opener, r.isRaw, r.body = tag.Name, at, true, begin+tag.Size
	end, found := s.rawEnd()
	if found != yes {
		r.isTorn, r.body = found == no && s.tools.resolveTool(r.name).param(tag.Name).types().TakeText(), at
		return found
	}
	base := s.base + s.from
	text, stop := v[r.body:end.End-base], end.After-base
	e := markup.Leaf(tag.Name, text)
	if p := s.tools.resolveTool(r.name).param(tag.Name); !end.Moved && !p.isText() {
		root, _ := markup.Read(v[at:stop], s.marks.prefix)
		e = root.Kids[0]
	}
	r.elements = append(r.elements, e)
	r.args = append(r.args, Arg{Key: tag.Name})
	r.unreadable = r.unreadable || end.Unsure
	r.i, r.body = stop, stop
	return yes
}

// elementsUpTo adds the elements of the current call before v[at]. It returns nil if one of them is not closed.
func (s *Scanner) elementsUpTo(v string, at int) *markup.Element {
	r := &s.r
	root, unclosed := markup.Read(v[r.body:at], s.marks.prefix)
	if unclosed != nil {
		return nil
	}
	for _, k := range root.Kids {
		r.args = append(r.args, Arg{Key: k.Name})
	}
	r.elements, r.body = append(r.elements, root.Kids...), at
	return root
}

// readElements parses the elements of the current call up to end.
func (s *Scanner) readElements(v string, end int) (root, unclosed *markup.Element) {
	r := &s.r
	root, unclosed = markup.Read(v[r.body:end], s.marks.prefix)
	root.Kids = append(r.elements, root.Kids...)
	r.elements, r.args, r.isTorn = nil, nil, false
	return root, unclosed
}

// takeElements emits the call whose elements end at end.
func (s *Scanner) takeElements(v string, end int) {
	r := &s.r
	if !r.named {
		return
	}
	root, unclosed := s.readElements(v, end)
	c := &Call{Written: r.name, Args: elementArgs(root, s.tools.resolveTool(r.name)), bare: len(root.Kids) == 0}
	if unclosed != nil && (len(unclosed.Kids) > 0 || endsTorn(unclosed)) {
		s.refuseCall(c, Malformed, r.i)
		return
	}
	r.unended = r.unended || unclosed != nil
	s.emitAlone(c, r.i)
}

// nestCut emits or rejects the current call if the response has ended. Otherwise it returns false, to wait for text.
func (s *Scanner) nestCut() bool {
	v, r := s.view(), &s.r
	if !s.ended {
		return false
	}
	r.i = len(v)
	if r.named {
		root, unclosed := s.readElements(v, len(v))
		c := &Call{Written: r.name, Args: elementArgs(root, s.tools.resolveTool(r.name)), bare: len(root.Kids) == 0, open: 1,
			Truncated: unclosed != nil}
		if unclosed == nil {
			s.emitAlone(c, r.i)
		} else {
			s.refuseCall(c, Truncated, r.i)
		}
	}
	return s.leave()
}

// endsTorn reports whether an unclosed element ends in the beginning of another tag.
func endsTorn(e *markup.Element) bool {
	end := markup.EndingOf(e.Text(), e.Name)
	return end.Tag || end.Torn
}

// elementMarks returns the prefixed markers in v from the current element on. tail reports that text follows the last.
func (s *Scanner) elementMarks(v string) (marks []split.Mark, tail bool) {
	p, at, last := s.marks.prefix, s.base+s.from, s.r.opener
	for i := s.r.opener; i < len(v); {
		n := strings.Index(v[i:], p)
		if n < 0 {
			break
		}
		i += n
		m := split.Mark{At: at + i, Gap: strings.TrimSpace(v[last:i]) != ""}
		if i+len(p) == len(v) {
			break
		}
		tag, ok := markup.TagAt(v[i+len(p):])
		size := len(p) + tag.Size
		if x, found := s.lexPrefixed(v[i:], true); found == yes && x.role <= Section {
			size, m.Name, m.Kind = x.n, x.attr, split.Begin
			if x.close {
				m.Kind = split.End
			}
		} else if m.Tag, m.Name = tag.Name, tag.Name; !ok {
			i += len(p)
			continue
		} else if m.Kind = split.Open; tag.Close {
			m.Kind = split.Close
		}
		i += size
		last, m.End = i, at+i
		marks = append(marks, m)
		if ok && tag.Alone && m.Kind == split.Open {
			marks = append(marks, split.Mark{Kind: split.Close, Tag: m.Tag, At: m.End, End: m.End})
		}
	}
	return marks, strings.TrimSpace(v[last:]) != ""
}
