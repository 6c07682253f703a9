package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/yaml"
	"github.com/callwright/callwright/internal/jsonx"
)

// A lineBody is the state of reading call arguments from lines "key: value", as in YAML.
type lineBody struct {
	base  int // indentation of the first line
	block int // indentation of the key of the current text block, -1 outside a block
}

// beginBody tries to begin the arguments at r.i, after the tag with the call's name. They may be lines "key: value",
// or plain text that is the only argument. It returns no if they are neither.
func (s *Scanner) beginBody() tristate {
	v, r := s.view(), &s.r
	t := s.tools.resolveTool(r.name)
	if !r.named || t == nil || len(r.args) > 0 || len(r.stack) == 0 || r.section {
		return no
	}
	if from := strings.LastIndexAny(v[:r.i], "\n>") + 1; strings.TrimLeft(v[from:r.i], " ") == "" && from > 0 {
		switch s.beginsWithKey(t, v[r.i:]) {
		case maybe:
			return maybe
		case yes:
			r.body, r.lineBody = from, lineBody{base: r.i - from, block: -1}
			r.i = from
			s.state = inBody
			return yes
		}
	}
	if s.beginsText(t, v) {
		return yes
	}
	return no
}

// beginsWithKey reports whether text begins with a parameter of t and a colon. Without parameters any word counts.
func (s *Scanner) beginsWithKey(t *Tool, text string) tristate {
	n := strings.IndexAny(text[:min(len(text), chars.MaxName)], ":\n<")
	if n < 0 {
		return yesMaybe(!s.ended && len(text) < chars.MaxName)
	}
	key := strings.Trim(strings.TrimRight(text[:n], " "), `"'`)
	if text[n] != ':' || t.param(key) == nil && (len(t.Params) > 0 || key == "" || chars.WordEnd(key, 0) < len(key)) {
		return no
	}
	if n+1 == len(text) {
		return atEnd(s.ended)
	}
	return yesIf(chars.IsSpace(text[n+1]))
}

// body scans the lines "key: value" up to the tag that ends them. It returns false if more text is needed.
func (s *Scanner) body() bool {
	v, r := s.view(), &s.r
	for {
		size := strings.IndexByte(v[r.i:], '\n')
		if size < 0 && !s.ended {
			return false
		}
		end := len(v)
		if size >= 0 {
			end = r.i + size
		}
		switch at, found := s.bodyEnds(v, v[r.i:end]); {
		case found == maybe:
			return false
		case found == yes:
			return s.takeBody(r.i+at, false)
		case size < 0:
			return s.takeBody(end, true)
		}
		r.i = end + 1
	}
}

// bodyEnds reports whether the arguments end in the line, and returns the offset of their end in it. A tag at the
// indentation of the keys, or the closing tag outside a text block, ends them.
func (s *Scanner) bodyEnds(v, line string) (int, tristate) {
	r := &s.r
	text := strings.TrimLeft(line, " \t")
	indent := len(line) - len(text)
	if text == "" || r.block >= 0 && indent > r.block {
		return 0, no
	}
	r.block = -1
	if text[0] == '<' && indent <= r.base || strings.HasPrefix(text, "/>") {
		return indent, s.endsBody(v, r.i+indent, text)
	}
	if n := strings.Index(text, "</"+r.stack[len(r.stack)-1]+">"); n >= 0 {
		return indent + n, yes
	}
	if yaml.OpensBlock(text) {
		r.block = indent
	}
	return 0, no
}

// endsBody reports whether the tag at v[i:], at the beginning of a line, ends the arguments: it is a closing tag,
// possibly truncated, or it begins another call.
func (s *Scanner) endsBody(v string, i int, line string) tristate {
	r := &s.r
	if text := strings.TrimRight(line, " \t\r"); r.slashed && strings.HasPrefix(text, "/>") {
		return yes
	} else if s.ended && len(v)-i == len(line) && len(text) > 1 && strings.HasPrefix("</"+r.stack[len(r.stack)-1]+">", text) {
		return yes
	}
	x, found := s.lex(v, i, s.ended)
	if found != yes {
		return found
	}
	return yesIf(x.role <= Section)
}

