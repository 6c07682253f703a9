package htmltemplate

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// BlockedURL replaces a URL with a scheme that could run a script, or a URL that would load a script or a style sheet
// from another host.
const BlockedURL = "#blocked"

// write returns the text of a value, escaped for its place. It returns BlockedURL for an unsafe URL. HTML outside of
// textPlace is an error.
func (p place) write(v reflect.Value) (string, error) {
	text, markup := textOf(v)
	switch {
	case p == textPlace && markup:
		return text, nil
	case markup:
		return "", errors.New("markup where text is expected")
	case p == urlStart && !hasSafeScheme(text), p == assetStart && !isOwnPath(text):
		return BlockedURL, nil
	case p == urlStart, p == urlPath, p == assetStart:
		return Escape(encodeURL(text, true)), nil
	case p == urlQuery:
		return encodeURL(text, false), nil
	default:
		return Escape(text), nil
	}
}

// textOf returns a value as text. markup is true if it is HTML. It follows pointers up to a fmt.Stringer or an error.
func textOf(v reflect.Value) (text string, markup bool) {
	for v.IsValid() {
		if v.Kind() == reflect.String && v.Type() == reflect.TypeFor[HTML]() {
			return v.String(), true
		}
		if v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface || v.Kind() == reflect.Pointer && writesItself(v.Type()) {
			return fmt.Sprint(v.Interface()), false
		}
		v = v.Elem()
	}
	return "", false
}

func writesItself(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[fmt.Stringer]()) || t.Implements(reflect.TypeFor[error]())
}

// Escape escapes a text for use between tags and in quoted values of attributes.
func Escape(text string) string { return escapes.Replace(text) }

var escapes = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;", ">", "&gt;")

// hasSafeScheme reports whether a URL is relative or has the scheme http, https or mailto.
func hasSafeScheme(url string) bool {
	scheme, _, ok := strings.Cut(url, ":")
	return !ok || strings.Contains(scheme, "/") || strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https") ||
		strings.EqualFold(scheme, "mailto")
}

// isOwnPath reports whether a URL has no scheme and no host. It rejects backslashes, which browsers treat as slashes,
// and white space and control characters, which browsers remove.
func isOwnPath(url string) bool {
	return hasSafeScheme(url) && !strings.Contains(url, ":") && !strings.HasPrefix(url, "//") &&
		strings.IndexFunc(url, func(r rune) bool { return r <= ' ' || r == '\\' }) < 0
}

// encodeURL percent-encodes the bytes of a URL that are not allowed in one. If whole is false, url is a part such as a
// query value, and delimiters are encoded too.
func encodeURL(url string, whole bool) string {
	var out strings.Builder
	for i := range len(url) {
		switch b := url[i]; {
		case isLetter(b), '0' <= b && b <= '9', strings.IndexByte("-._~", b) >= 0,
			whole && strings.IndexByte("!#$&*+,/:;=?@[]", b) >= 0,
			whole && b == '%' && i+2 < len(url) && isHex(url[i+1]) && isHex(url[i+2]):
			out.WriteByte(b)
		default:
			fmt.Fprintf(&out, "%%%02x", b)
		}
	}
	return out.String()
}

func isHex(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'f' }
