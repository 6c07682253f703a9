package openai

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire/internal/citation"
)

// listKeys are members beside the choices that list the sources of the answer. In a stream they may come with any chunk, or with each.
var listKeys = [...]string{"citations", "search_results"}

const annotations = "annotations"

// cite writes the sources that a message names: those that came over this wire, in lists, and those of others.
func (w *writer) cite(lists [][]byte, g *citation.Gatherer, others []citation.Source) {
	w.Open(annotations, '[')
	for _, list := range lists {
		for v := range jsonx.Elements(list) {
			w.Raw("", v)
		}
	}
	for _, s := range others {
		w.Comma()
		w.Buf = g.AppendAnnotation(w.Buf, s, 0, true)
	}
	w.Close(']')
}

// cite writes the sources whose places were said, unless the text goes on.
func (e *streamEncoder) cite(dst []byte, ev callwright.Event) []byte {
	switch ev.(type) {
	case callwright.Begin, callwright.TextDelta, callwright.UsageDelta, callwright.KeepAlive, callwright.Flush:
		return dst
	}
	_, ends := ev.(callwright.End)
	if list := e.sources.Take(ends); list != nil {
		return e.delta(dst, func(w *writer) { w.cite(nil, &e.sources, list) })
	}
	return dst
}

// list takes a list of sources beside the choices.
func (d *streamDecoder) list(n int, v []byte) {
	if !bytes.Equal(d.lists[n], v) {
		d.lists[n], d.listsLate = slices.Clone(v), d.begun
	}
}
