package literal

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/internal/jsonx"
)

// Write writes a JSON value with quote around strings and keys without quotes.
func Write(b *strings.Builder, val []byte, quote string) {
	switch n := 0; jsonx.KindOf(val) {
	case jsonx.Object:
		b.WriteByte('{')
		for k, e := range jsonx.Members(val) {
			b.WriteString(comma(n) + delimitedKey(k.String()) + ":")
			Write(b, e, quote)
			n++
		}
		b.WriteByte('}')
	case jsonx.Array:
		b.WriteByte('[')
		for e := range jsonx.Elements(val) {
			b.WriteString(comma(n))
			Write(b, e, quote)
			n++
		}
		b.WriteByte(']')
	case jsonx.Text:
		s, _ := jsonx.String(val)
		b.WriteString(quote + s + quote)
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
		if !chars.IsNameByte(key[i]) || key[i] == ':' {
			return string(jsonx.AppendQuote(nil, key))
		}
	}
	if key == "" {
		return `""`
	}
	return key
}

// Raw is a JSON value as raw text: a string's own text, other values as JSON.
func Raw(v []byte) string {
	if s, ok := jsonx.String(v); ok && jsonx.KindOf(v) == jsonx.Text {
		return s
	}
	return string(jsonx.Trim(v))
}
