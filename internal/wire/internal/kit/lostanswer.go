package kit

import (
	"cmp"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/citation"
)

// telling are the members of answers that people read, beside those that name sources, with the rule of the note on one
// that has no place on the client's wire. All other members of one wire matter to its own clients alone.
var telling = []struct{ key, rule string }{{"urlContextMetadata", ruleCitations}, {"logprobs", ruleLogprobs},
	{"logprobsResult", ruleLogprobs}}

// ruleOf is the rule of the note on a member that people read, "" for another one.
func ruleOf(k jsonx.Key) string {
	if citation.IsMember(k) {
		return ruleCitations
	}
	for _, t := range telling {
		if k.Is(t.key) {
			return t.rule
		}
	}
	return ""
}

const (
	ruleCitations = "response.citations"
	ruleLogprobs  = "response.logprobs"
)

// notKept is the member of an End's Extra that names the readable parts of its stream that no event holds. No encoder
// writes it.
const notKept = "not_kept"

// NotKept is the Extra x of an End, of this wire or empty, which says so where probabilities of tokens came: there may
// be megabytes of them.
func (o Own) NotKept(x callwright.Extra, logprobs bool) callwright.Extra {
	if !logprobs {
		return x
	}
	return o.Keep(x, notKept, []byte(`{"logprobs":true}`))
}

// ofNotKept notes the parts of a stream of own that its events do not hold.
func (l *Notes) ofNotKept(x callwright.Extra, own Own) {
	for k := range jsonx.Members(own.Member(x, notKept)) {
		l.once(callwright.Note{Rule: ruleOf(k), Was: k.String(), Why: "what is written anew of a stream does not have it"})
	}
}

// OfAnswer notes the parts of another API's whole answer that own does not have: those that OfEvent notes of its
// events.
func (l *Notes) OfAnswer(resp *callwright.Response, own Own) {
	l.ofExtra(resp.Extra, own)
	l.ofNotKept(resp.Extra, own)
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

// OfEvent notes the parts of another API's event that own does not have.
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

// ofOpaque notes a part of another wire as a whole, unless it has telling members.
func (l *Notes) ofOpaque(x callwright.Extra, own Own) {
	if Own(x.Wire) == own || !x.HasValues() {
		return
	}
	if !l.ofExtra(x, own) && !citation.Names(x) {
		l.Add(callwright.Note{Rule: "response.opaque", Was: noteExcerpt(x), Why: "only its own wire knows this part"})
	}
}

// noteExcerpt returns the text of a note about a part. For a member of a message of Chat Completions it is the name: a
// stream has many pieces of its value.
func noteExcerpt(x callwright.Extra) string {
	if x.Wire == callwright.WireOpenAI && !has(x.JSON, "type") {
		for k := range jsonx.Members(x.JSON) {
			return k.String()
		}
	}
	return string(x.JSON)
}

// ofExtra notes telling members of another wire of which not all is carried, and reports whether there are any.
func (l *Notes) ofExtra(x callwright.Extra, own Own) (tells bool) {
	if Own(x.Wire) == own || len(x.JSON) == 0 {
		return false
	}
	citation.Walk(x.JSON, func(k jsonx.Key, m []byte) bool {
		rule := ruleOf(k)
		if rule == "" || jsonx.IsObject(m) && k.Is("annotations") { // annotations of MCP tools, which are objects
			return false
		}
		if IsHollow(m) {
			return true
		}
		tells = true
		if rule != ruleCitations || !citation.CanCarry(x.Wire, callwright.WireName(own), k, m) {
			l.once(callwright.Note{Rule: rule, Was: k.String(), Why: "the client's API has no place for it"})
		}
		return true
	})
	return tells
}

// Uncited is the note on sources for which an answer has no text.
var Uncited = callwright.Note{Rule: ruleCitations, Was: "annotations", Why: "there is no text that they belong to"}

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

// IsHollow reports whether a value says nothing: none, null, or an object or a list of nothing.
func IsHollow(v []byte) bool {
	if jsonx.IsNull(v) {
		return true
	}
	i := jsonx.Space(v, 1)
	return (v[0] == '{' || v[0] == '[') && i < len(v) && (v[i] == '}' || v[i] == ']')
}
