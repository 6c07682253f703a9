package kit

import (
	"slices"

	"github.com/callwright/callwright/internal/jsonx"
)

// A Citation is a source on the web that a text names, as both APIs of OpenAI have it: the Responses API beside the type of the
// annotation, Chat Completions in a member url_citation. Start and End count characters of the text.
type Citation struct {
	Start, End int
	source     []byte // the members beside, without braces
}

const urlCitation = "url_citation"

// Citations reads the sources on the web among annotations, in either form. all is false where there are annotations of other
// kinds.
func Citations(annotations []byte) (list []Citation, all bool) {
	all = true
	for v := range jsonx.Elements(annotations) {
		if TextAt(v, "type") != urlCitation {
			all = false
			continue
		}
		in, _ := jsonx.Find(v, urlCitation)
		if !jsonx.IsObject(in) {
			in = v
		}
		var c Citation
		w := Writer{Buf: []byte{}}
		for k, m := range jsonx.Members(in) {
			switch {
			case k.Is("type"):
			case k.Is("start_index"):
				c.Start = CountAt(m)
			case k.Is("end_index"):
				c.End = CountAt(m)
			default:
				if len(w.Buf) > 0 {
					w.Buf = append(w.Buf, ',')
				}
				w.Buf = append(append(append(w.Buf, k...), ':'), m...)
			}
		}
		c.source = w.Buf
		list = append(list, c)
	}
	return list, all
}

// Moved are citations of a text in front of which so many characters were put, or taken away where it is negative.
func Moved(list []Citation, by int) []Citation {
	out := make([]Citation, len(list))
	for i, c := range list {
		c.Start, c.End = max(c.Start+by, 0), max(c.End+by, 0)
		out[i] = c
	}
	return out
}

// Citation writes an annotation in the form of the Responses API, or nested as Chat Completions has it.
func (w *Writer) Citation(c Citation, nested bool) {
	w.Open("", '{')
	w.Text("type", urlCitation)
	if nested {
		w.Open(urlCitation, '{')
	}
	w.Count("start_index", c.Start)
	w.Count("end_index", c.End)
	if len(c.source) > 0 {
		w.Buf = append(append(w.Buf, ','), c.source...)
	}
	if nested {
		w.Close('}')
	}
	w.Close('}')
}

// lengthMember is the member beside annotations that says how many characters the text has to which they belong, which ends where
// they come.
const lengthMember = "length"

// Annotations writes the elements of a list of annotations of the Responses API, for a text in front of which so many characters were
// put.
func (w *Writer) Annotations(list []byte, by int) {
	for v := range jsonx.Elements(list) {
		if c, all := Citations(slices.Concat([]byte{'['}, v, []byte{']'})); all && by > 0 {
			w.Citation(Moved(c, by)[0], false)
			continue
		}
		w.Raw("", v)
	}
}

// CitedText is the object that stands in a stream for the annotations, separated by commas, of the text that has ended, of so many
// characters.
func (o Own) CitedText(annotations []byte, length int) []byte {
	w := o.Writer(nil)
	w.Open("", '{')
	w.Open("annotations", '[')
	w.Buf = append(append(w.Buf, annotations...), ']')
	w.Count(lengthMember, length)
	w.Close('}')
	return w.Buf
}

// CitedLength is the number of characters that such an object tells, 0 without one.
func CitedLength(v []byte) int { return CountAt(v, lengthMember) }
