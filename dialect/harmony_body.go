package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/harmony"
	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/internal/jsonx"
)

// beginBodyInHeader begins the JSON body of a call if it follows the header without a token between them. The body is
// in the n bytes of the header from i, or anywhere after i if n is negative.
func (s *Scanner) beginBodyInHeader(header string, i, n int) bool {
	if n >= 0 {
		header = header[:min(len(header), i+n)]
	}
	brace := -1
	if i < len(header) {
		brace = strings.IndexAny(header[i:], "{[")
	}
	if brace < 0 {
		return false
	}
	if s.beginMisplaced(header[:i+brace], i+brace) {
		return true
	}
	m := harmony.Parse(header[:i+brace])
	if m.To == "" || m.To == "user" || m.To == "assistant" {
		return false
	}
	s.drop(s.from)
	s.beginCall(m.To, i+brace)
	return true
}

// bodyEnd finds the token that ends a message body. v is no if the buffered text has none; at is then its length.
func (s *Scanner) bodyEnd() (at int, x token, v tristate) {
	for i := s.pos; i < len(s.t); {
		n := strings.IndexByte(s.t[i:], '<')
		if n < 0 {
			break
		}
		i += n
		x, v := s.lex(s.t, i, s.ended)
		if v == maybe {
			return i, x, maybe
		}
		if v == yes && endsMessageBody(x) {
			return i, x, yes
		}
		i++
	}
	return len(s.t), x, no
}

// callEnd is like bodyEnd for the body of a call, which begins at offset body. Tokens inside JSON strings are text.
func (s *Scanner) callEnd(body int) (at int, x token, v tristate) {
	if body == len(s.t) || s.t[body] != '{' && s.t[body] != '[' {
		return s.bodyEnd()
	}
	k := &s.r.track
	s.pos = max(s.pos, body)
	for len(k.Open) > 0 || k.Last == 0 { // otherwise the value is complete
		i, why := k.Run(s.t, s.pos, "<")
		s.work += i - s.pos
		s.pos = i
		switch why {
		case literal.More:
			return i, token{}, no
		case literal.Closed:
			continue
		}
		x, v = s.lex(s.t, i, s.ended)
		if v == yes {
			v = yesIf(endsMessageBody(x))
		}
		if v == yes && k.InString() {
			v = not(s.staysOpen(s.view(), i-s.from+x.n))
		}
		if v != no {
			return i, x, v
		}
		k.Step(s.t[i])
		s.pos++
	}
	return s.bodyEnd()
}

// final is the state in a message of the final channel, the response text. It contains no calls.
func (s *Scanner) final() bool {
	for {
		n := strings.IndexByte(s.t[s.pos:], '<')
		if n < 0 {
			s.pos = len(s.t)
			if s.ended {
				s.flush(s.pos)
				return false
			}
			s.flush(s.blank(s.pos))
			return false
		}
		i := s.pos + n
		s.pos = i
		x, v := s.lex(s.t, i, s.ended)
		if v == yes {
			v = yesIf(endsMessageBody(x))
		}
		if v == yes && strings.Trim(s.line(i), " `~") != "" { // a code block delimiter before the end is empty
			v = not(s.lookShown(i, x))
		}
		switch {
		case v == maybe && !s.ended:
			s.flush(s.blank(i))
			return false
		case v == yes && x.role == Noise:
			s.flush(s.blank(i))
			s.q.note("mark.template", s.base+i, s.t[i:i+x.n])
			s.drop(i + x.n)
			continue
		case v == yes:
			s.flush(s.blank(i))
			s.endMessage(i, x)
			return true
		case s.ended && s.cutMark(i):
			return false
		}
		s.pos++
	}
}

// unspoken is the state in a message body that is not shown to the user. It is removed.
func (s *Scanner) unspoken() bool {
	at, x, v := s.bodyEnd()
	s.pos = at
	if v != yes && !s.ended {
		return false
	}
	s.noteHeader(s.from, at)
	s.drop(at)
	if v != yes {
		return false
	}
	s.endMessage(at, x)
	return true
}

// messageBody is the state in the body of a call: JSON arguments, or markup with its own tool name.
func (s *Scanner) messageBody() bool {
	start := s.from + s.r.body
	body := chars.SpaceEnd(s.t, start)
	if body == len(s.t) && !s.ended {
		return false
	}
	if s.r.callee.Tool != "" && !s.r.isExample && (body == len(s.t) || s.t[body] != '{') {
		return s.leaveMisplaced(start)
	}
	if body < len(s.t) && s.t[body] == '<' {
		x, v := s.lex(s.t, body, s.ended)
		if v == maybe {
			return false
		}
		if v == yes && x.role <= Section && s.r.isExample {
			return s.leaveMessage(body, token{})
		}
		if v == yes && x.role <= Section {
			s.noteHeader(s.from, body)
			s.drop(body)
			s.recipient, s.state = "", inText
			return true
		}
	}
	at, x, v := s.callEnd(body)
	s.pos = at
	if v != yes && !s.ended {
		return false
	}
	if s.r.isExample {
		return s.leaveMessage(at, x)
	}
	c := &Call{Written: s.recipient, JSON: strings.TrimSpace(s.t[start:at])}
	if s.r.callee.Tool != "" && !s.isMeantAsCall(c, x) {
		return s.leaveMisplaced(start)
	}
	if v != yes && jsonx.Valid([]byte(c.JSON)) != nil {
		c.open = 1
	}
	s.r.at = 0
	if c.JSON == "" {
		c.JSON = "{}"
	}
	s.emit(c, at-s.from)
	s.endMessage(at, x)
	return true
}

// endsMessageBody reports whether the token x ends a message body.
func endsMessageBody(x token) bool { return x.role == Channel || x.role == Noise && x.special }
