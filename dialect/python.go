package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/literal"
)

// list reads a bracketed list of calls in Python's way: [f(a=1), g('x')], ['f(a=1)'], [('f', {...})], ['f', {...}].
// It reports false when text is no such list, and may then be JSON.
func (r *reader) list(text string) bool {
	p := pythonReader{r: r, t: text, i: 1}
	p.skip(" \t\r\n\\[`")
	if p.i >= len(text) || text[p.i] == '{' {
		return false
	}
	return p.all("]")
}

// python reads one call or several from a text that holds nothing else.
func (r *reader) python(text string) bool {
	p := pythonReader{r: r, t: strings.TrimSpace(text)}
	return p.all("")
}

// A pythonReader is a cursor over calls in Python's way.
type pythonReader struct {
	r     *reader
	t     string
	i     int
	calls []*Call
	cut   string // name of the call in whose arguments the text ended
}

func (p *pythonReader) skip(set string) {
	for p.i < len(p.t) && strings.IndexByte(set, p.t[p.i]) >= 0 {
		p.i++
	}
}

// all reads calls up to the end of the text; closers may stand there. With no error they are the reader's.
func (p *pythonReader) all(closers string) bool {
	for {
		p.skip(" \t\r\n,;|+\\}`" + closers)
		if p.i >= len(p.t) {
			break
		}
		if at := p.i; !p.one() || p.i == at {
			break
		}
	}
	if name := p.cut; len(p.calls) > 0 && p.r.tools.resolves(name) {
		p.calls = append(p.calls, &Call{Written: name, Format: "pythonic", JSON: p.t, Truncated: true})
	}
	p.r.calls = append(p.r.calls, p.calls...)
	return len(p.calls) > 0
}

// one reads one element.
func (p *pythonReader) one() bool {
	switch c := p.t[p.i]; {
	case c == '"' || c == '\'':
		return p.quoted(c)
	case c == '(' || c == '[':
		p.skip(" \t\r\n([")
		return p.i < len(p.t) && p.one()
	case c == '{':
		return p.inner()
	case chars.IsNameByte(c):
		return p.call()
	}
	return false
}

// call reads name(arguments).
func (p *pythonReader) call() bool {
	from := p.i
	for p.i < len(p.t) && chars.IsNameByte(p.t[p.i]) {
		p.i++
	}
	c := &Call{Written: p.t[from:p.i], Format: "pythonic"}
	if p.i < len(p.t) && (p.t[p.i] == '"' || p.t[p.i] == '\'') {
		p.i++
	}
	p.skip(" ")
	if p.i >= len(p.t) || p.t[p.i] != '(' {
		return false
	}
	if c.Written == "print" {
		p.i++
		p.skip(" \t\n")
		ok := p.i < len(p.t) && p.one()
		for ok && p.i < len(p.t) && p.t[p.i] == ',' {
			p.skip(" \t\n,")
			ok = p.i < len(p.t) && p.one()
		}
		p.skip(" \t\n)")
		return ok
	}
	k := literal.Tracker{}
	end, why := k.Run(p.t, p.i, "")
	if !pythonArgs(p.r.tools.named(c.Written), c, p.t[p.i:end]) {
		if why == literal.More {
			p.r.truncated, p.r.name, p.cut = true, c.Written, c.Written
		}
		return p.unreadable(c, end)
	}
	if rest := strings.TrimLeft(p.t[end:], " "); rest != "" && strings.IndexByte(`)"'`, rest[0]) >= 0 {
		if last, ok := wholeString(c, p.t[p.i:]); ok {
			end = p.i + last
		}
	}
	p.i, p.cut = end, ""
	p.calls = append(p.calls, c)
	p.i = skipTrailer(p.t, p.i)
	return true
}

// wholeString reads the only argument of a call as a string up to the last quote of the text, when what looked like its
// end was not: more of it follows. It returns where the call ends.
func wholeString(c *Call, text string) (end int, ok bool) {
	last := strings.LastIndexByte(text, ')')
	if last < 0 || len(c.Args) != 1 || c.Args[0].Key == "" {
		return 0, false
	}
	_, value, named := strings.Cut(text[1:last], "=")
	value = strings.TrimSpace(value)
	if !named || len(value) < 2 || value[0] != value[len(value)-1] || value[0] != '"' && value[0] != '\'' {
		return 0, false
	}
	c.Args[0] = Arg{Key: c.Args[0].Key, Text: value[1 : len(value)-1]}
	return last + 1, true
}