// takeBody reads the arguments in the lines up to end, and rejects the call if they are invalid. cut means that the
// text ended there; the call is then Truncated if its last line is incomplete. It returns false if more text is needed.
func (s *Scanner) takeBody(end int, cut bool) bool {
	v, r := s.view(), &s.r
	members, how, ok := yaml.Read(v[r.body:end], cut)
	t := s.tools.resolveTool(r.name)
	r.i = end
	switch {
	case !ok && cut:
		return s.refuse(end)
	case !ok || !s.argueAll(t, members):
		s.refuseCall(&Call{Written: r.name}, Malformed, end)
		s.state = inHead
		return true
	case how == yaml.Cut:
		s.refuseCall(&Call{Written: r.name, Args: r.args, Truncated: true}, Truncated, end)
		return s.leave()
	}
	s.state = inHead
	if s.passSlash(v) && len(r.stack) == 0 {
		return s.leave()
	}
	return true
}

// argueAll adds the members of a YAML mapping as arguments. It returns false if one is not a declared parameter.
func (s *Scanner) argueAll(t *Tool, members []yaml.Member) bool {
	for _, m := range members {
		p := t.param(m.Key)
		if p == nil && len(t.Params) > 0 {
			return false
		}
		a := Arg{Key: m.Key, Text: m.Text}
		switch {
		case m.Kind == yaml.Node:
			a.Kind = JSON
		case m.Kind == yaml.Plain && m.Text == "" && p.takes("array", "object", "number", "integer", "boolean"):
			a.Text, a.Kind = "null", JSON
		case p == nil && m.Kind == yaml.Plain && !markup.IsScalar(m.Text), m.Kind == yaml.Quoted && (p == nil || len(p.Types) > 1):
			a.Text, a.Kind = string(jsonx.AppendQuote(nil, m.Text)), JSON
		case p == nil:
			a.Kind = JSON
		}
		s.r.args = append(s.r.args, a)
	}
	return true
}

// passSlash skips the "/>" of a tag that contains the arguments, as in <name ... />, and emits the call. It returns
// false if there is no such end at r.i.
func (s *Scanner) passSlash(v string) bool {
	r := &s.r
	if !r.slashed || !strings.HasPrefix(v[r.i:], "/>") {
		return false
	}
	r.i += len("/>")
	s.finish(r.i)
	r.stack, r.slashed = r.stack[:len(r.stack)-1], false
	return true
}

// beginsText begins the plain text in a tag that is named after its tool, or in <tool name="tool">. The text is the
// only argument of the tool. It returns false if r.i is not in such a tag.
func (s *Scanner) beginsText(t *Tool, v string) bool {
	r := &s.r
	from := strings.LastIndexByte(v[:r.i], '>') + 1
	top := r.stack[len(r.stack)-1]
	key := t.onlyText()
	named := top == t.Name && s.names.has(top) || top == "tool" && t.mustHave() && key != ""
	if s.unclosed || !named || r.got > 0 || len(r.stack) > 1 || key == "" && from < r.i || !s.standsApart(chars.SpaceEnd(s.t, s.from)) {
		return false
	}
	r.key, r.closing, r.i, r.body, r.plain = key, top, from, from, inElement
	s.state = inPlain
	return true
}

// elementText adds the plain text in a tag named after its tool as an argument. found is yes if text ends at r.i. If no
// closing tag follows, the region becomes text, or the call is Truncated. It returns false if more text is needed.
func (s *Scanner) elementText(v, text string, found tristate) bool {
	r := &s.r
	switch {
	case found == no && !s.ended:
		return false
	case found == no && !chars.IsSpace(chars.First(text)) && r.key != "":
		return s.argumentCut()
	case found == no, !strings.HasPrefix(v[r.i:], "</"):
		s.unclosed = true
		return s.refuse(r.i)
	case r.key == "" || markup.HasTags(markup.RemoveCDATA(text)) && markup.RemoveCDATA(text) == text:
		s.refuseCall(&Call{Written: r.name}, Malformed, r.i)
		s.state = inHead
		return true
	}
	r.lines = true
	s.argue(strings.TrimSpace(text))
	s.state = inHead
	return true
}
