package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/shown"
)

// speakers are the names of the assistant role in chat templates.
var speakers = [...]string{"assistant", "model"}

// lookNoise removes a chat-template token, and a role name after a token that opens a turn.
func (s *Scanner) lookNoise(i int, x token) tristate {
	end := i + x.n
	if strings.HasSuffix(x.tag, "_of_box") { // GLM marks its result with a box inside a sentence
		s.cut("mark.template", i, x.n)
		return yes
	}
	if !x.close {
		n, v := s.speaker(end, x.tag == "|message_model")
		if v == maybe {
			return maybe
		}
		end += n
	}
	s.flush(s.blank(i))
	s.q.note("mark.template", s.base+i, s.t[i:end])
	if x.tag == "|from" && !s.atLineStart(i) {
		s.skip(end) // the sentence continues
	} else {
		s.drop(end)
	}
	return yes
}

// speaker returns the size of a role name at t[i:] with the newline after it, 0 if there is none. It must be alone on
// its line or before another token. If addressed is set, a tool name is accepted, too.
func (s *Scanner) speaker(i int, addressed bool) (int, tristate) {
	rest := s.t[i:]
	for _, name := range speakers {
		after, ok := strings.CutPrefix(rest, name)
		switch {
		case !ok && !s.ended && strings.HasPrefix(name, rest), ok && after == "" && !s.ended:
			return 0, maybe
		case !ok:
		case after == "" || after[0] == '<':
			return len(name), yes
		case after[0] == '\n':
			return len(name) + 1, yes
		}
	}
	if addressed {
		return s.recipientWord(i)
	}
	return 0, no
}

// recipientWord returns the size of the word at t[i:] between two special tokens, if the second one opens calls. It
// repeats the tool name. A declared name is kept for a call without a name; then the size is 0.
func (s *Scanner) recipientWord(i int) (int, tristate) {
	end := chars.WordEnd(s.t, i)
	switch {
	case end == len(s.t):
		return 0, yesMaybe(!s.ended && end > i)
	case end == i || s.t[end] != '<':
		return 0, no
	}
	if _, declared := s.names.plain(s.t[i:end]); declared {
		return 0, no
	}
	x, found := s.lex(s.t, end, s.ended)
	if found == yes && x.role == Section && !x.close {
		return end - i, yes
	}
	return 0, yesMaybe(found == maybe)
}

// text is the state in visible text.
func (s *Scanner) text() bool {
	for {
		i := chars.NextOpen(s.t, s.pos)
		if i == len(s.t) {
			if !s.ended {
				return s.wait(i)
			}
			s.pos = i
			s.flush(i)
			return false
		}
		s.pos = i
		s.work += 1 + len(s.r.stack)
		switch s.look(i) {
		case maybe:
			if !s.ended {
				return s.wait(i)
			}
			s.pos = i + 1
		case no:
			if s.ended && s.cutMark(i) {
				return false
			}
			s.pos++ // or after text that look skipped
		case yes:
			return true
		}
	}
}

// cutMark removes an incomplete special token at the end of the text, or any incomplete marker directly after a call.
func (s *Scanner) cutMark(i int) bool {
	rest := s.t[i:]
	if !s.marks.cuts(rest) {
		_, found := s.lex(s.t, i, false)
		if !s.gap || s.found == 0 || s.blank(i) > s.from || found != maybe {
			return false
		}
	}
	s.flush(s.blank(i))
	s.q.note("mark.orphan", s.base+i, rest)
	s.drop(len(s.t))
	return true
}

// look begins the marker, call or code block at t[i:], if any. It returns yes if it advanced and no if t[i] is text.
func (s *Scanner) look(i int) tristate {
	switch s.t[i] {
	case '`', '~':
		return s.lookFence(i)
	case '{':
		return s.lookObject(i)
	case '(':
		return s.lookArguments(i)
	case '&':
		return s.lookEscaped(i)
	case '[':
		x, v := s.lex(s.t, i, s.ended)
		if v == no {
			return s.lookList(i)
		}
		return s.lookMark(i, x, v)
	}
	s.angle = s.base + i
	if v := s.lookConflict(i); v != no {
		return v
	}
	if v := s.lookNameLine(i); v != no {
		return v
	}
	x, v := s.lex(s.t, i, s.ended)
	return s.lookMark(i, x, v)
}