// skipTrailer passes what takes a part of a call's outcome: f(x)[0]['k'].m().
func skipTrailer(t string, i int) int {
	for i+1 < len(t) {
		switch {
		case t[i] == '[' || t[i] == '(':
			k := literal.Tracker{}
			end, why := k.Run(t, i, "")
			if why != literal.Closed {
				return i
			}
			i = end
		case t[i] == '.' && chars.IsNameByte(t[i+1]):
			i++
			for i < len(t) && chars.IsNameByte(t[i]) {
				i++
			}
		default:
			return i
		}
	}
	return i
}

// unreadable passes a call whose arguments cannot be read, and goes on with the next one.
func (p *pythonReader) unreadable(c *Call, end int) bool {
	if p.r.name == "" {
		p.r.name = c.Written
	}
	p.i = end
	c.unreadable = true
	if _, ok := p.r.tools.names.plain(c.Written); ok && !p.r.truncated {
		p.calls = append(p.calls, c)
	}
	return p.i < len(p.t)
}

// quoted reads an element that is a string: a whole call in quotes, or a name that its arguments follow.
func (p *pythonReader) quoted(q byte) bool {
	res := p.t[p.i+1:]
	if end := strings.IndexByte(res, q); end >= 0 && strings.IndexByte(res[:end], '(') < 0 {
		if _, ok := p.r.tools.names.plain(res[:end]); !ok {
			return false
		}
		p.i += end + 2
		return p.named(res[:end])
	}
	if text, n := pythonString(p.t[p.i:]); n >= 0 {
		inner := pythonReader{r: p.r, t: text}
		if inner.one() && len(inner.calls) > 0 {
			inner.others()
			p.i += n
			p.calls = append(p.calls, inner.calls...)
			return true
		}
	}
	if !callAt(res) {
		return false
	}
	p.i++ // quotes in quotes, or a quote that was not closed: the call itself is whole
	ok := p.call()
	p.skip("\"'")
	return ok
}

// others reads the calls behind the first one in a string. All of them count, or none.
func (p *pythonReader) others() {
	for {
		p.skip(" \t\r\n,;|+)]")
		if p.i >= len(p.t) {
			return
		}
		if at := p.i; !p.one() || p.i == at {
			break
		}
	}
	if strings.IndexByte(p.t[min(p.i, len(p.t)):], '(') < 0 {
		return
	}
	for _, c := range p.calls {
		c.unreadable = true
	}
}

// pythonString reads the string at the beginning of t; n is its length. Quotes inside it may be unescaped: it ends where
// the quote is followed by a comma or a closing bracket.
func pythonString(t string) (text string, n int) {
	k := literal.Tracker{}
	k.Step('[')
	end := len(t)
	for i := 0; i < len(t); i++ {
		k.Step(t[i])
		if i > 0 && k.Quote == 0 {
			end = i
			break
		}
	}
	raw := strings.TrimRight(t[:end], " \t\r\n")
	if len(raw) < 2 || raw[len(raw)-1] != raw[0] {
		return "", -1
	}
	raw = raw[1 : len(raw)-1]
	if strings.IndexByte(raw, '\\') >= 0 {
		raw = strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\\`, `\`).Replace(raw)
	}
	return raw, end
}

// named reads the arguments of a call whose name stood in quotes: (a, b), {"a": 1} or nothing.
func (p *pythonReader) named(name string) bool {
	p.skip(" \t\r\n,:)")
	if p.i >= len(p.t) || p.t[p.i] != '(' && p.t[p.i] != '{' {
		return false
	}
	k := literal.Tracker{}
	end, _ := k.Run(p.t, p.i, "")
	c := &Call{Written: name, Format: "pythonic"}
	text := p.t[p.i:end]
	if text[0] == '{' {
		c.JSON = text
	} else if !pythonArgs(p.r.tools.named(c.Written), c, text) {
		return false
	}
	p.i = end
	p.skip(" \t\r\n)")
	p.calls = append(p.calls, c)
	return true
}

// inner reads what stands in braces among calls: the calls of an object, or a call that was put in braces.
func (p *pythonReader) inner() bool {
	k := literal.Tracker{}
	end, why := k.Run(p.t, p.i, "")
	if b := readValue(p.r.tools, p.t[p.i:end]); len(b.calls) > 0 {
		p.calls = append(p.calls, b.calls...)
		p.i = end
		return true
	}
	if inner := strings.TrimLeft(p.t[p.i+1:end], " \"'"); callAt(inner) {
		q := pythonReader{r: p.r, t: inner}
		if q.one() {
			p.calls = append(p.calls, q.calls...)
			p.i = end - len(inner) + q.i
			p.skip(" \"'}")
			return true
		}
	}
	p.i = end
	return why == literal.Closed && len(p.calls) > 0
}

// callAt reports whether a name and a parenthesis stand at the beginning of t.
func callAt(t string) bool {
	i := 0
	for i < len(t) && chars.IsNameByte(t[i]) {
		i++
	}
	return i > 0 && i < len(t) && t[i] == '('
}
