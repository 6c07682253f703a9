package markup

import (
	"html"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// CutFrame splits a marker such as <|open|>name<|sep|> into the names of its tokens and the text between them. ok is
// false for other markers.
func CutFrame(mark string) (open, inner, end string, ok bool) {
	a := strings.IndexByte(mark, '>')
	b := strings.LastIndex(mark, "<|")
	if a < 0 || b <= 0 || a > b {
		return "", "", "", false
	}
	return TokenName(mark[1:a]), mark[a+1 : b], TokenName(mark[b+1 : len(mark)-1]), true
}

// TagOf returns the name in a marker, such as "tool_call" for "</tool_call>".
func TagOf(mark string) string {
	if first, inner, _, ok := CutFrame(mark); ok {
		return "|" + first + " " + inner
	}
	if strings.HasPrefix(mark, "<|") {
		return "|" + TokenName(mark[1:len(mark)-1])
	}
	return strings.Trim(mark, "</>=[]")
}

// EscapedName returns the tag name in an HTML-escaped opening tag such as "&lt;name".
func EscapedName(t string) string {
	t = strings.TrimPrefix(t, "&lt;")
	end := 0
	for end < len(t) && chars.IsTagByte(t[end]) {
		end++
	}
	return t[:end]
}

// maxEntity is the maximum length of an incomplete entity at the end of a text, as in &#x0022.
const maxEntity = 7

// UnescapedBeginning decodes the HTML entities in the beginning of a text. It drops an incomplete entity at the end.
func UnescapedBeginning(t string) string {
	if at := strings.LastIndexByte(t, '&'); at >= 0 && len(t)-at <= maxEntity && strings.IndexByte(t[at:], ';') < 0 {
		t = t[:at]
	}
	return html.UnescapeString(t)
}
