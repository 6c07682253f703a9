package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/pairs"
)

// header scans a tool name that precedes its arguments.
func (s *Scanner) header() bool {
	v, r := s.view(), &s.r
	i := r.at
	for i < len(v) && chars.IsHeadByte(v[i]) && i-r.at < chars.MaxName {
		i++
	}
	end := i
	if end < len(v) && v[end] == '=' && !r.named {
		if found := s.lostBracket(v); found != no {
			return found == yes
		}
	}
	i = chars.SpaceEnd(v, i)
	if i == len(v) && !s.ended {
		return false
	}
	r.name = v[r.at:end]
	if r.section {
		r.name = strings.TrimPrefix(strings.TrimPrefix(r.name, ":"), "call:")
	}
	_, _, declared := s.names.Resolve(r.name)
	if found := s.beginBracketless(v, i); found != no {
		return found == yes
	}
	if !declared && s.namedWithEscape(v, end) {
		return true
	}
	if next := s.passHead(v, end, i, declared); next < 0 || r.at > end {
		return next > 0
	} else if i = next; i == len(v) {
		return s.headerAtEnd(end, declared)
	}
	switch _, block := s.blockAt(v, i); block {
	case maybe:
		return false
	case yes:
		r.i, r.name, r.named = i, strings.TrimSuffix(r.name, ":"), true
		s.state = inBlocks
		return true
	}
	switch s.isCallName(v, i, declared) {
	case maybe:
		return false
	case no:
		if found := s.looseArgument(v, end, i, declared); found != no {
			return found == yes
		}
		if declared && r.textBody && i > end && s.beginPlain(s.tools.resolveTool(r.name), i) {
			return true
		}
		return s.rejectHeader(end)
	}
	r.i, r.named = i, r.name != "" // otherwise the name is in the object
	s.state = inHead
	return true
}

// namedWithEscape removes an escaped newline (\n) that ends the current name before v[end]. It returns false if the
// rest is not a declared name.
func (s *Scanner) namedWithEscape(v string, end int) bool {
	name, ok := strings.CutSuffix(s.r.name, `\n`)
	if !ok || !s.names.has(name) || s.beginEscapes(v, end-len(`\n`)) != yes {
		return false
	}
	if s.state == inHead {
		s.r.name, s.r.named = name, true
	}
	return true
}

// headerAtEnd takes the last word of the text as a tool name if it is declared and can be one; else it rejects it.
func (s *Scanner) headerAtEnd(end int, declared bool) bool {
	if r := &s.r; declared && (r.got == 0 || r.section) {
		r.i, r.named = len(s.view()), true
		return s.rest()
	}
	return s.rejectHeader(end)
}

// isCallName reports whether a word is the name of a call, from the text after the word at v[i].
func (s *Scanner) isCallName(v string, i int, declared bool) tristate {
	switch v[i] {
	case '{':
		return yesIf(declared || s.r.section || s.r.format != "tool_tag")
	case '(', '`':
		return yesIf(declared || s.r.section && v[i] == '`')
	case '<', '[':
		x, found := s.lex(v, i, s.ended)
		if found == no && declared {
			return s.isElement(v, i)
		}
		if found != yes {
			return found
		}
		if x.role <= Section && !(x.close && declared) {
			return no
		}
		return yesIf(declared || s.r.section || x.role == Separate || x.role == Key && !x.close || x.role == Value)
	}
	return no
}

// isElement reports whether the tag at v[i:] is named after a parameter of the current tool.
func (s *Scanner) isElement(v string, i int) tristate {
	name := markup.ElementName(v[i:])
	if name == "" {
		return yesMaybe(!s.ended && markup.IsTagHead(v[i:]))
	}
	return yesIf(s.tools.resolveTool(s.r.name).param(name) != nil)
}

