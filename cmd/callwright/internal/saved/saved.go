// Package saved reads saved conversations, in the format of any API or in a flat format for other programs.
package saved

import (
	"bytes"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/caps"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire/codecs"
	"github.com/callwright/callwright/interop"
	"github.com/callwright/callwright/reliable"
)

// A Conversation is a parsed conversation. Wire is its format: an API or the flat format.
type Conversation struct {
	Request *callwright.Request
	Wire    callwright.WireName
	Model   callwright.ModelID // the model that it names, "" for none
	Alone   bool               // it is a list of messages, not a whole request
	// Place returns the JSON Pointer of a message, or of a part of it, in the text; "" if it has none.
	Place func(message, part int) string
	// Like converts a request body, encoded for the wire named by to, into the form of the saved conversation.
	Like func(body []byte, to callwright.WireName) []byte
}

// flat is the format of conversations that belong to no API.
var flat = interop.Generic

// FlatName is the name of the flat format of conversations.
var FlatName = flat.Name

// Read parses a conversation. name is its format; "" detects the format.
func Read(text []byte, name callwright.WireName) (*Conversation, error) {
	if name == flat.Wire || name == "" && isFlat(text) {
		return readFlat(text)
	}
	c, err := codecs.ReadConversation(text, name)
	if err != nil {
		return nil, err
	}
	like := func(body []byte, to callwright.WireName) []byte {
		if to == flat.Wire {
			return body
		}
		return c.Like(body, to)
	}
	return &Conversation{Request: c.Request, Wire: c.Wire(), Model: c.Model, Alone: c.Alone(), Place: c.Place, Like: like}, nil
}

// isFlat reports whether a text is a JSON list with calls or results in the flat format.
func isFlat(text []byte) bool {
	text = bytes.TrimSpace(text)
	if !jsonx.IsArray(text) || jsonx.Valid(text) != nil {
		return false
	}
	for v := range jsonx.Elements(text) {
		_, named := jsonx.Find(v, "tool_name")
		if _, role := jsonx.Find(v, "role"); named && !role { // an Ollama message has a role
			return true
		}
	}
	return false
}

func readFlat(text []byte) (*Conversation, error) {
	history, err := flat.ReadHistory(text)
	if err != nil {
		return nil, err
	}
	same, _, err := flat.WriteHistory(history)
	if err != nil {
		same = nil // it has faults that WriteHistory cannot express
	}
	place := func(message, _ int) string {
		if message < 0 {
			return ""
		}
		return "/" + strconv.Itoa(message)
	}
	like := func(body []byte, to callwright.WireName) []byte {
		switch {
		case to != flat.Wire:
			return codecs.ConversationIn(body, to)
		case bytes.Equal(body, same):
			return text
		}
		return body
	}
	return &Conversation{Request: &callwright.Request{Messages: history}, Wire: flat.Wire, Alone: true, Place: place, Like: like}, nil
}

// EncoderOf returns the encoder of conversations for a wire or the flat format.
func EncoderOf(name callwright.WireName) reliable.Encoder {
	if c, ok := codecs.Of(name); ok {
		return c
	}
	return flatEncoder{}
}

// A flatEncoder encodes the history of a request in the flat format.
type flatEncoder struct{}

var _ reliable.Encoder = flatEncoder{}

// EncodeRequest encodes only the history of a request, in the flat format.
func (flatEncoder) EncodeRequest(req *callwright.Request, _ string, _ caps.Caps) ([]byte, []callwright.Note, error) {
	history, err := req.History()
	if err != nil {
		return nil, nil, err
	}
	return flat.WriteHistory(history)
}
