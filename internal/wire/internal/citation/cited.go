package citation

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Cited gathers the annotations of the texts of a message of the Responses API, whose stream names them together once
// the message has ended. The zero Cited is ready for use.
type Cited struct {
	object []byte // as far as it was written, nil without annotations
	length int    // characters of the texts
}

// Add takes the annotations of the text that comes next.
func (c *Cited) Add(list []byte, text string) {
	for v := range jsonx.Elements(list) {
		if c.object == nil {
			c.object = []byte(`{"` + annotations + `":[`)
		}
		c.object = appendMoved(appendComma(c.object), v, c.length)
	}
	c.length += Characters([]byte(text))
}

// AddLate adds the annotations of x, an Extra with those of texts that have ended. rest are the words since the last
// addition, which end with those texts.
func (c *Cited) AddLate(x callwright.Extra, rest []byte) {
	in, _ := jsonx.Find(x.JSON, annotations)
	said := Characters(rest)
	of := min(countAt(x.JSON, lengthKey), said)
	c.length += said - of
	c.Add(in, "")
	c.length += of
}

// List is the list of them, nil where there are none.
func (c *Cited) List() []byte {
	if c.object == nil {
		return nil
	}
	return append(slices.Clone(c.object[bytes.IndexByte(c.object, '['):]), ']')
}

// Object returns the object that stands for the sources in an Extra, nil where there are none. It is called once, when
// all were added.
func (c *Cited) Object() []byte {
	if c.object == nil {
		return nil
	}
	out := append(c.object, `],"`+lengthKey+`":`...)
	return append(strconv.AppendInt(out, int64(c.length), 10), '}')
}

// appendMoved writes an annotation of a text in front of which that many characters were put.
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
