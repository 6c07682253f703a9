package kit

import (
	"cmp"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// telling are the members of answers that people read, and that have no place on other wires, with the rule of their note. All other
// members of one wire matter to its own clients alone.
var telling = []struct{ key, rule string }{
	{"citations", ruleCitations}, {citationsDelta, ruleCitations}, {"annotations", ruleCitations}, {"search_results", ruleCitations},
	{"groundingMetadata", ruleCitations}, {"citationMetadata", ruleCitations}, {"urlContextMetadata", ruleCitations},
	{"logprobs", ruleLogprobs}, {"logprobsResult", ruleLogprobs},
}

// citationsDelta is a piece of citations in a stream of Anthropic's: no part of its own.
const citationsDelta = "citations_delta"

const (
	ruleCitations = "response.citations"
	ruleLogprobs  = "response.logprobs"
)

// nestedAnswers is how deep telling members stand in what is kept of an answer: in an object of the choice or the message.
const nestedAnswers = 3

// OfAnswer notes what a whole answer of another wire says and own does not have: what OfEvent notes of its events.
func (l *Notes) OfAnswer(resp *callwright.Response, own Own) {
	l.ofExtra(resp.Extra, own)
	for _, p := range resp.Parts {
		switch p := p.(type) {
		case callwright.Text:
			l.ofExtra(p.Extra, own)
		case callwright.Opaque:
			l.ofOpaque(p.Extra, own)
		case callwright.Image, callwright.File:
			l.ofMedia(p, own)
		}
	}
}

// OfEvent notes what an event of a streamed answer of another wire says and own does not have.
func (l *Notes) OfEvent(ev callwright.Event, own Own) {
	switch ev := ev.(type) {
	case callwright.Begin:
		l.ofExtra(ev.Extra, own)
	case callwright.TextBegin:
		l.ofExtra(ev.Extra, own)
	case callwright.End:
		l.ofExtra(ev.Extra, own)
	case callwright.OpaquePart:
		l.ofOpaque(ev.Extra, own)
	case callwright.MediaPart:
		l.ofMedia(ev.Part, own)
	}
}

// ofMedia notes an image or a file that answers of own cannot hold.
func (l *Notes) ofMedia(p callwright.Part, own Own) {
	rule, was, fits := "", "", false
	switch p := p.(type) {
	case callwright.Image:
		rule, was = "response.image", cmp.Or(p.MediaType, p.URL, p.FileID)
		fits = own == Own(callwright.WireGemini) && p.Data+p.URL != "" || own == Own(callwright.WireOllama) && p.Data != ""
	case callwright.File:
		rule, was = "response.file", cmp.Or(p.Name, p.MediaType, p.URL, p.FileID)
		fits = own == Own(callwright.WireGemini) && p.Data+p.URL != ""
	}
	if !fits {
		l.Add(callwright.Note{Rule: rule, Was: was, Why: "answers of the client's API have no such part"})
	}
}

// ofOpaque notes a part of another wire: by its telling members where it has any, and else as a whole.
func (l *Notes) ofOpaque(x callwright.Extra, own Own) {
	if Own(x.Wire) == own || !x.HasValues() {
		return
	}
	before := len(*l)
	if l.ofExtra(x, own); len(*l) == before && !has(x.JSON, citationsDelta) && !has(x.JSON, "annotations") {
		l.Add(callwright.Note{Rule: "response.opaque", Was: string(x.JSON), Why: "only its own wire knows this part"})
	}
}

func has(v []byte, key string) bool {
	_, ok := jsonx.Find(v, key)
	return ok
}

func (l *Notes) ofExtra(x callwright.Extra, own Own) {
	if Own(x.Wire) != own && len(x.JSON) > 0 {
		l.ofMembers(x.JSON, nestedAnswers, shared(x.Wire, callwright.WireName(own)))
	}
}

// ofMembers notes telling members. carries says that both wires have citations of the web.
func (l *Notes) ofMembers(v []byte, depth int, carries bool) {
	for k, m := range jsonx.Members(v) {
		i := slices.IndexFunc(telling, func(t struct{ key, rule string }) bool { return k.Is(t.key) })
		switch {
		case carries && k.Is("annotations") && onlyCitations(m):
		case i >= 0 && !isHollow(m):
			l.once(callwright.Note{Rule: telling[i].rule, Was: telling[i].key, Why: "the client's API has no place for it"})
		case i < 0 && depth > 0:
			for first := range jsonx.Elements(m) { // of choices
				m = first
				break
			}
			l.ofMembers(m, depth-1, carries)
		}
	}
}

func onlyCitations(annotations []byte) bool {
	_, all := Citations(annotations)
	return all
}

// once adds a note unless there is one of its rule already.
func (l *Notes) once(n callwright.Note) {
	if !slices.ContainsFunc(*l, func(o callwright.Note) bool { return o.Rule == n.Rule }) {
		l.Add(n)
	}
}

// onceOf adds a note unless there is one of its rule about the same already.
func (l *Notes) onceOf(n callwright.Note) {
	if !slices.ContainsFunc(*l, func(o callwright.Note) bool { return o.Rule == n.Rule && o.Was == callwright.Excerpt(n.Was) }) {
		l.Add(n)
	}
}

// isHollow reports whether a value says nothing: null, or an object or a list of nothing.
func isHollow(v []byte) bool {
	if jsonx.IsNull(v) {
		return true
	}
	i := jsonx.Space(v, 1)
	return (v[0] == '{' || v[0] == '[') && i < len(v) && (v[i] == '}' || v[i] == ']')
}
