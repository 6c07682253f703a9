package dialect

import (
	"html"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/shown"
	"github.com/callwright/callwright/repair"
)

// lookEscaped begins a call whose markup is HTML-escaped (&lt;) if its opening marker is at t[i:], an ampersand.
func (s *Scanner) lookEscaped(i int) tristate {
	t := s.t[i:]
	if !strings.HasPrefix(t, "&lt;") {
		return yesMaybe(!s.ended && strings.HasPrefix("&lt;", t))
	}
	n := strings.Index(t[:min(len(t), chars.MaxTag)], "&gt;")
	if n < 0 {
		if s.ended || len(t) >= chars.MaxTag {
			return no
		}
		_, v := s.lex(markup.UnescapedBeginning(t), 0, false)
		return yesMaybe(v == maybe)
	}
	mark := html.UnescapeString(t[:n+len("&gt;")])
	x, v := s.lex(mark, 0, true)
	if v != yes || x.n < len(mark) || x.close || x.role > Section || x.named || s.isExample(i) {
		return no
	}
	s.flush(s.blank(i))
	s.enter(i)
	s.r.isExample = s.isPresented(i, shown.Marked)
	s.r.closing, s.r.decode = "/"+markup.EscapedName(t)+"&gt;", html.UnescapeString
	s.r.i += n
	s.state = inEscaped
	return yes
}

// lookSpelled begins a call in which a tokenizer's symbols such as Ġ replace white space. This is the case if such a
// symbol follows the opening marker x at t[i:].
func (s *Scanner) lookSpelled(i int, x token) tristate {
	n := markup.SpaceMark(s.t[i+x.n:])
	if x.special || n == 0 || n < 0 && s.ended {
		return no
	}
	if n < 0 {
		return maybe
	}
	s.flush(s.blank(i))
	s.enter(i)
	s.r.isExample = s.isPresented(i, shown.Marked)
	s.r.closing, s.r.decode = "</"+x.tag+">", markup.RestoreSpaces
	s.r.i += x.n
	s.state = inEscaped
	return yes
}

// beginEscapes begins to buffer a call whose newlines and quotes may all be escaped. It does so if an escaped newline
// (\n) is at v[i:], before the arguments. If decoding failed once, it only skips the escape.
func (s *Scanner) beginEscapes(v string, i int) tristate {
	r := &s.r
	if i+1 == len(v) {
		return unless(s.ended)
	}
	if v[i+1] != 'n' || !r.marked || len(r.stack) == 0 || v[0] != '<' || s.think != "" {
		return no
	}
	if r.escapes {
		r.i = i + len(`\n`)
		s.state = inHead
		return yes
	}
	if r.got > 0 || len(r.args) > 0 {
		return no
	}
	r.escapes, r.at, r.closing, r.decode = true, 0, "</"+r.stack[0]+">", markup.UnescapeBackslashes
	r.body, s.state = r.i, inEscaped
	return yes
}

// scanEscapedCall buffers an escaped call up to its closing tag, then decodes and scans it.
func (s *Scanner) scanEscapedCall() bool {
	v, r := s.view(), &s.r
	n := strings.Index(v[r.i:], r.closing)
	if n < 0 && !s.ended {
		r.i = max(r.i, len(v)-len(r.closing))
		return false
	}
	end := len(v)
	if n >= 0 {
		end = r.i + n + len(r.closing)
	}
	if !s.standsApart(s.from + r.at) {
		switch s.sentenceRest(s.t[s.from+end:]).GoesOn(true) {
		case maybe:
			return false
		case yes:
			return s.refuse(end)
		}
	}
	if r.isExample {
		r.i = end
		return s.leaveShown()
	}
	var calls []*Call
	plain := r.decode(v[:end])
	ok := plain != "" && !(r.escapes && s.validator.off("json.double_encoded"))
	if ok {
		calls, _, ok = s.readMarked(strings.TrimSpace(plain))
	}
	switch {
	case ok:
	case r.escapes:
		r.i, s.state = r.body, inHead
		return true
	case v[r.at] == '&':
		return s.refuse(end)
	default:
		x, _ := s.lex(v, r.at, true)
		r.marked, r.format = true, x.format
		s.refuseCall(&Call{Written: x.attr, Truncated: n < 0}, Malformed, end)
		r.i = end
		return s.leave()
	}
	r.marked, r.i, r.got, r.done = true, end, len(calls), end
	for _, c := range calls {
		if r.escapes {
			c.Fixes = append(c.Fixes, repair.Fix{Rule: "double_encoded", Was: clip(v[:end]), Now: clip(plain)})
		}
		c.Raw, c.Offset, c.InReasoning = clip(v[:end]), s.base+s.from, s.think != ""
		s.found++
		s.q.call(c, "")
	}
	return s.leave()
}

// beginBracketless begins a call whose tags lack the opening bracket, as in invoke name="name">. MiniMax models write
// such calls. The first tag is at v[r.at:], inside a wrapper tag.
func (s *Scanner) beginBracketless(v string, i int) tristate {
	const attribute = `name="`
	r := &s.r
	if r.name != "invoke" || len(r.stack) != 1 || r.section || r.got > 0 || !strings.HasPrefix(v[i:], attribute) {
		return yesMaybe(r.name == "invoke" && !s.ended && strings.HasPrefix(attribute, v[i:]))
	}
	r.at, r.closing, r.decode, r.body = 0, "</"+r.stack[0]+">", markup.RestoreBrackets, i
	s.state = inEscaped
	return yes
}
