// Package saved reads conversations that were saved, in the form of any API or in that of programs that speak none.
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

// A Conversation is a conversation of a wire, or in the flat form of programs that speak none.
type Conversation struct {
	Request *callwright.Request
	Wire    callwright.WireName
	Model   callwright.ModelID // that it names
	Alone   bool               // it is no whole request
	// Place is where a message, or a part of it, stands in the text; "" where it stands nowhere.
	Place func(message, part int) string
	// Like is a conversation of the wire in the form in which this one was saved.
	Like func(body []byte, to callwright.WireName) []byte
}

// flat is the form of a conversation that no API has.
var flat = interop.Generic

// FlatName is the name of the flat form, beside those of the APIs.
var FlatName = flat.Name

// Read reads a conversation, whose form is told by its shape where no name is given.
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

// isFlat reports whether a text is a list with calls or results in the flat form.
func isFlat(text []byte) bool {
	text = bytes.TrimSpace(text)
	if !jsonx.IsArray(text) || jsonx.Valid(text) != nil {
		return false
	}
	for v := range jsonx.Elements(text) {
		_, named := jsonx.Find(v, "tool_name")
		if _, role := jsonx.Find(v, "role"); named && !role { // messages of Ollama's have a role
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
		same = nil // it has what cannot be written, which is mended
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

// EncoderOf returns the encoder of conversations of a form.
func EncoderOf(name callwright.WireName) reliable.Encoder {
	if c, ok := codecs.Of(name); ok {
		return c
	}
	return flatEncoder{}
}

// A flatEncoder writes the history of a request in the flat form.
type flatEncoder struct{}

var _ reliable.Encoder = flatEncoder{}

// EncodeRequest writes the history alone.
func (flatEncoder) EncodeRequest(req *callwright.Request, _ string, _ caps.Caps) ([]byte, []callwright.Note, error) {
	history, err := req.History()
	if err != nil {
		return nil, nil, err
	}
	return flat.WriteHistory(history)
}
