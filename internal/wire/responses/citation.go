package responses

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/citation"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// placeCitations returns the parts of a response with its sources as annotations of the texts that they support.
func (r *response) placeCitations(resp *callwright.Response) []callwright.Part {
	placed := citation.Place(resp, callwright.WireResponses)
	if placed.NoText {
		r.notes.Add(kit.Uncited)
	}
	parts, last, copied := placed.Parts, -1, false
	change := func(i int, list []byte) {
		if !copied {
			parts, copied = slices.Clone(parts), true
		}
		t := parts[i].(callwright.Text)
		t.Extra = own.Keep(onlyOwn(t.Extra), "annotations", list)
		parts[i] = t
	}
	for i, p := range placed.Parts {
		switch p := p.(type) {
		case callwright.Text:
			last = i
			if list, before := placed.Sources(i); list != nil {
				change(i, annotations(findList(p.Extra, "annotations"), list, before))
			}
		case callwright.Opaque:
			if findList(p.Extra, "annotations") != nil && last >= 0 {
				var late citation.Cited
				late.AddLate(p.Extra, []byte(parts[last].(callwright.Text).Text))
				change(last, late.List())
			}
		}
	}
	return parts
}

// onlyOwn returns x if it is of this API, otherwise an empty Extra.
func onlyOwn(x callwright.Extra) callwright.Extra {
	if x.Wire != callwright.WireResponses {
		return callwright.Extra{}
	}
	return x
}

// annotations returns a JSON list of the elements of list (of this API, may be nil) and of sources from other APIs.
// before is the number of characters of the response before the text.
func annotations(list []byte, others []citation.Source, before int) []byte {
	w := newWriter(nil)
	w.Open("", '[')
	for v := range jsonx.Elements(list) {
		w.Raw("", v)
	}
	for _, s := range others {
		w.Comma()
		w.Buf = s.AppendAnnotation(w.Buf, before, false)
	}
	w.Close(']')
	return w.Buf
}

// findList returns the list in the member key of x, or nil if x is of another API or the list is missing or empty.
func findList(x callwright.Extra, key string) []byte {
	if v := own.Member(x, key); jsonx.IsArray(v) && v[jsonx.Space(v, 1)] != ']' {
		return v
	}
	return nil
}

// cite adds the annotations in x, from an event of this API, to the current text.
func (e *streamEncoder) cite(x callwright.Extra) {
	if i := &e.item; i.part == outputText && findList(x, "annotations") != nil {
		i.cited.AddLate(x, i.text[i.citedTo:])
		i.citedTo = len(i.text)
	}
}

// citations appends an event for each annotation of the current text, which ends. list has them as JSON, nil for none.
func (e *streamEncoder) citations(dst []byte) (out, list []byte) {
	i := &e.item
	if i.part != outputText {
		return dst, nil
	}
	if list = i.cited.List(); list == nil {
		list = i.beside.annotations
	}
	if others := e.sources.Take(e.Ended); others != nil {
		list = annotations(list, others, e.sources.Length()-citation.Characters(i.text))
	}
	n := 0
	for a := range jsonx.Elements(list) {
		dst = e.event(dst, "response.output_text.annotation.added", func(w *writer) {
			e.about(w)
			w.Count(i.part.index, i.n)
			w.Count("annotation_index", n)
			w.Raw("annotation", a)
		})
		n++
	}
	return dst, list
}

// lateSources opens an empty text for sources that came after the last text. Without any text, it adds a note.
func (e *streamEncoder) lateSources(dst []byte) []byte {
	switch {
	case !e.sources.HasPendingSources():
		return dst
	case !e.sources.HasWords():
		e.NoteOmission(kit.Uncited)
		return dst
	}
	if e.item.kind == messageItem {
		dst = e.closePart(dst)
	} else {
		dst = e.openText(dst, messageItem, "")
	}
	return e.openPart(dst, outputText)
}
