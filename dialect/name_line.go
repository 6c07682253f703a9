package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/shown"
	"github.com/callwright/callwright/internal/jsonx"
)

// lookNameLine begins a call with its tool on the line above if the element at t[i:] is named after its parameter.
func (s *Scanner) lookNameLine(i int) tristate {
	end := s.blank(i)
	if end == i || strings.Count(s.t[end:i], "\n") != 1 {
		return no
	}
	at, ok := s.nameBefore(end, s.names)
	if !ok || !s.beginsLine(at) || s.isExample(at) {
		return no
	}
	x := markup.PlainTagAt(s.t[i:])
	if x.Size == 0 {
		return yesMaybe(!s.ended && markup.IsTagHead(s.t[i:]))
	}
	if s.tools.resolveTool(s.t[at:end]).param(x.Name) == nil || s.isPresented(at, shown.Marked) {
		return no
	}
	s.beginNamed(at, end, "tool_tag")
	s.r.name = strings.TrimSuffix(s.r.name, ":")
	s.r.section, s.r.byLine = false, true
	s.r.i = i - s.from
	s.state = inTags
	return yes
}

// textKey reads the key of an argument that is the text of the tag x at v[i:], as in <parameter>name</parameter>
// value. end is the start of the value.
func (s *Scanner) textKey(v string, i int, x token) (key string, end int, found tristate) {
	from := i + x.n
	n := strings.IndexByte(v[from:min(len(v), from+chars.MaxName)], '<')
	if n < 0 {
		return "", 0, yesMaybe(!s.ended && len(v)-from < chars.MaxName)
	}
	size, found := s.closingTag(v, from+n, x.tag)
	return strings.TrimSpace(v[from : from+n]), from + n + size, found
}

// openTextKey begins an argument whose key is the text of the tag x. If the tool does not declare the key, the call
// becomes unreadable.
func (s *Scanner) openTextKey(v string, x token) tristate {
	r := &s.r
	t := s.tools.resolveTool(r.name)
	if t == nil || x.attr != "" || r.key != "" || x.tag == inputTag {
		return no
	}
	key, end, found := s.textKey(v, r.i, x)
	if found != yes {
		return found
	}
	if t.param(key) == nil && len(t.Params) > 0 {
		r.unreadable = true
	}
	r.i = end
	r.key, r.closing, r.body, r.keyed, r.lines, r.byText, r.isRaw = key, x.tag, r.i, false, true, true, false
	s.state = inArgument
	return yes
}

// namedInTag reports whether v[i:] has the closing tag after a tool name, followed by the arguments, as in
// <function>name</function><parameter>.
func (s *Scanner) namedInTag(v string, i int) tristate {
	r := &s.r
	if !r.named || len(r.args) > 0 || r.section || len(r.stack) == 0 {
		return no
	}
	top := r.stack[len(r.stack)-1]
	if top != "function" && top != "tool" {
		return no
	}
	i = chars.SpaceEnd(v, i)
	if i == len(v) {
		return unless(s.ended)
	}
	if v[i] != '<' {
		return no
	}
	x, found := s.lex(v, i, s.ended)
	return yesMaybe(found == maybe) | yesIf(found == yes && x.role == Value && !x.close && (top == "function" || x.tag == inputTag))
}

// inputTag is the tag of the tool input in LangChain's format for XML agents:
// <tool>name</tool><tool_input>text</tool_input>. The input is one text or a JSON object.
const inputTag = "tool_input"

// isInput reports whether the current argument is the text of an inputTag.
func (r *region) isInput() bool { return r.closing == inputTag && len(r.stack) == 0 }

// takeInput adds the input as arguments and ends the call.
func (s *Scanner) takeInput(text string) {
	r := &s.r
	t := s.tools.resolveTool(r.name)
	c := &Call{Written: r.name, JSON: strings.TrimSpace(text)}
	if jsonx.KindOf([]byte(c.JSON)) != jsonx.Object || !declares(t, keysOf(c)) {
		if key := t.onlyText(); key != "" {
			c.Args = []Arg{{Key: key, Text: c.JSON}}
		}
		c.JSON, c.unreadable = "", c.JSON != "" && c.Args == nil
	}
	r.key = ""
	s.emitAlone(c, r.i)
}