// lookMark treats the marker x in visible text by its role. v is the result of lex, returned unless it is yes.
func (s *Scanner) lookMark(i int, x token, v tristate) tristate {
	if v != yes {
		return v
	}
	if v = s.lookShown(i, x); v != no {
		return yesMaybe(v == maybe)
	}
	if x.role == Value && s.beginsLine(i) {
		s.asFunction(&x)
	}
	switch x.role {
	case Noise:
		return s.lookNoise(i, x)
	case Cite:
		s.cut("mark.citation", i, x.n)
		return yes
	case Think:
		return s.lookThink(i, x)
	case Result:
		return s.lookResult(i, x)
	case Channel:
		return s.lookChannel(i, x)
	case Wrap, Section:
		if x.close {
			return s.orphan(i, x)
		}
		if v = s.lookSpelled(i, x); v != no {
			return v
		}
		if x.prefixed {
			s.beginElements(i, x)
		} else {
			s.begin(i, x)
		}
		return yes
	case Separate:
		return s.lookSeparator(i, x)
	case Key, Value:
		if s.lookOpenerLost(i, x) {
			return yes
		}
	}
	if !x.close || s.openers > 0 {
		return no
	}
	if s.found > 0 || x.special {
		return s.orphan(i, x)
	}
	v = s.closesCall(s.t, i+x.n, s.ended)
	if v == yes {
		return s.orphan(i, x)
	}
	return v
}

// lookShown reports whether the marker x in visible text is quoted or mentioned and thus text. If x opens a call, its
// closing marker becomes text, too.
func (s *Scanner) lookShown(i int, x token) tristate {
	if s.level > 0 {
		return no
	}
	if v := s.isQuotedOpener(i, x); v != no {
		return yesMaybe(v == maybe)
	}
	if s.isExample(i) {
		quoted, openers := isMarkQuoted(x, s.line(i), s.t[i+x.n:], s.ended)
		s.openers = max(0, s.openers+openers)
		return quoted
	}
	mention := s.isMention(i, x)
	if mention == yes {
		s.mentioned = s.base + i + x.n
	}
	return mention
}

// orphan removes a closing marker without an opening marker, unless the opening marker was text.
func (s *Scanner) orphan(i int, x token) tristate {
	if s.openers > 0 {
		s.openers--
		return no
	}
	if x.named {
		return no
	}
	rule := "mark.orphan"
	if x.role == Think {
		if v := s.isNamed(i, s.t[i+x.n:]); v != no {
			return yesMaybe(v == maybe)
		}
		rule = Unopened
		s.q.marked, s.q.recent, s.q.said = false, nil, nil // the calls so far were in reasoning
	}
	s.flush(s.blank(i))
	s.q.note(rule, s.base+i, s.t[i:i+x.n])
	s.drop(i + x.n)
	s.gap = s.gap || x.role == Think
	return yes
}

// isNamed reports whether a marker at t[i:] is a word of a sentence that continues in rest.
func (s *Scanner) isNamed(i int, rest string) tristate {
	switch {
	case s.before(i, 0) != ' ' || !chars.IsLetter(s.before(i, 1)):
		return no
	case len(rest) < 2:
		return unless(s.ended)
	}
	return yesIf(rest[0] == ' ' && chars.IsLower(rest[1]))
}

// cut removes a marker of n bytes at t[i:] within a line and notes it.
func (s *Scanner) cut(rule string, i, n int) {
	s.flush(i)
	s.q.note(rule, s.base+i, s.t[i:i+n])
	s.skip(i + n)
}

// lookSeparator begins a call without opening markers if a declared name directly precedes the separator x.
func (s *Scanner) lookSeparator(i int, x token) tristate {
	end := i
	if x.special {
		end = s.blank(i)
	}
	if at, ok := s.nameBefore(end, s.names); ok && !x.close {
		s.beginNamed(at, end, x.format)
		return yes
	}
	if x.special && s.openers == 0 {
		return s.orphan(i, x)
	}
	return no
}

// lookOpenerLost begins a call without its opening tag: a declared name begins the line with the first key, or the
// rest of the tag precedes the first value.
func (s *Scanner) lookOpenerLost(i int, x token) bool {
	if x.close {
		return false
	}
	end := s.blank(i)
	at, name, ok := s.tagRest(end, s.names)
	if !ok && x.role == Key {
		at, ok = s.nameBefore(end, s.names)
		name, ok = s.t[at:end], ok && s.beginsLine(at)
	}
	if !ok || s.isExample(at) || s.isPresented(at, shown.Marked) {
		return false
	}
	format := x.format
	if x.lines {
		format = "qwen3_coder"
	}
	s.beginNamed(at, end, format)
	s.r.name, s.r.section, s.r.i = name, false, i-s.from
	s.state = inTags
	return true
}
