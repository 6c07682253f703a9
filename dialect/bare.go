package dialect

import (
	"cmp"
	"strings"

	"github.com/callwright/callwright/dialect/internal/callshape"
	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/label"
	"github.com/callwright/callwright/dialect/internal/pairs"
)

// lookObject examines an opening brace in visible text at t[i]. It returns yes if it begins a call without markers, the
// arguments of a call whose name precedes it, or a JSON value to skip; maybe if more text is needed; else no.
func (s *Scanner) lookObject(i int) tristate {
	if !s.isExample(i) && s.lookInput(i) == yes {
		return yes
	}
	if at, ok := s.frameBefore(i); ok {
		v := s.callKey(i)
		if v == yes {
			s.beginBare(at, i)
			s.r.bare.leadIn, s.state = framed, inValue
		}
		if v != no {
			return v
		}
	}
	name := s.blank(i)
	if at, ok := s.nameBefore(name, s.names); ok {
		glued := strings.IndexByte(s.t[name:i], '\n') >= 0
		if (s.beginsLine(at) || glued) && !s.isExample(at) {
			s.beginBare(at, i)
			s.r.name, s.r.named = s.t[at:name], true
			if !s.beginsLine(at) {
				s.r.bare.leadIn = sentenceLead
			}
			s.state = inValue
			return yes
		}
	}
	if at, name, ok := s.tagRest(name, s.names); ok && !s.isExample(at) && s.beginInput(at, i, name) {
		return yes
	}
	if s.isExample(i) || !s.beginsLine(i) && s.labelBefore(i) == i {
		if v := s.gluedMessage(i); v != yes {
			return v
		}
	}
	switch s.callKey(i) {
	case maybe:
		return maybe
	case no:
		return s.passValue(i)
	}
	s.beginBare(i, i)
	s.state = inValue
	return yes
}

// messages are the beginnings of OpenAI API messages with calls.
var messages = [...]string{`{"tool_calls":[{`, `{"content":null,"tool_calls":[{`, `{"role":"assistant","tool_calls":[{`,
	`{"role":"assistant","content":null,"tool_calls":[{`}

// gluedMessage reports whether t[i:] begins with an element of messages directly after the end of a sentence.
func (s *Scanner) gluedMessage(i int) (found tristate) {
	if strings.IndexByte(".!?", s.before(i, 0)) < 0 || s.isExample(i) {
		return no
	}
	for _, m := range messages {
		if strings.HasPrefix(s.t[i:], m) {
			return yes
		}
		found |= yesMaybe(!s.ended && strings.HasPrefix(m, s.t[i:]))
	}
	return found
}

// lookInput begins a call at the object t[i:] if a declared tool is named before it: on its line or the line above, or
// as the recipient of a message. It returns yes if it began a call, else no.
func (s *Scanner) lookInput(i int) tristate {
	if at, tool, ok := s.gluedHeader(s.blank(i)); ok && s.beginInput(at, i, tool) {
		s.r.bare.leadIn, s.r.format = recipientLead, "harmony"
		return yes
	}
	at := s.lineStart(i)
	if at < 0 {
		return no
	}
	line := strings.Trim(s.t[at:i], " \t\r\n")
	up := s.lineStart(s.blank(at))
	if line == "" && up >= 0 {
		line, at = strings.TrimSpace(s.t[up:at]), up
	}
	if up >= 0 && s.beginLabelled(up, i, s.t[up:at], line) || s.beginLabelled(at, i, "", line) {
		return yes
	}
	if tool, isHarmony := label.Recipient(line); s.beginInput(at, i, tool) {
		s.r.bare.leadIn = recipientLead
		if isHarmony {
			s.r.format = "harmony"
		}
		return yes
	}
	return no
}

// beginLabelled begins a call whose tool is named by line or by the line above it. The arguments begin at body. It
// returns false if no declared tool is named.
func (s *Scanner) beginLabelled(at, body int, above, line string) bool {
	tool, format := label.Tool(above, line, s.marks.layouts)
	if !s.beginInput(at, body, tool) {
		return false
	}
	s.r.format = cmp.Or(format, s.r.format)
	return true
}

