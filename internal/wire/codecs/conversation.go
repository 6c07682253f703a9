package codecs

import (
	"bytes"
	"slices"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
)

// A Conversation is a saved conversation: the JSON body of a request, or only its list of messages, contents or items.
type Conversation struct {
	Request *callwright.Request
	Codec   wire.Codec         // codec of the conversation's API
	Model   callwright.ModelID // the model that the saved text names, "" for none; Request always has a model

	text     []byte // the saved text
	body     []byte // text as the body of a request
	alone    bool   // text is only the list
	nameless bool   // text names no model
	places   *places
}

// nameless is the model name that is added to a saved conversation without one, because a request needs a model.
const nameless = "unnamed"

// listNames maps each API to the request member that has the list of messages.
var listNames = map[callwright.WireName]string{
	callwright.WireOpenAI: "messages", callwright.WireResponses: "input", callwright.WireAnthropic: "messages",
	callwright.WireGemini: "contents", callwright.WireOllama: "messages",
}

// conversationNames maps each API to the other request members that belong to the conversation: instructions outside
// the list of messages.
var conversationNames = map[callwright.WireName][]string{
	callwright.WireResponses: {"instructions"}, callwright.WireAnthropic: {"system"}, callwright.WireGemini: {"systemInstruction"},
}

// storeOffMember has, for each API that keeps conversations, a JSON member for a request that is made from a list. It
// states that the server keeps nothing, so that the list is the whole conversation.
var storeOffMember = map[callwright.WireName]string{callwright.WireResponses: `"store":false,`}

// ReadConversation decodes a saved conversation. If name is empty, DetectConversation determines the API. A missing
// model is no error. The Conversation keeps text, which must not be changed. Errors are *callwright.Error.
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
		c.body = slices.Concat([]byte(`{`+storeOffMember[name]+`"`+listNames[name]+`":`), text, []byte{'}'})
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

// Wire returns the name of the conversation's API.
func (c *Conversation) Wire() callwright.WireName { return c.Codec.Name() }

// Alone reports whether the saved text is only the list of messages, without a request around it.
func (c *Conversation) Alone() bool { return c.alone }

// Place returns the JSON pointer in the saved text to part number part of message number message, both counted from 0.
// If part is negative, the pointer is to the whole message. If message is negative, the pointer is to the list of
// messages.
func (c *Conversation) Place(message, part int) string {
	if c.places == nil {
		c.places = c.index()
	}
	return c.places.at(message, part)
}

// Like converts body, the body of a request that was made from this conversation, to the form of the saved text. to is
// the API of body. If the saved text is only the list of messages, so is the result; if to is another API, the list is
// in an object that also has the separate instructions. The result has no model if the saved text has none. If body is
// unchanged, the result is the saved text itself.
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

// ConversationIn returns a JSON object with only the members of the request body that belong to the conversation:
// separate instructions and the list of messages. name is the API of the body.
func ConversationIn(body []byte, name callwright.WireName) []byte {
	var out jsonx.List
	for _, member := range append(slices.Clone(conversationNames[name]), listNames[name]) {
		if v, ok := jsonx.Find(body, member); ok {
			out.Set(member, v)
		}
	}
	return out.Append(nil)
}

// itemMarks lists members that occur only in the list elements of one API, in the order in which DetectConversation
// tries them. For elements of the other APIs, DetectConversation uses marks.
var itemMarks = []mark{
	{wire: callwright.WireGemini, path: []string{"*", "parts"}, kind: jsonx.Array},
	{wire: callwright.WireResponses, path: []string{"*", "call_id"}},
	{wire: callwright.WireResponses, path: []string{"*", "type"}, text: "message"},
	{wire: callwright.WireResponses, path: []string{"*", "type"}, text: "reasoning"},
	{wire: callwright.WireResponses, path: []string{"*", "content", "*", "type"}, text: "input_text"},
	{wire: callwright.WireResponses, path: []string{"*", "content", "*", "type"}, text: "output_text"},
}

// DetectConversation returns the API of a saved conversation, which is a request body or a list of messages. It is
// Detect for a request body. For a list that matches no mark it returns callwright.WireOpenAI.
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
