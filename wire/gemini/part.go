package gemini

import (
	"encoding/json"
	"hash/fnv"
	"strconv"
	"strings"

	callwright "github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
)

// The members of parts that are decoded; all others are kept as Extra.
var (
	textKeys     = append([]string{"text", "thought"}, spellings(thoughtSignature)...)
	callPartKeys = spellings(functionCall, thoughtSignature)
	callKeys     = []string{"id", "name", "args"}
)

// The members by which reasoning without text knows its part again.
const (
	onKey  = "on" // the text before it, which the signature came with
	onText = `"text"`
)

// parts collects the parts of one content. The ids of calls and results are those of the outline; an answer has none, and
// leaves out empty texts.
type parts struct {
	list    []callwright.Part
	refs    []callwright.CallRef
	results []string
	answer  bool
}

// add decodes a part.
func (p *parts) add(v []byte) {
	call, response := functionCall.in(v), functionResponse.in(v)
	text := plain("text").in(v)
	switch {
	case call != nil:
		p.call(v, call)
	case response != nil:
		p.result(v, response)
	case inlineData.in(v) != nil || fileData.in(v) != nil:
		p.list = append(p.list, decodeMedia(v))
	case text != nil:
		p.text(v, text)
	default:
		p.list = append(p.list, callwright.Opaque{Extra: callwright.Extra{Wire: callwright.WireGemini, JSON: json.RawMessage(v)}})
	}
}

// text decodes a text or a thought. The signature of a text follows it as reasoning without text.
func (p *parts) text(v, text []byte) {
	t := callwright.Text{Text: jsonx.Alias(text)}
	signature := thoughtSignature.in(v)
	signed := !jsonx.IsNull(signature)
	if len(v) > len(text)+len(`{"text":}`) {
		t.Extra = extraOf(v, textKeys)
	}
	thought := jsonx.IsTrue(plain("thought").in(v))
	r := callwright.Reasoning{Origin: origin}
	switch {
	case thought:
		r.Text, r.Extra = t.Text, t.Extra
		if r.Text == "" {
			r.Extra = keep(r.Extra, "thought", []byte("true"))
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
		r.Extra = keep(callwright.Extra{}, onKey, []byte(onText))
	}
	if signed {
		r = unsealed(r, signature)
	}
	if !own(r.Origin) {
		p.join(&r)
	}
	p.list = append(p.list, r)
}

// join puts the thoughts before the state of another wire into r: they came in pieces, and it belongs to their whole text.
func (p *parts) join(r *callwright.Reasoning) {
	for n := len(p.list) - 1; n >= 0; n-- {
		piece, is := p.list[n].(callwright.Reasoning)
		if !is || piece.Signature != "" || !own(piece.Origin) {
			return
		}
		r.Text, p.list = piece.Text+r.Text, p.list[:n]
	}
}

func (p *parts) call(v, call []byte) {
	c := callwright.Call{ID: jsonx.Alias(plain("id").in(call)), Name: jsonx.Alias(plain("name").in(call)), Arguments: argumentsOf(call), Origin: origin}
	known := callPartKeys
	if signature := thoughtSignature.in(v); !jsonx.IsNull(signature) {
		r := unsealed(callwright.Reasoning{}, signature)
		c.Signature, c.Origin = r.Signature, r.Origin
		if isSentinel(c.Signature) { // means nothing to other wires: it stays a member of this one
			c.Signature, known = "", spellings(functionCall)
		}
	}
	c.Extra = extraOf(v, known)
	if in := extraOf(call, callKeys); in.JSON != nil {
		c.Extra = keep(c.Extra, functionCall.camel, in.JSON)
	}
	if len(p.refs) > 0 {
		c.ID, p.refs = p.refs[0].ID, p.refs[1:]
	}
	p.list = append(p.list, c)
}

// argumentsOf are the arguments of a call as text: the JSON of an object, the text where they came as text, {} where there
// are none, which is how this API calls a tool without parameters.
func argumentsOf(call []byte) json.RawMessage {
	v := plain("args").in(call)
	switch {
	case jsonx.IsNull(v):
		return json.RawMessage("{}")
	case jsonx.IsText(v):
		return jsonx.Unquote(nil, v)
	}
	return jsonx.Compact(nil, v)
}

// answerID is the id of call n of an answer that came without one: the same for the same call of the same answer.
func answerID(answer string, n int, c callwright.Call) string {
	h := fnv.New64a()
	for _, s := range []string{answer, strconv.Itoa(n), c.Name, string(c.Arguments)} {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	return "call_" + strings.ToLower(strconv.FormatUint(h.Sum64(), 36))
}
