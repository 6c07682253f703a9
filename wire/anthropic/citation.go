package anthropic

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// cited are the parts of an answer with the sources that came as pieces of a stream in the texts that name them. The text after a piece
// goes on with the one before it: blocks of their own begin with a TextBegin, whose members they have.
func cited(parts []callwright.Part) []callwright.Part {
	if !slices.ContainsFunc(parts, func(p callwright.Part) bool { return citationIn(p) != nil }) {
		return parts
	}
	var out []callwright.Part
	goesOn := false
	for _, p := range parts {
		last := len(out) - 1
		before, afterText := callwright.Text{}, false
		if last >= 0 {
			before, afterText = out[last].(callwright.Text)
		}
		t, isText := p.(callwright.Text)
		switch c := citationIn(p); {
		case c != nil && afterText:
			out[last], goesOn = withCitation(before, c), true
		case isText && goesOn && afterText && t.Extra.JSON == nil:
			before.Text += t.Text
			out[last] = before
		default:
			out, goesOn = append(out, p), false
		}
	}
	return out
}

// citationIn is the source that a piece of a stream names, nil for other parts.
func citationIn(p callwright.Part) []byte {
	o, _ := p.(callwright.Opaque)
	c, _ := jsonx.Find(own.Member(o.Extra, citationsDelta), "citation")
	return c
}

// withCitation is a text with a further source.
func withCitation(t callwright.Text, c []byte) callwright.Text {
	w := own.Writer(nil)
	w.Open("", '[')
	for had := range jsonx.Elements(own.Member(t.Extra, "citations")) {
		w.Raw("", had)
	}
	w.Raw("", c)
	w.Close(']')
	t.Extra = own.Keep(t.Extra, "citations", w.Buf)
	return t
}
