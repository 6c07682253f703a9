package literal

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// Delimiters are the tokens around strings in formats that have tokens in place of quotes.
var Delimiters = [...]string{`<|"|>`, "<escape>"}

// delimiterAt returns the size of the delimiter at the beginning of t, 0 if there is none.
func delimiterAt(t string) int {
	for _, d := range Delimiters {
		if strings.HasPrefix(t, d) {
			return len(d)
		}
	}
	return 0
}

// LongestDelimiter is the size of the longest delimiter in bytes.
const LongestDelimiter = 8

// NextDelimiter returns the offset and size of the first delimiter in text. at is -1 if there is none.
func NextDelimiter(text string) (at, size int) {
	for i := 0; ; i++ {
		n := strings.IndexByte(text[i:], '<')
		if n < 0 {
			return -1, 0
		}
		i += n
		for _, d := range Delimiters {
			if strings.HasPrefix(text[i:], d) {
				return i, len(d)
			}
		}
	}
}

// Quote replaces string delimiters by JSON quotes. If the last delimiter is missing, the string ends before the
// closing brackets.
func Quote(text string) string {
	var b []byte
	for {
		at, size := NextDelimiter(text)
		if at < 0 {
			return string(append(b, text...))
		}
		b = append(b, text[:at]...)
		text = text[at+size:]
		end, size := NextDelimiter(text)
		if end < 0 {
			inner := strings.TrimRight(text, "}] \t\r\n")
			b = jsonx.AppendQuote(b, inner)
			return string(append(b, text[len(inner):]...))
		}
		b = jsonx.AppendQuote(b, text[:end])
		text = text[end+size:]
	}
}
