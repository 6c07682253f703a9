package dialect

import (
	"html"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/dialect/internal/markup"
)

// lexFrame reads the rest, from t[i:], of a marker that is framed by two special tokens, as in <|open|>call<|sep|>.
func (l *lexer) lexFrame(t string, i int, f *frame, ended bool) (token, tristate) {
	limit := min(len(t), chars.MaxTag)
	for at := i; at < limit; at++ {
		n := strings.IndexByte(t[at:limit], '<')
		if n < 0 {
			break
		}
		at += n
		bar := chars.BarAt(t, at+1)
		if bar <= 0 {
			continue
		}
		end := strings.IndexByte(t[at:min(len(t), at+chars.MaxToken)], '>')
		if end < 0 {
			continue
		}
		name := markup.TokenName(t[at+1 : at+end])
		if _, ok := l.marks.frames[name]; ok {
			return token{}, no
		}
		if name == f.end {
			x, ok := f.find(strings.Trim(t[i:at], " \t\r\n\x00"))
			x.n = at + end + 1
			return x, yesIf(ok)
		}
	}
	return token{}, unless(ended || limit == chars.MaxTag)
}

// unknownFrame is the tag of a framed marker with an unknown name.
const unknownFrame = "|"

// find reads the name and attributes inside a framed marker. If several names are joined without a space, the last one
// counts. For an unknown name it returns a token of role Noise. It always returns true.
func (f *frame) find(inner string) (token, bool) {
	name, rest, _ := strings.Cut(inner, " ")
	e, ok := f.inner[name]
	if !ok {
		e, ok = f.inner[inner]
		rest = ""
	}
	if !ok {
		e, rest = f.findGluedName(inner)
		if _, known := f.inner[rest]; !known && rest != "" && strings.IndexByte(rest, '=') < 0 {
			e, rest = entry{tag: unknownFrame, role: Noise}, ""
		}
	}
	x := e.token(0)
	for i := 0; i < len(rest); {
		if !chars.IsTagByte(rest[i]) {
			i++
			continue
		}
		end := attribute(rest, i, &x, nil)
		if end <= i {
			break
		}
		i = end
	}
	x.attr = html.UnescapeString(x.attr)
	return x, true
}

func (f *frame) findGluedName(inner string) (entry, string) {
	found := entry{tag: unknownFrame, role: Noise}
	for more := true; more; {
		more = false
		for name, e := range f.inner {
			if rest, ok := strings.CutPrefix(inner, name); ok && (rest == "" || rest[0] == ' ' || !found.close) &&
				(!e.noise || found.tag == unknownFrame) {
				inner, found, more = rest, e, true
				break
			}
		}
	}
	return found, inner
}
