package responses

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// ReadContinuation reads the members of a request that concern stored responses: previous_response_id, store and
// conversation.
func (Codec) ReadContinuation(body []byte) wire.ContinuationSettings {
	e := wire.ContinuationSettings{Stores: true}
	for key, v := range jsonx.Members(body) {
		switch {
		case jsonx.IsNull(v):
		case key.Is("store"):
			e.Stores = string(v) != "false"
		case key.Is("previous_response_id"):
			e.ID = jsonx.TextOf(v)
		case key.Is("conversation"):
			e.ConversationMember = "conversation"
		}
	}
	return e
}

// Continue returns the body of a request with the items in earlier before its own input and without
// previous_response_id, for a provider that does not store responses. earlier is a JSON list from Items and is not
// validated. All other bytes stay the same. As the API defines, it does not include the earlier instructions. The error
// is of KindInvalid if the body is not an object, its input is neither a string nor a list, or earlier is not a list.
func (Codec) Continue(body, earlier []byte) ([]byte, error) {
	input, err := inputOf(body)
	if err != nil {
		return nil, err
	}
	earlier = jsonx.Trim(earlier)
	if !jsonx.IsArray(earlier) {
		return nil, kindError("", "a list of earlier items", earlier)
	}
	list := items.JoinLists(earlier, input)
	return wire.ApplyEdits(body, []callwright.Edit{
		{Path: []string{"previous_response_id"}}, {Path: []string{"input"}, Value: list},
	}), nil
}

// Items returns the items to store for a request and its response: the input items, then the output items, as one JSON
// list with unchanged bytes. An input string becomes a message. answer is a response object. The error is of
// KindInvalid for an invalid body (see Continue), of KindBadAnswer if answer has no list of output items.
func (Codec) Items(body, answer []byte) ([]byte, error) {
	input, err := inputOf(body)
	if err != nil {
		return nil, err
	}
	if err := jsonx.Valid(answer); err != nil {
		return nil, badAnswer("expected a JSON object", answer, err)
	}
	output, _ := jsonx.Find(answer, "output")
	if !jsonx.IsArray(output) {
		return nil, badAnswer("expected a list of output items, got "+kit.KindOf(output), answer, nil)
	}
	return items.JoinLists(input, output), nil
}

// inputOf returns the input of a body as a JSON list of items. A string becomes a user message, null an empty list.
func inputOf(body []byte) ([]byte, error) {
	if err := jsonx.Valid(body); err != nil {
		return nil, invalid("", "expected a JSON object: "+strings.TrimPrefix(err.Error(), "json: "))
	}
	if jsonx.KindOf(body) != jsonx.Object {
		return nil, kindError("", "a JSON object", jsonx.Trim(body))
	}
	switch v, _ := jsonx.Find(body, "input"); {
	case jsonx.IsArray(v):
		return v, nil
	case jsonx.IsNull(v):
		return []byte("[]"), nil
	case jsonx.IsText(v):
		w := newWriter(nil)
		w.Open("", '[')
		w.Open("", '{')
		w.Text("role", string(callwright.RoleUser))
		w.Raw("content", v)
		w.Buf = append(w.Buf, "}]"...)
		return w.Buf, nil
	default:
		return nil, kindError("/input", "a string or a list of items", v)
	}
}
