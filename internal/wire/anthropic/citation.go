package anthropic

import (
	"slices"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/citation"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

const (
	citations = "citations"
	// indexKey is a member of a citation that only Anthropic can make. It is empty in citations that this codec made for a
	// client, which the client sends back.
	indexKey = "encrypted_index"
)

// holdsMadeUp reports whether a list of citations has one that this codec made for a client. The API rejects such a
// list.
func holdsMadeUp(list []byte) bool {
	for v := range jsonx.Elements(list) {
		if isMadeUp(v) {
			return true
		}
	}
	return false
}

func isMadeUp(v []byte) bool {
	index, is := jsonx.Find(v, indexKey)
	return is && len(jsonx.TextBytes(index)) == 0
}

// withoutMadeUp returns x, the Extra of a text part, without citations that this codec made from other APIs' sources.
func withoutMadeUp(x callwright.Extra) callwright.Extra {
	w := own.Writer(nil)
	w.Open("", '[')
	for v := range jsonx.Elements(own.Member(x, citations)) {
		if !isMadeUp(v) {
			w.Raw("", v)
		}
	}
	w.Close(']')
	rest := own.ExtraOf(x.JSON, []string{citations})
	if len(w.Buf) > len("[]") {
		rest = own.Keep(rest, citations, w.Buf)
	}
	return own.Extra(rest.JSON)
}

// withOthers returns the parts of a response with the sources from other APIs as citations of their texts. noText
// reports that the response has sources but no text.
func withOthers(resp *callwright.Response) (parts []callwright.Part, noText bool) {
	placed := citation.Place(resp, callwright.WireAnthropic)
	if placed.Gatherer == nil {
		return resp.Parts, false
	}
	parts = slices.Clone(placed.Parts)
	for i, p := range parts {
		if list, _ := placed.Sources(i); list != nil {
			t := p.(callwright.Text)
			var written [][]byte
			for _, s := range list {
				written = append(written, placed.AppendLocation(nil, s))
			}
			t.Extra = withSources(t.Extra, written)
			parts[i] = t
		}
	}
	return parts, placed.NoText
}

// placeCitations returns the parts with each citation that was streamed as a separate part moved into the Extra of its
// text.
func placeCitations(parts []callwright.Part) []callwright.Part {
	if !slices.ContainsFunc(parts, func(p callwright.Part) bool { return citationIn(p) != nil }) {
		return parts
	}
	out := make([]callwright.Part, 0, len(parts))
	for len(parts) > 0 {
		ahead := 0
		for ahead < len(parts) && isAhead(parts[ahead]) {
			ahead++
		}
		var t callwright.Text
		is := false
		if ahead < len(parts) {
			t, is = parts[ahead].(callwright.Text)
		}
		if !is {
			n := max(ahead, 1)
			out, parts = append(out, parts[:n]...), parts[n:]
			continue
		}
		whole, n := citedText(t, parts, ahead)
		out, parts = append(out, whole), parts[n:]
	}
	return out
}

// citedText returns the text t with its citations and the texts that continue it after a citation. A text with an Extra
// does not continue t, because it began with a TextBegin. The first parts, ahead in number, are citations that precede
// t; the next part is t. n is the number of parts that were used.
func citedText(t callwright.Text, parts []callwright.Part, ahead int) (whole callwright.Text, n int) {
	words := []string{t.Text}
	var sources [][]byte
	for _, p := range parts[:ahead] {
		sources = append(sources, citationIn(p))
	}
	noteEarlyFinish := false
	for n = ahead + 1; n < len(parts) && !isAhead(parts[n]); n++ {
		if c := citationIn(parts[n]); c != nil {
			sources, noteEarlyFinish = append(sources, c), true
			continue
		}
		more, is := parts[n].(callwright.Text)
		if !is || !noteEarlyFinish || more.Extra.JSON != nil {
			break
		}
		words = append(words, more.Text)
	}
	if sources != nil {
		t.Text, t.Extra = strings.Join(words, ""), withSources(t.Extra, sources)
	}
	return t, n
}

// isAhead reports whether a part is a citation of a text that follows it.
func isAhead(p callwright.Part) bool {
	o, _ := p.(callwright.Opaque)
	return citationIn(p) != nil && citation.IsEarlyCitation(o.Extra)
}

// citationIn returns the citation in a part that was streamed as a citations_delta, or nil for other parts.
func citationIn(p callwright.Part) []byte {
	o, _ := p.(callwright.Opaque)
	c, _ := jsonx.Find(own.Member(o.Extra, citationsDelta), "citation")
	return c
}

// withSources returns the Extra x of a text with further citations.
func withSources(x callwright.Extra, sources [][]byte) callwright.Extra {
	w := own.Writer(nil)
	w.Open("", '[')
	for had := range jsonx.Elements(own.Member(x, citations)) {
		w.Raw("", had)
	}
	for _, c := range sources {
		w.Raw("", c)
	}
	w.Close(']')
	return own.Keep(x, citations, w.Buf)
}

// cite appends a citations_delta. ahead reports that its text has not begun: a new block is opened if the open one has
// text.
func (e *streamEncoder) cite(dst, delta []byte, ahead bool) []byte {
	if e.held != nil {
		dst = e.reopen(dst)
	}
	if e.openBlock < 0 || e.openKind != kindText || ahead && e.hasWords {
		dst = e.startCited(dst)
	}
	return e.piece(dst, delta)
}

// startCited opens a text block with an empty list of citations.
func (e *streamEncoder) startCited(dst []byte) []byte {
	e.textExtra = callwright.Extra{}
	return e.start(dst, kindText, []byte(`{"type":"text","text":"","citations":[]}`))
}

func (e *streamEncoder) piece(dst, delta []byte) []byte {
	o := open(e.data[:0])
	o.Text("type", "content_block_delta")
	o.Count("index", e.openBlock)
	o.Raw("delta", delta)
	return e.event(dst, "content_block_delta", o.close())
}

// citeOthers appends the citations from other APIs for the open text block, which is about to end.
func (e *streamEncoder) citeOthers(dst []byte) []byte {
	for _, s := range e.sources.Take(e.Ended) {
		delta := e.sources.AppendLocation([]byte(`{"type":"citations_delta","citation":`), s)
		dst = e.piece(dst, append(delta, '}'))
	}
	return dst
}

// lateSources opens an empty text block for the sources that came after all texts had ended. If the response has no
// text, it adds a note instead.
func (e *streamEncoder) lateSources(dst []byte) []byte {
	switch {
	case !e.sources.HasPendingSources() || e.openBlock >= 0 && e.openKind == kindText && e.held == nil:
		return dst
	case !e.sources.HasWords():
		e.NoteOmission(kit.Uncited)
		return dst
	}
	return e.startCited(dst)
}
