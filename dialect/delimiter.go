package dialect

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// quoteDelimited puts quotes in place of the delimiters that some formats have for strings, so that the text can be read
// as JSON. Where the last delimiter is missing, the string ends before the closing brackets.
func quoteDelimited(text string) string {
	var b []byte
	for {
		at, size := nextDelimiter(text)
		if at < 0 {
			return string(append(b, text...))
		}
		b = append(b, text[:at]...)
		text = text[at+size:]
		end, size := nextDelimiter(text)
		if end < 0 {
			inner := strings.TrimRight(text, "}] \t\r\n")
			b = jsonx.AppendQuote(b, inner)
			return string(append(b, text[len(inner):]...))
		}
		b = jsonx.AppendQuote(b, text[:end])
		text = text[end+size:]
	}
}

// nextDelimiter finds the first delimiter in text; at is -1 where there is none.
func nextDelimiter(text string) (at, size int) {
	for i := 0; ; i++ {
		n := strings.IndexByte(text[i:], '<')
		if n < 0 {
			return -1, 0
		}
		i += n
		for _, d := range delimiters {
			if strings.HasPrefix(text[i:], d) {
				return i, len(d)
			}
		}
	}
}

// A delimitedVoice writes call:name{key:value}, with delimiters around strings and keys without quotes.
type delimitedRenderer struct{ open, shut, quote string }

func (delimitedRenderer) rules() string { return "" }

func (v delimitedRenderer) calls(b *strings.Builder, calls []RenderedCall) {
	for i := range calls {
		b.WriteString(v.open + "call:" + calls[i].Name)
		v.value(b, calls[i].arguments())
		b.WriteString(v.shut)
	}
}

func (v delimitedRenderer) value(b *strings.Builder, val []byte) {
	switch n := 0; jsonx.KindOf(val) {
	case jsonx.Object:
		b.WriteByte('{')
		for k, e := range jsonx.Members(val) {
			b.WriteString(comma(n) + delimitedKey(k.String()) + ":")
			v.value(b, e)
			n++
		}
		b.WriteByte('}')
	case jsonx.Array:
		b.WriteByte('[')
		for e := range jsonx.Elements(val) {
			b.WriteString(comma(n))
			v.value(b, e)
			n++
		}
		b.WriteByte(']')
	case jsonx.Text:
		s, _ := jsonx.String(val)
		b.WriteString(v.quote + s + v.quote)
	default:
		b.Write(jsonx.Trim(val))
	}
}

// comma stands before all elements but the first.
func comma(n int) string {
	if n == 0 {
		return ""
	}
	return ","
}

// delimitedKey is a key as it is, or quoted where it is more than a name.
func delimitedKey(key string) string {
	for i := 0; i < len(key); i++ {
		if !isNameByte(key[i]) || key[i] == ':' {
			return string(jsonx.AppendQuote(nil, key))
		}
	}
	if key == "" {
		return `""`
	}
	return key
}
