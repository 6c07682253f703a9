package dialect

import (
	"strings"
)

// begin opens a region at the mark x, which stands at t[i:].
func (s *Scanner) begin(i int, x token) {
	name := ""
	if at, ok := s.nameBefore(i, s.names); ok && x.special && s.beginsLine(at) {
		name = s.t[at:i]
		i = at
	}
	s.flush(s.blank(i))
	s.enter(i)
	s.r.marked, s.r.prior, s.r.inSentence = true, name, s.isInSentence(i)
	s.r.i += len(name)
	s.open(x)
	s.state = inHead
}

// beginNamed opens a region whose opening marks were lost, at a name that ends at end.
func (s *Scanner) beginNamed(at, end int, format string) {
	s.flush(s.blank(at))
	s.enter(at)
	s.r.marked, s.r.format, s.r.section = true, format, true
	s.r.i = end - s.from
	s.r.name, s.r.named = s.t[at:end], true
	s.state = inHead
}

// enter begins a region at t[i], which is given out up to white space.
func (s *Scanner) enter(i int) {
	s.r.track.reset()
	s.r = region{stack: s.r.stack[:0], span: span{track: s.r.track}, i: i - s.from, at: i - s.from}
}

// open takes an opening mark at r.i.
func (s *Scanner) open(x token) {
	r := &s.r
	if r.format == "" {
		r.format = x.format
	}
	r.section = r.section || x.role == Section
	r.textBody = r.textBody || x.line
	if x.attr != "" {
		if r.named && (s.tools.named(r.name) != nil || len(r.args) > 0 || !r.separated) {
			s.finish(r.i)
		}
		if len(r.args) == 0 {
			r.at = r.i
		}
		r.name, r.named = x.attr, true
		if x.lines || x.tag == "invoke" {
			r.shape = x.format
		}
		if !x.named {
			r.id = x.id
		}
	}
	r.i += x.n
	r.args = append(r.args, x.args...)
	if !x.alone {
		r.reopened = r.reopened || !x.special && x.attr == "" && s.r.isOpen(x.tag)
		r.stack = append(r.stack, x.tag)
	} else if r.named {
		s.finish(r.i)
	}
}

// skipSpace moves r.i past white space and reports whether text is left.
func (s *Scanner) skipSpace(v string) bool {
	r := &s.r
	for r.i < len(v) && isSpace(v[r.i]) {
		r.i++
	}
	return r.i < len(v)
}

// head stands in an open mark, before a call or between two.
func (s *Scanner) head() bool {
	v, r := s.view(), &s.r
	if !s.r.skipSpace(v) {
		return s.rest()
	}
	switch c := v[r.i]; {
	case c == '{' || c == '[' && !s.literalAt(v):
		if v[r.i] == '[' && r.named {
			return s.foreign()
		}
		r.body = r.i
		r.track.reset()
		if !r.named {
			r.at = r.i
		}
		s.state = inValue
		return true
	case c == '"' && !r.named && r.got == 0:
		r.at, r.body = r.i, r.i // the brace before the first key is missing
		r.track = tracker{open: append(r.track.open[:0], '{'), last: '{'}
		s.state = inValue
		return true
	case c == '<' || c == '[':
		return s.headMark(v)
	case c == '`':
		return s.passFence(v)
	case (c == ',' || c == ';' || c == '}' || c == ']' || c == ')') && r.got > 0:
		r.i++
		return true
	case c == '(' && r.named:
		r.body = r.i
		r.track.reset()
		s.state = inValue
		return true
	case isHeadByte(c) && (!r.named || r.separated && s.tools.named(r.name) == nil):
		r.at, r.named = r.i, false
		s.state = inHeader
		return true
	}
	return s.foreign()
}

// isHeadByte reports whether c may stand in a name that a mark introduces.
func isHeadByte(c byte) bool { return isNameByte(c) || c >= 0x80 }

func (s *Scanner) literalAt(v string) bool {
	_, found := s.lexLiteral(v[s.r.i:], s.ended)
	return found != no
}

// headMark acts on a mark between calls.
func (s *Scanner) headMark(v string) bool {
	r := &s.r
	x, found := s.lex(v, r.i, s.ended)
	if found == maybe {
		return false
	}
	if found == no {
		if r.named && !r.section || s.namesCall(v) {
			return s.element(v)
		}
		if len(r.stack) > 0 && strings.HasPrefix(v[r.i:], "</") {
			return s.passTag(v)
		}
		if !s.ended && isTagHead(v[r.i:]) {
			return false
		}
		return s.foreign()
	}
	switch {
	case x.role == Aside && !x.close:
		return s.passAside(v, x)
	case x.role == Noise || x.role == Separate && !x.close:
		r.i += x.n
		r.idFollows, r.separated, r.turnEnded = x.tag == "CALL_ID", true, r.named && x.role == Noise
		return true
	case (x.role == Value || x.role == Key) && !x.close:
		s.state = inTags
		return true
	case x.role == Wrap || x.role == Section:
		if x.close {
			return s.closeMark(x)
		}
		if len(r.stack) == 0 && r.got > 0 {
			return s.leave()
		}
		if r.named && x.attr == "" && !r.section {
			return s.element(v)
		}
		s.open(x)
		return true
	case x.close:
		r.i += x.n
		return true
	}
	return s.foreign()
}

