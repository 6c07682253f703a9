package dialect

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// lookChannel acts on a token of the harmony format: the header of a message follows, or the text of one ends.
func (s *Scanner) lookChannel(i int, x token) tristate {
	at := i
	if k := s.recipientBefore(i); k >= 0 && !endsMessage(x) {
		at = k
	}
	s.flush(s.blank(at))
	s.gap = true
	if endsMessage(x) {
		s.drop(i + x.n)
		return yes
	}
	s.drop(at)
	s.state = inChannel
	return yes
}

// channel reads a message's header, up to its body.
func (s *Scanner) channel() bool {
	v := s.view()
	i := 0
	for {
		n := strings.IndexByte(v[i:], '<')
		if n < 0 || i+n > maxHeader {
			break
		}
		x, found := s.lex(v, i+n, s.ended)
		switch {
		case found == maybe:
			return false
		case found == yes && x.tag == "|message":
			s.beginMessage(v[:i+n], i+n+x.n)
			return true
		case found == yes && (endsMessage(x) || x.role == Noise):
			s.headerOnly(v[:i+n], i+n+x.n)
			return true
		case found == yes && x.tag == "|start" && i+n > 0:
			s.headerOnly(v[:i+n], i+n)
			return true
		case found == yes && x.role <= Section && !x.close:
			s.headerOnly(v[:i+n], i+n)
			return true
		case found == yes:
			i += n + x.n
		default:
			i += n + 1
		}
	}
	if !s.ended && len(v) < maxHeader {
		return false
	}
	s.headerOnly(v, len(v))
	return true
}

// beginMessage begins the body of a message at i, by its header.
func (s *Scanner) beginMessage(header string, i int) {
	m := headerParts(header)
	s.think, s.recipient = "", ""
	s.drop(s.from + i)
	s.state = inText
	switch {
	case m.to == "self", m.to == "" && m.channel == "analysis":
		s.think, s.state = "|channel", inReasoning
	case m.to == "assistant", m.role != "" && m.role != "assistant" && m.to == "":
		s.state = inUnspoken
	case m.to == "", m.to == "user", m.to == "all", strings.HasPrefix(m.to, "browser."):
	default:
		s.beginCall(m.to)
	}
}

// beginCall begins the body of a message to a function.
func (s *Scanner) beginCall(to string) {
	s.recipient = to
	s.enter(s.from)
	s.r.marked, s.r.section, s.r.format = true, true, "harmony"
	s.r.name, s.r.named = to, true
	s.state = inMessage
}

// headerOnly ends a header that no body follows; what it says beside its parts is the body.
func (s *Scanner) headerOnly(header string, i int) {
	m := headerParts(header)
	body := m.rest
	brace := strings.IndexAny(body, "{[")
	if m.to != "" && m.to != "user" && m.to != "assistant" && brace >= 0 {
		s.drop(s.from)
		s.beginCall(m.to)
		c := &Call{Written: m.to, JSON: strings.TrimSpace(body[brace:])}
		s.emit(c, len(header))
	} else if m.channel == "final" || m.channel == "commentary" && m.to == "" {
		s.join(firstByte(body))
		s.q.say(Text, body)
		s.last = firstByte(body)
	}
	s.recipient, s.think = "", ""
	s.drop(s.from + i)
	s.state = inText
}

// bodyEnd finds the token that ends a message's body; found is no at the end of the text.
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
		if v == yes && (x.role == Channel || x.role == Noise && x.special) {
			return i, x, yes
		}
		i++
	}
	return len(s.t), x, no
}

// unspoken is the body of a message that is not for the reader.
func (s *Scanner) unspoken() bool {
	at, x, v := s.bodyEnd()
	s.pos = at
	if v != yes {
		s.skip(at)
		return false
	}
	s.endMessage(at, x)
	return true
}

// messageBody is the body of a call: its arguments, or markup with a name of its own.
func (s *Scanner) messageBody() bool {
	body := spaceEnd(s.t, s.from)
	if body == len(s.t) && !s.ended {
		return false
	}
	if body < len(s.t) && s.t[body] == '<' {
		x, v := s.lex(s.t, body, s.ended)
		if v == maybe {
			return false
		}
		if v == yes && x.role <= Section {
			s.recipient, s.state = "", inText
			return true
		}
	}
	at, x, v := s.bodyEnd()
	s.pos = at
	if v != yes && !s.ended {
		return false
	}
	c := &Call{Written: s.recipient, JSON: strings.TrimSpace(s.t[s.from:at])}
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

// endMessage goes on behind a message.
func (s *Scanner) endMessage(at int, x token) {
	s.recipient, s.think, s.gap = "", "", true
	if x.tag == "|start" || x.tag == "|channel" {
		s.drop(at)
		s.state = inChannel
		return
	}
	s.drop(at + x.n)
	s.state = inText
}

// unnamedThought is the reasoning of a message whose tokens were lost: what is left of its header is glued to its text.
const unnamedThought = "analysis"

// opening is the very beginning of an answer.
func (s *Scanner) opening() bool {
	i := spaceEnd(s.t, s.pos)
	rest := s.t[i:]
	switch n := len(unnamedThought); {
	case len(rest) <= n && strings.HasPrefix(unnamedThought, rest) && !s.ended:
		return false
	case len(rest) > n && strings.HasPrefix(rest, unnamedThought) && (isUpper(rest[n]) || rest[n] >= 0x80):
		s.drop(i + n)
		s.think, s.state = unnamedThought, inUnnamed
	default:
		s.state = inText
	}
	return true
}

// unnamed is reasoning whose message lost its tokens; the header of the next message ends it.
func (s *Scanner) unnamed() bool {
	const next = "assistant"
	for {
		n := strings.Index(s.t[s.pos:], next)
		if n < 0 {
			s.pos = max(s.pos, len(s.t)-len(next))
			if s.ended {
				s.pos = len(s.t)
			}
			s.flush(s.pos)
			return false
		}
		i := s.pos + n
		rest := s.t[i+len(next):]
		for _, channel := range [...]string{"final", "commentary"} {
			if len(rest) < len(channel) && strings.HasPrefix(channel, rest) && !s.ended {
				s.pos = i
				s.flush(i)
				return false
			}
			if !strings.HasPrefix(rest, channel) {
				continue
			}
			s.flush(s.blank(i))
			s.drop(i + len(next) + len(channel))
			s.think, s.fresh, s.q.thought = "", true, true
			s.state = inText
			return true
		}
		s.pos = i + 1
	}
}
