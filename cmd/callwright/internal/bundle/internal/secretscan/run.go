package secretscan

import (
	"bytes"
	"iter"
)

// A runKind finds runs of characters that may be an encoded text.
type runKind struct {
	has [256]bool // the bytes of a run
	is  func(run []byte) bool
}

// The runs that may be encoded: in base64 with one alphabet or the other, in hexadecimal, by percent signs, and by
// JSON's escapes.
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

// isBase64 leaves out the padding, which may also stand before a text.
func isBase64(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}

func isHex(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' }

// isAddress reports whether an address in a text may have a byte.
func isAddress(c byte) bool { return c > ' ' && c != '"' && c != '\'' && c != '<' && c != '>' }

// hasPercent reports whether a text has a byte that is written by a percent sign.
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

// each yields the begin and the end of each run in a text.
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

// replace returns a text with runs replaced, those that wants reports.
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
