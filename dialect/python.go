package dialect

import (
	"slices"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/literal"
	"github.com/callwright/callwright/repair"
)

// list parses a list of Python calls: [f(a=1), g('x')], ['f(a=1)'], [('f', {...})] or ['f', {...}]. A list in
// parentheses must have only calls. It returns false if text is not such a list; it may then be JSON.
func (r *reader) list(text string) bool {
	p := pythonReader{r: r, t: text, i: 1}
	p.skip(" \t\r\n\\[`")
	if p.i >= len(text) || text[p.i] == '{' {
		return false
	}
	p.all("])")
	if text[0] == '(' && !p.whole {
		return false
	}
	return p.give()
}

// python parses a text that consists only of Python calls. It returns false if it has none.
func (r *reader) python(text string) bool {
	p := pythonReader{r: r, t: strings.TrimSpace(text)}
	p.all("")
	return p.give()
}

// A pythonReader parses Python calls.
type pythonReader struct {
	r      *reader
	t      string
	i      int
	calls  []*Call
	cut    string // name of the call in whose arguments the text ended
	whole  bool   // the text was parsed to its end
	quotes int    // number of strings whose closing quote was inserted
	looked int    // number of bytes scanned for the ends of strings
}

func (p *pythonReader) skip(set string) {
	for p.i < len(p.t) && strings.IndexByte(set, p.t[p.i]) >= 0 {
		p.i++
	}
}

// betweenCalls are the characters allowed between two calls: white space, separators, and operators that combine both
// results.
const betweenCalls = " \t\r\n,;|+\\}`*/-&^%<>=!"

// all parses calls up to the end of the text. closers are allowed between and after them. If one call in the paragraph
// is unreadable or is only an alternative to another one, none is accepted.
func (p *pythonReader) all(closers string) {
	var at int
	for {
		p.skip(betweenCalls + closers)
		if rest, ok := strings.CutPrefix(p.t[p.i:], "and "); ok && len(p.calls) > 0 {
			p.i = len(p.t) - len(rest)
		}
		if at = p.i; at >= len(p.t) {
			p.whole = true
			return
		}
		if !p.one() || p.i == at {
			break
		}
	}
	rest, _, _ := strings.Cut(p.t[at:], "\n\n")
	if p.cut != "" || !literal.HoldsCall(rest, p.r.tools.names.isPlain) {
		return
	}
	for _, c := range p.calls {
		c.unreadable = true
	}
}

// give adds the calls to the reader. It reports whether there are any.
func (p *pythonReader) give() bool {
	if name := p.cut; len(p.calls) > 0 && p.r.tools.resolves(name) {
		p.calls = append(p.calls, &Call{Written: name, Format: "pythonic", JSON: p.t, Truncated: true})
	}
	p.r.calls = append(p.r.calls, p.calls...)
	return len(p.calls) > 0
}

