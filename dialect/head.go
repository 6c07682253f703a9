package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/dialect/internal/markup"
)

// head is the state inside an open marker, before a call or between two calls.
func (s *Scanner) head() bool {
	v, r := s.view(), &s.r
	if len(r.stack) == 0 && r.got > 0 && !r.section {
		return s.leave()
	}
	if !s.r.skipSpace(v) {
		return s.rest()
	}
	switch c := v[r.i]; {
	case c == '[' && !s.literalAt(v):
		if r.named {
			return s.passID(v)
		}
		return s.beginValue()
	case c == '{':
		return s.beginValue()
	case c == '"' && !r.named && r.got == 0:
		r.at, r.body = r.i, r.i // the opening brace before the first key is missing
		r.track = literal.Tracker{Open: append(r.track.Open[:0], '{'), Last: '{'}
		s.state = inValue
		return true
	case c == '<' || c == '[':
		return s.headMark(v)
	case c == '`':
		return s.passFence(v)
	case (c == ',' || c == ';' || c == '}' || c == ']' || c == ')' || (c == '>' || c == '"') && v[r.i-1] == '}') && r.got > 0:
		r.i++
		return true
	case c == '/' && r.slashed:
		if r.i+1 == len(v) && !s.ended {
			return false
		}
		if !s.passSlash(v) {
			return s.foreign()
		}
		return true
	case c == '(' && r.named:
		return s.beginValue()
	case c == '\\' && (!s.ended || r.i+1 < len(v)):
		switch s.beginEscapes(v, r.i) {
		case maybe:
			return false
		case yes:
			return true
		}
		return s.foreign()
	case chars.IsHeadByte(c) && (!r.named || r.separated && s.tools.resolveTool(r.name) == nil):
		if r.named && r.lead == 0 {
			r.lead = r.at + 1
		}
		r.at, r.named = r.i, false
		s.state = inHeader
		return true
	}
	return s.foreign()
}

// beginValue begins a bracketed value at r.i.
func (s *Scanner) beginValue() bool {
	r := &s.r
	r.body = r.i
	r.track.Reset()
	if !r.named {
		r.at = r.i
	}
	s.state = inValue
	return true
}

// literalAt reports whether v[r.i:] begins, or may begin, with a marker that is not a tag.
func (s *Scanner) literalAt(v string) bool {
	_, found := s.lexLiteral(v[s.r.i:], s.ended)
	return found != no
}

// headMark scans the marker at v[r.i:], before or between calls, and acts by its role.
func (s *Scanner) headMark(v string) bool {
	r := &s.r
	x, found := s.lex(v, r.i, s.ended)
	switch {
	case found == maybe:
		return false
	case found == no && s.endsInMarkAfterCall(v):
		s.q.note("mark.orphan", s.base+s.from+r.i, v[r.i:])
		r.i, r.done = len(v), len(v)
		return s.leave()
	case found == no:
		return s.headTag(v)
	case x.role == Aside && !x.close:
		return s.passAside(v, x)
	case x.role == Noise && !x.special && !x.close && r.named && len(r.stack) > 0:
		return s.plainTag(v)
	case x.role == Noise && x.format == r.format && r.got > 0 && !r.named && s.marks.rows[r.format].open:
		return s.leave() // the header of the next message
	case x.role == Noise || x.role == Separate && !x.close:
		r.i += x.n
		r.idFollows, r.separated, r.turnEnded = x.tag == "CALL_ID", true, r.named && x.role == Noise
		return true
	case s.asFunction(&x) && !r.named && len(r.args) == 0:
		s.open(x)
		return true
	case (x.role == Value || x.role == Key) && !x.close:
		s.state = inTags
		return true
	case x.role == Wrap || x.role == Section:
		return s.headWrap(v, x)
	case x.close:
		r.i += x.n
		return true
	}
	return s.foreign()
}

// endsInMarkAfterCall reports whether the text ends with an incomplete marker at v[r.i:] after a call.
func (s *Scanner) endsInMarkAfterCall(v string) bool {
	r := &s.r
	if !s.ended || r.got == 0 || len(r.stack) == 0 || r.named {
		return false
	}
	_, found := s.lex(v, r.i, false)
	return found == maybe
}

// headWrap opens or closes the marker x of role Wrap or Section between calls.
func (s *Scanner) headWrap(v string, x token) bool {
	r := &s.r
	switch {
	case x.close:
		return s.closeMark(x)
	case len(r.stack) == 0 && r.got > 0:
		return s.leave()
	case r.named && x.attr == "" && !r.section:
		return s.plainTag(v)
	}
	s.open(x)
	return true
}

// headTag scans a possible tag between calls that is not a marker of a format: it is read, skipped or left as text.
func (s *Scanner) headTag(v string) bool {
	r := &s.r
	switch {
	case r.named && !r.section || s.namesCall(v):
		return s.plainTag(v)
	case len(r.stack) > 0 && strings.HasPrefix(v[r.i:], "</"):
		return s.passTag(v)
	case !s.ended && markup.IsTagHead(v[r.i:]):
		return false
	}
	return s.foreign()
}

// passTag skips an unknown closing tag.
func (s *Scanner) passTag(v string) bool {
	r := &s.r
	end := 2
	for r.i+end < len(v) && end < chars.MaxToken && chars.IsTagByte(v[r.i+end]) {
		end++
	}
	switch {
	case r.i+end == len(v) && !s.ended:
		return false
	case r.i+end == len(v) || v[r.i+end] != '>':
		return s.foreign()
	}
	r.i += end + 1
	return true
}

// passFence skips a code block delimiter inside a marker.
func (s *Scanner) passFence(v string) bool {
	r := &s.r
	rest := v[r.i:]
	n := 0
	for n < len(rest) && n <= maxRun && rest[n] == '`' {
		n++
	}
	if n == len(rest) && !s.ended && n <= 3 {
		return false
	}
	if n < 3 || n > maxRun {
		return s.foreign()
	}
	for n < len(rest) && n < 24 && 'a' <= rest[n] && rest[n] <= 'z' {
		n++
	}
	if n == len(rest) && !s.ended {
		return false
	}
	r.fenced = r.fenced || r.named
	r.i += n
	return true
}

// namesCall reports whether the element at r.i contains the tool name, as in <name>f</name>.
func (s *Scanner) namesCall(v string) bool {
	name := markup.ElementName(v[s.r.i:])
	return !s.r.named && markup.IsNameElement(name)
}

// passID reads a call ID in brackets between the name and the JSON arguments, as in name[call_1]{...}.
func (s *Scanner) passID(v string) bool {
	r := &s.r
	end := chars.WordEnd(v, r.i+1)
	next := chars.SpaceEnd(v, min(end+1, len(v)))
	switch {
	case next == len(v) && !s.ended:
		return false
	case next == len(v) || end == r.i+1 || v[end] != ']' || v[next] != '{':
		return s.foreign()
	}
	r.id, r.i = v[r.i+1:end], next
	return true
}
