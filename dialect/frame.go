package dialect

import (
	"html"
	"strings"
)

// A frame is a special token that begins marks of the form token, name and attributes, token.
type frame struct {
	begin string // canonical name of its token
	end   string // of the token that ends it
	inner map[string]entry
}

// cutFrame divides a mark such as <|open|>name<|sep|>.
func cutFrame(mark string) (open, inner, end string, ok bool) {
	a := strings.IndexByte(mark, '>')
	b := strings.LastIndex(mark, "<|")
	if a < 0 || b <= 0 || a > b {
		return "", "", "", false
	}
	return tokenName(mark[1:a]), mark[a+1 : b], tokenName(mark[b+1 : len(mark)-1]), true
}

// frame enters a mark that is framed by two special tokens.
func (x *index) frame(text string, e entry) {
	open, inner, end, _ := cutFrame(text)
	f, known := x.frames[open]
	if !known {
		f = frame{begin: open, end: end, inner: map[string]entry{}}
		x.frames[open] = f
		x.tokens = append(x.tokens, open)
	}
	f.inner[inner] = e
}

// lexeme is the entry as it was met, n bytes long.
func (e *entry) token(n int) token {
	return token{tag: e.tag, role: e.role, format: e.format, n: n, also: e.also, close: e.close, noise: e.noise, special: true}
}

// lexFrame reads the rest of a framed mark from t[i:].
func (l *lexer) lexFrame(t string, i int, f *frame, ended bool) (token, tristate) {
	limit := min(len(t), maxTag)
	for at := i; at < limit; at++ {
		n := strings.IndexByte(t[at:limit], '<')
		if n < 0 {
			break
		}
		at += n
		bar := barAt(t, at+1)
		if bar <= 0 {
			continue
		}
		end := strings.IndexByte(t[at:min(len(t), at+maxToken)], '>')
		if end < 0 {
			continue
		}
		switch tokenName(t[at+1 : at+end]) {
		case f.begin:
			return token{}, no
		case f.end:
			x, ok := f.find(strings.TrimSpace(t[i:at]))
			x.n = at + end + 1
			return x, yesIf(ok)
		}
	}
	return token{}, unless(ended || limit == maxTag)
}

// find reads a name and its attributes. Names may be glued together; then the last one counts. A name that is not known
// says nothing.
func (f *frame) find(inner string) (token, bool) {
	name, rest, _ := strings.Cut(inner, " ")
	e, ok := f.inner[name]
	if !ok {
		e, ok = f.inner[inner]
		rest = ""
	}
	if !ok {
		e, rest = f.glued(inner)
	}
	x := e.token(0)
	for i := 0; i < len(rest); {
		if !isTagByte(rest[i]) {
			i++
			continue
		}
		end := attribute(rest, i, &x)
		if end <= i {
			break
		}
		i = end
	}
	x.attr = html.UnescapeString(x.attr)
	return x, true
}

func (f *frame) glued(inner string) (entry, string) {
	found := entry{tag: "|", role: Noise}
	for more := true; more; {
		more = false
		for name, e := range f.inner {
			if rest, ok := strings.CutPrefix(inner, name); ok && (rest == "" || rest[0] == ' ' || !found.close) && (!e.noise || found.tag == "|") {
				inner, found, more = rest, e, true
				break
			}
		}
	}
	return found, inner
}

// lexPrefixed reads the marker that stands before every tag of a format, and the tag. Alone it says nothing.
func (l *lexer) lexPrefixed(t string, ended bool) (token, tristate) {
	p := l.marks.prefix
	if len(t) < len(p) {
		return token{}, yesMaybe(!ended && strings.HasPrefix(p, t))
	}
	if !strings.HasPrefix(t, p) {
		return token{}, no
	}
	alone := token{tag: "]", role: Noise, n: len(p), special: true}
	if len(t) == len(p) || t[len(p)] != '<' {
		if len(t) == len(p) && !ended {
			return token{}, maybe
		}
		return alone, yes
	}
	x, v := l.lex(t, len(p), ended)
	switch v {
	case maybe:
		return token{}, maybe
	case no:
		return alone, yes
	}
	x.n += len(p)
	x.prefixed = true
	return x, yes
}

// tokenizerSpace is white space as some tokenizers spell it.
const tokenizerSpace = "Ġ"

// suffixEnd is the end of a tag's suffix that holds more than the bytes of a name, as in <tool_call:a+b>; i when there is none.
func (l *lexer) suffixEnd(t, name string, i int) int {
	base := unsuffixed(name)
	if _, ok := l.marks.tags[base]; !ok || base == name {
		return i
	}
	for k := i; k-i < maxToken; k++ {
		switch {
		case k == len(t) || t[k] == '>':
			return k
		case isSpace(t[k]) || strings.IndexByte("<\"'", t[k]) >= 0:
			return i
		}
	}
	return i
}

// lexCitation reads the rest of the mark behind a citation, which names its sources.
func lexCitation(t string, i int, x token, ended bool) (token, tristate) {
	for k := i; k < len(t) && k-i < maxTag; k++ {
		switch t[k] {
		case '>':
			x.n = k + 1
			return x, yes
		case '\n', '<':
			return x, no
		}
	}
	return x, unless(ended || len(t)-i >= maxTag)
}
