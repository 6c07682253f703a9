package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
	"github.com/callwright/callwright/dialect/internal/pairs"
	"github.com/callwright/callwright/dialect/internal/parts"
	"github.com/callwright/callwright/dialect/internal/split"
	"github.com/callwright/callwright/internal/jsonx"
)

// plain scans to the end of a call's argument in plain text. It returns false if more text is needed.
func (s *Scanner) plain() bool {
	text, found := s.seek('<', (*Scanner).closesPlain)
	if s.r.plain == inElement && found != maybe {
		v := s.view()
		if found == no {
			text = v[s.r.body:]
		}
		return s.elementText(v, text, found)
	}
	if found != yes {
		return found == no && s.argumentCut()
	}
	s.state = inHead
	if s.r.plain == inPairs {
		list, ok := pairs.Read(text)
		s.r.unreadable = s.r.unreadable || !ok
		s.r.args = pairArgs(list)
		return true
	}
	s.r.lines = true
	s.argue(strings.TrimSpace(text))
	return true
}

// pairArgs converts key-value pairs to arguments.
func pairArgs(list []pairs.Pair) []Arg {
	args := make([]Arg, len(list))
	for i, p := range list {
		args[i] = Arg{Key: p.Key, Text: p.Text}
	}
	return args
}

// closesPlain reports whether v[i:] begins with the call's closing tag, or with a line that begins another call. The
// returned size is 0 because the tag is scanned later.
func (s *Scanner) closesPlain(v string, i int) (int, tristate) {
	_, found := s.closingTag(v, i, s.r.closing)
	if found == no && s.r.plain == inElement && i > 0 && v[i-1] == '\n' {
		x, found := s.lex(v, i, s.ended)
		return 0, yesMaybe(found == maybe) | yesIf(found == yes && x.role <= Section)
	}
	return 0, found
}

// seek scans for the marker that ends the current value and begins with byte c. closes reports the size of such a
// marker at an offset. seek returns the text of the value and moves r.i after the marker. found is maybe if more text
// is needed, and no if the text ended inside the value.
func (s *Scanner) seek(c byte, closes func(s *Scanner, v string, i int) (int, tristate)) (text string, found tristate) {
	v, r := s.view(), &s.r
	for {
		n := strings.IndexByte(v[r.i:], c)
		if n < 0 {
			r.i = len(v)
			return "", unless(s.ended)
		}
		i := r.i + n
		s.work += n + 1
		size, found := closes(s, v, i)
		switch found {
		case maybe:
			r.i = i
			return "", maybe
		case yes:
			r.i = i + size
			return v[r.body:i], yes
		}
		r.i = i + 1
	}
}

// argument scans to the end of the value of one argument in a tag. It returns false if more text is needed.
func (s *Scanner) argument() bool {
	switch end, found := s.rawEnd(); found {
	case maybe:
		return false
	case yes:
		return s.argueRaw(end)
	}
	if found := s.passCDATA(); found != yes {
		return found == no && s.argumentCut()
	}
	text, found := s.seek('<', (*Scanner).closesArgument)
	if found != yes {
		return found == no && s.argumentCut()
	}
	r := &s.r
	r.unended = r.unended || !r.keyed && r.i == r.body+len(text)
	text = s.ending(text)
	s.argue(text)
	s.state = inTags
	return true
}

// argueRaw adds the current argument, whose value ends at end. It returns true, because scanning can continue.
func (s *Scanner) argueRaw(end split.Value) bool {
	r, at := &s.r, s.base+s.from
	text := s.view()[r.body : end.End-at]
	r.i, r.unreadable = end.After-at, r.unreadable || end.Unsure
	if end.Moved {
		e := markup.EndingOf(s.view()[r.body:end.Inner-at], r.closing)
		// a misspelled closing tag may have been meant to end the value there
		r.unreadable = r.unreadable || e.Tag && s.meansCloser(e.Name)
	} else {
		text = s.ending(text)
	}
	s.argue(text)
	s.state = inTags
	return true
}

// argumentCut ends the region at the end of the text inside an argument. It rejects the call as Truncated. If no name,
// argument or earlier call was read, the region becomes text. It returns false if more text is needed.
func (s *Scanner) argumentCut() bool {
	r := &s.r
	c := &Call{Written: r.name, Args: r.args, Truncated: true}
	if r.got == 0 && len(r.args) == 0 && !r.named {
		return s.refuse(r.i)
	}
	s.refuseCall(c, Truncated, r.i)
	return s.leave()
}

