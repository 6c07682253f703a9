package responses

import (
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/internal/wire/internal/kit"
	"github.com/callwright/callwright/internal/wire/responses/internal/items"
)

// Earlier reads the reference to an earlier answer.
func (Codec) Earlier(body []byte) wire.Earlier {
	e := wire.Earlier{Stores: true}
	for key, v := range jsonx.Members(body) {
		switch {
		case jsonx.IsNull(v):
		case key.Is("store"):
			e.Stores = string(v) != "false"
		case key.Is("previous_response_id"):
			e.ID = jsonx.TextOf(v)
		case key.Is("conversation"):
			e.Keeper = "conversation"
		}
	}
	return e
}

// Continue returns the body of a request with earlier items before its own input, and without previous_response_id: a
// replacement for that id with a provider that does not keep answers. earlier is a JSON list as Items gives it.
// Instructions are not carried on, as the API defines. All other bytes stay as they are. It fails with KindInvalid
// where the body is no JSON object, its input is neither a text nor a list of items, or earlier is no list; earlier is
// trusted to be JSON.
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

// Items are the items to keep of a request and its answer, a response object: those of the input, then those of the
// output, as one JSON list with the bytes they came as. An input that is a text becomes a message. It fails with
// KindInvalid for a body like Continue, with KindBadAnswer where the answer has no list of items.
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

// inputOf is the input of a body as a list of items.
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