// one parses one element of a list at p.i. It returns false if it is no call.
func (p *pythonReader) one() bool {
	switch c := p.t[p.i]; {
	case c == '"' || c == '\'':
		return p.readQuoted(c)
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

// call parses a call in Python syntax, such as get(a=1), or print(...) around calls, at p.i. False means there is none.
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
	if !pythonArgs(p.r.tools.resolveTool(c.Written), c, p.t[p.i:end]) {
		if why == literal.More {
			p.r.truncated, p.r.name, p.cut = true, c.Written, c.Written
		}
		return p.unreadable(c, end)
	}
	if hasInnerQuotes(c) {
		end = p.splitAtCall(c, end)
	}
	if rest := strings.TrimLeft(p.t[end:], " "); rest != "" && strings.IndexByte(`)"'`, rest[0]) >= 0 {
		// the string ended later than it seemed
		if value, last, ok := literal.WholeString(p.t[p.i:]); ok && len(c.Args) == 1 && c.Args[0].Key != "" {
			c.Args[0], end = Arg{Key: c.Args[0].Key, Text: value}, p.i+last
		}
	}
	p.i, p.cut = end, ""
	p.calls = append(p.calls, c)
	p.i = literal.SkipTrailer(p.t, p.i)
	return true
}

// hasInnerQuotes reports whether a string of the call has unescaped inner quotes.
func hasInnerQuotes(c *Call) bool {
	return slices.ContainsFunc(c.Fixes, func(f repair.Fix) bool { return f.Rule == "inner_quote" })
}

// maxQuotes is the maximum number of strings in a text whose closing quote is inserted.
const maxQuotes = 16

// splitAtCall searches the next call inside a string of the call c, which ends at end. If it finds one, the string
// lacks its closing quote before it. It inserts the quote, or marks the call unreadable, and returns the end of the
// call.
func (p *pythonReader) splitAtCall(c *Call, end int) int {
	text := p.t[p.i:end]
	n := 0
	for {
		k := strings.IndexByte(text[n:], ')')
		if k < 0 || n+k+1 == len(text) {
			return end
		}
		n += k + 1
		if next := strings.TrimLeft(text[n:], " \r\n"); next[0] == ',' || next[0] == ';' {
			if next = strings.TrimLeft(next[1:], " \r\n"); literal.IsCall(next) &&
				literal.HoldsCall(next[:strings.IndexByte(next, '(')+1], p.r.tools.names.isPlain) {
				break
			}
		}
	}
	c.unreadable = true
	open := strings.LastIndexAny(text[:n-1], `'"`)
	whole := Call{Written: c.Written, Format: c.Format}
	if p.quotes++; open < 0 || p.quotes > maxQuotes ||
		!pythonArgs(p.r.tools.resolveTool(c.Written), &whole, text[:n-1]+text[open:open+1]+")") || hasInnerQuotes(&whole) {
		return end
	}
	*c = whole
	c.Fixes = append(c.Fixes, repair.Fix{Rule: "missing_closer", Offset: n - 1, Now: text[open : open+1]})
	return p.i + n
}

// unreadable records a call with unreadable arguments and continues at end. It returns false if no text follows.
func (p *pythonReader) unreadable(c *Call, end int) bool {
	if p.r.name == "" {
		p.r.name = c.Written
	}
	p.i = end
	c.unreadable = true
	if p.r.tools.resolves(c.Written) && !p.r.truncated {
		p.calls = append(p.calls, c)
	}
	return p.i < len(p.t)
}

// readQuoted parses an element that is a string: a complete call, or a name before arguments. Others return false.
func (p *pythonReader) readQuoted(q byte) bool {
	res := p.t[p.i+1:]
	if end := strings.IndexByte(res, q); end >= 0 && strings.IndexByte(res[:end], '(') < 0 {
		if _, ok := p.r.tools.names.plain(res[:end]); !ok {
			return false
		}
		p.i += end + 2
		return p.readArguments(res[:end])
	}
	if p.looked <= 2*len(p.t) { // limits the work for many unterminated strings
		text, n, looked := literal.QuotedCalls(p.t[p.i:])
		p.looked += looked
		inner := pythonReader{r: p.r, t: text}
		if n >= 0 && inner.one() && len(inner.calls) > 0 {
			inner.all(")]")
			p.i += n
			p.calls = append(p.calls, inner.calls...)
			return true
		}
	}
	if !literal.IsCall(res) {
		return false
	}
	p.i++ // nested quotes or an unclosed quote around a complete call
	ok := p.call()
	p.skip("\"'")
	return ok
}

// readArguments parses the arguments of a call with a quoted name: (a, b), {"a": 1} or nothing.
func (p *pythonReader) readArguments(name string) bool {
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
	} else if !pythonArgs(p.r.tools.resolveTool(c.Written), c, text) {
		return false
	}
	p.i = end
	p.skip(" \t\r\n)")
	p.calls = append(p.calls, c)
	return true
}

// inner parses braces among calls: an object with calls, or a call in braces.
func (p *pythonReader) inner() bool {
	k := literal.Tracker{}
	end, why := k.Run(p.t, p.i, "")
	if b := readValue(p.r.tools, p.t[p.i:end]); len(b.calls) > 0 {
		p.calls = append(p.calls, b.calls...)
		p.i = end
		return true
	}
	if inner := strings.TrimLeft(p.t[p.i+1:end], " \"'"); literal.IsCall(inner) {
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
