// Package redact removes secrets, such as API keys, from traces, errors and reports.
package redact

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Mark replaces a secret.
const Mark = "[redacted]"

// MinLength is the minimum length in bytes of a secret that is searched for within text. Shorter strings would often
// match by chance.
const MinLength = 8

// minShown is the minimum length in bytes of a prefix of a secret that is removed from the end of truncated text.
const minShown = 4

// Secrets is a set of secrets. Each secret is searched for in several encodings: plain, JSON-escaped, URL-encoded and
// base64. The zero Secrets is empty. A Secrets is immutable and safe for concurrent use.
type Secrets struct {
	texts        []string // the secrets
	forms        []string // their encodings, longest first, because one may be part of another
	shortSecrets []string // short secrets: only a JSON string that equals one of them is replaced
}

// minWhole is the minimum length in bytes of a short secret. Shorter strings are never replaced.
const minWhole = 4

// isWord reports whether text consists of lower-case letters and "_", such as "none". Such strings may be words of an
// API and are not replaced.
func isWord(text string) bool { return strings.Trim(text, "abcdefghijklmnopqrstuvwxyz_") == "" }

// Of returns a Secrets of the given strings. A string shorter than MinLength is replaced only if it is a complete JSON
// string, and not if it is a word such as "none".
func Of(texts ...string) Secrets { return Secrets{}.With(texts...) }

// With returns a Secrets that contains the secrets of s and, under the rules of Of, the strings in more.
func (s Secrets) With(more ...string) Secrets {
	out := Secrets{slices.Clone(s.texts), slices.Clone(s.forms), slices.Clone(s.shortSecrets)}
	for _, text := range more {
		switch {
		case text == Mark || slices.Contains(out.texts, text):
		case len(text) >= MinLength:
			out.texts, out.forms = append(out.texts, text), append(out.forms, formsOf(text)...)
		case len(text) >= minWhole && !isWord(text):
			out.texts, out.shortSecrets = append(out.texts, text), append(out.shortSecrets, text)
		}
	}
	slices.SortStableFunc(out.forms, func(a, b string) int { return len(b) - len(a) })
	out.forms = slices.Compact(out.forms)
	return out
}

// Empty reports whether there are no secrets.
func (s Secrets) Empty() bool { return len(s.texts) == 0 }

// formsOf returns the encodings of a secret in which it is searched for.
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

// encodeStablePart returns the part of the base64 encoding of text that does not depend on adjacent bytes. before is
// the number of bytes that precede text, modulo 3.
func encodeStablePart(alphabet *base64.Encoding, text string, before int) string {
	code := alphabet.EncodeToString(append(make([]byte, before), text...))
	first := (before*8 + 5) / 6
	last := (before + len(text)) * 8 / 6
	return code[first:last]
}

// Text returns text with each secret replaced by Mark. If text ends with "…", it was truncated: a prefix of a secret
// before the "…" is also removed.
func (s Secrets) Text(text string) string {
	for _, f := range s.forms {
		text = strings.ReplaceAll(text, f, Mark)
	}
	if before, ok := strings.CutSuffix(text, "…"); ok {
		text = string(s.withoutBeginning([]byte(before))) + "…"
	}
	return text
}

// Bytes returns text with each secret replaced by Mark. It does not change text, and returns text itself if it contains
// no secret.
func (s Secrets) Bytes(text []byte) []byte {
	for _, f := range s.forms {
		if bytes.Contains(text, []byte(f)) {
			text = bytes.ReplaceAll(text, []byte(f), []byte(Mark))
		}
	}
	return text
}

// withoutBeginning returns text without a prefix of a secret, of at least minShown bytes, at its end.
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
