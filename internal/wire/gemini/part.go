package gemini

import (
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/internal/kit"
)

// The members of parts and of calls that are decoded. All other members are kept in Extra.
var (
	textKeys       = append([]string{"text", "thought"}, spellings(thoughtSignature)...)
	callOnlyKeys   = spellings(functionCall)
	callPartKeys   = spellings(functionCall, thoughtSignature)
	callKeys       = []string{"id", "name", "args"}
	answerCallKeys = append(spellings(partialArgs, willContinue), callKeys...) // in a response, which may stream arguments
)

// partMembers holds the JSON values of the members of a part, nil for a missing or null one. other reports that the
// part has further members.
type partMembers struct {
	text, thought, signature, call, response, inline, file []byte
	other                                                  bool
}

func membersOf(v []byte) (m partMembers) {
	for k, in := range jsonx.Members(v) {
		if to := m.at(k); to != nil {
			if !jsonx.IsNull(in) {
				*to = in
			}
		} else {
			m.other = true
		}
	}
	return m
}

// at returns the field for the value of the member k, nil for an unknown member.
func (m *partMembers) at(k jsonx.Key) *[]byte {
	switch {
	case k.Is("text"):
		return &m.text
	case functionCall.is(k):
		return &m.call
	case functionResponse.is(k):
		return &m.response
	case thoughtSignature.is(k):
		return &m.signature
	case k.Is("thought"):
		return &m.thought
	case inlineData.is(k):
		return &m.inline
	case fileData.is(k):
		return &m.file
	}
	return nil
}

// onKey is a member of the Extra of a Reasoning that has only a thoughtSignature. Its value onText means that the
// signature came with the text part before the Reasoning.
const (
	onKey  = "on"
	onText = `"text"`
)

// parts collects the decoded parts of one content. In a request, calls and results get the ids that the outliner
// recorded. In a response, empty texts are left out.
type parts struct {
	list    []callwright.Part
	refs    []callwright.CallRef // ids of the calls that are still to be decoded
	results []string             // call ids of the results that are still to be decoded
	answer  bool                 // the content is that of a response
}

// add decodes a part and appends it to p.list.
func (p *parts) add(v []byte) { p.take(v, membersOf(v)) }

func (p *parts) take(v []byte, m partMembers) {
	switch {
	case m.call != nil && !p.answer && isNothing(m.call):
		p.list = append(p.list, callwright.Opaque{Extra: own.Extra(json.RawMessage(v))})
	case m.call != nil:
		p.call(v, m)
	case m.response != nil && p.answer: // a call that the provider ran
		p.list = append(p.list, callwright.Opaque{Extra: own.Extra(json.RawMessage(v))})
	case m.response != nil:
		p.result(v, m)
	case m.inline != nil || m.file != nil:
		p.list = append(p.list, p.media(v))
	case m.text != nil:
		p.text(v, m)
	default:
		p.list = append(p.list, callwright.Opaque{Extra: own.Extra(json.RawMessage(v))})
	}
}

// media decodes an image or another file. In a response, one without data and URL becomes an Opaque.
func (p *parts) media(v []byte) callwright.Part {
	m := decodeMedia(v)
	if _, ok := fileOf(m); !ok && p.answer {
		return callwright.Opaque{Extra: own.Extra(v)}
	}
	return m
}

// isNothing reports whether a functionCall has no name, no id and no arguments.
func isNothing(call []byte) bool {
	return jsonx.IsNull(plain("name").in(call)) && jsonx.IsNull(plain("id").in(call)) && jsonx.IsNull(plain("args").in(call))
}

// text decodes a text or a thought. The signature of a text is appended as a Reasoning without text.
func (p *parts) text(v []byte, m partMembers) {
	t := callwright.Text{Text: jsonx.TextOf(m.text)}
	signed := !jsonx.IsNull(m.signature)
	if m.other {
		t.Extra = own.ExtraOf(v, textKeys)
	}
	thought := jsonx.IsTrue(m.thought)
	r := callwright.Reasoning{Origin: origin}
	switch {
	case thought:
		r.Text, r.Extra = t.Text, t.Extra
		if r.Text == "" {
			r.Extra = own.Keep(r.Extra, "thought", []byte("true"))
		}
	case !signed:
		if !p.answer || t.Text != "" || t.Extra.JSON != nil {
			p.list = append(p.list, t)
		}
		return
	case t.Text == "":
		r.Extra = t.Extra
	default:
		p.list = append(p.list, t)
		r.Extra = own.Keep(callwright.Extra{}, onKey, []byte(onText))
	}
	if signed {
		r = decodeSignature(r, m.signature)
	}
	if !fromOwnWire(r.Origin) {
		p.join(&r)
	}
	p.list = append(p.list, r)
}

// join merges the preceding thoughts into r, which has the opaque state of another API. The client received the
// thoughts as separate deltas, but the state belongs to their whole text.
func (p *parts) join(r *callwright.Reasoning) {
	from := len(p.list)
	for ; from > 0; from-- {
		if piece, is := p.list[from-1].(callwright.Reasoning); !is || piece.Signature != "" || !fromOwnWire(piece.Origin) {
			break
		}
	}
	var words strings.Builder
	for _, piece := range p.list[from:] {
		words.WriteString(piece.(callwright.Reasoning).Text)
	}
	words.WriteString(r.Text)
	r.Text, p.list = words.String(), p.list[:from]
}

func (p *parts) call(v []byte, m partMembers) {
	c := callwright.Call{Origin: origin, Arguments: json.RawMessage("{}")}
	knownInCall, other := callKeys, false
	if p.answer {
		knownInCall = answerCallKeys
	}
	for k, in := range jsonx.Members(m.call) {
		switch {
		case k.Is("id"):
			c.ID = jsonx.TextOf(in)
		case k.Is("name"):
			c.Name = jsonx.TextOf(in)
		case k.Is("args"):
			c.Arguments = argumentsOf(in)
		default:
			other = other || !kit.OneOf(k, knownInCall)
		}
	}
	known := callPartKeys
	if !jsonx.IsNull(m.signature) {
		r := decodeSignature(callwright.Reasoning{}, m.signature)
		c.Signature, c.Origin = r.Signature, r.Origin
		if isSentinel(c.Signature) { // a sentinel stays in Extra
			c.Signature, known, m.other = "", callOnlyKeys, true
		}
	}
	if m.other {
		c.Extra = own.ExtraOf(v, known)
	}
	if other {
		c.Extra = own.Keep(c.Extra, functionCall.camel, own.ExtraOf(m.call, knownInCall).JSON)
	}
	if len(p.refs) > 0 {
		c.ID, p.refs = p.refs[0].ID, p.refs[1:]
	}
	p.list = append(p.list, c)
}

// argumentsOf returns the arguments of a call as JSON: an object in compact form, a string unquoted, and {} if there
// are none, because this API omits the arguments of a call without parameters.
func argumentsOf(v []byte) json.RawMessage {
	switch {
	case jsonx.IsNull(v):
		return json.RawMessage("{}")
	case jsonx.IsText(v):
		return jsonx.Unquote(nil, v)
	}
	return jsonx.Compact(nil, v)
}

// answerID generates the id for call n of a response. It is a hash of the response's id, n, and the name and arguments
// of the call.
func answerID(answer string, n int, c callwright.Call) string {
	h := fnv.New64a()
	for _, s := range []string{answer, strconv.Itoa(n), c.Name, string(c.Arguments)} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return "call_" + strings.ToLower(strconv.FormatUint(h.Sum64(), 36))
}
