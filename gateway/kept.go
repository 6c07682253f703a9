package gateway

import (
	"container/list"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/jsonx"
	"github.com/callwright/callwright/wire"
)

// What is kept of answers that later requests may go on from: how long, how many, and how many bytes of them.
const (
	keptFor   = time.Hour
	keptCount = 4096
	keptBytes = 16 << 20
)

// A keptKey is an answer's id for the one who asked: nobody else reads it.
type keptKey struct {
	owner owner
	id    string
}

// A segment is what one turn adds to a conversation, as a list of items. The answers of one conversation share the segments
// of its beginning.
type segment struct {
	items []byte
	users int // answers that have it
}

// A keptAnswer is an answer with the conversation that leads up to it and includes it.
type keptAnswer struct {
	key      keptKey
	answer   []byte
	segments []*segment
	until    time.Time
}

// earlier returns the whole conversation as one list of items.
func (a *keptAnswer) earlier() []byte {
	out := []byte{'['}
	for _, s := range a.segments {
		in := jsonx.Trim(s.items)
		in = jsonx.Trim(in[1 : len(in)-1])
		if len(in) > 0 && len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, in...)
	}
	return append(out, ']')
}

// An answerStore keeps answers for some time. The oldest go first when there are too many, or too much of them. It is safe
// for concurrent use.
type answerStore struct {
	mu    sync.Mutex
	byKey map[keptKey]*list.Element
	order *list.List // the answers as *keptAnswer, the oldest first
	bytes int
}

func newAnswerStore() *answerStore {
	return &answerStore{byKey: map[keptKey]*list.Element{}, order: list.New()}
}

// find returns the answer, nil where it is not kept. It is not written to.
func (a *answerStore) find(key keptKey) *keptAnswer {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.expire(time.Now())
	if e := a.byKey[key]; e != nil {
		return e.Value.(*keptAnswer)
	}
	return nil
}

// keep adds an answer. It keeps nothing that is larger than all there is room for.
func (a *answerStore) keep(key keptKey, answer []byte, before []*segment, items []byte) {
	if len(answer)+len(items) > keptBytes {
		return
	}
	segments := append(before[:len(before):len(before)], &segment{items: items})
	k := &keptAnswer{key: key, answer: answer, segments: segments, until: time.Now().Add(keptFor)}
	a.mu.Lock()
	defer a.mu.Unlock()
	if e := a.byKey[key]; e != nil {
		a.drop(e)
	}
	a.byKey[key] = a.order.PushBack(k)
	a.bytes += len(key.id) + len(answer) + pointerBytes*len(segments)
	for _, s := range segments {
		if s.users++; s.users == 1 {
			a.bytes += len(s.items)
		}
	}
	for a.bytes > keptBytes || a.order.Len() > keptCount {
		a.drop(a.order.Front())
	}
}

// pointerBytes is what an answer spends on each turn of its conversation beside the turn itself.
const pointerBytes = 8

// forget drops an answer and reports whether it was kept.
func (a *answerStore) forget(key keptKey) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.expire(time.Now())
	e := a.byKey[key]
	if e != nil {
		a.drop(e)
	}
	return e != nil
}

// expire drops what is too old. The caller holds mu.
func (a *answerStore) expire(now time.Time) {
	for e := a.order.Front(); e != nil && !now.Before(e.Value.(*keptAnswer).until); e = a.order.Front() {
		a.drop(e)
	}
}

func (a *answerStore) drop(e *list.Element) {
	k := a.order.Remove(e).(*keptAnswer)
	delete(a.byKey, k.key)
	a.bytes -= len(k.key.id) + len(k.answer) + pointerBytes*len(k.segments)
	for _, s := range k.segments {
		if s.users--; s.users == 0 {
			a.bytes -= len(s.items)
		}
	}
}

// showKept returns a kept answer as the client got it.
func (s *Server) showKept(_ wire.Codec, w http.ResponseWriter, r *http.Request) error {
	k := s.answers.find(keptKey{s.owner(r), r.PathValue("id")})
	if k == nil {
		return notKept(r.PathValue("id"))
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(k.answer)
	return nil
}

// forgetKept drops a kept answer.
func (s *Server) forgetKept(_ wire.Codec, w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	if !s.answers.forget(keptKey{s.owner(r), id}) {
		return notKept(id)
	}
	return writeJSON(w, map[string]any{"id": id, "object": "response", "deleted": true})
}

func notKept(id string) *callwright.Error {
	return &callwright.Error{Kind: callwright.KindNotFound, Message: "no answer " + strconv.Quote(callwright.Excerpt(id)) + " is kept for this key: " + keptRule}
}

// keptRule says what is kept.
const keptRule = "answers are kept for an hour, as long as there is room, unless they were asked for with store false"
