package secretscan

import (
	"bytes"
	"iter"
)

// A runKind finds runs of characters that may be an encoded text. is reports whether a run qualifies.
type runKind struct {
	has [256]bool // true for each byte that a run may contain
	is  func(run []byte) bool
}

// Runs that may be encoded text: base64 (both alphabets), hexadecimal, percent encoding and JSON escapes.
var (
	base64Run  = runOf(isBase64, func(run []byte) bool { return len(run) >= minEncoded })
	hexRun     = runOf(isHex, func(run []byte) bool { return len(run) >= 2*minEncoded })
	percentRun = runOf(isAddress, hasPercent)
	escapeRun  = runOf(isAddress, func(run []byte) bool { return bytes.IndexByte(run, '\\') >= 0 })
)

func runOf(has func(c byte) bool, is func([]byte) bool) *runKind {
	k := &runKind{is: is}
	for c := range k.has {
		k.has[c] = has(byte(c))
	}
	return k
}

// isBase64 reports whether c is a character of either base64 alphabet, without the padding '='.
func isBase64(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// isAddress reports whether c can be part of a URL in a text.
func isAddress(c byte) bool { return c > ' ' && c != '"' && c != '\'' && c != '<' && c != '>' }

// hasPercent reports whether a text contains a percent-encoded byte.
func hasPercent(text []byte) bool {
	for i := 0; ; i++ {
		at := bytes.IndexByte(text[i:], '%')
		if at < 0 {
			return false
		}
		if i += at; i+2 < len(text) && isHex(text[i+1]) && isHex(text[i+2]) {
			return true
		}
	}
}

// each yields the start and end offset of each qualifying run in a text.
func (k *runKind) each(text []byte) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for i := 0; i < len(text); i++ {
			from := i
			for i < len(text) && k.has[text[i]] {
				i++
			}
			if i > from && k.is(text[from:i]) && !yield(from, i) {
				return
			}
		}
	}
}

// replace returns text with each run for which wants returns true replaced by the string in by.
func (k *runKind) replace(text []byte, wants func(run []byte) bool, by string) []byte {
	var out []byte
	done := 0
	for from, to := range k.each(text) {
		if wants(text[from:to]) {
			out = append(append(out, text[done:from]...), by...)
			done = to
		}
	}
	if done == 0 {
		return text
	}
	return append(out, text[done:]...)
}
