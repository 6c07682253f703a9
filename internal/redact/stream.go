package redact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Stream returns JSON text, or a stream of JSON texts in lines or events, without the secrets: those that stand in a
// string, and those that are split over several strings of members of one name, as a stream brings the pieces of a
// text. The first piece gets the mark, the others lose their part of the secret. It never changes text, and returns
// text itself where nothing is hidden.
func (s Secrets) Stream(text []byte) []byte { return s.hide(text, false) }

// Cut is Stream of a text that was cut somewhere: a beginning of a secret at its end is hidden too.
func (s Secrets) Cut(text []byte) []byte { return s.withoutBeginning(s.hide(text, true)) }

func (s Secrets) hide(text []byte, cut bool) []byte {
	if s.Empty() {
		return text
	}
	h := hiding{tokens: tokensOf(text)}
	for i := range h.tokens {
		h.whole(i, &s)
	}
	for _, form := range s.forms {
		h.split(form, cut)
	}
	return s.Bytes(h.rewrite(text)) // what is left stands outside of strings
}

// A token is a JSON string that is the value of a member, or an element of one.
type token struct {
	from, to int    // of its inside
	name     string // of the member
	text     string // with escapes read
	cuts     []span // of text, what is hidden
}

// A span is a part of a text.
type span struct {
	from, to int
	marked   bool // gets the mark in its place
}

// structural are names of members whose strings name the meaning of others: no text is split over them.
var structural = []string{"type", "id", "object", "model", "role", "status", "name", "finish_reason", "event", "created_at", "done_reason"}

// tokensOf returns the string values of a text, in order. A string does not go beyond its line; the last may lack its
// end.
func tokensOf(text []byte) []token {
	var out []token
	name := ""
	for i := 0; i < len(text); {
		at := bytes.IndexByte(text[i:], '"')
		if at < 0 {
			break
		}
		from := i + at + 1
		to := from
		for to < len(text) && text[to] != '"' && text[to] != '\n' {
			if text[to] == '\\' {
				to++
			}
			to++
		}
		to = min(to, len(text))
		i = to + 1
		if to < len(text) && text[to] == '\n' {
			continue
		}
		inside := text[from:to]
		if next := jsonx.Space(text, min(i, len(text))); next < len(text) && text[next] == ':' {
			name = unescape(inside)
			continue
		}
		if len(inside) > 0 {
			out = append(out, token{from: from, to: to, name: name, text: unescape(inside)})
		}
	}
	return out
}

// unescape is the inside of a JSON string with escapes read.
func unescape(inside []byte) string {
	if bytes.IndexByte(inside, '\\') < 0 {
		return string(inside)
	}
	text, _ := jsonx.String(slices.Concat([]byte{'"'}, inside, []byte{'"'}))
	return text
}

// A hiding holds the strings of a text, and their hidden parts.
type hiding struct {
	tokens []token
}

// whole hides the secrets inside one string.
func (h *hiding) whole(i int, s *Secrets) {
	t := &h.tokens[i]
	if slices.Contains(s.whole, t.text) {
		t.cuts = []span{{0, len(t.text), true}}
		return
	}
	for _, form := range s.forms {
		for at := 0; ; {
			n := strings.Index(t.text[at:], form)
			if n < 0 {
				break
			}
			t.cuts = append(t.cuts, span{at + n, at + n + len(form), true})
			at += n + len(form)
		}
	}
}

// A link is a beginning of a secret that ends with a string.
type link struct {
	length int // of the beginning
	token  int // the string that it ends with
	from   int // in the text of the token
	before *link
}

// split hides a secret where it is split over strings. Strings between its pieces may be others: only those count that
// go on exactly where the secret was left.
func (h *hiding) split(form string, cut bool) {
	open, last := map[string][]*link{}, map[string]int{} // by the name of the member
	for i := range h.tokens {
		t := &h.tokens[i]
		if slices.Contains(structural, t.name) || strings.HasSuffix(t.name, "_id") {
			continue
		}
		open[t.name], last[t.name] = h.goOn(form, i, open[t.name]), i
	}
	if !cut {
		return
	}
	for name, begun := range open {
		for _, l := range begun { // the longest is the first
			if l.length >= minShown && l.token == last[name] {
				h.mark(l)
				break
			}
		}
	}
}

// goOn reads string i as the next piece of the open beginnings, the longest beginning first, and returns the beginnings
// that stay open behind it. A string that ends a secret may begin another.
func (h *hiding) goOn(form string, i int, begun []*link) []*link {
	t := &h.tokens[i]
	var more []*link
	for _, l := range begun {
		rest := form[l.length:]
		if strings.HasPrefix(t.text, rest) {
			h.mark(l)
			t.cuts = append(t.cuts, span{0, len(rest), false})
			begun, more = nil, nil
			break
		}
		if strings.HasPrefix(rest, t.text) {
			more = append(more, &link{l.length + len(t.text), i, 0, l})
		}
	}
	for k := min(len(t.text), len(form)-1); k > 0; k-- {
		if from := len(t.text) - k; t.text[from] == form[0] && t.text[from:] == form[:k] {
			more = append(more, &link{k, i, from, nil})
		}
	}
	if len(more) == 0 {
		return begun
	}
	all := append(more, begun...)
	slices.SortStableFunc(all, func(a, b *link) int { return b.length - a.length })
	return slices.CompactFunc(all, func(a, b *link) bool { return a.length == b.length })
}

// mark hides the pieces of a beginning.
func (h *hiding) mark(l *link) {
	for ; l != nil; l = l.before {
		t := &h.tokens[l.token]
		t.cuts = append(t.cuts, span{l.from, len(t.text), l.before == nil})
	}
}

// rewrite returns the text without its hidden parts.
func (h *hiding) rewrite(text []byte) []byte {
	var out []byte
	done := 0
	for i := range h.tokens {
		t := &h.tokens[i]
		if len(t.cuts) == 0 {
			continue
		}
		quoted := jsonx.AppendQuote(nil, t.redactText())
		out = append(append(out, text[done:t.from]...), quoted[1:len(quoted)-1]...)
		done = t.to
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}

// redactText returns the text of a string without its hidden parts.
func (t *token) redactText() string {
	slices.SortStableFunc(t.cuts, func(a, b span) int { return a.from - b.from })
	var b strings.Builder
	done := 0
	for _, c := range t.cuts {
		if c.to <= done && done > 0 {
			continue
		}
		b.WriteString(t.text[done:max(done, c.from)])
		if c.marked {
			b.WriteString(Mark)
		}
		done = c.to
	}
	b.WriteString(t.text[done:])
	return b.String()
}
