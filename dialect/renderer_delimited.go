package dialect

import (
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
	"github.com/callwright/callwright/internal/jsonx"
)

// A delimitedRenderer writes call:name{key:value}, with delimiters around strings and keys without quotes.
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
		if !chars.IsNameByte(key[i]) || key[i] == ':' {
			return string(jsonx.AppendQuote(nil, key))
		}
	}
	if key == "" {
		return `""`
	}
	return key
}
