// Package evidence decides whether a provider's error proves a fact about the provider.
package evidence

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/companion"
	"github.com/callwright/callwright/internal/jsonx"
)

// If an error message and its request have this many consecutive words in common, the message may only quote the
// request and proves nothing. tellingWords applies if one of the words names the feature, otherwise commonWords.
const (
	tellingWords = 3
	commonWords  = 6
)

// Quotes reports whether an error message may only quote the request, so that it proves nothing about the provider. The
// request then contains six consecutive words of the message, three if one of them names the refused feature, or the
// whole message if that has at most three.
func Quotes(e *callwright.Error, req *callwright.Request) bool {
	words := strings.Fields(plainWords(cmp.Or(e.Message, string(e.Body))))
	if len(words) == 0 {
		return false
	}
	said := " " + plainWords(requestText(req)) + " "
	if len(words) <= tellingWords {
		return strings.Contains(said, " "+strings.Join(words, " ")+" ")
	}
	names := strings.FieldsFunc(string(e.Feature), func(r rune) bool { return r == '_' || r == ':' || r == '.' || r == '-' })
	for i := range words {
		for _, n := range [...]int{tellingWords, commonWords} {
			if i+n > len(words) {
				continue
			}
			run := words[i : i+n]
			if n == tellingWords && !slices.ContainsFunc(run, func(w string) bool { return namesAny(w, names) }) {
				continue
			}
			if strings.Contains(said, " "+strings.Join(run, " ")+" ") {
				return true
			}
		}
	}
	return false
}

// HasNoDetails reports whether an error does not tell which part of the request was rejected.
func HasNoDetails(e *callwright.Error) bool {
	switch plainWords(e.Message) {
	case "", "the provider answered without a message", "invalid request", "invalid request error", "bad request", "error",
		"invalid input", "invalid parameter", "provider returned error":
		return true
	}
	return false
}

// namesAny reports whether a word is one of names, in singular or plural.
func namesAny(word string, names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return len(n) > 2 && strings.TrimSuffix(word, "s") == strings.TrimSuffix(strings.ToLower(n), "s")
	})
}

// plainWords returns text in lower case with words separated by one space and without punctuation.
func plainWords(text string) string {
	out := make([]byte, 0, len(text))
	gap := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c == '\\' && i+1 < len(text) { // an escape in a JSON string
			i, gap = i+1, true
			continue
		}
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c < 0x80 && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			gap = true
			continue
		}
		if gap && len(out) > 0 {
			out = append(out, ' ')
		}
		out, gap = append(out, c), false
	}
	return string(out)
}

// requestText returns the text in a request. It omits member names and strings that may be API keywords, because a
// provider that rejects a parameter names it.
func requestText(req *callwright.Request) string {
	var b bytes.Buffer
	if body := companion.Of(req).Bytes(); body != nil {
		addTexts(&b, body)
	}
	if msgs, err := req.History(); err == nil {
		for _, m := range msgs {
			b.WriteByte('\n')
			b.WriteString(callwright.TextOf(m.Parts))
			for _, p := range m.Parts {
				switch p := p.(type) {
				case callwright.Result:
					b.WriteString("\n" + p.Text())
				case callwright.Call:
					b.WriteString("\n" + string(p.Arguments) + p.Input)
				}
			}
		}
	}
	if tools, err := req.DeclaredTools(); err == nil {
		for _, t := range tools {
			b.WriteString("\n" + t.Description)
			addTexts(&b, t.Schema)
		}
	}
	return b.String()
}

// addTexts appends the strings in a JSON value, one on each line. It skips strings that consist of a single word.
func addTexts(b *bytes.Buffer, v []byte) {
	if s, ok := jsonx.String(v); ok && strings.ContainsFunc(s, isNoName) {
		b.WriteString("\n" + s)
	}
	for _, m := range jsonx.Members(v) {
		addTexts(b, m)
	}
	for e := range jsonx.Elements(v) {
		addTexts(b, e)
	}
}

// isNoName reports whether c is neither an ASCII letter nor a digit nor one of "_-.:/". A text that contains such a
// character is more than a name, a type or a URL.
func isNoName(c rune) bool {
	return (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("_-.:/", c)
}
