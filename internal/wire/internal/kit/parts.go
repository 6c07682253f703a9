package kit

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// JoinTexts makes one text of the parts of a result that are all plain texts, as a result's text is joined everywhere. Other
// parts are given back as they are.
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

// HoldsType walks the list of parts at i, gives its end and how many there are, and reports whether the type of one of them is kind.
func HoldsType(w *jsonx.Walker, b []byte, i int, kind string) (end, n int, holds bool) {
	end = w.Elements(i, func(_, at int) int {
		n++
		if b[at] != '{' {
			return w.Value(at)
		}
		return w.Members(at, func(key jsonx.Key, at int) int {
			end := w.Value(at)
			holds = holds || key.Is("type") && string(jsonx.TextBytes(b[at:end])) == kind
			return end
		})
	})
	return end, n, holds
}
