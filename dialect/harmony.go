package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/harmony"
	"github.com/callwright/callwright/dialect/internal/label"
	"github.com/callwright/callwright/dialect/internal/shown"
)

// lookChannel begins a message header of the harmony format (gpt-oss) at the token x in visible text, or removes x if
// it ends a message.
func (s *Scanner) lookChannel(i int, x token) tristate {
	at := i
	if !endsMessage(x) {
		at = s.headerBefore(i)
	}
	if s.showsMessage = !endsMessage(x) && s.isPresented(at, shown.Marked); s.showsMessage {
		s.flush(at)
		s.pos, s.state = at, inChannel
		return yes
	}
	s.flush(s.blank(at))
	s.gap = true
	if endsMessage(x) {
		s.noteHeader(i, i+x.n)
		s.drop(i + x.n)
		return yes
	}
	s.drop(at)
	s.state = inChannel
	return yes
}

// headerBefore returns the start of an incomplete header that lost its first tokens and ends at i: a role, a
// recipient, or both. It must begin the response or a line, or directly follow a sentence. Without one it returns i.
func (s *Scanner) headerBefore(i int) int {
	if k := s.recipientBefore(i); k >= 0 {
		return k
	}
	end := s.blank(i)
	at := s.lineStart(end)
	if at >= 0 && harmony.IsCallee(s.t[at:end], s.names.isPlain) {
		return at
	}
	if at, tool, ok := s.gluedHeader(end); ok && (tool != "" || s.t[at:end] == harmony.Speaker) {
		return at
	}
	if at < 0 {
		return i
	}
	line := strings.TrimLeft(s.t[at:end], " ")
	if _, isHarmony := label.Recipient(line); isHarmony || line == harmony.Speaker {
		return at
	}
	return i
}

