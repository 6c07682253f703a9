package gateway

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/sse"
	"github.com/callwright/callwright/wire"
)

// A continuation is a request of a wire whose requests may go on from earlier answers: it has the conversation so far, and keeps the
// answer for later requests. A nil continuation belongs to another wire and does nothing.
type continuation struct {
	s      *Server
	codec  wire.Continuer
	owner  owner
	body   []byte     // as the client sent it
	before []*segment // the conversation that it goes on from
	notes  []callwright.Note
	stored bool // the client does not forbid it
}

// continuation reads what the body says about earlier answers and returns the body to decode: the client's own, or one that has the
// earlier conversation in it.
func (s *Server) continuation(c wire.Codec, r *http.Request, body []byte) (*continuation, []byte, error) {
	continuer, ok := c.(wire.Continuer)
	if !ok {
		return nil, body, nil
	}
	t := &continuation{s: s, codec: continuer, owner: s.owner(r), body: body, stored: true}
	id := ""
	for key, v := range jsonx.Members(body) {
		switch kind := jsonx.KindOf(v); {
		case kind == jsonx.Null:
		case key.Is("store"):
			t.stored = kind != jsonx.Bool || v[0] == 't'
		case key.Is("previous_response_id"):
			id = jsonx.Alias(v)
		case key.Is("conversation"):
			return nil, nil, &callwright.Error{Kind: callwright.KindUnsupported, Feature: callwright.FeatureField + "conversation", Path: "/conversation",
				Message: "conversations are not kept here: send all items as input, or go on from an answer by previous_response_id"}
		}
	}
	if id == "" {
		return t, body, nil
	}
	if err := jsonx.Valid(body); err != nil {
		return t, body, nil //nolint:nilerr // the decoder says it with the place
	}
	k := s.answers.find(keptKey{t.owner, id})
	if k == nil {
		return nil, nil, &callwright.Error{Kind: callwright.KindNoEarlier, Path: "/previous_response_id",
			Message: "no answer " + strconv.Quote(callwright.Excerpt(id)) + " is kept for this key: " + keptRule + "; send the whole conversation as input"}
	}
	whole, err := continuer.Continue(body, k.earlier())
	t.before = k.segments
	t.notes = []callwright.Note{callwright.Note{Rule: "history.continued", Stage: callwright.StageOutbound,
		Path: "/previous_response_id", Was: id, Why: strconv.Itoa(len(k.segments)) + " earlier turns were kept"}.Graded()}
	return t, whole, err
}

// noted adds the notes of the continuation to the report of its answer.
func (t *continuation) noted(rep *callwright.Report) {
	if t != nil {
		addNotes(rep, t.notes)
	}
}

// ends are the events whose member response is the whole answer.
var ends = [][]byte{[]byte(`"response.completed"`), []byte(`"response.incomplete"`)}

// watch looks for the whole answer in what is about to be sent of a stream, a piece of whole events, and keeps it: the
// client's next request may come as soon as it is sent. It looks closely only at a piece that has the name of such an event.
func (t *continuation) watch(piece []byte) {
	if t == nil || !t.stored {
		return
	}
	for _, name := range ends {
		if len(piece) <= keptBytes && bytes.Contains(piece, name) {
			t.keep(bytes.Clone(inEvent(piece, name)))
		}
	}
}

// inEvent returns the member response of the event whose type is name, a JSON string; nil without one.
func inEvent(piece, name []byte) []byte {
	for events := sse.NewReader(bytes.NewReader(piece)); ; {
		ev, err := events.Next()
		if err != nil {
			return nil
		}
		if kind, ok := jsonx.Find(ev.Data, "type"); ok && bytes.Equal(kind, name) {
			whole, _ := jsonx.Find(ev.Data, "response")
			return whole
		}
	}
}

// keep keeps an answer for later requests, which must not change afterwards. One that cannot be read is not kept: the client
// has it all the same.
func (t *continuation) keep(answer []byte) {
	if t == nil || !t.stored || len(answer) > keptBytes {
		return
	}
	id, _ := jsonx.Find(answer, "id")
	name := strings.Clone(jsonx.Alias(id))
	if name == "" {
		return
	}
	items, err := t.codec.Items(t.body, answer)
	if err != nil || jsonx.KindOf(items) != jsonx.Array {
		t.s.cfg.Logger.LogAttrs(context.Background(), slog.LevelWarn, "not kept", slog.String("id", name), slog.Any("error", err))
		return
	}
	t.s.answers.keep(keptKey{t.owner, name}, answer, t.before, items)
}
