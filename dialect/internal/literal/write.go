package literal

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/internal/jsonx"
)

// Write appends a JSON value to b with quote, a delimiter such as <|"|>, around strings and with unquoted keys.
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

// comma returns the separator before element n: "" for the first, otherwise ",".
func comma(n int) string {
	if n == 0 {
		return ""
	}
	return ","
}

// delimitedKey returns key, quoted only if it is not a simple name.
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

// Raw returns the text of a JSON string, or any other value as JSON.
func Raw(v []byte) string {
	if s, ok := jsonx.String(v); ok && jsonx.KindOf(v) == jsonx.Text {
		return s
	}
	return string(jsonx.Trim(v))
}