// beginInput begins a call without markers. The call's text begins at the offset at, and its arguments at body. name is
// the tool before the arguments. It returns false if the tool is not declared.
func (s *Scanner) beginInput(at, body int, name string) bool {
	if _, ok := s.names.plain(name); !ok {
		return false
	}
	s.beginBare(at, body)
	s.r.name, s.r.named = name, true
	s.state = inValue
	return true
}

// lookList examines an opening bracket or parenthesis in visible text at t[i]. It returns yes if a list of calls or a
// JSON value to skip begins there, maybe if more text is needed, and no for other text.
func (s *Scanner) lookList(i int) tristate {
	if found := pairs.Begins(s.t[i+1:], s.ended); found != no && s.atLineStart(i) {
		if found == yes && !s.isExample(i) {
			s.beginBare(i, i)
			s.r.bare.leadIn, s.state = wholeLine, inValue
			return yes
		}
		return yesMaybe(found == maybe)
	}
	if !s.beginsLine(i) && s.labelBefore(i) == i || s.isExample(i) {
		return no
	}
	t := s.t
	k := i + 1
	for k < len(t) && k-i < maxOpeners && (chars.IsSpace(t[k]) || t[k] == '[' || t[k] == '(' || t[k] == '`') {
		k++
	}
	if k == len(t) {
		return unless(s.ended)
	}
	switch c := t[k]; {
	case c == '{':
		v := s.callKey(k)
		if v == no {
			return s.passValue(i)
		}
		if v == maybe {
			return maybe
		}
	case c == '"' || c == '\'':
		k++
		fallthrough
	case chars.IsNameByte(c):
		v := s.listName(k)
		if v != yes {
			return v
		}
	default:
		return no
	}
	s.beginBare(i, i)
	s.state = inValue
	return yes
}

// listName reports whether t[k:], after the opening bracket of a list, begins with a declared tool name.
func (s *Scanner) listName(k int) tristate {
	t, end := s.t, k
	for end < len(t) && chars.IsNameByte(t[end]) && end-k < chars.MaxName {
		end++
	}
	if end == len(t) && !s.ended {
		return yesMaybe(end == k || s.names.begins(t[k:end]))
	}
	_, ok := s.names.plain(t[k:end])
	return yesIf(ok)
}

// lookArguments examines an opening parenthesis in visible text at t[i]. If a tool name precedes it, it returns yes if
// it began a call, else no. Without a name it returns the result of lookList.
func (s *Scanner) lookArguments(i int) tristate {
	at, ok := s.nameBefore(i, s.names)
	if !ok {
		return s.lookList(i)
	}
	name, lead := at, ownLine
	if c := s.before(at, 0); (c == '\'' || c == '"') && at > s.from {
		at, lead = at-1, quoteLead
	} else if from, ok := s.frameBefore(at); ok {
		at, lead = from, framed
	}
	if !s.beginsLine(at) || s.isExample(at) {
		return no
	}
	s.beginBare(at, i)
	s.r.format, s.r.name, s.r.named, s.r.bare.leadIn = "pythonic", s.t[name:i], true, lead
	s.state = inValue
	return yes
}

// frameBefore returns the offset of a line up to i that is an opening frame of a call, see label.IsFrame.
func (s *Scanner) frameBefore(i int) (at int, ok bool) {
	at = s.lineStart(i)
	return at, at >= 0 && at < i && label.IsFrame(s.t[at:i]) && !s.isExample(at)
}

// beginBare begins the region of a call without markers. at is the offset of the call's text, and body that of the name
// and arguments, or of the arguments alone.
func (s *Scanner) beginBare(at, body int) {
	s.flush(s.blank(s.labelBefore(s.blank(at))))
	s.enter(at)
	s.r.format, s.r.body, s.r.i = "bare_json", body-s.from, body-s.from
}

// maxOpeners is the maximum number of brackets and white-space characters before the first call of a list.
const maxOpeners = 32

// callKey reports whether the object at t[i:] may be a call, by its first key.
func (s *Scanner) callKey(i int) tristate {
	key, found := callshape.FirstKey(s.t[i:], s.ended)
	if found != yes {
		return found
	}
	return yesIf(key == callshape.Escaped || callshape.MayBegin(key) || s.marks.keys.Has(key) || s.names.has(key) || s.names.isPlain(key))
}