// passTag passes a closing tag that no format knows.
func (s *Scanner) passTag(v string) bool {
	r := &s.r
	end := 2
	for r.i+end < len(v) && end < maxToken && isTagByte(v[r.i+end]) {
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

// closeMark takes a closing mark at r.i: it ends the call at hand, and the region when it was the outermost.
func (s *Scanner) closeMark(x token) bool {
	r := &s.r
	s.finish(r.i)
	r.i += x.n
	for n := len(r.stack) - 1; n >= 0; n-- {
		if x.closes(r.stack[n]) {
			r.stack = r.stack[:n]
			if n == 0 {
				return s.leave()
			}
			s.state = inHead
			return true
		}
	}
	if len(r.stack) > 0 && !r.section {
		r.stack = r.stack[:len(r.stack)-1]
	}
	if len(r.stack) == 0 {
		return s.leave()
	}
	s.state = inHead
	return true
}

// finish ends a call that was named but has no further argument.
func (s *Scanner) finish(end int) {
	r := &s.r
	switch {
	case r.named:
		s.emit(&Call{Written: r.name, Args: r.args, bare: len(r.args) == 0}, end)
	case len(r.args) > 0:
		s.emit(&Call{Args: r.args}, end)
	}
}

// passFence skips a code fence that stands inside a mark.
func (s *Scanner) passFence(v string) bool {
	r := &s.r
	rest := v[r.i:]
	n := len(rest) - len(strings.TrimLeft(rest, "`"))
	if n == len(rest) && !s.ended && n <= 3 {
		return false
	}
	if n < 3 {
		return s.foreign()
	}
	for n < len(rest) && n < 24 && 'a' <= rest[n] && rest[n] <= 'z' {
		n++
	}
	if n == len(rest) && !s.ended {
		return false
	}
	r.i += n
	return true
}

// foreign meets text that no call begins with.
func (s *Scanner) foreign() bool {
	r := &s.r
	switch {
	case !r.section && r.got == 0:
		if s.guessPlain() {
			return true
		}
		return s.refuse(r.i)
	case !r.section, r.got > 0 && !r.named && s.marks.rows[r.format].open:
		return s.leave()
	}
	r.body = r.i
	r.i++
	s.state = inNoise
	return true
}

// noise is text in a section that belongs to no call, up to where one may begin. Behind the mark for it, it is an id.
func (s *Scanner) noise() bool {
	v, r := s.view(), &s.r
	n := strings.IndexAny(v[r.i:], "<[{")
	if n < 0 {
		r.i = len(v)
		return s.rest()
	}
	r.i += n
	if r.idFollows {
		r.id, r.idFollows = strings.TrimSpace(v[r.body:r.i]), false
	}
	s.state = inHead
	return true
}

// rest handles the end of the text at hand between calls.
func (s *Scanner) rest() bool {
	r := &s.r
	if !s.ended {
		return false
	}
	switch {
	case r.turnEnded && len(r.args) == 0:
		s.finish(r.i)
	case r.named || len(r.args) > 0:
		s.emit(&Call{Written: r.name, Args: r.args, bare: len(r.args) == 0, open: 1}, r.i)
	case s.unfinished():
	case r.got == 0 && r.marked && !r.section:
		return s.refuse(r.i)
	}
	return s.leave()
}

// unfinished ends a region whose opening mark, or the beginning of a name behind it, is the last thing in the text.
func (s *Scanner) unfinished() bool {
	r := &s.r
	if !s.ended || r.got > 0 || !r.marked || r.section || len(r.args) > 0 || !s.dangles() {
		return false
	}
	s.q.note("mark.orphan", s.base+s.from, s.view())
	r.i = len(s.view())
	return true
}

// dangles reports whether the opening mark with which the text ends was the beginning of a call.
func (s *Scanner) dangles() bool {
	v := s.view()
	return s.standsApart(s.from + len(v) - len(strings.TrimLeft(v, " \t\r\n")))
}

// leave ends the region at r.i: the text goes on behind it.
func (s *Scanner) leave() bool {
	r := &s.r
	at := s.from + r.i
	if len(r.late) > 0 {
		switch goesOnBehindMark(s.t[at:], s.ended, s.names) {
		case maybe:
			s.state = inLeave
			return false
		case yes:
			return s.refuse(r.i)
		}
		s.giveLate()
	}
	if r.ignored && !r.given {
		return s.refuse(r.i)
	}
	if s.think != "" && !s.q.draft(s.t[s.from:at]) {
		s.pos = at // a thought about a call is a thought
	} else {
		s.gap = true
		s.drop(at)
	}
	s.back()
	return true
}

// refuse gives the region back: its text up to i was no call after all.
func (s *Scanner) refuse(i int) bool {
	s.openers += len(s.r.stack)
	s.pos = s.from + max(i, 1)
	s.back()
	return true
}

// back returns to the text around a region.
func (s *Scanner) back() {
	s.r.args, s.r.bare.calls = nil, nil
	s.state = inText
	if s.think != "" {
		s.state = inReasoning
	}
	if s.recipient != "" {
		s.state = inMessage
	}
}

// isInSentence reports whether the mark at t[i:] stands in the middle of a sentence that does not say what the model is
// about to do.
func (s *Scanner) isInSentence(i int) bool {
	c := s.before(i, 0)
	if s.think != "" || s.nested || c != ' ' && c != '(' {
		return false
	}
	return isMidSentence(s.line(i))
}