// closesArgument reports whether the value ends at v[i:], and the size of the marker that ends the value. If the
// closing tag is missing, the next argument of the tool or the end of the call also ends the value.
func (s *Scanner) closesArgument(v string, i int) (int, tristate) {
	r := &s.r
	n, found := s.closingTag(v, i, r.closing)
	if found == yes && r.suffix != "" && !strings.Contains(v[i:i+n], r.suffix) {
		found = no
	}
	if found == yes {
		found = s.tagFollows(v, i+n)
	}
	if found != no {
		return n, found
	}
	x, found := s.lex(v, i, s.ended)
	if found != yes {
		return 0, found
	}
	switch {
	case x.special && x.close && x.closes(r.closing):
		return x.n, yes
	case x.special && x.close && x.role <= Section && s.r.isOpen(x.tag):
		return 0, yes
	case x.role == Key && !x.close && r.keyed && strings.TrimSpace(v[r.body:i]) == "": // the marker is doubled
		r.body = i + x.n
		return 0, no
	case (x.role == Value || x.role == Key) && !x.close:
		return 0, s.nextArgument(v, i, x)
	case x.role == Value && x.close && r.keyed:
		return x.n, yesIf(s.assign(v[r.body:i]))
	case x.role == Wrap && x.close && r.byText && i > 0 && v[i-1] == '\n' && s.r.isOpen(x.tag):
		return 0, yes
	case (x.role == Wrap || x.role == Section) && x.close && s.r.isOpen(x.tag):
		return s.endsCall(v, i+x.n)
	}
	return 0, no
}

// passCDATA moves r.i after the ]]> of a CDATA section that begins the current value. It returns yes also if there is
// no such section, maybe if more text is needed, and no if the text ended inside the section.
func (s *Scanner) passCDATA() tristate {
	v, r := s.view(), &s.r
	if r.cdata == 0 {
		body := chars.SpaceEnd(v, r.body)
		rest := v[body:]
		if len(rest) < len(markup.OpenCDATA) && strings.HasPrefix(markup.OpenCDATA, rest) && !s.ended {
			return maybe
		}
		if r.cdata = 2; strings.HasPrefix(rest, markup.OpenCDATA) {
			r.cdata, r.i = 1, body+len(markup.OpenCDATA)
		}
	}
	if r.cdata == 1 {
		n := strings.Index(v[r.i:], markup.CloseCDATA)
		if n < 0 {
			if r.i = max(r.i, len(v)-len(markup.CloseCDATA)+1); s.ended {
				r.i = len(v)
			}
			return unless(s.ended)
		}
		r.cdata, r.i = 2, r.i+n+len(markup.CloseCDATA)
	}
	return yes
}

// tagFollows reports whether the closing tag before v[i:] ends the value. It usually does if another tag, white space
// or the end of the text follows. Before other text it is a part of the value.
func (s *Scanner) tagFollows(v string, i int) tristate {
	if s.r.keyed || s.r.closing == "arg_value" {
		return yes
	}
	from := i
	i = chars.SpaceEnd(v, i)
	if i == len(v) {
		return atEnd(s.ended)
	}
	if (s.r.byLine || s.r.isInput()) && isBelow(v[from:i]) || s.r.slashed && v[i] == '/' {
		return yes
	}
	if v[i] == '&' {
		if len(v)-i < len("&lt;") && !s.ended && strings.HasPrefix("&lt;", v[i:]) {
			return maybe
		}
		return yesIf(strings.HasPrefix(v[i:], "&lt;"))
	}
	if v[i] == '[' {
		x, found := s.lex(v, i, s.ended)
		return yesMaybe(found == maybe) | yesIf(found == yes && x.close)
	}
	return yesIf(v[i] == '<' || chars.IsSpace(v[i]) || s.r.section)
}

// nextArgument reports whether the tag x at v[i:] begins the next argument, so that the closing tag of the current
// value is missing. After a key, any value tag does. Otherwise the key in x must be new in the call and a declared
// parameter; if the tool declares no parameters, most keys are accepted.
func (s *Scanner) nextArgument(v string, i int, x token) tristate {
	r := &s.r
	key := x.attr
	if x.role == Key {
		rest := v[i+x.n:]
		n := strings.IndexByte(rest, '<')
		if n < 0 {
			return yesMaybe(!s.ended && len(rest) < chars.MaxName)
		}
		key = strings.TrimSpace(rest[:n])
	}
	switch {
	case r.keyed:
		return yesIf(x.role == Value) // a key without its closing tag
	case x.role == Value && key == "" && r.byText:
		next, _, found := s.textKey(v, i, x)
		return yesMaybe(found == maybe) | yesIf(found == yes && !r.keys[next] && s.tools.resolveTool(r.name).param(next) != nil)
	case x.role == Value && key == "", i == 0, key == r.key, r.keys[key]:
		return no
	}
	t := s.tools.resolveTool(r.name)
	p := t.param(key)
	if x.role == Value && !chars.IsSpace(v[i-1]) && !r.section {
		r.unreadable = r.unreadable || p != nil && (len(p.Types) == 0 || slices.Contains(p.Types, "string"))
		return yesIf(p != nil)
	}
	return yesIf(t != nil && (p != nil || len(t.Params) == 0))
}

