package dialect

import "strings"

// lookObject decides about an opening brace in visible text: a bare object on its own, or the arguments of the name
// before it.
func (s *Scanner) lookObject(i int) tristate {
	if !s.looksShown(i) && s.lookInput(i) == yes {
		return yes
	}
	name := s.blank(i)
	if at, ok := s.nameBefore(name, s.names); ok {
		glued := strings.IndexByte(s.t[name:i], '\n') >= 0
		if (s.beginsLine(at) || glued) && !s.looksShown(at) {
			s.beginBare(at, i)
			s.r.name, s.r.named = s.t[at:name], true
			if !s.beginsLine(at) {
				s.r.bare.leadIn = sentenceLead
			}
			s.state = inValue
			return yes
		}
	}
	if s.looksShown(i) || !s.beginsLine(i) {
		return no
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

// beginBare opens the region of a call without marks; its text begins at, its value at body.
func (s *Scanner) beginBare(at, body int) {
	s.flush(s.blank(s.labelBefore(s.blank(at))))
	s.enter(at)
	s.r.format, s.r.body, s.r.i = "bare_json", body-s.from, body-s.from
}

// callKeys are the keys with which an object that is a call, or holds calls, may begin.
var callKeys = map[string]bool{
	"name": true, "function": true, "tool": true, "tool_name": true, "function_name": true, "tool_calls": true,
	"toolCalls": true, "function_call": true, "tool_call": true, "tool_call_id": true, "call_id": true, "calls": true, "action": true, "action_input": true,
	"arguments": true, "parameters": true, "args": true, "input": true, "params": true, "id": true, "type": true,
	"scratchpad": true, "thought": true, "thoughts": true, "reasoning": true, "content": true, "needsMoreWork": true,
	"candidates": true, "choices": true, "role": true, "parts": true, "message": true, "output": true, "functionCall": true, "tool_use": true, "object": true,
	"answer": true, "func": true, "tools_call": true, "recipient_name": true, "tool_input": true, "api": true, "api_name": true, "plan": true, "index": true,
}

// callKey tells by the first key of the object at t[i:] whether it may be a call.
func (s *Scanner) callKey(i int) tristate {
	t := s.t
	from := i
	for i++; i < len(t) && i-from < maxBlank && (isSpace(t[i]) || t[i] == '{'); i++ {
	}
	if i == len(t) {
		return unless(s.ended)
	}
	q := 0
	switch {
	case t[i] == '"' || t[i] == '\'':
		q = 1
	case strings.HasPrefix(t[i:], "“") || strings.HasPrefix(t[i:], "‘"):
		q = len("“")
	case strings.HasPrefix(t[i:], "&quot;"):
		return yes
	case len(t)-i < len("“") && strings.HasPrefix("“", t[i:]):
		return unless(s.ended)
	}
	i += q
	end := i
	for end < len(t) && isNameByte(t[end]) && (t[end] != ':' || q > 0) && end-i < maxName {
		end++
	}
	if end == len(t) && !s.ended {
		return maybe
	}
	key := t[i:end]
	if callKeys[key] || s.names.has(key) {
		return yes
	}
	_, ok := s.names.plain(key)
	return yesIf(ok)
}

// passValue passes a JSON value that is no call as text, with everything in it.
func (s *Scanner) passValue(i int) tristate {
	k := spaceEnd(s.t, i+1)
	if k == len(s.t) && !s.ended {
		return maybe
	}
	if k == len(s.t) || s.t[k] != '"' {
		return no
	}
	s.pos = i
	s.r = region{}
	s.state = inData
	return yes
}

// data is a JSON value in visible text that is no call. A mark that opens a call outside its strings ends it.
func (s *Scanner) data() bool {
	for {
		i, why := s.r.track.run(s.t, s.pos, "<")
		s.pos = i
		switch why {
		case closed:
			s.state = inText
			return true
		case more:
			if s.ended {
				s.flush(i)
			}
			s.flush(s.blank(i))
			return false
		}
		if !s.r.track.inString() {
			x, found := s.lex(s.t, i, s.ended)
			if found == maybe {
				return s.wait(i)
			}
			if found == yes && x.role <= Section {
				s.state = inText
				return true
			}
		}
		s.r.track.step(s.t[i])
		s.pos = i + 1
	}
}

// maxOpeners bounds the brackets and the white space before the first call of a list.
const maxOpeners = 32

// lookList decides about an opening bracket in visible text: a list of calls on its own, or text.
func (s *Scanner) lookList(i int) tristate {
	if !s.beginsLine(i) && s.labelBefore(i) == i || s.looksShown(i) {
		return no
	}
	t := s.t
	k := i + 1
	for k < len(t) && k-i < maxOpeners && (isSpace(t[k]) || t[k] == '[' || t[k] == '(' || t[k] == '`') {
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
	case isNameByte(c):
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

// listName reports whether a declared name stands at t[k:], the first thing in a list.
func (s *Scanner) listName(k int) tristate {
	t, end := s.t, k
	for end < len(t) && isNameByte(t[end]) && end-k < maxName {
		end++
	}
	if end == len(t) && !s.ended {
		return yesMaybe(end == k || s.names.begins(t[k:end]))
	}
	_, ok := s.names.plain(t[k:end])
	return yesIf(ok)
}

func yesMaybe(b bool) tristate {
	if b {
		return maybe
	}
	return no
}

// lookArguments decides about an opening parenthesis in visible text: the arguments of the name before it, or text.
func (s *Scanner) lookArguments(i int) tristate {
	at, ok := s.nameBefore(i, s.names)
	if !ok {
		return no
	}
	name, lead := at, ownLine
	if c := s.before(at, 0); (c == '\'' || c == '"') && at > s.from {
		at, lead = at-1, quoteLead
	}
	if !s.beginsLine(at) || s.looksShown(at) {
		return no
	}
	s.beginBare(at, i)
	s.r.format, s.r.name, s.r.named, s.r.bare.leadIn = "pythonic", s.t[name:i], true, lead
	s.state = inValue
	return yes
}

// bareEnds decides whether a bare value ends at v[i:] although its brackets are not all closed.
func (s *Scanner) bareEnds(v string, i int) tristate {
	if v[i] != '<' || s.r.track.inString() {
		return no
	}
	x, found := s.lex(v, i, s.ended)
	if found != yes {
		return found
	}
	return yesIf(x.role == Noise || x.role <= Section)
}

// tail stands behind a bare value: the call counts only if the line ends here, or another call follows.
func (s *Scanner) tail() bool {
	v, r := s.view(), &s.r
	if len(r.bare.calls) > 0 && !s.trailer(v) {
		return false
	}
	if r.bare.leadIn == recipientLead && len(r.bare.calls) > 0 {
		if moved, decided := s.announced(v); decided {
			return moved
		}
	}
	i, limit := r.i, min(len(v), r.i+maxBlank)
	for i < limit && strings.IndexByte(" \t\r;,\\]}", v[i]) >= 0 {
		i++
	}
	if i == len(v) {
		return s.ended && s.settle(i)
	}
	switch c := v[i]; {
	case c == '\n':
		return s.lineEnded(v, i)
	case c == '<':
		return s.tailMark(v, i)
	case c == '.':
		return s.tailStop(v, i)
	case c == '{' || isNameByte(c):
		return s.tailWord(v, i)
	case c == '+' || c == '[':
		return s.settle(i)
	case i > r.i && (c == '`' || c == '#' || c == '|'):
		return s.settle(i)
	case (c == '"' || c == '\'') && r.bare.leadIn == quoteLead:
		r.i, r.bare.leadIn = i+1, ownLine
		return true
	}
	return s.settleAsText(r.i)
}

// lineEnded decides about a bare call behind which the line ends, at v[i]. It is text when the next line explains it as the
// term of a list of definitions, or when a quotation stands on both sides of it.
func (s *Scanner) lineEnded(v string, i int) bool {
	next := v[i+1:]
	if !s.ended && (next == "" || next == ":") {
		return false
	}
	if strings.HasPrefix(next, ": ") || strings.HasPrefix(next, ">") && isBelowQuotation(s.lead(s.contentStart())) {
		return s.settleAsText(s.r.i)
	}
	return s.settle(i)
}

// tailMark decides about a bare call that what may be a mark follows, at v[i].
func (s *Scanner) tailMark(v string, i int) bool {
	x, found := s.lex(v, i, s.ended)
	switch {
	case found == maybe:
		return false
	case found == yes && x.role != Think:
		return s.settle(i)
	}
	return s.settleAsText(s.r.i)
}

// tailStop decides about a bare call that a full stop follows, at v[i]: it must end the sentence.
func (s *Scanner) tailStop(v string, i int) bool {
	switch {
	case i+1 == len(v):
		return s.ended && s.settle(i)
	case isSpace(v[i+1]):
		return s.settle(i)
	}
	return s.tailWord(v, i)
}

// tailWord decides about a bare call that a word or an object follows, at v[i]: a further call, or the rest of a sentence.
func (s *Scanner) tailWord(v string, i int) bool {
	r := &s.r
	switch s.flows(v, i) {
	case maybe:
		return false
	case yes:
		return s.settleAsText(r.i)
	}
	if len(r.bare.calls) > 0 && (i > r.i || v[i] == '{') {
		return s.another(v, i)
	}
	return s.settleAsText(r.i)
}

// flows decides whether a sentence goes on at v[i:], behind a bare call in Python's way.
func (s *Scanner) flows(v string, i int) tristate {
	if i == s.r.i || v[s.r.body] != '(' || strings.IndexByte(";]}\\", v[s.r.i]) >= 0 {
		return no
	}
	return goesOnBehindCall(v[i:], s.ended, s.names)
}

// announced settles calls that a header announced, at the first blank behind them. It is not decided where none is near.
func (s *Scanner) announced(v string) (moved, decided bool) {
	r := &s.r
	limit := min(len(v), r.i+maxGap)
	n := strings.IndexAny(v[r.i:limit], "\n <")
	switch {
	case n >= 0:
		return s.settle(r.i + n), true
	case limit < len(v):
		return false, false
	case !s.ended:
		return false, true
	}
	return s.settle(limit), true
}

// trailer passes what takes a part of a call's outcome, as in f(x)[0]. It reports false when more text is needed.
func (s *Scanner) trailer(v string) bool {
	r := &s.r
	if r.i < len(v) && (v[r.i] == '(' || v[r.i] == '[' || v[r.i] == '.') {
		n := strings.IndexByte(v[r.i:], '\n')
		if n < 0 && !s.ended && len(v)-r.i < maxTag {
			return false
		}
		if n < 0 {
			n = min(len(v)-r.i, maxTag)
		}
		r.i = skipTrailer(v[:r.i+n], r.i)
	}
	return true
}

// another goes on with a further bare call on the same line.
func (s *Scanner) another(v string, i int) bool {
	r := &s.r
	r.track.reset()
	if v[i] == '{' {
		r.i, r.at, r.body = i, i, i
		s.state = inValue
		return true
	}
	end := i
	for end < len(v) && isNameByte(v[end]) && end-i < maxName {
		end++
	}
	if end == len(v) && !s.ended {
		return false
	}
	_, ok := s.names.plain(v[i:end])
	if !ok || end == len(v) || v[end] != '(' && v[end] != '{' {
		return s.settle(r.i)
	}
	r.name, r.named, r.at, r.body, r.i = v[i:end], true, i, end, end
	s.state = inValue
	return true
}

// settle ends a bare candidate at i: if it holds calls it is put aside until the whole answer is known.
func (s *Scanner) settle(i int) bool {
	r := &s.r
	if r.ignored || len(r.bare.calls) == 0 && !r.bare.extra.envelope || r.bare.leadIn == sentenceLead && !s.fits(r.bare.calls) {
		return s.settleAsText(i)
	}
	if isPresented(s.lead(s.contentStart())) {
		return s.settleAsText(i)
	}
	raw := s.t[s.from : s.from+i]
	s.q.aside(raw, r.bare.calls, r.bare.extra)
	s.drop(s.from + i)
	s.back()
	return true
}

// settleAsText gives a bare candidate back as text, unless it was cut.
func (s *Scanner) settleAsText(i int) bool {
	r := &s.r
	s.pos = s.from + max(i, 1)
	if s.ended && len(r.track.open) > 0 && r.bare.extra.truncated && r.bare.extra.name != "" {
		s.q.call(&Call{Written: r.bare.extra.name, Truncated: true, Format: r.format, Offset: s.base + s.from, Raw: clip(s.view()), unmarked: true}, Truncated)
	}
	s.back()
	return true
}

// fits reports whether all arguments of calls are declared parameters: asked of calls that do not stand on their own.
func (s *Scanner) fits(calls []*Call) bool {
	for _, c := range calls {
		t := s.tools.named(c.Written)
		if t == nil || !declares(t, keysOf(c)) {
			return false
		}
	}
	return true
}
