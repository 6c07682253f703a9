package citation

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Cited collects the annotations of the text parts of a Responses API message. A stream of another API gets them
// together after the message has ended. The zero Cited is ready for use.
type Cited struct {
	object []byte // the JSON object so far, without its closing brackets; nil if there are no annotations
	length int    // characters of the text parts so far
}

// Add adds list, the JSON list of annotations of the next text part. text is the text of that part.
func (c *Cited) Add(list []byte, text string) {
	for v := range jsonx.Elements(list) {
		if c.object == nil {
			c.object = []byte(`{"` + annotations + `":[`)
		}
		c.object = appendMoved(appendComma(c.object), v, c.length)
	}
	c.length += Characters([]byte(text))
}

// AddLate adds the annotations in x, which arrived after the text that they belong to. rest is the text since the
// previous call. The annotated text is at its end.
func (c *Cited) AddLate(x callwright.Extra, rest []byte) {
	in, _ := jsonx.Find(x.JSON, annotations)
	said := Characters(rest)
	of := min(countAt(x.JSON, lengthKey), said)
	c.length += said - of
	c.Add(in, "")
	c.length += of
}

// List returns the JSON list of all annotations of the message, nil if there are none.
func (c *Cited) List() []byte {
	if c.object == nil {
		return nil
	}
	return append(slices.Clone(c.object[bytes.IndexByte(c.object, '['):]), ']')
}

// Object returns the JSON object {"annotations":[...],"length":N} for an Extra, nil if there are no annotations. It may
// be called once, after the last Add.
func (c *Cited) Object() []byte {
	if c.object == nil {
		return nil
	}
	out := append(c.object, `],"`+lengthKey+`":`...)
	return append(strconv.AppendInt(out, int64(c.length), 10), '}')
}

// appendMoved appends the annotation v, with by added to its start_index and end_index.
func appendMoved(dst, v []byte, by int) []byte {
	if by == 0 || textAt(v, "type") != urlCitation {
		return append(dst, v...)
	}
	dst = append(dst, '{')
	for k, m := range jsonx.Members(v) {
		dst = append(append(appendComma(dst), k...), ':')
		if k.Is("start_index") || k.Is("end_index") {
			dst = strconv.AppendInt(dst, int64(countAt(v, k.String())+by), 10)
			continue
		}
		dst = append(dst, m...)
	}
	return append(dst, '}')
}
