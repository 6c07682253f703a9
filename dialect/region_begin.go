package dialect

import (
	"github.com/callwright/callwright/dialect/internal/label"
	"github.com/callwright/callwright/dialect/internal/shown"
)

// begin begins a region at the opening marker x at t[i:].
func (s *Scanner) begin(i int, x token) {
	name := ""
	if at, ok := s.nameBefore(i, s.names); ok && x.special && s.beginsLine(at) {
		name = s.t[at:i]
		i = at
	}
	s.cutStray(i, x)
	s.flush(s.blank(i))
	s.enter(i)
	s.r.marked, s.r.prior, s.r.inSentence = true, name, s.isInSentence(i)
	s.r.isExample = s.isPresented(i, shown.Marked) || s.isQuotedOpener(i, x) == yes
	s.r.i += len(name)
	if name != "" {
		s.r.lead = 1
	}
	s.open(x)
	s.state = inHead
}

// cutStray removes a word on the line above the marker x at t[i:] that is a remainder of the previous token.
func (s *Scanner) cutStray(i int, x token) {
	end := s.blank(i)
	at := s.lineStart(end)
	if x.format != "anthropic_invoke" || at < 0 || !label.IsStray(s.t[at:end]) {
		return
	}
	s.flush(s.blank(at))
	s.q.note("mark.orphan", s.base+at, s.t[at:end])
	s.drop(end)
}

// isInSentence reports whether the marker at t[i:] is inside a sentence that does not announce a call.
func (s *Scanner) isInSentence(i int) bool {
	c := s.before(i, 0)
	if s.level > 0 || c != ' ' && c != '(' {
		return false
	}
	return shown.IsMidSentence(s.line(i))
}

// beginNamed begins a region without opening markers at the tool name t[at:end].
func (s *Scanner) beginNamed(at, end int, format string) {
	s.flush(s.blank(at))
	s.enter(at)
	s.r.marked, s.r.format, s.r.section = true, format, true
	s.r.isExample = s.isPresented(at, shown.Marked)
	s.r.i = end - s.from
	s.r.name, s.r.named = s.t[at:end], true
	s.state = inHead
}

// enter begins a region of calls at offset i of the buffer. It resets the state of the previous region.
func (s *Scanner) enter(i int) {
	s.r.track.Reset()
	s.r = region{stack: s.r.stack[:0], span: span{track: s.r.track}, i: i - s.from, at: i - s.from}
}

// open puts the opening marker x at r.i on the stack and takes the tool name in it. A call may end before such a name.
func (s *Scanner) open(x token) {
	r := &s.r
	s.work += len(r.stack)
	if r.format == "" {
		r.format = x.format
	}
	r.section = r.section || x.role == Section
	r.textBody = r.textBody || x.line
	r.slashed, r.byLine = x.slashed, false
	if x.attr != "" {
		if r.named && (s.tools.resolveTool(r.name) != nil || len(r.args) > 0 || !r.separated) {
			r.unended = r.unended || len(r.args) > 0
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
	if x.line && s.t[s.from+r.i+x.n-1] != '>' { // the name follows inside the tag
		r.lead = r.i + 1
	}
	r.i += x.n
	r.args = append(r.args, x.args...)
	if !x.alone {
		r.reopened = r.reopened || !x.special && x.attr == "" && s.r.isOpen(x.tag)
		r.push(x.tag)
	} else if r.named {
		s.finish(r.i)
	}
}
