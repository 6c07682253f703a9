package gateway

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/feature"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/internal/notes"
	"github.com/callwright/callwright/internal/wire"
	"github.com/callwright/callwright/sse"
)

// A continuation is the state of a request that may refer to an earlier response, such as by previous_response_id of
// the Responses API. It has the earlier conversation and stores the new response for later requests. A nil continuation
// belongs to an API without such references; its methods do nothing.
type continuation struct {
	s      *Server
	codec  wire.Continuer
	ctx    context.Context // of the request; storing the response continues if the client leaves
	owner  archive.Owner
	body   []byte        // as sent by the client
	id     string        // of the earlier response that the request refers to
	before *archive.Turn // the last turn of the earlier conversation
	notes  []callwright.Note
	stored bool // store the response: the client did not forbid it
}

// continuation reads the references of a request body to earlier responses. It returns the body to decode: the client's
// body, or a body that contains the earlier conversation too.
func (s *Server) continuation(c wire.Codec, x *exchange, r *http.Request, body []byte) (*continuation, []byte, error) {
	continuer, ok := c.(wire.Continuer)
	if !ok {
		return nil, body, nil
	}
	earlier := continuer.ReadContinuation(body)
	if member := earlier.ConversationMember; member != "" {
		return nil, nil, &callwright.Error{Kind: callwright.KindUnsupported,
			Feature: feature.Field + callwright.Feature(member), Path: "/" + member,
			Message: "conversations are not stored here: send all items as input, or continue an answer with previous_response_id"}
	}
	t := &continuation{s: s, codec: continuer, ctx: r.Context(), owner: archive.Owner(s.owner(x, r).text()), body: body,
		stored: earlier.Stores}
	id := earlier.ID
	if id == "" {
		return t, body, nil
	}
	if err := jsonx.Valid(body); err != nil {
		return t, body, nil //nolint:nilerr // the decoder says it with the place
	}
	last, err := s.cfg.Answers.Conversation(r.Context(), archive.Key{Owner: t.owner, ID: id})
	if err != nil {
		return nil, nil, s.storeError(r, id, err, &callwright.Error{Kind: callwright.KindNoEarlier, Path: "/previous_response_id",
			Message: noAnswer(id) + "; send the whole conversation as input"})
	}
	whole, err := continuer.Continue(body, last.Conversation())
	t.id, t.before = id, last
	t.note("history.continued", id, strconv.Itoa(last.Len())+" earlier turns were read from the stored answers")
	return t, whole, err
}

// earlier returns the id of the earlier response that the request refers to, "" for none.
func (t *continuation) earlier() string {
	if t == nil {
		return ""
	}
	return t.id
}

// note adds a note about the reference to the response id.
func (t *continuation) note(rule, id, why string) {
	t.notes = append(t.notes, callwright.Note{Rule: rule, Stage: callwright.StageOutbound, Path: "/previous_response_id",
		Was: id, Why: why}.Classify())
}

// addNotesTo adds the notes of t to the report of the response.
func (t *continuation) addNotesTo(rep *callwright.Report) {
	if t == nil {
		return
	}
	for _, n := range t.notes {
		rep.Notes = notes.Fold(rep.Notes, n)
		rep.Untouched = rep.Untouched && n.Risk == ""
	}
}

// responseEventTypes are the types of the stream events that contain the whole response in their member response, as
// JSON strings.
var responseEventTypes = [][]byte{[]byte(`"response.completed"`), []byte(`"response.incomplete"`)}

// watch stores the response if piece, the next chunk of a stream, contains the event with the whole response. It
// ignores a piece larger than maxStoredResponse. A piece consists of whole events. Call watch before sending the piece,
// because the client may refer to the response at once.
func (t *continuation) watch(piece []byte) {
	if t == nil || !t.stored {
		return
	}
	for _, name := range responseEventTypes {
		if len(piece) <= maxStoredResponse && bytes.Contains(piece, name) {
			t.keep(bytes.Clone(responseOf(piece, name)))
		}
	}
}

// responseOf returns the member response of the first event in piece whose type is name, a JSON string. It returns nil
// if there is none.
func responseOf(piece, name []byte) []byte {
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

// keep stores a response for later requests. answer must not change afterwards. If it cannot be stored, the client
// still gets the response, with a note in its report.
func (t *continuation) keep(answer []byte) {
	if t == nil || !t.stored {
		return
	}
	id, _ := jsonx.Find(answer, "id")
	name := jsonx.TextOf(id)
	if name == "" {
		return
	}
	err := t.keepAs(name, answer)
	t.s.noteAnswerError(err)
	if err == nil {
		return
	}
	why := "the state cannot be written now, so no request can continue this answer"
	switch kind := callwright.KindOf(err); {
	case errors.Is(err, archive.ErrLater):
		why = "the state cannot be written now, so only requests to this gateway can continue this answer"
	case kind == callwright.KindTooLarge:
		why = "it exceeds the size limit of stored answers, so no request can continue it"
	case kind == callwright.KindInvalid:
		why = "its items cannot be read, so no request can continue it"
	}
	t.notes = append(t.notes, callwright.Note{Rule: notKeptRule, Now: name, Why: why}.Classify())
	t.s.logStoreError(t.ctx, "answer not stored", name, err)
}

// notKeptRule is the rule of the note that a response was not stored.
const notKeptRule = "response.not_kept"

func (t *continuation) keepAs(name string, answer []byte) error {
	if len(answer) > maxStoredResponse {
		return &callwright.Error{Kind: callwright.KindTooLarge}
	}
	items, err := t.codec.Items(t.body, answer)
	if err != nil || jsonx.KindOf(items) != jsonx.Array {
		return &callwright.Error{Kind: callwright.KindInvalid, Message: "the items of the answer cannot be read", Err: err}
	}
	return t.s.cfg.Answers.Keep(context.WithoutCancel(t.ctx), archive.Key{Owner: t.owner, ID: name},
		archive.Answer{Body: answer, Turn: &archive.Turn{Before: t.before, Items: items}})
}
