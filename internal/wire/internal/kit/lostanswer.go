package kit

import (
	"cmp"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/citation"
)

// readableMembers maps members of responses that are made for people to read, without citations, to the rule of the
// note if the member is dropped. Other members that only one API has are dropped without a note.
var readableMembers = []struct{ key, rule string }{{"urlContextMetadata", ruleCitations}, {"logprobs", ruleLogprobs},
	{"logprobsResult", ruleLogprobs}}

// ruleOf returns the rule of the note if the response member k is dropped, "" for a member that needs no note.
func ruleOf(k jsonx.Key) string {
	if citation.IsMember(k) {
		return ruleCitations
	}
	for _, t := range readableMembers {
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

// notKept is a member of the Extra of an End event. It names readable data of the stream that the events do not have.
// No encoder writes it.
const notKept = "not_kept"

// NotKept returns x, the Extra of an End event, with the member notKept if logprobs is set. logprobs states that the
// stream had token probabilities, which are not decoded because they may be megabytes. x is empty or of the API o.
func (o API) NotKept(x callwright.Extra, logprobs bool) callwright.Extra {
	if !logprobs {
		return x
	}
	return o.Keep(x, notKept, []byte(`{"logprobs":true}`))
}

// ofNotKept adds notes on data, such as token probabilities, that a stream of the API own had but its events lack.
func (l *Notes) ofNotKept(x callwright.Extra, own API) {
	for k := range jsonx.Members(own.Member(x, notKept)) {
		l.once(callwright.Note{Rule: ruleOf(k), Was: k.String(), Why: "a converted stream cannot contain it"})
	}
}

// OfAnswer adds notes on data of resp that own, the client's API, cannot express because resp was decoded from another
// API. They are the notes that OfEvent adds for the events of a stream.
func (l *Notes) OfAnswer(resp *callwright.Response, own API) {
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

// OfEvent adds notes on data of ev that own, the client's API, cannot express because ev was decoded from another API.
func (l *Notes) OfEvent(ev callwright.Event, own API) {
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

// ofMedia adds a note if p is an image or a file that responses of the API own cannot contain.
func (l *Notes) ofMedia(p callwright.Part, own API) {
	rule, was, fits := "", "", false
	switch p := p.(type) {
	case callwright.Image:
		rule, was = "response.image", cmp.Or(p.MediaType, p.URL, p.FileID)
		fits = own == API(callwright.WireGemini) && p.Data+p.URL != "" || own == API(callwright.WireOllama) && p.Data != ""
	case callwright.File:
		rule, was = "response.file", cmp.Or(p.Name, p.MediaType, p.URL, p.FileID)
		fits = own == API(callwright.WireGemini) && p.Data+p.URL != ""
	}
	if !fits {
		l.Add(callwright.Note{Rule: rule, Was: was, Why: "answers of the client's API have no such part"})
	}
}

// ofOpaque adds a note on an opaque part of another API, whose members are x. If x has members for people to read, the
// notes are on these members instead.
func (l *Notes) ofOpaque(x callwright.Extra, own API) {
	if API(x.Wire) == own || !x.HasValues() {
		return
	}
	if !l.ofExtra(x, own) && !citation.Names(x) {
		l.Add(callwright.Note{Rule: "response.opaque", Was: noteExcerpt(x), Why: "only the wire of the message has this part"})
	}
}

// noteExcerpt returns the excerpt for a note about an opaque part: its JSON. For an extra member of a Chat Completions
// message it is only the name, because a stream has many deltas of the value.
func noteExcerpt(x callwright.Extra) string {
	if x.Wire == callwright.WireOpenAI && !has(x.JSON, "type") {
		for k := range jsonx.Members(x.JSON) {
			return k.String()
		}
	}
	return string(x.JSON)
}

// ofExtra adds notes on readable members of x, decoded from another API, that the API own cannot carry in full. tells
// reports whether x has readable members.
func (l *Notes) ofExtra(x callwright.Extra, own API) (tells bool) {
	if API(x.Wire) == own || len(x.JSON) == 0 {
		return false
	}
	citation.Walk(x.JSON, func(k jsonx.Key, m []byte) bool {
		rule := ruleOf(k)
		if rule == "" || jsonx.IsObject(m) && k.Is("annotations") { // an object is the annotations of an MCP tool, not citations
			return false
		}
		if IsEmptyValue(m) {
			return true
		}
		tells = true
		if rule != ruleCitations || !citation.CanCarry(x.Wire, callwright.WireName(own), k, m) {
			l.once(callwright.Note{Rule: rule, Was: k.String(), Why: "the client's API cannot contain it"})
		}
		return true
	})
	return tells
}

// Uncited is the note that citations are dropped because the response has no text that they could belong to.
var Uncited = callwright.Note{Rule: ruleCitations, Was: "annotations", Why: "the answer has no text to which they belong"}

// once adds n unless l has a note with the same rule.
func (l *Notes) once(n callwright.Note) {
	if !slices.ContainsFunc(*l, func(o callwright.Note) bool { return o.Rule == n.Rule }) {
		l.Add(n)
	}
}

// onceOf adds n unless l has a note with the same rule and the same Was.
func (l *Notes) onceOf(n callwright.Note) {
	if !slices.ContainsFunc(*l, func(o callwright.Note) bool { return o.Rule == n.Rule && o.Was == callwright.Excerpt(n.Was) }) {
		l.Add(n)
	}
}

// IsEmptyValue reports whether v is an empty value: absent, null, {} or [].
func IsEmptyValue(v []byte) bool {
	if jsonx.IsNull(v) {
		return true
	}
	i := jsonx.Space(v, 1)
	return (v[0] == '{' || v[0] == '[') && i < len(v) && (v[i] == '}' || v[i] == ']')
}
