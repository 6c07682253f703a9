package openai

import (
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire/internal/kit"
)

// citations are the sources that the Responses API has beside a text, by their places in all that is said: before is what was said
// before the text, or before the sources where they come after the text, in characters.
func citations(x callwright.Extra, before func() int) []kit.Citation {
	if x.Wire != callwright.WireResponses {
		return nil
	}
	in, _ := jsonx.Find(x.JSON, "annotations")
	list, _ := kit.Citations(in)
	if len(list) == 0 {
		return nil
	}
	return kit.Moved(list, before()-kit.CitedLength(x.JSON))
}

// cite writes the sources that a message names.
func (w *writer) cite(list []kit.Citation) {
	if len(list) == 0 {
		return
	}
	w.Open("annotations", '[')
	for _, c := range list {
		w.Citation(c, true)
	}
	w.Close(']')
}

// characters counts those of a text that grows, each once.
type characters struct{ counted, bytes int }

// of is the number of characters of a text that begins with the one before.
func (c *characters) of(text string) int {
	c.counted += utf8.RuneCountInString(text[c.bytes:])
	c.bytes = len(text)
	return c.counted
}
