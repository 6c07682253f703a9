package dialect

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// tags stands between the arguments of a call that are written one tag each.
func (s *Scanner) tags() bool {
	v, r := s.view(), &s.r
	if !s.skipSpace(v) {
		return s.rest()
	}
	switch c := v[r.i]; {
	case c == '{' && len(r.args) == 0:
		s.state = (*Scanner).head
		return true
	case c != '<' && c != '[':
		return s.betweenTags(v)
	}
	x, verdict := s.lex(v, r.i, s.ended)
	if verdict == maybe {
		return false
	}
	if verdict == no || s.isParameter(v) {
		return s.element(v)
	}
	switch {
	case x.role == Value && !x.close:
		return s.openArgument(x)
	case x.role == Key && !x.close:
		r.i += x.n
		r.closing, r.body, r.keyed = x.tag, r.i, true
		s.state = (*Scanner).argument
		return true
	case x.role == Wrap || x.role == Section:
		if x.close {
			return s.closeMark(x)
		}
		if r.named {
			s.finish(r.i)
		}
		s.open(x)
		s.state = (*Scanner).head
		return true
	}
	r.i += x.n
	return true
}

// betweenTags meets text between arguments: before the first it means that this is no call, later it is passed.
func (s *Scanner) betweenTags(v string) bool {
	r := &s.r
	if r.key != "" {
		r.closing, r.body, r.keyed, r.lines = "arg_value", r.i, false, false
		s.state = (*Scanner).argument
		return true
	}
	if len(r.args) == 0 && r.got == 0 && !r.section {
		return s.refuse(r.i)
	}
	n := strings.IndexByte(v[r.i+1:], '<')
	if n < 0 {
		if !s.ended {
			return false
		}
		return s.rest()
	}
	r.i += n + 1
	return true
}

// openArgument begins the value of one argument.
func (s *Scanner) openArgument(x lexeme) bool {
	r := &s.r
	r.i += x.n
	if x.attr != "" {
		r.key = x.attr
	}
	if r.key == "" {
		return true // a container of elements
	}
	r.closing, r.body, r.keyed, r.lines = x.tag, r.i, false, x.lines
	if x.alone {
		s.argue("")
		return true
	}
	s.state = (*Scanner).argument
	return true
}

// isParameter reports whether a known tag at r.i is the name of a declared parameter of the call at hand.
func (s *Scanner) isParameter(v string) bool {
	r := &s.r
	t := s.tool(r.name)
	if t == nil {
		return false
	}
	name := elementName(v[r.i:])
	for i := range t.Params {
		if t.Params[i].Name == name {
			return name != ""
		}
	}
	return false
}

// tool is the declared tool that a written name means, or nil.
func (s *Scanner) tool(written string) *Tool {
	d, _, ok := s.names.Resolve(written)
	if !ok {
		return nil
	}
	return s.declared(d)
}

// declared is the tool of a declared name, or nil.
func (s *Scanner) declared(name string) *Tool {
	for i := range s.o.Tools {
		if s.o.Tools[i].Name == name {
			return &s.o.Tools[i]
		}
	}
	return nil
}

// elementName is the name in a plain opening tag at the beginning of t, or empty.
func elementName(t string) string {
	i := 1
	for i < len(t) && isTagByte(t[i]) {
		i++
	}
	if i < len(t) && t[i] == '>' && t[0] == '<' {
		return t[1:i]
	}
	return ""
}

// element reads a tag that is no format's mark: the call's name, a container of its arguments, or an argument.
func (s *Scanner) element(v string) bool {
	r := &s.r
	end := strings.IndexByte(v[r.i:min(len(v), r.i+maxTag)], '>')
	if end < 0 {
		if !s.ended && len(v)-r.i < maxTag {
			return false
		}
		if s.ended && len(r.args) > 0 {
			r.i = len(v)
			return s.rest()
		}
		return s.foreign()
	}
	tag := v[r.i : r.i+end+1]
	if strings.HasPrefix(tag, "</") {
		r.i += len(tag)
		return true
	}
	name := elementName(tag)
	if name == "" {
		return s.foreign()
	}
	if isContainer(name) {
		opens, verdict := s.opensContainer(v, r.i+len(tag))
		if verdict == maybe {
			return false
		}
		if opens {
			r.i += len(tag)
			s.state = (*Scanner).tags
			return true
		}
	}
	r.i += len(tag)
	r.key, r.closing, r.body, r.keyed, r.lines = name, name, r.i, false, true
	s.state = (*Scanner).argument
	return true
}

