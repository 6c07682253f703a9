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
	// indexKey is the member of a source that only this API can make, empty in those that were made up for a client,
	// which sends them back.
	indexKey = "encrypted_index"
)

// holdsMadeUp reports whether a list of sources has one that was made up for a client: this API refuses it.
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

// withoutMadeUp returns the members of a client's text beside its words, without sources that this codec made for it.
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

// withOthers are the parts of an answer with the sources of other wires in their texts. NoText says that there is no
// text for them.
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

// placeCitations are the parts of an answer with the sources that came as pieces of a stream put into the texts that
// name them.
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

// citedText is the text t with its sources; parts begin with as many sources as stand ahead of it, then comes t. n is
// how many parts it is made of. A text behind a source continues with the one before, unless it has members: those of a
// TextBegin, with which a block of its own begins.
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

// isAhead reports whether a part names a source of a text that has yet to begin.
func isAhead(p callwright.Part) bool {
	o, _ := p.(callwright.Opaque)
	return citationIn(p) != nil && citation.IsAhead(o.Extra)
}

// citationIn is the source that a piece of a stream names, nil for other parts.
func citationIn(p callwright.Part) []byte {
	o, _ := p.(callwright.Opaque)
	c, _ := jsonx.Find(own.Member(o.Extra, citationsDelta), "citation")
	return c
}

// withSources returns the members of a text beside its words, with further sources.
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

// cite writes a piece of a text block that names a source: of the open one, or of one that has yet to begin.
func (e *streamEncoder) cite(dst, delta []byte, ahead bool) []byte {
	if e.held != nil {
		dst = e.reopen(dst)
	}
	if e.openBlock < 0 || e.openKind != kindText || ahead && e.hasWords {
		dst = e.startCited(dst)
	}
	return e.piece(dst, delta)
}

// startCited opens a text block that names sources before it has words.
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

// citeOthers writes the sources of other wires that the open text names, which ends.
func (e *streamEncoder) citeOthers(dst []byte) []byte {
	for _, s := range e.sources.Take(e.Ended) {
		delta := e.sources.AppendLocation([]byte(`{"type":"citations_delta","citation":`), s)
		dst = e.piece(dst, append(delta, '}'))
	}
	return dst
}

// lateSources opens an empty text for the sources that came after all texts had ended. Without any text nothing has
// them.
func (e *streamEncoder) lateSources(dst []byte) []byte {
	switch {
	case !e.sources.Waits() || e.openBlock >= 0 && e.openKind == kindText && e.held == nil:
		return dst
	case !e.sources.HasWords():
		e.NoteOmission(kit.Uncited)
		return dst
	}
	return e.startCited(dst)
}
