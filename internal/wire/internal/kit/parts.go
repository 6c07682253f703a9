package kit

import "github.com/callwright/callwright"

// JoinTexts joins the parts of a tool result into one text, separated by newlines, if they are all texts without extra
// members. Otherwise it returns parts unchanged.
func JoinTexts(parts []callwright.Part) []callwright.Part {
	for _, p := range parts {
		if t, ok := p.(callwright.Text); !ok || t.Extra.JSON != nil {
			return parts
		}
	}
	if len(parts) < 2 {
		return parts
	}
	return []callwright.Part{callwright.Text{Text: callwright.Result{Parts: parts}.Text()}}
}
