package openai

import (
	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/citation"
)

// cite writes the sources of a response as the member annotations of its message. It writes nothing if all of them are
// in one annotations list of beside, the members that are copied to the message. It returns the name of the written
// member, or "".
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

// writeAnnotations writes the member annotations. elements are JSON elements of this API, separated by commas. others
// are sources from other APIs.
func (w *writer) writeAnnotations(elements []byte, others []citation.Source) {
	w.Open("annotations", '[')
	w.Buf = append(w.Buf, elements...)
	for _, s := range others {
		w.Comma()
		w.Buf = s.AppendAnnotation(w.Buf, 0, true)
	}
	w.Close(']')
}

// cite appends a chunk with the sources whose text has been written. It waits while ev continues the text, and writes
// all remaining sources before an End.
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
