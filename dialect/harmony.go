package dialect

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

const maxHeader = 512

// lookChannel acts on a token of the harmony format: the header of a message follows, or the text of one ends.
func (s *Scanner) lookChannel(i int, x lexeme) verdict {
	s.flush(s.blank(i))
	s.drop(i)
	s.state = (*Scanner).channel
	return yes
}

// channel reads a message's header, up to its body.
func (s *Scanner) channel() bool {
	v := s.view()
	end := -1
	i := 0
	for end < 0 {
		n := strings.IndexByte(v[i:], '<')
		if n < 0 || i+n > maxHeader {
			break
		}
		x, verdict := s.lex(v, i+n, s.ended)
		switch {
		case verdict == maybe:
			return false
		case verdict == no:
			i += n + 1
		case x.tag == "|message":
			end = i + n
			i = end + x.n
		case x.tag == "|end" || x.tag == "|call" || x.tag == "|return":
			s.drop(s.from + i + n + x.n)
			s.think, s.state = "", (*Scanner).text
			return true
		default:
			i += n + x.n
		}
	}
	if end < 0 && !s.ended && len(v) < maxHeader {
		return false
	}
	if end < 0 {
		s.drop(s.from + i)
		s.state = (*Scanner).text
		return true
	}
	s.beginMessage(v[:end], i)
	return true
}

// beginMessage begins the body of a message at i, by its header.
func (s *Scanner) beginMessage(header string, i int) {
	channel, to := headerParts(header)
	s.think, s.recipient = "", to
	s.drop(s.from + i)
	switch {
	case to != "":
		s.enter(s.from)
		s.r.marked, s.r.section, s.r.format = true, true, "harmony"
		s.r.name, s.r.named = to, true
		s.state = (*Scanner).message
		return
	case channel == "analysis":
		s.think = "|channel"
	}
	s.state = (*Scanner).spoken
}

// headerParts are a message's channel and the function it calls.
func headerParts(header string) (channel, to string) {
	if _, rest, ok := strings.Cut(header, "channel|>"); ok {
		channel = strings.TrimSpace(rest)
		if n := strings.IndexAny(channel, " <"); n >= 0 {
			channel = channel[:n]
		}
	}
	if _, rest, ok := strings.Cut(header, "to="); ok {
		to = rest
		if n := strings.IndexAny(to, " <\n"); n >= 0 {
			to = to[:n]
		}
	}
	to = strings.TrimPrefix(to, "functions.")
	switch {
	case to == "assistant", to == "user", strings.HasPrefix(to, "browser."), to == "all":
		to = ""
	}
	return channel, to
}

// bodyEnd finds the token that ends a message's body; verdict is no at the end of the text.
func (s *Scanner) bodyEnd() (at int, x lexeme, v verdict) {
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

// spoken is the body of a message to the reader.
func (s *Scanner) spoken() bool {
	at, x, v := s.bodyEnd()
	s.pos = at
	if v != yes {
		if s.ended {
			s.flush(len(s.t))
			return false
		}
		return s.wait(at)
	}
	s.flush(s.blank(at))
	s.endMessage(at, x)
	return true
}

// message is the body of a call.
func (s *Scanner) message() bool {
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
func (s *Scanner) endMessage(at int, x lexeme) {
	s.recipient, s.think = "", ""
	if x.tag == "|start" || x.tag == "|channel" {
		s.drop(at)
		s.state = (*Scanner).channel
		return
	}
	s.drop(at + x.n)
	s.state = (*Scanner).text
}
