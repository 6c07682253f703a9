package dialect

import (
	"cmp"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/codeblock"
	"github.com/callwright/callwright/dialect/internal/label"
	"github.com/callwright/callwright/dialect/internal/shown"
	"github.com/callwright/callwright/internal/jsonx"
)

// maxRun is the maximum number of backquotes or tildes in a code block delimiter.
const maxRun = 32

// lookFence begins a code block if the backquotes or tildes at t[i:] open one. Otherwise they are text.
func (s *Scanner) lookFence(i int) tristate {
	run, tick := 0, s.t[i]
	for i+run < len(s.t) && s.t[i+run] == tick {
		run++
	}
	s.work += run
	if i+run == len(s.t) && !s.ended && run <= maxRun {
		return maybe
	}
	if run > maxRun {
		s.pos = i + run - 1
		return no
	}
	block := run >= 3 && (s.atLineStart(i) || shown.IsItem(s.line(i)) || s.labelBefore(s.blank(i)) < s.blank(i))
	if !block && (run >= 3 || tick != '`' || !s.isFirst(i)) {
		s.pos = i + run - 1
		return no
	}
	n := strings.IndexByte(s.t[i:], '\n')
	if n < 0 && !s.ended && len(s.t)-i < maxLine {
		return maybe
	}
	if n < 0 {
		n = len(s.t) - i
	}
	lang := strings.TrimSpace(s.t[i+run : i+n])
	if block && shown.IsIndented(s.line(i)) && shown.InfoWords(lang) != "" { // a line of indented code
		s.pos = i + run - 1
		return no
	}
	if !block || strings.IndexByte(lang, '`') >= 0 || i+n == len(s.t) {
		return s.lookFenceLine(i, run, n)
	}
	s.beginFence(i, run, n, lang)
	return yes
}

// beginFence begins a code block. Its opening line t[i:i+n] has run backquotes or tildes and the text lang after them.
func (s *Scanner) beginFence(i, run, n int, lang string) {
	body := i + n + 1
	head := lang
	if k := strings.IndexAny(lang, "[{"); k >= 0 {
		head = lang[:k]
		if _, named := s.names.plain(head); head == "" || named {
			body = i + strings.IndexAny(s.t[i:], "[{")
		}
	}
	above := s.labelBefore(s.blank(i))
	s.f = codeBlock{tick: s.t[i], run: run, isLabelled: above < s.blank(i), isTool: strings.EqualFold(lang, codeblock.Info)}
	if body == i+n+1 {
		s.f.words = shown.InfoWords(lang)
	}
	if shown.IsQuotingFence(lang) || s.level > 0 || s.showsOnly(s.t[body:]) || s.isPresented(i, shown.Unmarked) {
		s.flush(s.blank(above))
		s.pos = i + n + 1
		s.state = inCodeFence
		return
	}
	name, at := s.functionAbove(i, s.names)
	format := "deepseek_v3"
	if name != "" {
		above = at
	} else if _, named := s.names.plain(head); named {
		name, format = head, "markdown_fence"
	}
	s.flush(s.blank(above))
	s.f.body, s.f.i, s.f.name, s.f.format = body-s.from, body-s.from, name, format
	s.state = inFence
}

// isFirst reports whether no visible text precedes t[i]. A code span on the first line of a response counts.
func (s *Scanner) isFirst(i int) bool {
	return !s.q.visible && len(s.q.held) == 0 && strings.TrimSpace(s.t[s.from:i]) == ""
}

// maxLine is the maximum length in bytes of the line that is buffered after an opening delimiter.
const maxLine = 2 << 10

// lookFenceLine takes the calls from a code span or block on the line t[i:i+n], if it has nothing but calls.
func (s *Scanner) lookFenceLine(i, run, n int) tristate {
	line := strings.TrimRight(s.t[i+run:i+n], " \t\r")
	body := strings.TrimRight(line, "`")
	if len(line)-len(body) >= run && strings.IndexByte(body, '`') < 0 && !s.isPresented(i, shown.Unmarked) {
		if calls, extra, ok := s.readAll(body); ok && !s.ignoresAny(calls, body) {
			s.flush(s.blank(i))
			s.setAside(s.from, i+n, calls, extra)
			return yes
		}
	}
	s.pos = i + run - 1
	return no
}

// codeFence is the state in a code block without calls. Its text is emitted immediately.
func (s *Scanner) codeFence() bool {
	for {
		n := strings.IndexByte(s.t[s.pos:], s.f.tick)
		if n < 0 {
			s.pos = len(s.t)
			s.flush(s.pos)
			return false
		}
		i := s.pos + n
		end, v := s.closesFence(s.t, i)
		if v == maybe {
			s.pos = i
			s.flush(s.blank(i))
			return false
		}
		s.pos = max(end, i+1)
		if v == yes {
			s.flush(s.pos)
			s.state = inText
			return true
		}
	}
}

