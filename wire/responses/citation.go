package responses

import (
	"slices"
	"unicode/utf8"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire/internal/kit"
)

// chatCitations are the sources that an answer of Chat Completions names in its message.
func chatCitations(x callwright.Extra) []kit.Citation {
	if x.Wire != callwright.WireOpenAI {
		return nil
	}
	choices, _ := jsonx.Find(x.JSON, "choices")
	for first := range jsonx.Elements(choices) {
		in, _ := jsonx.Lookup(first, "message", "annotations")
		list, _ := kit.Citations(in)
		return list
	}
	in, _ := jsonx.Find(x.JSON, "annotations")
	list, _ := kit.Citations(in)
	return list
}

// cited are the parts of an answer with the sources that stand elsewhere in it as annotations of their texts.
func (r *response) cited(resp *callwright.Response) []callwright.Part {
	list, hasOwn := chatCitations(resp.Extra), false
	for _, p := range resp.Parts {
		if o, ok := p.(callwright.Opaque); ok {
			list = append(list, chatCitations(o.Extra)...)
			hasOwn = hasOwn || own.Member(o.Extra, "annotations") != nil
		}
	}
	if len(list) == 0 && !hasOwn {
		return resp.Parts
	}
	parts := slices.Clone(resp.Parts)
	last, said := -1, 0
	for i, p := range parts {
		switch p := p.(type) {
		case callwright.Text:
			last = i
			to := said + utf8.RuneCountInString(p.Text)
			here, rest := within(list, to, !slices.ContainsFunc(parts[i+1:], isText))
			if list = rest; len(here) > 0 {
				p.Extra = own.Keep(onlyOwn(p.Extra), "annotations", annotations(kit.Moved(here, -said)))
				parts[i] = p
			}
			said = to
		case callwright.Opaque:
			if in := own.Member(p.Extra, "annotations"); in != nil && last >= 0 {
				t := parts[last].(callwright.Text)
				t.Extra = own.Keep(t.Extra, "annotations", in)
				parts[last] = t
			}
		}
	}
	if len(list) > 0 {
		r.notes.Add(uncited)
	}
	return parts
}

// uncited is the note on sources for which there is no text.
var uncited = callwright.Note{Rule: "response.citations", Was: "annotations", Why: "there is no text that they belong to"}

func isText(p callwright.Part) bool {
	_, is := p.(callwright.Text)
	return is
}

// onlyOwn is what is of this wire, so that more of it can be added.
func onlyOwn(x callwright.Extra) callwright.Extra {
	if x.Wire != callwright.WireResponses {
		return callwright.Extra{}
	}
	return x
}

// within divides citations into those that begin before the character to, or all of them, and the others.
func within(list []kit.Citation, to int, all bool) (here, rest []kit.Citation) {
	if all {
		return list, nil
	}
	for _, c := range list {
		if c.Start < to {
			here = append(here, c)
		} else {
			rest = append(rest, c)
		}
	}
	return here, rest
}

// annotations are citations as a list of this wire.
func annotations(list []kit.Citation) []byte {
	w := newWriter(nil)
	w.Open("", '[')
	for _, c := range list {
		w.Citation(c, false)
	}
	w.Close(']')
	return w.Buf
}

// sources are the annotations that something of this wire has, nil without any.
func sources(x callwright.Extra) []byte {
	if v := own.Member(x, "annotations"); jsonx.IsArray(v) && v[jsonx.Space(v, 1)] != ']' {
		return v
	}
	return nil
}

// cite takes what an event names as sources: of another wire by their places in all that was said, of this one for the text under way.
func (e *streamEncoder) cite(x callwright.Extra) {
	e.cited = append(e.cited, chatCitations(x)...)
	if in := sources(x); in != nil && e.item.part == outputText {
		e.item.annotations = in
	}
}

// citations are the annotations of the text that ends, with an event for each.
func (e *streamEncoder) citations(dst []byte) (out, list []byte) {
	i := &e.item
	if i.part != outputText {
		return dst, nil
	}
	list, to := i.annotations, e.said+utf8.RuneCount(i.text)
	if here, rest := within(e.cited, to, e.Ended); len(here) > 0 {
		list, e.cited = annotations(kit.Moved(here, -e.said)), rest
	}
	e.said = to
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