func isContainer(name string) bool {
	switch name {
	case "parameters", "arguments", "args", "params", "input", "tool_input":
		return true
	}
	return false
}

// namesCall reports whether the element at r.i holds the call's name.
func (s *Scanner) namesCall(v string) bool {
	name := elementName(v[s.r.i:])
	return !s.r.named && isNameElement(name)
}

// isTagHead reports whether t is the beginning of an opening tag and no more.
func isTagHead(t string) bool {
	for i := 1; i < len(t); i++ {
		if !isTagByte(t[i]) {
			return false
		}
	}
	return len(t) < maxToken
}

func isNameElement(name string) bool {
	switch name {
	case "tool_name", "name", "function_name":
		return true
	}
	return false
}

// opensContainer tells whether elements or a JSON object follow at v[i:], rather than a value's text.
func (s *Scanner) opensContainer(v string, i int) (bool, verdict) {
	i = spaceEnd(v, i)
	if i == len(v) {
		return false, unless(s.ended)
	}
	return v[i] == '<' || v[i] == '{', yes
}

// argument looks for the end of one argument's value.
func (s *Scanner) argument() bool {
	v, r := s.view(), &s.r
	for {
		n := strings.IndexByte(v[r.i:], '<')
		if n < 0 {
			r.i = len(v)
			return s.argumentCut()
		}
		i := r.i + n
		size, verdict := s.closesArgument(v, i)
		switch verdict {
		case maybe:
			r.i = i
			return false
		case yes:
			s.argue(v[r.body:i])
			r.i = i + size
			s.state = (*Scanner).tags
			return true
		}
		r.i = i + 1
	}
}

// argumentCut handles a value whose end has not come.
func (s *Scanner) argumentCut() bool {
	r := &s.r
	if !s.ended {
		return false
	}
	c := &Call{Written: r.name, Args: r.args, Truncated: true}
	if r.got == 0 && len(r.args) == 0 && !r.named {
		return s.refuse(r.i)
	}
	s.refuseCall(c, Truncated, r.i)
	return s.leave()
}

// closesArgument tells whether the value ends at v[i:], and how long the mark is that ends it. Where the closing tag
// was forgotten, the next argument of the same tool or the end of the whole call ends the value too.
func (s *Scanner) closesArgument(v string, i int) (int, verdict) {
	r := &s.r
	n, verdict := s.closingTag(v, i, r.closing)
	if verdict == yes {
		verdict = s.tagFollows(v, i+n)
	}
	if verdict != no {
		return n, verdict
	}
	x, verdict := s.lex(v, i, s.ended)
	if verdict != yes {
		return 0, verdict
	}
	switch {
	case (x.role == Value || x.role == Key) && !x.close:
		return 0, s.nextArgument(v, i, x)
	case x.role == Value && x.close && r.keyed:
		return 0, no
	case (x.role == Wrap || x.role == Section) && x.close && s.isOpen(x.tag):
		return s.endsCall(v, i+x.n)
	}
	return 0, no
}

// tagFollows tells whether a tag or nothing follows at v[i:]. A closing tag before anything else is a value's own text.
func (s *Scanner) tagFollows(v string, i int) verdict {
	if s.r.keyed {
		return yes
	}
	i = spaceEnd(v, i)
	if i == len(v) {
		return atEnd(s.ended)
	}
	return yesIf(v[i] == '<' || v[i] == '&' || s.r.section)
}

