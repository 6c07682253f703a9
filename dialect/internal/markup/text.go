package markup

import (
	"strings"

	"github.com/callwright/callwright/internal/jsonx"
)

// UnquoteJSON decodes text if it is a JSON string, and otherwise returns it unchanged. Some models write such strings
// in tags.
func UnquoteJSON(text string) string {
	v := []byte(strings.TrimSpace(text))
	if len(v) < 2 || v[0] != '"' || jsonx.Valid(v) != nil {
		return text
	}
	s, _ := jsonx.String(v)
	return s
}

// RemoveCDATA removes CDATA markers around a value.
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

// UnescapeEntities decodes XML entities in the text of an element. A text with unescaped brackets is returned
// unchanged.
func UnescapeEntities(text string) string {
	if strings.ContainsAny(text, "<>") {
		return text
	}
	return entities.Replace(text)
}

// UnwrapLines removes one newline at each end of a value.
func UnwrapLines(text string) string {
	text = strings.TrimPrefix(strings.TrimPrefix(text, "\r"), "\n")
	return strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
}