// closesFence reports whether the backquotes at t[i:] close the open code block. It returns the end of the backquotes.
func (s *Scanner) closesFence(t string, i int) (int, tristate) {
	end := i
	for end < len(t) && t[end] == s.f.tick {
		end++
	}
	if end == len(t) && !s.ended && end-i <= maxRun {
		return end, maybe
	}
	if end-i < s.f.run || !s.atLineStart(i) && strings.IndexByte("]})>", s.before(i, 0)) < 0 {
		return end, no
	}
	k := end
	for k < len(t) && k-end < chars.MaxBlank && (t[k] == ' ' || t[k] == '\t' || t[k] == '\r') {
		k++
	}
	if k == len(t) {
		return end, atEnd(s.ended)
	}
	return end, yesIf(t[k] == '\n')
}

// openFence buffers a code block that may contain calls.
func (s *Scanner) openFence() bool {
	f := &s.f
	v := s.view()
	if s.showsOnly(v[f.body:]) {
		s.pos = s.from + f.body
		s.state = inCodeFence
		return true
	}
	for {
		n := strings.IndexByte(v[f.i:], f.tick)
		if n < 0 {
			f.i = len(v)
			if !s.ended {
				return false
			}
			return s.fenceEnded(len(v), len(v))
		}
		i := f.i + n
		end, found := s.closesFence(s.t, s.from+i)
		if found == maybe {
			f.i = i
			return false
		}
		f.i = end - s.from
		if found == yes && !(f.isTool && f.lines.IsOpen(v[f.body:i])) {
			return s.fenceEnded(i, f.i)
		}
	}
}

// showsOnly reports whether the contents of a code block cannot begin a call. An empty code block after a label also
// counts.
func (s *Scanner) showsOnly(body string) bool {
	return s.mayCall(body) == no && !(s.f.isLabelled && body[0] == s.f.tick)
}

// mayCall reports whether a code block may contain calls, by the beginning of its contents.
func (s *Scanner) mayCall(body string) tristate {
	b := strings.TrimLeft(body, " \t\r\n")
	if b == "" {
		return maybe
	}
	if s.f.isTool {
		if found := codeblock.Begins(b, s.ended); found != no {
			return found
		}
	}
	switch c := b[0]; {
	case c == '{' || c == '[' || c == '(' || c == '<' || c == '"' || c == '\'' || c == '&':
		return yes
	case chars.IsNameByte(c):
		end := 0
		for end < len(b) && chars.IsNameByte(b[end]) && end < chars.MaxName {
			end++
		}
		if end == len(b) {
			return maybe
		}
		name := b[:end]
		if name == "print" || name == "return" || name == label.Variable {
			return yes
		}
		_, ok := s.names.plain(name)
		return yesIf(ok)
	}
	return no
}

// fenceEnded queues the calls of the code block up to end if its contents up to body are only calls. Else it is text.
func (s *Scanner) fenceEnded(body, end int) bool {
	f, v := &s.f, s.view()
	text := v[f.body:body]
	calls, extra, ok := s.readAll(text)
	if !ok && f.isTool {
		var c *Call
		if c, ok = lineCall(text); ok {
			calls, text = []*Call{c}, v[:end]
		}
	}
	if !ok && f.name != "" {
		c := &Call{Written: f.name, JSON: strings.TrimSpace(text), Format: f.format}
		calls, ok = []*Call{c}, jsonx.KindOf([]byte(text)) == jsonx.Object
	}
	if s.f.isLabelled && strings.TrimSpace(text) == "" {
		s.q.note("mark.orphan", s.base+s.from, v[:end])
		s.drop(s.from + end)
		s.state = inText
		return true
	}
	if !ok || s.ignoresAny(calls, text) {
		s.pos = s.from + end
		s.state = inText
		return true
	}
	if extra.content == "" && f.words != "" {
		if extra.content = f.words; s.last != 0 {
			extra.content = "\n" + f.words
		}
	}
	extra.described = shown.Describes(s.lead(s.contentStart()), text)
	s.setAside(s.from, s.from+end, calls, extra)
	s.state = inText
	return true
}

// lineCall parses the contents of a code block as a call in lines (format tool_fence). It returns false for other text.
func lineCall(text string) (*Call, bool) {
	read, ok := codeblock.Read(text)
	c := &Call{Written: read.Name, Format: "tool_fence", Truncated: read.IsCut, bare: len(read.Args) == 0}
	for _, a := range read.Args {
		c.Args = append(c.Args, Arg{Key: a.Key, Text: a.Text})
	}
	return c, ok
}

// ignoresAny reports whether one of the calls in a code block must not be read as a call.
func (s *Scanner) ignoresAny(calls []*Call, text string) bool {
	for _, c := range calls {
		c.Format, c.Raw = cmp.Or(c.Format, "markdown_fence"), clip(text)
		if s.ignores(c) || c.isSignature() {
			return true
		}
	}
	return false
}

// setAside holds the code block t[from:end] of calls until the response ends. said has other members of an envelope.
func (s *Scanner) setAside(from, end int, calls []*Call, said reading) {
	for _, c := range calls {
		c.Offset = s.base + from
	}
	s.q.setAside(s.t[from:end], s.base+from, calls, said)
	s.drop(end)
}
