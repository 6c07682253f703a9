package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/label"
	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/dialect/internal/shown"
)

// tail is the state after a value without markers. The text after the value decides whether it is a call. tail returns
// false if more text is needed.
func (s *Scanner) tail() bool {
	v, r := s.view(), &s.r
	if len(r.bare.calls) > 0 && !s.trailer(v) {
		return false
	}
	if r.bare.leadIn == framed {
		return s.frameEnded(v)
	}
	if r.bare.leadIn == recipientLead && len(r.bare.calls) > 0 {
		if moved, decided := s.endAnnouncedCalls(v); decided {
			return moved
		}
	}
	i, limit := r.i, min(len(v), r.i+chars.MaxBlank)
	for i < limit && strings.IndexByte(" \t\r;,\\]})", v[i]) >= 0 {
		i++
	}
	if i == len(v) {
		return s.ended && s.endCandidate(i)
	}
	switch c := v[i]; {
	case c == '\n' && r.bare.leadIn == wholeLine:
		return s.wholeLineEnded(v, i)
	case r.bare.leadIn == wholeLine:
		return s.endAsText(r.i)
	case c == '\n':
		return s.lineEnded(v, i)
	case c == '<':
		return s.tailMark(v, i)
	case c == '.':
		return s.tailStop(v, i)
	case c == '{' || chars.IsNameByte(c):
		return s.tailWord(v, i)
	case c == '+' || c == '[':
		return s.endCandidate(i)
	case i > r.i && (c == '`' || c == '#' || c == '|'):
		return s.endCandidate(i)
	case (c == '"' || c == '\'') && r.bare.leadIn == quoteLead:
		r.i, r.bare.leadIn = i+1, ownLine
		return true
	}
	return s.endAsText(r.i)
}

// lineEnded ends a call without markers at the newline v[i]. The call is text if the next line explains it like a
// definition, or if it is inside a quotation. Otherwise it is a candidate.
func (s *Scanner) lineEnded(v string, i int) bool {
	if len(s.r.bare.calls) > 0 && !s.r.ignored {
		k := chars.SpaceEnd(v, i)
		if k == len(v) && !s.ended {
			return false
		}
		if k < len(v) && v[k] == '<' {
			x, found := s.lex(v, k, s.ended)
			if found == maybe || s.lacksOpener() || found == yes && s.divides(x) {
				return s.tailMark(v, k)
			}
		}
	}
	next := v[i+1:]
	if !s.ended && (next == "" || next == ":") {
		return false
	}
	if strings.HasPrefix(next, ": ") || strings.HasPrefix(next, ">") && shown.IsBelowQuotation(s.lead(s.contentStart())) {
		return s.endAsText(s.r.i)
	}
	return s.endCandidate(i)
}

// frameEnded decides about a call after an opening frame line, by the line below the call.
func (s *Scanner) frameEnded(v string) bool {
	r := &s.r
	size, found := label.FrameEnd(v[:r.body], v[r.i:], s.ended)
	switch found {
	case maybe:
		return false
	case yes:
		if n := len(r.bare.calls); n > 0 {
			r.bare.calls[n-1].Raw = clip(v[r.bare.calls[n-1].Offset-s.base-s.from : r.i+size])
		}
		return s.endCandidate(r.i + size)
	}
	return s.endAsText(r.i)
}

// wholeLineEnded ends a bracketed call, alone on its line, at v[i]. It is text if the next line begins its arguments.
func (s *Scanner) wholeLineEnded(v string, i int) bool {
	switch label.GivesInput(strings.TrimSpace(v[:s.r.i]), v[i+1:], s.ended) {
	case maybe:
		return false
	case yes:
		return s.endAsText(s.r.i)
	}
	return s.lineEnded(v, i)
}

// tailMark ends a call without markers before a possible marker at v[i]. It decides whether the call is a candidate.
func (s *Scanner) tailMark(v string, i int) bool {
	x, found := s.lex(v, i, s.ended)
	switch {
	case found == maybe:
		return false
	case found == yes && x.close && x.role <= Section && s.lacksOpener():
		return s.endUnopened(i, x)
	case found == yes && s.divides(x) && !s.isPresented(s.contentStart(), shown.Unmarked):
		x.n = 0
		return s.endUnopened(i, x)
	case found == yes && x.role != Think:
		return s.endCandidate(i)
	}
	return s.endAsText(s.r.i)
}

// divides reports whether the marker x separates calls of Llama's format. Both calls then have markers or neither has.
func (s *Scanner) divides(x token) bool {
	r := &s.r
	return x.format == "llama3_json" && x.role == Section && len(r.bare.calls) > 0 && !r.ignored && r.bare.leadIn == ownLine && s.level == 0
}

// lacksOpener reports whether the current calls may lack only their opening marker, because earlier calls had markers.
func (s *Scanner) lacksOpener() bool {
	return s.q.marked && s.openers == 0 && len(s.r.bare.calls) > 0 && !s.r.ignored
}

// endUnopened ends calls that the closing marker x at i follows. They lack only their opening marker, or repeat the
// previous calls.
func (s *Scanner) endUnopened(i int, x token) bool {
	r := &s.r
	if end := i + x.n; s.q.repeats(s.view()[:end], s.base+s.from, r.bare.calls) {
		s.drop(s.from + end)
		s.back()
		return true
	}
	r.marked, r.done = true, r.at
	for _, c := range r.bare.calls {
		if c.Format == "bare_json" {
			c.Format = s.applyHint(x.format)
		}
		s.give(c, s.validator.why(c))
	}
	r.i = i + x.n
	return s.leave()
}

