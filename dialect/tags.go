package dialect

import (
	"cmp"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
)

// tags is the state between arguments in tags.
func (s *Scanner) tags() bool {
	v, r := s.view(), &s.r
	if !s.r.skipSpace(v) {
		return s.rest()
	}
	switch c := v[r.i]; {
	case c == '{' && len(r.args) == 0:
		s.state = inHead
		return true
	case c != '<' && c != '[' && c != ']':
		return s.betweenTags(v)
	}
	x, found := s.lex(v, r.i, s.ended)
	if found == maybe {
		return false
	}
	if found == no && v[r.i] != '<' {
		return s.betweenTags(v)
	}
	if found == no || s.isParameter(v) || x.role == Noise && !x.special && !x.close && r.named {
		return s.plainTag(v)
	}
	r.unended = r.unended || r.aside && (x.role != Aside || !x.close) // a value may continue with the marker and its text
	r.aside = false
	// the preceding text is a value without its tag
	r.unreadable = r.unreadable || r.strayed && (x.role == Value || x.role == Key)
	switch {
	case x.role == Value && !x.close:
		if found := s.openTextKey(v, x); found != no {
			return found == yes
		}
		return s.openArgument(x)
	case x.role == Aside && !x.close:
		return s.passAside(v, x)
	case x.role == Key && !x.close:
		r.i += x.n
		r.shape = x.format
		r.closing, r.body, r.keyed = x.tag, r.i, true
		s.state = inArgument
		return true
	case x.role == Wrap || x.role == Section:
		if x.close {
			return s.closeMark(x)
		}
		if r.named {
			r.unended = r.unended || len(r.args) > 0
			s.finish(r.i)
		}
		s.open(x)
		s.state = inHead
		return true
	}
	r.unended = r.unended || len(r.args) > 0 && r.key == "" // a value may continue with the marker
	r.i += x.n
	return true
}

// passAside skips a marker of role Aside with its text.
func (s *Scanner) passAside(v string, x token) bool {
	r := &s.r
	n := strings.IndexByte(v[r.i+x.n:], '<')
	if n < 0 {
		if !s.ended {
			return false
		}
		r.i = len(v)
		return s.rest()
	}
	r.i += x.n + n
	r.aside = len(r.args) > 0
	return true
}

// betweenTags scans text between arguments. After a key, the text is the value. Before the first argument, it means
// that the region is not a call. Other text is skipped.
func (s *Scanner) betweenTags(v string) bool {
	r := &s.r
	if r.slashed && v[r.i] == '/' {
		if r.i+1 == len(v) && !s.ended {
			return false
		}
		if s.passSlash(v) {
			s.state = inHead
			return true
		}
	}
	if r.byLine {
		s.finish(r.i)
		return s.leave()
	}
	if r.key != "" {
		r.closing, r.body, r.keyed, r.lines, r.isRaw = "arg_value", r.i, false, false, false
		s.state = inArgument
		return true
	}
	if len(r.args) == 0 && r.got == 0 && !r.section {
		if s.beginFree() {
			return true
		}
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
	r.strayed = true
	return true
}

// openArgument begins the value of an argument.
func (s *Scanner) openArgument(x token) bool {
	r := &s.r
	r.suffix = markup.SuffixOf(s.view()[r.i : r.i+x.n])
	r.isRaw, r.opener = true, r.i
	r.i += x.n
	if x.attr != "" {
		r.key = x.attr
	}
	if r.key == "" && x.tag == inputTag && len(r.stack) == 0 {
		r.key, r.isRaw = inputTag, false
	}
	if r.key == "" { // a container of elements, or a marker inside a value
		r.unended = r.unended || len(r.args) > 0
		return true
	}
	r.closing, r.body, r.keyed, r.lines, r.json = x.tag, r.i, false, x.lines, x.json
	if x.alone {
		s.argue("")
		return true
	}
	s.state = inArgument
	return true
}

// isParameter reports whether the known tag at r.i is also a declared parameter of the current tool.
func (s *Scanner) isParameter(v string) bool {
	r := &s.r
	t := s.tools.resolveTool(r.name)
	if t == nil {
		return false
	}
	name := markup.ElementName(v[r.i:])
	for i := range t.Params {
		if t.Params[i].Name == name {
			return name != ""
		}
	}
	return false
}

// plainTag reads a tag that is not a marker of a format: the tool name, a container of arguments, or an argument.
func (s *Scanner) plainTag(v string) bool {
	r := &s.r
	if strings.HasPrefix(v[r.i:], "</") {
		return s.passClosingTag(v)
	}
	x := markup.PlainTagAt(v[r.i:])
	if x.Size == 0 {
		switch {
		case !s.ended && markup.IsTagHead(v[r.i:]):
			return false
		case s.ended && len(r.args) > 0:
			r.unreadable = r.unreadable || strings.IndexByte(v[r.i:], '>') > 0 // a quote is missing in the tag
			r.i = len(v)
			return s.rest()
		}
		return s.foreign()
	}
	if r.byLine && s.tools.resolveTool(r.name).param(x.Name) == nil {
		s.finish(r.i)
		return s.leave()
	}
	if markup.IsContainer(x.Name) && x.Attributes == "" && !x.Alone {
		opens, found := s.opensContainer(v, r.i+x.Size)
		if found == maybe {
			return false
		}
		if opens {
			r.i += x.Size
			s.state = inTags
			return true
		}
	}
	r.i += x.Size
	return s.openElement(&x)
}

// passClosingTag skips a closing tag without an opening tag.
func (s *Scanner) passClosingTag(v string) bool {
	r := &s.r
	end := strings.IndexByte(v[r.i:min(len(v), r.i+chars.MaxTag)], '>')
	switch {
	case end >= 0:
		r.i += end + 1
		return true
	case !s.ended && len(v)-r.i < chars.MaxTag:
		return false
	case s.ended && len(r.args) > 0:
		r.i = len(v)
		return s.rest()
	}
	return s.foreign()
}

// openElement begins the argument in an element. The key is the element's name, or the value of an attribute if only
// that is declared.
func (s *Scanner) openElement(x *markup.PlainTag) bool {
	r := &s.r
	t := s.tools.resolveTool(r.name)
	r.key, r.closing, r.body, r.keyed, r.lines, r.isRaw = x.Name, x.Name, r.i, false, true, false
	switch {
	case x.Key != "" && t.param(x.Name) == nil && t.param(x.Key) != nil:
		r.key = x.Key
	case x.Attributes != "":
		r.passed = append(r.passed, Note{Rule: "mark.attribute", Offset: s.base + s.from + r.i - x.Size, Was: x.Attributes})
	}
	if x.Alone {
		r.key = cmp.Or(r.key, x.Name)
		s.argue("")
		s.state = inTags
		return true
	}
	s.state = inArgument
	return true
}

// opensContainer reports whether v[i:] begins with an element or a JSON object rather than text.
func (s *Scanner) opensContainer(v string, i int) (bool, tristate) {
	i = chars.SpaceEnd(v, i)
	if i == len(v) {
		return false, unless(s.ended)
	}
	return v[i] == '<' || v[i] == '{', yes
}
