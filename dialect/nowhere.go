package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/shown"
)

// leftOver reports whether t[i:end] of a region has anything besides markers, white space and separators.
func (s *Scanner) leftOver(t string, i, end int) bool {
	for i < end {
		switch c := t[i]; {
		case chars.IsSpace(c) || strings.IndexByte(",;()[]{}`\\", c) >= 0 && !s.isMarkAt(t[:end], i):
			i++
		case c == '<' || c == '[' || c == ']':
			x, found := s.lex(t, i, true)
			if found != yes {
				x.n = 0
				if tag, ok := markup.TagAt(t[i:]); ok {
					x.n = tag.Size
				}
			}
			if x.n == 0 || found == yes && x.attr != "" && !x.close {
				return true
			}
			i += x.n
		case strings.HasPrefix(t[i:], "json") && i > 0 && t[i-1] == '`':
			i += len("json")
		default:
			return true
		}
	}
	return false
}

// isMarkAt reports whether t[i:] is a marker that begins with a bracket.
func (s *Scanner) isMarkAt(t string, i int) bool {
	if t[i] != '[' && t[i] != ']' {
		return false
	}
	_, found := s.lex(t, i, true)
	return found == yes
}

// noteRest adds the note mark.text about text of the region before i that belongs to no call. Markers and white space
// alone get no note.
func (s *Scanner) noteRest(i int) {
	r := &s.r
	if !r.marked || s.think != "" || i <= r.done {
		return
	}
	s.work += i - r.done
	if v := s.view(); s.leftOver(v, r.done, i) {
		s.q.note("mark.text", s.base+s.from+r.done, v[r.done:i])
	}
	r.done = i
}

// leadsNowhere ends a region without calls at r.i. Its text is a rejected call, visible text, or only markers.
func (s *Scanner) leadsNowhere() {
	r := &s.r
	v := s.view()[:r.i]
	switch {
	case !s.leftOver(v, 0, len(v)):
		s.q.note("mark.orphan", s.base+s.from, v)
	case r.closed || s.isAttempt(v):
		r.at = 0
		s.refuseCall(&Call{Written: s.firstWord(v), Truncated: !r.closed && s.endsInMark(v)}, Malformed, r.i)
	default:
		s.giveText(v)
	}
	s.gap = true
	s.drop(s.from + r.i)
	s.back()
}

// firstWord returns the word after the marker at the beginning of v, "" if a sentence follows.
func (s *Scanner) firstWord(v string) string {
	i := chars.SpaceEnd(v, 0)
	if i == len(v) {
		return ""
	}
	x, _ := s.lex(v, i, true)
	i = chars.SpaceEnd(v, min(len(v), i+x.n))
	if shown.IsSentence(v[i:]) {
		return ""
	}
	return v[i:chars.WordEnd(v, i)]
}

// endsInMark reports whether v ends with an incomplete marker.
func (s *Scanner) endsInMark(v string) bool {
	n := strings.LastIndexByte(v, '<')
	if n < 0 {
		return false
	}
	_, found := s.lex(v, n, false)
	return found == maybe
}

// isAttempt reports whether the text after an unclosed marker is an attempted call: the marker begins a line, the text
// follows without a space, and it is not a sentence.
func (s *Scanner) isAttempt(v string) bool {
	x, found := s.lex(v, chars.SpaceEnd(v, 0), true)
	if found != yes || s.r.inSentence || !s.opensLine(s.from) {
		return false
	}
	body := v[min(len(v), chars.SpaceEnd(v, 0)+x.n):]
	if word := strings.TrimRight(body, " \t\r\n"); chars.WordEnd(word, 0) == len(word) && !s.names.begins(word) {
		return false // a single word is not a call
	}
	return body != "" && !chars.IsSpace(body[0]) && !shown.IsSentence(body)
}

// giveText emits the text of a region without its markers.
func (s *Scanner) giveText(v string) {
	from := 0
	say := func(end int) {
		if text := v[from:end]; strings.TrimSpace(text) != "" {
			s.join(text[0])
			s.q.say(Text, text)
			s.last = text[len(text)-1]
		}
	}
	s.fresh, s.gap = false, true
	for i := 0; i < len(v); {
		n := strings.IndexAny(v[i:], "<[]")
		if n < 0 {
			break
		}
		i += n
		x, found := s.lex(v, i, true)
		if found != yes || x.role > Separate && x.role != Channel && x.role != Noise {
			i++
			continue
		}
		say(i)
		s.q.note("mark.orphan", s.base+s.from+i, v[i:i+x.n])
		i += x.n
		from = i
	}
	say(len(v))
}

// maxFree is the maximum text in bytes that is buffered after a marker until the closing marker.
const maxFree = 2 << 10

// isTechnical reports whether an open marker has a technical name, which prose does not put in brackets, such as
// tool_call.
func (r *region) isTechnical() bool {
	return slices.ContainsFunc(r.stack,
		func(tag string) bool { return strings.ContainsAny(tag, "_:") || tag == "invoke" || tag == "function" })
}

// beginFree begins to buffer text in place of a call. It returns false if the text is visible text.
func (s *Scanner) beginFree() bool {
	r := &s.r
	if !r.marked || r.inSentence || s.think != "" || s.level > 0 || len(r.stack) == 0 || !r.isTechnical() ||
		!s.opensLine(chars.SpaceEnd(s.t, s.from)) {
		return false
	}
	r.body, s.state = r.i, inFree
	return true
}

// leaveProse ends a region at r.i, before a marker that opens a call. The region's text becomes visible text without
// the region's marker.
func (s *Scanner) leaveProse() bool {
	at := s.from + s.r.i
	if s.isPresented(at, shown.Marked) {
		return s.refuse(s.r.body)
	}
	s.giveText(s.t[s.from:at])
	s.drop(at)
	s.back()
	return true
}

// free buffers text in place of a call up to the enclosing closing marker, which makes it a rejected call.
func (s *Scanner) free() bool {
	v, r := s.view(), &s.r
	for limit := min(len(v), r.body+maxFree); r.i < limit; r.i++ {
		n := strings.IndexByte(v[r.i:limit], '<')
		if n < 0 {
			r.i = limit
			break
		}
		r.i += n
		x, found := s.lex(v, r.i, s.ended)
		switch {
		case found == maybe:
			return false
		case found != yes || x.role > Section:
		case !x.close:
			return s.leaveProse()
		case x.closes(r.stack[len(r.stack)-1]):
			c := &Call{Written: r.name}
			if shown.IsSentence(v[r.body:r.i]) {
				c.Written = "" // the first word is not a name
			}
			s.refuseCall(c, Malformed, r.i)
			s.state = inHead
			return true
		}
	}
	if !s.ended && r.i < r.body+maxFree {
		return false
	}
	return s.refuse(r.body)
}
