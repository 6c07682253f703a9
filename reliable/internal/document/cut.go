package document

import "github.com/callwright/callwright/internal/jsonx"

// A Cut is a parsed truncated document.
type Cut struct {
	Listed     bool     // it has a list of calls
	Calls      [][]byte // the complete calls of the list
	Rest       []byte   // the truncated call up to the end of the text, nil if none
	Scratchpad string
	Answer     string // the answer text, possibly truncated
}

// ReadCut parses a truncated document. It returns the zero Cut if text does not begin with an object.
func ReadCut(text []byte) (d Cut) {
	start := jsonx.Space(text, 0)
	if start == len(text) || text[start] != '{' {
		return d
	}
	w := jsonx.NewWalker(text)
	w.Members(start, func(key jsonx.Key, at int) int {
		if key.Is("toolCalls") && text[at] == '[' {
			d.Listed = true
			return w.Elements(at, func(_, at int) int {
				end := w.Value(at)
				if w.Sound() {
					d.Calls = append(d.Calls, text[at:end:end])
				} else {
					d.Rest = text[at:]
				}
				return end
			})
		}
		end := w.Value(at)
		switch said := text[at:end]; {
		case key.Is("scratchpad"):
			d.Scratchpad = jsonx.TextOf(said)
		case key.Is("answer") || key.Is("content"):
			if !w.Sound() {
				said = closedString(text[at:])
			}
			d.Answer += jsonx.TextOf(said)
		}
		return end
	})
	return d
}

// closedString returns the JSON string at the beginning of a truncated text, closed and without an incomplete escape
// or rune. It returns nil if text does not begin with a string.
func closedString(text []byte) []byte {
	const longestEnd = len(`\u00e9\u00e9`) // an escaped surrogate pair
	for n := len(text); n > 0 && n >= len(text)-longestEnd; n-- {
		if s := append(text[:n:n], '"'); jsonx.KindOf(s) == jsonx.Text && jsonx.Valid(s) == nil {
			return s
		}
	}
	return nil
}