// rejectHeader continues after a word that is no tool name: it skips the word, or ends or gives up the region.
func (s *Scanner) rejectHeader(end int) bool {
	r := &s.r
	s.state = inHead
	if end == len(s.view()) && s.endDanglingRegion() {
		return s.leave()
	}
	if r.section && r.got == 0 && s.isMentioned() {
		return s.refuse(r.at)
	}
	if r.section {
		if r.got > 0 && s.marks.rows[r.format].open {
			r.i = r.at
			return s.leave()
		}
		r.i = end
		return true
	}
	r.i = r.at
	return s.foreign()
}

// lostKey begins an argument if v[i:] is a key whose opening tag is missing.
func (s *Scanner) lostKey(v string, i int) tristate {
	r := &s.r
	end := i
	for end < len(v) && chars.IsNameByte(v[end]) && end-i < chars.MaxName {
		end++
	}
	switch {
	case end == len(v):
		return unless(s.ended)
	case end == i || v[end] != '<':
		return no
	}
	x, found := s.lex(v, end, s.ended)
	if found != yes || x.role != Key || !x.close {
		return yesMaybe(found == maybe)
	}
	r.named, r.key, r.shape, r.i = true, v[i:end], x.format, end+x.n
	s.state = inTags
	return yes
}

// lostBracket opens the tag at v[r.at:] of a call if it lacks its opening bracket, as in function=name>.
func (s *Scanner) lostBracket(v string) tristate {
	r := &s.r
	x, found := s.lex("<"+v[r.at:min(len(v), r.at+chars.MaxTag)], 0, s.ended)
	if found != yes || x.role != Wrap || x.close || x.named || !s.names.has(x.attr) {
		return yesMaybe(found == maybe)
	}
	x.n--
	r.i = r.at
	s.open(x)
	s.state = inHead
	return yes
}

// passHead skips text between a name that ends at end and the arguments at v[i:]: the bracket of name>, or print(
// around the call. If the word "function" is in place of the name, as in Step-Audio 2 (vLLM's
// step_audio_2_tool_parser.py), it reads the name from the next line. It returns the offset to continue at, or -1 if
// more text is needed.
func (s *Scanner) passHead(v string, end, i int, declared bool) int {
	r := &s.r
	if i == len(v) {
		return i
	}
	next := i
	switch {
	case declared && v[end] == '>', !declared && r.name == "print" && v[i] == '(':
		if next = chars.SpaceEnd(v, i+1); next == len(v) && !s.ended {
			return -1
		}
	case declared || r.name != "function" || r.separated || !isBelow(v[end:i]):
		return i
	}
	if !declared && next < len(v) && chars.IsNameByte(v[next]) {
		r.lead, r.at = r.at+1, next
		return next + 1
	}
	return next
}

// looseArgument begins an argument at v[i:], after a name that ends at end, if the argument's first marker is missing
// or wrong.
func (s *Scanner) looseArgument(v string, end, i int, declared bool) tristate {
	r := &s.r
	switch {
	case !declared && i == end && v[i] == '<':
		for at := r.at + 1; at < end; at++ { // the marker between the name and the key is missing
			if t := s.tools.findTool(v[r.at:at]); t.param(v[at:end]) != nil {
				r.name = t.Name
				return s.lostKey(v, at)
			}
		}
	case !declared:
	case v[i] == '<':
		// a call marker in place of a key marker
		if x, found := s.lex(v, i, s.ended); found == yes && !x.close && x.attr == "" && s.r.isOpen(x.tag) {
			return s.lostKey(v, i+x.n)
		}
	case i > end:
		found := s.lostKey(v, i)
		if key := pairs.KeyEnd(v, i); found == no && len(r.stack) == 1 && !r.section && s.tools.resolveTool(r.name).param(v[i:key]) != nil {
			r.named, r.plain, r.closing, r.i, r.body = true, inPairs, r.stack[0], i, i
			s.state = inPlain
			return yes
		}
		return found
	}
	return no
}
