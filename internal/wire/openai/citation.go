package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/citation"
)

// cite writes the sources of an answer, unless all of them stand in one list among the members of the message, beside.
// It gives the member that it has written.
func (r *response) cite(beside []callwright.Opaque) (written string) {
	g, lists := citation.Of(r.resp, callwright.WireOpenAI), 0
	var in writer
	for _, p := range beside {
		list := own.Member(p.Extra, "annotations")
		for v := range jsonx.Elements(list) {
			in.Raw("", v)
		}
		if list != nil {
			lists++
		}
	}
	if g == nil && lists < 2 {
		return ""
	}
	r.writeAnnotations(in.Buf, g.Take(true))
	return "annotations"
}

// writeAnnotations writes the sources that a message names: elements of this wire, and the sources of others.
func (w *writer) writeAnnotations(elements []byte, others []citation.Source) {
	w.Open("annotations", '[')
	w.Buf = append(w.Buf, elements...)
	for _, s := range others {
		w.Comma()
		w.Buf = s.AppendAnnotation(w.Buf, 0, true)
	}
	w.Close(']')
}

// cite writes the sources whose places were said, unless the text goes on.
func (e *streamEncoder) cite(dst []byte, ev callwright.Event) []byte {
	switch ev.(type) {
	case callwright.Begin, callwright.TextDelta, callwright.UsageDelta:
		return dst
	}
	_, ends := ev.(callwright.End)
	if list := e.sources.Take(ends); list != nil {
		return e.delta(dst, func(w *writer) { w.writeAnnotations(nil, list) })
	}
	return dst
}
