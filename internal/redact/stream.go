package redact

import (
	"bytes"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Stream returns text with secrets replaced by Mark. text is JSON, or a stream of JSON values as lines or server-sent
// events. Stream also finds a secret that is split over several strings with the same member name, as in the deltas of
// a stream: the first string gets Mark, and the others lose their part of the secret. Stream does not change text, and
// returns text itself if it contains no secret.
func (s Secrets) Stream(text []byte) []byte { return s.hide(text, false) }

// Cut is like Stream, for truncated text. It also removes a prefix of a secret at the end.
func (s Secrets) Cut(text []byte) []byte { return s.withoutBeginning(s.hide(text, true)) }

func (s Secrets) hide(text []byte, cut bool) []byte {
	if s.Empty() {
		return text
	}
	h := redaction{tokens: tokensOf(text)}
	for i := range h.tokens {
		h.markWithin(i, &s)
	}
	for _, form := range s.forms {
		h.split(form, cut)
	}
	return s.Bytes(h.rewrite(text)) // finds the remaining secrets, outside of JSON strings
}

// A token is a JSON string in the text: a member value or an array element.
type token struct {
	from, to int    // offsets in the text, without the quotes
	name     string // name of the member
	text     string // unescaped value
	cuts     []span // parts of text to remove
}

// A span is a range of bytes in the text of a token.
type span struct {
	from, to int
	marked   bool // replaced by Mark; otherwise removed
}

// structural lists member names whose string values are never deltas. Split secrets are not searched for in these
// values.
var structural = []string{"type", "id", "object", "model", "role", "status", "name", "finish_reason", "event", "created_at", "done_reason"}

// tokensOf returns the JSON strings of a text that are values, in order. A string ends at the end of its line at the
// latest. The last string may be truncated.
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

// unescape returns the value of a JSON string that is given without quotes.
func unescape(inside []byte) string {
	if bytes.IndexByte(inside, '\\') < 0 {
		return string(inside)
	}
	text, _ := jsonx.String(slices.Concat([]byte{'"'}, inside, []byte{'"'}))
	return text
}

// A redaction contains the strings of a text and their parts to remove.
type redaction struct {
	tokens []token
}

// markWithin marks the secrets that are completely within string i.
func (h *redaction) markWithin(i int, s *Secrets) {
	t := &h.tokens[i]
	if slices.Contains(s.shortSecrets, t.text) {
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

// A link is a part of a secret at the end of a string. It and the earlier links, which before leads to, form a prefix
// of the secret.
type link struct {
	length int // length of the prefix that ends with this link, in bytes
	token  int // index of the string
	from   int // offset in the text of the token
	before *link
}

// split marks each occurrence of form that is split over several strings with the same member name. With cut, it also
// marks a prefix of form at the end of the last string.
func (h *redaction) split(form string, cut bool) {
	open, last := map[string][]*link{}, map[string]int{} // keyed by member name
	for i := range h.tokens {
		t := &h.tokens[i]
		if slices.Contains(structural, t.name) || strings.HasSuffix(t.name, "_id") {
			continue
		}
		open[t.name], last[t.name] = h.continueMatches(form, i, open[t.name]), i
	}
	if !cut {
		return
	}
	for name, begun := range open {
		for _, l := range begun { // the longest prefix is first
			if l.length >= minShown && l.token == last[name] {
				h.mark(l)
				break
			}
		}
	}
}

// continueMatches compares string i with the continuations of the prefixes in begun, which are ordered by descending
// length. It returns the prefixes that may continue in the next string, including those that begin in string i.
func (h *redaction) continueMatches(form string, i int, begun []*link) []*link {
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

// mark marks all parts of a split secret.
func (h *redaction) mark(l *link) {
	for ; l != nil; l = l.before {
		t := &h.tokens[l.token]
		t.cuts = append(t.cuts, span{l.from, len(t.text), l.before == nil})
	}
}

// rewrite returns text with the marked parts removed or replaced.
func (h *redaction) rewrite(text []byte) []byte {
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

// redactText returns the text of a string with its marked parts removed or replaced.
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
