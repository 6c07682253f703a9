package document

import "github.com/callwright/callwright/internal/jsonx"

// A Cut is a document that was broken off.
type Cut struct {
	Listed     bool     // it has a list of calls
	Calls      [][]byte // those of the list that are whole
	Rest       []byte   // the call in which it was cut, to the end of the text; nil for none
	Scratchpad string
	Answer     string // up to the cut
}

// ReadCut reads a document that was broken off. It is zero for text that does not begin with an object.
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

// closedString returns the string that a text begins, without an escape or a character that was cut at its end. It
// returns nil for other text.
func closedString(text []byte) []byte {
	const longestEnd = len(`\u00e9\u00e9`) // an escape in two parts
	for n := len(text); n > 0 && n >= len(text)-longestEnd; n-- {
		if s := append(text[:n:n], '"'); jsonx.KindOf(s) == jsonx.Text && jsonx.Valid(s) == nil {
			return s
		}
	}
	return nil
}
