package codecs

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
)

// A Conversation is a saved conversation: the body of a request, or its list of messages, contents or items alone.
type Conversation struct {
	Request *callwright.Request
	Codec   wire.Codec         // of its wire
	Model   callwright.ModelID // that it names, "" where it names none; the request has one in any case

	text     []byte // as it was saved
	body     []byte // as a request
	alone    bool   // it is the list alone
	nameless bool   // a name for the model was added
	places   *places
}

// nameless is the name of the model of a conversation that names none: requests need one.
const nameless = "unnamed"

// listNames are the members that have the conversation of a request.
var listNames = map[callwright.WireName]string{
	callwright.WireOpenAI: "messages", callwright.WireResponses: "input", callwright.WireAnthropic: "messages",
	callwright.WireGemini: "contents", callwright.WireOllama: "messages",
}

// conversationNames are further members that belong to a conversation: instructions that stand apart from it.
var conversationNames = map[callwright.WireName][]string{
	callwright.WireResponses: {"instructions"}, callwright.WireAnthropic: {"system"}, callwright.WireGemini: {"systemInstruction"},
}

// unkept says in a request made of a list that the provider keeps nothing of it: members outside the list cannot be had
// elsewhere.
var unkept = map[callwright.WireName]string{callwright.WireResponses: `"store":false,`}

// ReadConversation reads a saved conversation, which it keeps and which must not be changed. Its wire is told by its
// shape where name is empty. A request needs no model. Errors are *callwright.Error.
func ReadConversation(text []byte, name callwright.WireName) (*Conversation, error) {
	c := &Conversation{text: text, body: text, alone: jsonx.IsArray(bytes.TrimSpace(text))}
	if name == "" {
		name = DetectConversation(text)
	}
	var ok bool
	if c.Codec, ok = Of(name); !ok {
		return nil, callwright.Errorf("codecs.read_conversation", callwright.KindUnsupported, "",
			"no wire is called %s: expected %s", name, Names())
	}
	if c.alone {
		c.body = slices.Concat([]byte(`{`+unkept[name]+`"`+listNames[name]+`":`), text, []byte{'}'})
	}
	if name == callwright.WireGemini {
		c.nameless = true
	} else if model, _ := jsonx.Find(c.body, "model"); model == nil && jsonx.Valid(c.body) == nil && jsonx.KindOf(c.body) == jsonx.Object {
		c.nameless = true
		c.body = wire.ApplyEdits(c.body, []callwright.Edit{{Path: []string{"model"}, Value: jsonx.AppendQuote(nil, nameless)}})
	}
	var err error
	if c.Request, err = c.Codec.DecodeRequest(c.body); err != nil {
		return nil, err
	}
	if !c.nameless {
		c.Model = c.Request.Model
	}
	return c, nil
}

// Wire is the wire of the conversation.
func (c *Conversation) Wire() callwright.WireName { return c.Codec.Name() }

// Alone reports whether the conversation was saved without the request around it.
func (c *Conversation) Alone() bool { return c.alone }

// Place is the place of a part of the history, as a JSON pointer into the text that was read; a part below 0 is the
// whole message, and a message below 0 the whole history.
func (c *Conversation) Place(message, part int) string {
	if c.places == nil {
		c.places = c.index()
	}
	return c.places.at(message, part)
}

// Like gives a request of the wire to, made of this conversation, the form in which the conversation was saved: a list
// alone where it was one of that wire, without a model where it named none. The bytes are those that were read where
// the request is the same.
func (c *Conversation) Like(body []byte, to callwright.WireName) []byte {
	if to == c.Wire() && bytes.Equal(body, c.body) {
		return c.text
	}
	if c.alone && to == c.Wire() {
		list, _ := jsonx.Find(body, listNames[to])
		return list
	}
	switch {
	case c.alone:
		return ConversationIn(body, to)
	case c.nameless:
		return wire.ApplyEdits(body, []callwright.Edit{{Path: []string{"model"}}})
	}
	return body
}

// ConversationIn is a request of a wire without all that is no part of its conversation: its instructions and its list,
// as an object.
func ConversationIn(body []byte, name callwright.WireName) []byte {
	var out jsonx.List
	for _, member := range append(slices.Clone(conversationNames[name]), listNames[name]) {
		if v, ok := jsonx.Find(body, member); ok {
			out.Set(member, v)
		}
	}
	return out.Append(nil)
}

// itemMarks are members that only elements of one API's list have, in the order in which they are looked for. Those of
// the elements of OpenAI's, Anthropic's and Ollama's APIs are the marks of requests.
var itemMarks = []mark{
	{wire: callwright.WireGemini, path: []string{"*", "parts"}, kind: jsonx.Array},
	{wire: callwright.WireResponses, path: []string{"*", "call_id"}},
	{wire: callwright.WireResponses, path: []string{"*", "type"}, text: "message"},
	{wire: callwright.WireResponses, path: []string{"*", "type"}, text: "reasoning"},
	{wire: callwright.WireResponses, path: []string{"*", "content", "*", "type"}, text: "input_text"},
	{wire: callwright.WireResponses, path: []string{"*", "content", "*", "type"}, text: "output_text"},
}

// DetectConversation tells the wire of a saved conversation by its shape, as [Detect] does for requests.
func DetectConversation(text []byte) callwright.WireName {
	if !jsonx.IsArray(bytes.TrimSpace(text)) || jsonx.Valid(text) != nil {
		return Detect(text)
	}
	text = bytes.TrimSpace(text)
	for i := range itemMarks {
		if m := &itemMarks[i]; m.in(text, m.path) {
			return m.wire
		}
	}
	return Detect(slices.Concat([]byte(`{"messages":`), text, []byte{'}'}))
}
