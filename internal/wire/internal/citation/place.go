package citation

import (
	"slices"
	"sort"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// Of returns a Gatherer with the sources that the whole response resp cites, nil if there are none. It ignores sources
// in the format of own, the client's API, which need no conversion.
func Of(resp *callwright.Response, own callwright.WireName) *Gatherer {
	if !namesAny(resp, own) {
		return nil
	}
	g := &Gatherer{Own: own, parts: partsOf(resp.Parts)}
	for _, ev := range resp.Events() {
		g.Event(ev)
	}
	return g
}

func namesAny(resp *callwright.Response, own callwright.WireName) bool {
	if namesIn(resp.Extra, own) {
		return true
	}
	for _, p := range resp.Parts {
		switch p := p.(type) {
		case callwright.Text:
			if namesIn(p.Extra, own) {
				return true
			}
		case callwright.Opaque:
			if namesIn(p.Extra, own) {
				return true
			}
		}
	}
	return false
}

// namesIn reports whether x, of another API than own, has a member that names sources.
func namesIn(x callwright.Extra, own callwright.WireName) (found bool) {
	if x.Wire == own || len(x.JSON) == 0 {
		return false
	}
	Walk(x.JSON, func(k jsonx.Key, m []byte) bool {
		read, _ := reader(k)
		found = found || read != nil && len(m) > len("[]") && m[0] != 'n'
		return read != nil
	})
	return found
}

// partsOf returns the byte offsets, in all text together, at which the parts of a Gemini content start.
func partsOf(list []callwright.Part) (at []int) {
	said := 0
	for _, p := range list {
		switch p := p.(type) {
		case callwright.Text:
			at = append(at, said)
			if !p.IsRefusal() {
				said += len(p.Text)
			}
		case callwright.Reasoning:
			if p.Text != "" {
				at = append(at, said)
			}
		default:
			at = append(at, said)
		}
	}
	return at
}

// Placed has the parts of a whole response, and the sources of each text part. It is for APIs that store sources in
// text parts.
type Placed struct {
	*Gatherer // nil if there are no sources
	Parts     []callwright.Part
	NoText    bool                // there are sources, but no text part for them
	texts     map[int]*placedText // by index in Parts
}

type placedText struct {
	from, to int // character offsets of the text part in all text
	sources  []Source
}

// Sources returns the sources of the part with index i, a text, and the number of characters in the texts before it.
func (p *Placed) Sources(i int) (list []Source, from int) {
	if t := p.texts[i]; t != nil {
		return t.sources, t.from
	}
	return nil, 0
}

// Place assigns the sources of resp to its text parts, for a client of the API own. It removes parts that only name
// sources, and joins the text parts around them.
func Place(resp *callwright.Response, own callwright.WireName) Placed {
	g := Of(resp, own)
	if g == nil {
		return Placed{Parts: resp.Parts}
	}
	p := Placed{Gatherer: g, Parts: dropSourceParts(resp.Parts, own), texts: map[int]*placedText{}}
	var texts []*placedText
	said := 0
	for i, part := range p.Parts {
		if t, is := part.(callwright.Text); is && t.Text != "" && !t.IsRefusal() {
			from := said
			said += len(t.Text)
			placed := &placedText{from: g.words.before(from), to: g.words.before(said)}
			texts, p.texts[i] = append(texts, placed), placed
		}
	}
	list := g.Take(true)
	if len(texts) == 0 {
		p.NoText = len(list) > 0
		return p
	}
	for _, s := range list {
		n := sort.Search(len(texts), func(i int) bool { return s.belongs(texts[i].to) })
		t := texts[min(n, len(texts)-1)]
		t.sources = append(t.sources, s)
	}
	return p
}

// dropSourceParts returns parts without the opaque parts of other APIs that only name sources. It joins text parts that
// were separated by such a part.
func dropSourceParts(parts []callwright.Part, own callwright.WireName) []callwright.Part {
	names := func(p callwright.Part) bool {
		o, is := p.(callwright.Opaque)
		return is && o.Extra.Wire != own && Names(o.Extra)
	}
	if !slices.ContainsFunc(parts, names) {
		return parts
	}
	var out []callwright.Part
	var words []string // pieces of the last part of out, nil if that is no text or has ended
	flush := func() {
		if len(words) > 1 {
			t := out[len(out)-1].(callwright.Text)
			t.Text = strings.Join(words, "")
			out[len(out)-1] = t
		}
		words = nil
	}
	between := false // the last part was a citation in the middle of a text
	for _, p := range parts {
		if names(p) {
			if between = IsInlineCitation(p.(callwright.Opaque).Extra) && words != nil; !between {
				flush()
			}
			continue
		}
		t, is := p.(callwright.Text)
		if is && between && len(t.Extra.JSON) == 0 {
			words, between = append(words, t.Text), false
			continue
		}
		flush()
		out, between = append(out, p), false
		if is {
			words = []string{t.Text}
		}
	}
	flush()
	return out
}