// endsCall reports whether the closing marker before v[i:] ends the call although the last value is not closed. The end
// of the text or another marker of calls must follow. The returned size is 0, because the marker is scanned later.
func (s *Scanner) endsCall(v string, i int) (int, tristate) {
	i = chars.SpaceEnd(v, i)
	if i == len(v) {
		return 0, atEnd(s.ended)
	}
	if v[i] != '<' {
		return 0, no
	}
	x, found := s.lex(v, i, s.ended)
	if found != yes {
		return 0, found
	}
	return 0, yesIf(x.role == Wrap || x.role == Section)
}

// closingTag matches </name> at v[i:] with any namespace, and returns its size.
func (s *Scanner) closingTag(v string, i int, name string) (int, tristate) {
	t := v[i:]
	if len(t) < 2 {
		return 0, unless(s.ended)
	}
	if t[1] != '/' {
		return 0, no
	}
	k, found := markup.NamespaceEnd(t, 2, s.ended)
	if found != yes {
		return 0, found
	}
	rest := t[k:]
	if len(rest) <= len(name) {
		if strings.EqualFold(name[:len(rest)], rest) {
			return 0, unless(s.ended)
		}
		return 0, no
	}
	if rest[:len(name)] != name && markup.Fold(rest[:len(name)]) != name {
		return 0, no
	}
	k += len(name)
	if k < len(t) && t[k] == ':' {
		for from := k; k < len(t) && t[k] > ' ' && t[k] != '>' && t[k] != '<' && k-from < chars.MaxToken; {
			k++
		}
	}
	k = chars.SpaceEnd(t, k)
	if k == len(t) {
		return 0, unless(s.ended)
	}
	return k + 1, yesIf(t[k] == '>')
}

// argue adds the current argument with the given value text, or sets its key if the text is a key.
func (s *Scanner) argue(text string) {
	r := &s.r
	r.cdata, r.strayed = 0, false
	if r.isInput() {
		s.takeInput(text)
		return
	}
	if r.keyed {
		r.key, r.keyed = strings.TrimSpace(text), false
		r.unended = r.unended || len(r.args) > 0 && r.key == "" // a value may continue with the marker
		return
	}
	if !r.named && markup.IsNameElement(r.key) {
		r.name, r.named, r.key = strings.TrimSpace(text), true, ""
		return
	}
	switch {
	case r.closing == "arg_value":
		text = markup.UnquoteJSON(text)
	// inside the element of a tool
	case len(r.stack) > 0 && s.names.has(r.stack[len(r.stack)-1]) && markup.RemoveCDATA(text) == text:
		text = markup.UnescapeEntities(markup.UnwrapLines(text))
	case r.lines:
		text = markup.UnwrapLines(markup.RemoveCDATA(text))
	default:
		text = markup.RemoveCDATA(text)
	}
	a := Arg{Key: r.key, Text: text}
	if read, ok := parts.Of(r.key, s.tools.resolveTool(r.name).param(r.key).types(), text); ok {
		a, r.json = argOf(read), false
	}
	if r.json && jsonx.Valid([]byte(text)) == nil {
		a.Kind = JSON
	}
	r.json = false
	r.args = append(r.args, a)
	if r.keys == nil {
		r.keys = map[string]bool{}
	}
	r.keys[r.key] = true
	r.key = ""
}

// assign handles text in a key tag that is closed as a value, as in <arg_key>key=value</arg_value>. It splits the text
// at the equals sign. It returns false if no parameter precedes the sign.
func (s *Scanner) assign(text string) bool {
	r := &s.r
	key, value, ok := strings.Cut(text, "=")
	if name := strings.TrimSpace(key); ok && s.tools.resolveTool(r.name).param(name) != nil {
		r.key, r.keyed, r.closing, r.body = name, false, "arg_value", r.body+len(text)-len(strings.TrimLeft(value, " "))
		return true
	}
	return false
}
