package kit

import "github.com/callwright/callwright"

// JoinTexts makes one text of the parts of a result that are all plain texts, as a result's text is joined everywhere.
// Other parts are given back as they are.
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
