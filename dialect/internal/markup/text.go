package markup

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// UnquoteJSON reads a value that is one JSON string, as some models write them in pairs.
func UnquoteJSON(text string) string {
	v := []byte(strings.TrimSpace(text))
	if len(v) < 2 || v[0] != '"' || jsonx.Valid(v) != nil {
		return text
	}
	s, _ := jsonx.String(v)
	return s
}

// RemoveCDATA removes a CDATA mark around a value.
func RemoveCDATA(text string) string {
	if inner, ok := strings.CutPrefix(strings.TrimSpace(text), "<![CDATA["); ok {
		if inner, ok := strings.CutSuffix(inner, "]]>"); ok {
			return inner
		}
	}
	return text
}

var entities = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'", "&#34;", `"`, "&#39;", "'", "&#x27;",
	"'", "&amp;", "&")

// UnescapeEntities reads the entities of XML in the text of an element, once. A text that holds raw brackets was not
// escaped.
func UnescapeEntities(text string) string {
	if strings.ContainsAny(text, "<>") {
		return text
	}
	return entities.Replace(text)
}

// UnwrapLines removes the line breaks that set a value off from its tags, at most one at each end.
func UnwrapLines(text string) string {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}