// nextArgument tells whether the tag x at v[i:] begins another argument of the call although the value at hand was not
// closed: its key is one that the tool declares and that was not given yet.
func (s *Scanner) nextArgument(v string, i int, x lexeme) verdict {
	r := &s.r
	key := x.attr
	if x.role == Key {
		rest := v[i+x.n:]
		n := strings.IndexByte(rest, '<')
		if n < 0 {
			return yesMaybe(!s.ended && len(rest) < maxName)
		}
		key = strings.TrimSpace(rest[:n])
	}
	switch {
	case r.keyed:
		return yesIf(x.role == Value) // a key without its closing tag
	case x.role == Value && key == "", i == 0, x.role == Value && !isSpace(v[i-1]), key == r.key:
		return no
	}
	if r.keys[key] {
		return no
	}
	t := s.tool(r.name)
	return yesIf(t != nil && (t.param(key) != nil || len(t.Params) == 0 && v[i-1] == '\n'))
}

func (s *Scanner) isOpen(tag string) bool {
	for _, t := range s.r.stack {
		if t == tag {
			return true
		}
	}
	return false
}

// endsCall tells whether a closing mark of the call, behind which v[i:] stands, is really the call's end although its
// last value was not closed: the end of the text, or another mark of a call, must follow.
func (s *Scanner) endsCall(v string, i int) (int, verdict) {
	i = spaceEnd(v, i)
	if i == len(v) {
		return 0, atEnd(s.ended)
	}
	if v[i] != '<' {
		return 0, no
	}
	x, verdict := s.lex(v, i, s.ended)
	if verdict != yes {
		return 0, verdict
	}
	return 0, yesIf(x.role == Wrap || x.role == Section)
}

// closingTag matches </name> at v[i:], with any namespace.
func (s *Scanner) closingTag(v string, i int, name string) (int, verdict) {
	t := v[i:]
	if len(t) < 2 {
		return 0, unless(s.ended)
	}
	if t[1] != '/' {
		return 0, no
	}
	k, verdict := s.skipNamespace(t, 2, s.ended)
	if verdict != yes {
		return 0, verdict
	}
	rest := t[k:]
	if len(rest) <= len(name) {
		if strings.HasPrefix(name, rest) {
			return 0, unless(s.ended)
		}
		return 0, no
	}
	if rest[:len(name)] != name {
		return 0, no
	}
	k += len(name)
	if k < len(t) && t[k] == ':' {
		for from := k; k < len(t) && isTagByte(t[k]) && k-from < maxToken; {
			k++
		}
	}
	k = spaceEnd(t, k)
	if k == len(t) {
		return 0, unless(s.ended)
	}
	return k + 1, yesIf(t[k] == '>')
}

// argue takes the value of the argument at hand.
func (s *Scanner) argue(text string) {
	r := &s.r
	if r.keyed {
		r.key, r.keyed, r.shape = strings.TrimSpace(text), false, "glm45"
		return
	}
	if !r.named && isNameElement(r.key) {
		r.name, r.named, r.key = strings.TrimSpace(text), true, ""
		return
	}
	switch {
	case r.closing == "arg_value":
		text = unquoted(text)
	case r.lines:
		text = unwrapLines(unmarked(text))
	default:
		text = unmarked(text)
	}
	r.args = append(r.args, Arg{Key: r.key, Text: text})
	if r.keys == nil {
		r.keys = map[string]bool{}
	}
	r.keys[r.key] = true
	r.key = ""
}

// unquoted reads a value that is one JSON string, as some models write them in pairs.
func unquoted(text string) string {
	v := []byte(strings.TrimSpace(text))
	if len(v) < 2 || v[0] != '"' || jsonx.Valid(v) != nil {
		return text
	}
	s, _ := jsonx.String(v)
	return s
}

// unmarked removes a CDATA mark around a value.
func unmarked(text string) string {
	if inner, ok := strings.CutPrefix(strings.TrimSpace(text), "<![CDATA["); ok {
		if inner, ok := strings.CutSuffix(inner, "]]>"); ok {
			return inner
		}
	}
	return text
}

// unwrapLines removes the line breaks that set a value off from its tags, at most one at each end.
func unwrapLines(text string) string {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}