// tailStop ends a call without markers before a full stop at v[i], after which white space or the end must follow.
func (s *Scanner) tailStop(v string, i int) bool {
	switch {
	case i+1 == len(v):
		return s.ended && s.endCandidate(i)
	case chars.IsSpace(v[i+1]):
		return s.endCandidate(i)
	}
	return s.tailWord(v, i)
}

// tailWord begins another call at v[i] on the line of a call without markers. In a sentence, that call is text.
func (s *Scanner) tailWord(v string, i int) bool {
	r := &s.r
	switch s.flows(v, i) {
	case maybe:
		return false
	case yes:
		return s.endAsText(r.i)
	}
	if len(r.bare.calls) > 0 && (i > r.i || v[i] == '{') {
		return s.another(v, i)
	}
	return s.endAsText(r.i)
}

// flows reports whether a sentence continues at v[i:] after a Python call.
func (s *Scanner) flows(v string, i int) tristate {
	if v[s.r.body] == '[' && len(s.r.bare.calls) > 0 {
		return s.sentenceRest(v[i:]).HoldsList()
	}
	if i == s.r.i || v[s.r.body] != '(' || strings.IndexByte(";]}\\", v[s.r.i]) >= 0 {
		return no
	}
	return s.sentenceRest(v[i:]).HoldsCall()
}

// endAnnouncedCalls ends calls that a message header announced. They end at the next white space or tag; decided is
// false if there is none nearby. If decided is true, moved is the result of the state.
func (s *Scanner) endAnnouncedCalls(v string) (moved, decided bool) {
	r := &s.r
	limit := min(len(v), r.i+label.MaxGap)
	n := strings.IndexAny(v[r.i:limit], "\n <")
	switch {
	case n >= 0:
		return s.endCandidate(r.i + n), true
	case limit < len(v):
		return false, false
	case !s.ended:
		return false, true
	}
	return s.endCandidate(limit), true
}

// trailer skips an index or member access on the result of a call, as in f(x)[0]. It returns false if more text is
// needed.
func (s *Scanner) trailer(v string) bool {
	r := &s.r
	if r.i < len(v) && r.bare.calls[0].Format == "pythonic" && (v[r.i] == '(' || v[r.i] == '[' || v[r.i] == '.') {
		n := strings.IndexByte(v[r.i:], '\n')
		if n < 0 && !s.ended && len(v)-r.i < chars.MaxTag {
			return false
		}
		if n < 0 {
			n = min(len(v)-r.i, chars.MaxTag)
		}
		end := literal.SkipTrailer(v[:r.i+n], r.i)
		refuseLost(&s.tools, v[r.i:end], r.bare.calls)
		r.i = end
	}
	return true
}

// another continues with another call on the same line.
func (s *Scanner) another(v string, i int) bool {
	r := &s.r
	r.track.Reset()
	if v[i] == '{' {
		r.i, r.at, r.body = i, i, i
		s.state = inValue
		return true
	}
	end := i
	for end < len(v) && chars.IsNameByte(v[end]) && end-i < chars.MaxName {
		end++
	}
	if end == len(v) && !s.ended {
		return false
	}
	_, ok := s.names.plain(v[i:end])
	if !ok || end == len(v) || v[end] != '(' && v[end] != '{' {
		return s.endCandidate(r.i)
	}
	r.name, r.named, r.at, r.body, r.i = v[i:end], true, i, end, end
	s.state = inValue
	return true
}

// endCandidate ends a call without markers at i. It is held until the end of the response, or is text if an example.
func (s *Scanner) endCandidate(i int) bool {
	r := &s.r
	if r.ignored || len(r.bare.calls) == 0 && !r.bare.extra.envelope || r.bare.leadIn == sentenceLead && !s.fits(r.bare.calls) {
		return s.endAsText(i)
	}
	if s.isPresented(s.contentStart(), shown.Unmarked) {
		return s.endAsText(i)
	}
	raw := s.t[s.from : s.from+i]
	s.q.setAside(raw, s.base+s.from, r.bare.calls, r.bare.extra)
	s.drop(s.from + i)
	s.back()
	return true
}

// endAsText ends a candidate as text. If it was truncated inside a call, it is a rejected call.
func (s *Scanner) endAsText(i int) bool {
	r := &s.r
	s.pos = s.from + max(i, 1)
	if s.ended && len(r.track.Open) > 0 && r.bare.extra.truncated && r.bare.extra.name != "" {
		s.q.call(&Call{Written: r.bare.extra.name, Truncated: true, Format: r.format, Offset: s.base + s.from,
			Raw: clip(s.view()), unmarked: true}, Truncated)
	}
	s.back()
	return true
}

// fits reports whether all arguments of the calls are declared parameters. This is required of calls inside sentences.
func (s *Scanner) fits(calls []*Call) bool {
	for _, c := range calls {
		t := s.tools.resolveTool(c.Written)
		if t == nil || !declares(t, keysOf(c)) {
			return false
		}
	}
	return true
}
