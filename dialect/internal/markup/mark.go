package markup

import (
	"html"
	"strings"

	"github.com/callwright/callwright/dialect/internal/chars"
)

// CutFrame divides a mark such as <|open|>name<|sep|>.
func CutFrame(mark string) (open, inner, end string, ok bool) {
	a := strings.IndexByte(mark, '>')
	b := strings.LastIndex(mark, "<|")
	if a < 0 || b <= 0 || a > b {
		return "", "", "", false
	}
	return TokenName(mark[1:a]), mark[a+1 : b], TokenName(mark[b+1 : len(mark)-1]), true
}

// TagOf is the bare name in a mark's spelling.
func TagOf(mark string) string {
	if first, inner, _, ok := CutFrame(mark); ok {
		return "|" + first + " " + inner
	}
	if strings.HasPrefix(mark, "<|") {
		return "|" + TokenName(mark[1:len(mark)-1])
	}
	return strings.Trim(mark, "</>=[]")
}

// EscapedName is the name in an escaped opening tag.
func EscapedName(t string) string {
	t = strings.TrimPrefix(t, "&lt;")
	end := 0
	for end < len(t) && chars.IsTagByte(t[end]) {
		end++
	}
	return t[:end]
}

// maxEntity is the length of the longest entity without its semicolon that UnescapedBeginning waits for, as in &#x0022.
const maxEntity = 7

// UnescapedBeginning decodes the entities of the beginning of a text. An entity that the end cuts is left out.
func UnescapedBeginning(t string) string {
	if at := strings.LastIndexByte(t, '&'); at >= 0 && len(t)-at <= maxEntity && strings.IndexByte(t[at:], ';') < 0 {
		t = t[:at]
	}
	return html.UnescapeString(t)
}
