package dialect

import (
	"slices"
	"strings"
)

// A region is one stretch of text that may hold calls: from its opening mark, or from the beginning of a bare call, to
// its end. Offsets count from its first byte, which is s.t[s.from].
type region struct {
	closer    string   // tag whose closing mark ends a result
	stack     []string // tags of the open marks
	format    string
	section   bool // special tokens stand around it: other text between them is dropped
	marked    bool
	i         int // next byte to look at
	at        int // where the current call began
	name      string
	named     bool
	id        string
	ident     bool   // a call id follows
	shape     string // name of the format that the body's shape belongs to, where that is not the wrapper's
	prior     string // a declared name right before the opening mark
	parted    bool   // a separator stood before
	body      int    // where the current value began
	track     tracker
	inText    bool // in a string between delimiters
	delimited bool // the value has such strings
	key       string
	keyed     bool
	header    bool   // a bare call behind a recipient: what follows it on its line is noise
	quoted    bool   // a bare call that stands in quotes
	glued     bool   // a bare call that stands at the end of a sentence
	closing   string // tag that ends the current argument
	json      bool   // its value is JSON
	lines     bool   // its value stands on lines of its own
	args      []Arg
	keys      map[string]bool // of args
	got       int             // calls read so far, good or bad
	bare      []*Call
	over      bool // the end of a turn, or another token of a chat template, stands behind the name
	given     bool // a call was given out
	ignored   bool // a call was left alone: its text stays
	extra     body // what a bare value said beside its calls
	plain     bool // a name and plain text follow the opening tag
	again     bool // the tag that is open was opened once more
	last      *Call
	within    bool    // it stands in a sentence that says nothing of calling
	late      []*Call // its calls, until it is known whether the sentence goes on
}

// begin opens a region at the mark x, which stands at t[i:].
func (s *Scanner) begin(i int, x token) {
	name := ""
	if at, ok := s.nameBefore(i); ok && x.special && s.own(at) {
		name = s.t[at:i]
		i = at
	}
	s.flush(s.blank(i))
	s.enter(i)
	s.r.marked, s.r.prior, s.r.within = true, name, s.isWithin(i)
	s.r.i += len(name)
	s.open(x)
	s.state = (*Scanner).head
}

// beginNamed opens a region whose opening marks were lost, at a name that ends at end.
func (s *Scanner) beginNamed(at, end int, format string) {
	s.flush(s.blank(at))
	s.enter(at)
	s.r.marked, s.r.format, s.r.section = true, format, true
	s.r.i = end - s.from
	s.r.name, s.r.named = s.t[at:end], true
	s.state = (*Scanner).head
}

// enter begins a region at t[i], which is given out up to white space.
func (s *Scanner) enter(i int) {
	s.r = region{stack: s.r.stack[:0], track: tracker{open: s.r.track.open[:0]}, i: i - s.from, at: i - s.from}
}

// open takes an opening mark at r.i.
func (s *Scanner) open(x token) {
	r := &s.r
	if r.format == "" {
		r.format = x.format
	}
	r.section = r.section || x.role == Section
	r.plain = r.plain || x.line
	if x.attr != "" {
		if r.named && (s.tool(r.name) != nil || len(r.args) > 0 || !r.parted) {
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
		r.again = r.again || !x.special && x.attr == "" && s.isOpen(x.tag)
		r.stack = append(r.stack, x.tag)
	} else if r.named {
		s.finish(r.i)
	}
}

// view is the region's text.
func (s *Scanner) view() string { return s.t[s.from:] }

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
	if !s.skipSpace(v) {
		return s.rest()
	}
	switch c := v[r.i]; {
	case c == '{' || c == '[' && !s.literalAt(v):
		if v[r.i] == '[' && r.named {
			return s.foreign()
		}
		r.body, r.track = r.i, tracker{open: r.track.open[:0]}
		if !r.named {
			r.at = r.i
		}
		s.state = (*Scanner).value
		return true
	case c == '"' && !r.named && r.got == 0:
		r.at, r.body = r.i, r.i // the brace before the first key is missing
		r.track = tracker{open: append(r.track.open[:0], '{'), last: '{'}
		s.state = (*Scanner).value
		return true
	case c == '<' || c == '[':
		return s.headMark(v)
	case c == '`':
		return s.passFence(v)
	case (c == ',' || c == ';' || c == '}' || c == ']' || c == ')') && r.got > 0:
		r.i++
		return true
	case c == '(' && r.named:
		r.body, r.track = r.i, tracker{open: r.track.open[:0]}
		s.state = (*Scanner).value
		return true
	case isHeadByte(c) && (!r.named || r.parted && s.tool(r.name) == nil):
		r.at, r.named = r.i, false
		s.state = (*Scanner).header
		return true
	}
	return s.foreign()
}

// isHeadByte reports whether c may stand in a name that a mark introduces.
func isHeadByte(c byte) bool { return isNameByte(c) || c >= 0x80 }

func (s *Scanner) literalAt(v string) bool {
	_, verdict := s.lexLiteral(v[s.r.i:], s.ended)
	return verdict != no
}

// headMark acts on a mark between calls.
func (s *Scanner) headMark(v string) bool {
	r := &s.r
	x, verdict := s.lex(v, r.i, s.ended)
	if verdict == maybe {
		return false
	}
	if verdict == no {
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
		r.ident, r.parted, r.over = x.tag == "CALL_ID", true, r.named && x.role == Noise
		return true
	case (x.role == Value || x.role == Key) && !x.close:
		s.state = (*Scanner).tags
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
		if r.stack[n] == x.tag || slices.Contains(x.also, r.stack[n]) {
			r.stack = r.stack[:n]
			if n == 0 {
				return s.leave()
			}
			s.state = (*Scanner).head
			return true
		}
	}
	if len(r.stack) > 0 && !r.section {
		r.stack = r.stack[:len(r.stack)-1]
	}
	if len(r.stack) == 0 {
		return s.leave()
	}
	s.state = (*Scanner).head
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
	s.state = (*Scanner).noise
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
	if r.ident {
		r.id, r.ident = strings.TrimSpace(v[r.body:r.i]), false
	}
	s.state = (*Scanner).head
	return true
}

// rest handles the end of the text at hand between calls.
func (s *Scanner) rest() bool {
	r := &s.r
	if !s.ended {
		return false
	}
	switch {
	case r.over && len(r.args) == 0:
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
	return s.apart(s.from + len(v) - len(strings.TrimLeft(v, " \t\r\n")))
}

// apart reports whether a mark at t[i:] is no word of a sentence: it begins a line, follows a sentence, or is glued to the
// text before it.
func (s *Scanner) apart(i int) bool {
	c := s.before(i, 0)
	if !isSpace(c) && c != 0 {
		return strings.IndexByte("\"'`(/=", c) < 0
	}
	lead := strings.TrimRight(s.line(i), " \t")
	return lead == "" || strings.IndexByte(".!?:", lead[len(lead)-1]) >= 0
}

// leave ends the region at r.i: the text goes on behind it.
func (s *Scanner) leave() bool {
	r := &s.r
	at := s.from + r.i
	if len(r.late) > 0 {
		switch s.continues(at) {
		case maybe:
			s.state = (*Scanner).leave
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
	s.r.args, s.r.bare = nil, nil
	s.state = (*Scanner).text
	if s.think != "" {
		s.state = (*Scanner).reasoning
	}
	if s.recipient != "" {
		s.state = (*Scanner).message
	}
}
