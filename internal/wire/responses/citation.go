package responses

import (
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/citation"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// placeCitations are the parts of an answer with the sources that stand elsewhere in it as annotations of their texts.
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

// onlyOwn returns the members of this API, so that more can be added.
func onlyOwn(x callwright.Extra) callwright.Extra {
	if x.Wire != callwright.WireResponses {
		return callwright.Extra{}
	}
	return x
}

// annotations is a list of this wire, nil without any, and the sources of others behind it, of a text before which that
// many characters were said.
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

// findList is a list that something of this wire has, nil for an empty one.
func findList(x callwright.Extra, key string) []byte {
	if v := own.Member(x, key); jsonx.IsArray(v) && v[jsonx.Space(v, 1)] != ']' {
		return v
	}
	return nil
}

// cite adds the sources that an event of this API names to the current text.
func (e *streamEncoder) cite(x callwright.Extra) {
	if i := &e.item; i.part == outputText && findList(x, "annotations") != nil {
		i.cited.AddLate(x, i.text[i.citedTo:])
		i.citedTo = len(i.text)
	}
}

// citations are the annotations of the text that ends, with an event for each.
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

// lateSources writes the sources that came after all texts had ended, as those of an empty one. Without any text
// nothing has them.
func (e *streamEncoder) lateSources(dst []byte) []byte {
	switch {
	case !e.sources.Waits():
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
