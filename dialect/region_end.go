package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// closeMark ends the current call at the closing marker x at r.i. It ends the region if x closes the outermost marker.
func (s *Scanner) closeMark(x token) bool {
	r := &s.r
	s.work += len(r.stack)
	switch s.namedInTag(s.view(), r.i+x.n) {
	case maybe:
		return false
	case yes:
		r.i += x.n
		if x.tag != "function" {
			r.stack = r.stack[:len(r.stack)-1]
		}
		s.state = inTags
		return true
	}
	r.unended = r.unended || r.strayed || len(r.args) > 0 && len(r.stack) > 0 && !x.closes(r.stack[len(r.stack)-1])
	s.finish(r.i)
	r.i += x.n
	for n := len(r.stack) - 1; n >= 0; n-- {
		if x.closes(r.stack[n]) {
			r.stack = r.stack[:n]
			if n == 0 {
				r.closed = true
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

// finish emits the current call, which ends at end, if it has a name or arguments.
func (s *Scanner) finish(end int) {
	r := &s.r
	switch {
	case r.named:
		s.emitAlone(&Call{Written: r.name, Args: r.args, bare: len(r.args) == 0, unreadable: r.keyed || r.key != "" ||
			(r.prose || r.fenced) && len(r.args) == 0}, end)
	case len(r.args) > 0:
		s.emitAlone(&Call{Args: r.args}, end)
	}
}

// rest waits for text between calls. At the end of the response, it emits a call that was begun and ends the region.
func (s *Scanner) rest() bool {
	r := &s.r
	if !s.ended {
		return false
	}
	switch {
	case r.turnEnded && len(r.args) == 0:
		s.finish(r.i)
	case r.named || len(r.args) > 0:
		s.emitAlone(&Call{Written: r.name, Args: r.args, bare: len(r.args) == 0, open: 1}, r.i)
	case s.endDanglingRegion():
	case r.got == 0 && r.marked && !r.section:
		return s.refuse(r.i)
	}
	return s.leave()
}

// endDanglingRegion ends a region if its opening marker, with or without the beginning of a name, is at the end of the
// text. It returns false if not.
func (s *Scanner) endDanglingRegion() bool {
	r := &s.r
	if !s.ended || r.got > 0 || r.isExample || r.ignored || !r.marked || r.section || len(r.args) > 0 || !s.dangles() {
		return false
	}
	v := s.view()
	if word := v[strings.LastIndexAny(v, " \t\r\n>]")+1:]; s.think == "" && word != "" && !s.names.begins(word) {
		s.giveText(v)
	} else {
		s.q.note("mark.orphan", s.base+s.from, v)
	}
	r.i, r.done, r.said = len(v), len(v), true
	return true
}

// dangles reports whether an opening marker at the end of the text is the beginning of a call rather than a word of a
// sentence.
func (s *Scanner) dangles() bool {
	v := s.view()
	return s.standsApart(s.from + len(v) - len(strings.TrimLeft(v, " \t\r\n")))
}

// leave ends the region at r.i. It returns false if more text is needed to decide whether the calls are an example.
func (s *Scanner) leave() bool {
	r := &s.r
	at := s.from + r.i
	if r.isExample {
		return s.leaveShown()
	}
	if len(r.late) > 0 {
		rest := s.t[s.blank(at):]
		found := s.sentenceRest(rest).HoldsMark()
		if found == no {
			found = s.endsThought(rest)
		}
		switch found {
		case maybe:
			s.state = inLeave
			return false
		case yes:
			r.isExample = true
			return s.leaveShown()
		}
		s.giveLate()
	}
	if r.ignored && !r.given {
		return s.refuse(r.i)
	}
	if r.marked && r.got == 0 && !r.said && s.think == "" {
		if r.inSentence { // the markers may be words of the sentence
			switch s.sentenceRest(s.t[at:]).GoesOn(true) {
			case maybe:
				s.state = inLeave
				return false
			case yes:
				return s.refuse(r.i)
			}
		}
		s.leadsNowhere()
		return true
	}
	s.noteRest(r.i)
	if s.think != "" && !s.q.setDraft(s.t[s.from:at]) {
		s.pos = at // a thought about a call stays reasoning
	} else {
		s.gap = true
		s.drop(at)
	}
	s.back()
	return true
}

// leaveShown ends a region that is presented as an example. It becomes text.
func (s *Scanner) leaveShown() bool {
	if s.r.got > 0 {
		s.shownEnd = s.base + s.from + s.r.i
	}
	return s.refuse(s.r.i)
}

// maxThought is the maximum length in bytes of the rest of a line that is searched for the end of reasoning.
const maxThought = 256

// endsThought reports whether a closing marker of unopened reasoning follows. rest is the end of the line, which then
// was reasoning.
func (s *Scanner) endsThought(rest string) tristate {
	near := rest[:min(len(rest), maxThought)]
	end := strings.IndexByte(near, '\n')
	if end < 0 {
		return yesMaybe(!s.ended && len(near) < maxThought)
	}
	end = chars.SpaceEnd(rest, end)
	if end == len(rest) {
		return unless(s.ended)
	}
	if rest[end] != '<' && rest[end] != '[' {
		return no
	}
	x, found := s.lex(rest, end, s.ended)
	return yesMaybe(found == maybe) | yesIf(found == yes && x.role == Think && x.close)
}

// refuse gives up the region: its content up to offset i is text and no call. It returns true, as the scan continues.
func (s *Scanner) refuse(i int) bool {
	s.openers += len(s.r.stack)
	s.pos = s.from + max(i, 1)
	s.back()
	return true
}

// back returns to the state around the region.
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
