package htmltemplate

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// BlockedURL stands in a page in the place of a URL whose scheme could run a script, or that would load a script or a
// style sheet from elsewhere.
const BlockedURL = "#blocked"

// write returns a value as it is written at a place.
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

// textOf returns a value as text, and whether it is HTML. Pointers are followed up to a value that writes itself.
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

// Escape returns a text so that it stands for itself between tags and in quoted values of attributes.
func Escape(text string) string { return escapes.Replace(text) }

var escapes = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;", ">", "&gt;")

// hasSafeScheme reports whether a URL is relative, or leads to a page or a mailbox.
func hasSafeScheme(url string) bool {
	scheme, _, ok := strings.Cut(url, ":")
	return !ok || strings.Contains(scheme, "/") || strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https") ||
		strings.EqualFold(scheme, "mailto")
}

// isOwnPath reports whether a URL has no scheme and no host. Browsers read a backslash as a slash, and leave out white
// space and control characters.
func isOwnPath(url string) bool {
	return hasSafeScheme(url) && !strings.Contains(url, ":") && !strings.HasPrefix(url, "//") &&
		strings.IndexFunc(url, func(r rune) bool { return r <= ' ' || r == '\\' }) < 0
}

// encodeURL writes the bytes of a URL that may not stand in one as %xx. A part of a URL, such as a value of its query,
// has no delimiters.
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