// channel scans a message header up to the message body.
func (s *Scanner) channel() bool {
	v := s.view()
	i := 0
	for {
		n := strings.IndexByte(v[i:], '<')
		if s.beginBodyInHeader(v[:min(len(v), harmony.MaxHeader)], i, n) {
			return true
		}
		if n < 0 || i+n >= harmony.MaxHeader {
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
		case found == yes && i+n > 0 && (x.tag == "|start" || x.tag == "|channel" && harmony.IsIdle(v[:i+n]) && s.calleeOf(v[:i+n]).Tool == ""):
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
	if !s.ended && len(v) < harmony.MaxHeader {
		return false
	}
	v = v[:min(len(v), harmony.MaxHeader)]
	s.headerOnly(v, len(v))
	return true
}

// beginMessage begins the body of a message at i, according to its header.
func (s *Scanner) beginMessage(header string, i int) {
	m := harmony.Parse(header)
	s.think, s.recipient = "", ""
	state := inText
	if s.beginMisplaced(header, i) {
		return
	}
	if s.showsMessage && (m.To == "" || m.To == "user" || m.To == "all") && m.Channel == "" {
		s.pos, s.state = s.from+i, inText
		return
	}
	switch {
	// a message of a tool or user that the model invented
	case m.Role != "" && m.Role != "assistant" && (m.To == "" || m.To == "assistant"):
		s.pos, s.state = s.from+i, inUnspoken
		return
	case m.To == "self", (m.To == "" || m.To == "assistant") && m.Channel == "analysis":
		s.think, state = "|channel", inReasoning
	case m.Channel == "final" && m.To == "" && (s.o.Hint == "" || s.o.Hint == "harmony"):
		state = inFinal
	case m.To == "", m.To == "user", m.To == "all", m.To == "assistant", strings.HasPrefix(m.To, "browser."):
	default:
		s.beginCall(m.To, i)
		return
	}
	s.noteHeader(s.from, s.from+i)
	s.drop(s.from + i)
	s.state = state
}

// noteHeader notes the removed text t[from:end] of a message header or end.
func (s *Scanner) noteHeader(from, end int) {
	if strings.TrimSpace(s.t[from:end]) != "" {
		s.q.note("mark.header", s.base+from, s.t[from:end])
	}
}

// beginCall begins the body of a message to a function, whose name is to. header is the size of its header in bytes.
func (s *Scanner) beginCall(to string, header int) {
	if name, glued := strings.CutSuffix(to, "json"); glued && s.names.has(name) && !s.names.has(to) {
		to = name // the content type "json" lost the space before it
	}
	s.recipient = to
	s.enter(s.from)
	s.r.marked, s.r.section, s.r.format, s.r.isExample = true, true, "harmony", s.showsMessage
	s.r.name, s.r.named, s.r.body = to, true, header
	s.pos = s.from + header
	s.state = inMessage
}

// headerOnly ends a header without a body. Text beside its fields becomes the body.
func (s *Scanner) headerOnly(header string, i int) {
	if s.showsMessage {
		s.pos, s.state = s.from+max(i, 1), inText
		return
	}
	m := harmony.Parse(header)
	brace := strings.IndexAny(m.Rest, "{[")
	switch call := m.To != "" && m.To != "user" && m.To != "assistant"; {
	case call && brace >= 0:
		s.drop(s.from)
		s.beginCall(m.To, 0)
		s.emit(&Call{Written: m.To, JSON: strings.TrimSpace(m.Rest[brace:])}, len(header))
		s.noteHeader(s.from+len(header), s.from+i)
	case call && m.Rest != "":
		s.beginCall(m.To, 0)
		s.refuseCall(&Call{Written: m.To}, Malformed, i)
	case !m.IsKnown():
		s.giveText(s.view()[:i])
	default:
		s.headerText(&m, i)
	}
	s.recipient, s.think = "", ""
	s.drop(s.from + i)
	s.state = inText
}

// headerText emits the text of a header beside its fields and notes the rest of its i bytes.
func (s *Scanner) headerText(m *harmony.Header, i int) {
	at := strings.LastIndex(s.view()[:i], m.Rest)
	if at < 0 || m.Rest == "" || m.To == "assistant" || m.Role != "" && m.Role != "assistant" {
		s.noteHeader(s.from, s.from+i)
		return
	}
	s.noteHeader(s.from, s.from+at)
	if m.Channel == "analysis" {
		s.q.say(Reasoning, m.Rest)
	} else {
		s.join(m.Rest[0])
		s.q.say(Text, m.Rest)
		s.last = m.Rest[len(m.Rest)-1]
	}
	s.noteHeader(s.from+at+len(m.Rest), s.from+i)
}

// leaveMessage ends a message presented as an example. The message and the token x that ends it become text.
func (s *Scanner) leaveMessage(at int, x token) bool {
	if endsMessage(x) {
		at += x.n
	}
	s.recipient, s.r.i, s.r.got = "", at-s.from, 1
	return s.leaveShown()
}

// endMessage ends a message at the token x, whose offset is at. If x begins the next header, that header follows.
func (s *Scanner) endMessage(at int, x token) {
	s.recipient, s.think, s.gap = "", "", true
	if x.tag == "|start" || x.tag == "|channel" {
		s.drop(at)
		s.state = inChannel
		return
	}
	s.noteMessageEnd(at, x)
	s.drop(at + x.n)
	s.state = inText
}

// noteMessageEnd notes the removal of the token x at offset at, which ends a message. It notes nothing for a call whose
// body directly follows a token.
func (s *Scanner) noteMessageEnd(at int, x token) {
	if s.r.got == 0 || s.state != inMessage || s.t[s.from+s.r.body-1] != '>' {
		s.noteHeader(at, at+x.n)
	}
}

// unnamedThought begins the reasoning of a message that lost its tokens. The rest of its header directly precedes its
// text.
const unnamedThought = "analysis"

// openings are header remains at the beginning of a response: the speaker of Hunyuan A13B, and the recipient of a text
// in Functionary v2, whose prompt ends with the token before it.
var openings = [...]string{"助手：", "all\n<|content|>"}

// beginsUnmarked reports whether text begins with the remains of lost markers, see openings.
func beginsUnmarked(text string) bool {
	text = text[chars.SpaceEnd(text, 0):]
	return strings.HasPrefix(text, unnamedThought) || strings.HasPrefix(text, openings[0])
}

// opening is the state at the beginning of the response.
func (s *Scanner) opening() bool {
	i := chars.SpaceEnd(s.t, s.pos)
	rest := s.t[i:]
	for _, begun := range openings {
		switch {
		case len(rest) < len(begun) && strings.HasPrefix(begun, rest) && !s.ended:
			return false
		case strings.HasPrefix(rest, begun):
			s.q.note("mark.header", s.base+i, begun)
			s.drop(i + len(begun))
			s.state = inText
			return true
		}
	}
	switch n := len(unnamedThought); {
	case len(rest) <= n && strings.HasPrefix(unnamedThought, rest) && !s.ended:
		return false
	case len(rest) > n && strings.HasPrefix(rest, unnamedThought) && (chars.IsUpper(rest[n]) || rest[n] >= 0x80):
		s.drop(i + n)
		s.think, s.state = unnamedThought, inUnnamed
	default:
		s.state = inText
	}
	return true
}

// scanUnnamedReasoning is the state in reasoning that lost its tokens. The header of the next message ends it.
func (s *Scanner) scanUnnamedReasoning() bool {
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

func endsMessage(x token) bool { return x.tag == "|end" || x.tag == "|call" || x.tag == "|return" }
