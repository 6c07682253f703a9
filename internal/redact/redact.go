// Package redact removes secrets from texts that are shown: from traces, errors and reports.
package redact

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Mark stands in place of a secret.
const Mark = "[redacted]"

// MinLength is the length in bytes from which a text is looked for: shorter ones stand in texts by chance.
const MinLength = 8

// minShown is how many bytes at the beginning of a secret are taken for one that was cut.
const minShown = 4

// Secrets are texts that are not shown, each in the forms in which it is written: as it is, in a JSON string, in a
// query, and in base64. The zero Secrets has none. It is not changed, and is safe for concurrent use.
type Secrets struct {
	texts []string // as they were given
	forms []string // the longest first: one may be a part of another
	whole []string // too short to be looked for within texts: JSON strings that are one of them are hidden
}

// minWhole is the length in bytes from which a short text is hidden where it is a whole JSON string.
const minWhole = 4

// isWord reports whether a text is a word in lower case, such as none: the words of an API are hidden nowhere.
func isWord(text string) bool { return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_") == "" }

// Of returns the secrets that texts are. Texts below MinLength are hidden only where they are a whole JSON string, and
// words not at all.
func Of(texts ...string) Secrets { return Secrets{}.With(texts...) }

// With returns the secrets together with more.
func (s Secrets) With(more ...string) Secrets {
	out := Secrets{slices.Clone(s.texts), slices.Clone(s.forms), slices.Clone(s.whole)}
	for _, text := range more {
		switch {
		case text == Mark || slices.Contains(out.texts, text):
		case len(text) >= MinLength:
			out.texts, out.forms = append(out.texts, text), append(out.forms, formsOf(text)...)
		case len(text) >= minWhole && !isWord(text):
			out.texts, out.whole = append(out.texts, text), append(out.whole, text)
		}
	}
	slices.SortStableFunc(out.forms, func(a, b string) int { return len(b) - len(a) })
	out.forms = slices.Compact(out.forms)
	return out
}

// Empty reports whether there are no secrets.
func (s Secrets) Empty() bool { return len(s.texts) == 0 }

// formsOf returns the forms of a text.
func formsOf(text string) []string {
	forms := []string{text}
	add := func(form string) {
		if len(form) >= MinLength && !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	quoted := jsonx.AppendQuote(nil, text)
	add(string(quoted[1 : len(quoted)-1]))
	add(url.QueryEscape(text))
	add(url.PathEscape(text))
	for before := range 3 {
		for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			add(encodeStablePart(alphabet, text, before))
		}
	}
	return forms
}

// encodeStablePart is the part of the base64 of a text that does not depend on its neighbours, where so many bytes,
// modulo 3, stand before it.
func encodeStablePart(alphabet *base64.Encoding, text string, before int) string {
	code := alphabet.EncodeToString(append(make([]byte, before), text...))
	first := (before*8 + 5) / 6
	last := (before + len(text)) * 8 / 6
	return code[first:last]
}

// Text is text without the secrets. At the end of one that was cut, which says so by "…", it has no beginning of a
// secret either.
func (s Secrets) Text(text string) string {
	for _, f := range s.forms {
		text = strings.ReplaceAll(text, f, Mark)
	}
	if before, ok := strings.CutSuffix(text, "…"); ok {
		text = string(s.withoutBeginning([]byte(before))) + "…"
	}
	return text
}

// Bytes is text without the secrets. It is text itself where there are none in it, and never changes it.
func (s Secrets) Bytes(text []byte) []byte {
	for _, f := range s.forms {
		if bytes.Contains(text, []byte(f)) {
			text = bytes.ReplaceAll(text, []byte(f), []byte(Mark))
		}
	}
	return text
}

// withoutBeginning is a text that was cut, without a beginning of a secret that stands at its end.
func (s Secrets) withoutBeginning(text []byte) []byte {
	for _, f := range s.forms {
		for n := min(len(f)-1, len(text)); n >= minShown; n-- {
			if bytes.HasSuffix(text, []byte(f[:n])) {
				return text[:len(text)-n]
			}
		}
	}
	return text
}
