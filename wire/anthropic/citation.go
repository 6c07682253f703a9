package anthropic

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// cited are the parts of an answer with the sources that came as pieces of a stream in the texts that name them.
func cited(parts []callwright.Part) []callwright.Part {
	if !slices.ContainsFunc(parts, func(p callwright.Part) bool { return citationIn(p) != nil }) {
		return parts
	}
	out := make([]callwright.Part, 0, len(parts))
	for len(parts) > 0 {
		p, n := parts[0], 1
		if t, is := p.(callwright.Text); is {
			p, n = citedText(t, parts)
		}
		out, parts = append(out, p), parts[n:]
	}
	return out
}

// citedText is the text t, which parts begin with, with the sources that follow it; n is of how many parts it is. The text after a source
// goes on with the one before: blocks of their own begin with a TextBegin, whose members they have.
func citedText(t callwright.Text, parts []callwright.Part) (whole callwright.Text, n int) {
	words := []string{t.Text}
	var sources [][]byte
	for n = 1; n < len(parts); n++ {
		if c := citationIn(parts[n]); c != nil {
			sources = append(sources, c)
			continue
		}
		more, is := parts[n].(callwright.Text)
		if !is || sources == nil || more.Extra.JSON != nil {
			break
		}
		words = append(words, more.Text)
	}
	if sources != nil {
		t.Text, t.Extra = strings.Join(words, ""), withSources(t.Extra, sources)
	}
	return t, n
}

// citationIn is the source that a piece of a stream names, nil for other parts.
func citationIn(p callwright.Part) []byte {
	o, _ := p.(callwright.Opaque)
	c, _ := jsonx.Find(own.Member(o.Extra, citationsDelta), "citation")
	return c
}

// withSources is what a text has beside its words, with further sources.
func withSources(x callwright.Extra, sources [][]byte) callwright.Extra {
	w := own.Writer(nil)
	w.Open("", '[')
	for had := range jsonx.Elements(own.Member(x, "citations")) {
		w.Raw("", had)
	}
	for _, c := range sources {
		w.Raw("", c)
	}
	w.Close(']')
	return own.Keep(x, "citations", w.Buf)
}
