package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/callwright/callwright"
	"github.com/callwright/callwright/internal/archive"
	"github.com/callwright/callwright/internal/health"
	"github.com/callwright/callwright/internal/store/internal/backlog"
	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
)

// An AnswerStore is an [archive.Answers] that all gateways of a space share. Each turn of a conversation is a message
// of its own, and an answer names those of its conversation. While NATS is away, answers that this gateway kept lately
// are found in memory, and writes wait.
//
// A turn is written again when it is used after half of the time, or of the room, that turns have: so it lasts as long
// as the answers that name it.
type AnswerStore struct {
	s       *Store
	answers *stream
	turns   *stream
	limits  archive.Limits
	near    *archive.MemoryAnswers
	later   *backlog.Queue[archive.Key, archive.Answer]

	away atomic.Bool // the last write failed, and what waits in later is tried again

	mu    sync.Mutex // of the Refs of turns, too
	known map[string]written
	room  room
}

var _ archive.Answers = (*AnswerStore)(nil)

// written says where and when a turn was written.
type written struct {
	seq uint64
	at  time.Time
}

// A room is how full the stream of turns was when that was looked up.
type room struct {
	first, last uint64 // the sequence numbers that it had
	half        bool   // whether more than half of its bytes are taken
	at          time.Time
	since       int64 // bytes written since
}

const (
	opKeepAnswer   = "store.keep_answer"
	opFindAnswer   = "store.find_answer"
	opDeleteAnswer = "store.delete_answer"
	// maxNear bounds the answers in memory, for the time that NATS is away.
	maxNear = 8 * mebi
	// answerTime is how long a client waits at most for an answer to be kept or found.
	answerTime = 10 * time.Second
	// lookEvery is how often it is looked up how full the stream of turns is.
	lookEvery = 5 * time.Second
	// maxLater bounds the answers that wait to be written. Further answers are not kept.
	maxLater = 32 * mebi
	// atOnce is how many turns are asked for at once.
	atOnce = 8
)

// Answers are the answers of the space. They are read and written within limits of their own.
func (s *Store) Answers(l archive.Limits) *AnswerStore {
	l = l.Or(archive.DefaultAnswers)
	near := l
	if near.Bytes < 0 || near.Bytes > maxNear {
		near.Bytes = maxNear
	}
	age := l.Age
	if age > 0 {
		age *= 2
	}
	a := &AnswerStore{
		s: s, limits: l, near: archive.NewMemoryAnswers(s.conf.Now, near), known: map[string]written{},
		answers: s.stream(Answers, bounds{bytes: l.Bytes / 8 * 3, age: l.Age, count: int64(l.Count)}),
		turns:   s.stream(turns, bounds{bytes: l.Bytes / 8 * 5, age: age}),
	}
	a.later = backlog.New(backlog.Config[archive.Key, archive.Answer]{
		Write: a.write, Again: a.again, Size: sizeOf, Bytes: maxLater, AtOnce: atOnce, Pause: longestPause, Go: s.tasks.Go, Context: s.ctx,
	})
	s.mirror.mu.Lock()
	defer s.mirror.mu.Unlock()
	s.mirror.answers = append(s.mirror.answers, a)
	return a
}

// An answerHead is the first line of an answer's message; the body follows.
type answerHead struct {
	At    time.Time `json:"at"`
	Turns []string  `json:"turns"` // the refs, the first one first
}

// Keep keeps an answer, in place of an earlier one of the same key. Where it cannot be written now, the error is
// archive.ErrLater.
func (a *AnswerStore) Keep(ctx context.Context, k archive.Key, ans archive.Answer) error {
	if err := ctx.Err(); err != nil {
		return canceledError(opKeepAnswer, err)
	}
	size := int64(len(ans.Body))
	for t := ans.Turn; t != nil; t = t.Before {
		size += int64(len(t.Items))
	}
	if a.limits.Bytes >= 0 && (size > a.limits.Bytes/8*5 || int64(len(ans.Body)) > a.limits.Bytes/8*3) {
		return archive.TooLarge(opKeepAnswer, size, a.limits.Bytes/8*5)
	}
	_ = a.near.Keep(ctx, k, ans)
	err := errAnswersAway
	if !a.isAway() {
		limited, cancel := a.briefly(ctx)
		err = a.write(limited, k, ans)
		cancel()
	}
	switch {
	case err == nil:
		a.later.Drop(k)
	case isAwayError(err) && a.later.Add(k, ans):
		return &callwright.Error{Op: opKeepAnswer, Kind: callwright.KindUnavailable,
			Message: "the answer is in memory, and is written later", Err: errors.Join(archive.ErrLater, err)}
	}
	return err
}

// errAnswersAway is the error of an answer that is not written at once, as the one before could not be.
var errAnswersAway error = &callwright.Error{Op: opKeepAnswer, Kind: callwright.KindUnavailable, Err: errAway}

// isAway reports whether answers cannot be written for now: a request does not wait for it then, as it is tried again
// beside requests.
func (a *AnswerStore) isAway() bool { return a.away.Load() && a.later.Len() > 0 }

// briefly is a context for calls to a cluster whose failure a request does not suffer from.
func (a *AnswerStore) briefly(ctx context.Context) (context.Context, context.CancelFunc) {
	if a.s.server != nil {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, attemptTime, errLate)
}

// isAwayError reports whether an error is of a state that is away, so that the same may succeed later.
func isAwayError(err error) bool { return callwright.KindOf(err) == callwright.KindUnavailable }

// again reports whether an answer that was not written is tried again.
func (a *AnswerStore) again(k archive.Key, err error) bool {
	if isAwayError(err) {
		return true
	}
	a.s.conf.Logger.Warn("state: an answer is lost", "id", k.ID, "error", err)
	return false
}

// sizeOf is how many bytes an answer has beside the conversation that it goes on from.
func sizeOf(ans archive.Answer) int {
	size := len(ans.Body) + 512
	if ans.Turn != nil {
		size += len(ans.Turn.Items)
	}
	return size
}

// drain waits a moment for all that waits to be written.
func (a *AnswerStore) drain() {
	ctx, cancel := context.WithTimeout(a.s.ctx, attemptTime)
	defer cancel()
	for a.later.Len() > 0 && a.s.nc != nil && a.s.nc.IsConnected() && ctx.Err() == nil {
		a.s.wait(firstPause)
	}
}

// health reports the answers that wait.
func (a *AnswerStore) health() []health.Problem {
	if n := a.later.Len(); n > 0 {
		return []health.Problem{problem(writtenLater, "%d answers are in the memory of this gateway alone, and wait to be written", n)}
	}
	return nil
}

// write writes an answer with its conversation.
func (a *AnswerStore) write(ctx context.Context, k archive.Key, ans archive.Answer) (err error) {
	defer func() { a.away.Store(isAwayError(err)) }()
	var all []*archive.Turn
	for t := ans.Turn; t != nil; t = t.Before {
		all = append(all, t)
	}
	head := answerHead{At: a.s.conf.Now()}
	for i := len(all) - 1; i >= 0; i-- {
		ref, err := a.keepTurn(ctx, k.Owner, all[i])
		if err != nil {
			return err
		}
		head.Turns = append(head.Turns, ref)
	}
	line, err := json.Marshal(head)
	if err != nil {
		return &callwright.Error{Op: opKeepAnswer, Kind: callwright.KindInvalid, Err: err}
	}
	data := append(append(line, '\n'), ans.Body...)
	_, err = a.answers.put(ctx, opKeepAnswer, answerTime, newMessage(data, tokensOf(k)...), anyway)
	return err
}

// keepTurn writes a turn, unless it is there and lasts, and gives its ref.
func (a *AnswerStore) keepTurn(ctx context.Context, owner archive.Owner, t *archive.Turn) (ref string, err error) {
	a.mu.Lock()
	if t.Ref == "" {
		t.Ref = uuid.NewString()
	}
	ref = t.Ref
	is, known := a.known[ref]
	a.mu.Unlock()
	if known {
		if a.lasts(ctx, is) {
			return ref, nil
		}
	}
	now := a.s.conf.Now()
	m := newMessage(t.Items, token(string(owner)), ref)
	m.head.Set(headAt, strconv.FormatInt(now.UnixNano(), 10))
	seq, err := a.turns.put(ctx, opKeepAnswer, answerTime, m, anyway)
	if err != nil {
		return "", err
	}
	a.remember(ref, written{seq, now}, int64(len(t.Items)))
	return ref, nil
}

// headAt says when a turn was written, by the clock of the store.
const headAt = "Callwright-At"

// lasts reports whether a turn stays for as long as an answer that is kept now.
func (a *AnswerStore) lasts(ctx context.Context, is written) bool {
	if a.limits.Age > 0 && a.s.conf.Now().Sub(is.at) > a.limits.Age/2 {
		return false
	}
	if a.limits.Bytes < 0 {
		return true
	}
	a.mu.Lock()
	r := a.room
	a.mu.Unlock()
	if time.Since(r.at) > lookEvery || r.since > a.limits.Bytes/8 {
		if looked, err := a.look(ctx); err == nil {
			r = looked
		}
	}
	return !r.half || is.seq >= r.first+(r.last-r.first)/2
}

// look looks up how full the stream of turns is.
func (a *AnswerStore) look(ctx context.Context) (r room, err error) {
	info, err := a.turns.info(ctx, opKeepAnswer, quick)
	if err != nil {
		return r, err
	}
	st := &info.State
	r = room{first: st.FirstSeq, last: st.LastSeq, half: st.Bytes > uint64(max(info.Config.MaxBytes, 0)/2), at: time.Now()}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.room = r
	return r, nil
}

// remember notes where a turn is.
func (a *AnswerStore) remember(ref string, is written, wrote int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) >= 4*maxKnown {
		clear(a.known)
	}
	a.known[ref] = is
	a.room.since += wrote
}

// find returns an answer with its whole conversation. Find, Conversation and Delete use it.
func (a *AnswerStore) find(ctx context.Context, op string, k archive.Key) (body []byte, turn *archive.Turn, err error) {
	if ans, waits := a.later.Find(k); waits {
		return ans.Body, ans.Turn, nil
	}
	if _, missing := a.near.Find(ctx, k); missing == nil || a.isAway() {
		brief, cancel := a.briefly(ctx)
		defer cancel()
		if missing == nil && a.isAway() {
			return a.findNear(ctx, k, errAnswersAway)
		}
		ctx = brief
	}
	m, err := a.answers.last(ctx, op, answerTime, tokensOf(k)...)
	if errors.Is(err, errNothing) {
		return nil, nil, archive.NotFound(op, "answer", k)
	}
	if isAwayError(err) {
		return a.findNear(ctx, k, err)
	}
	if err != nil {
		return nil, nil, err
	}
	line, body, _ := bytes.Cut(m.data, []byte("\n"))
	var head answerHead
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, nil, &callwright.Error{Op: op, Kind: callwright.KindInternal, Message: "the answer is not as it was written", Err: err}
	}
	if a.limits.IsExpired(head.At, a.s.conf.Now()) {
		return nil, nil, archive.NotFound(op, "answer", k)
	}
	turn, err = a.conversation(ctx, op, k, head.Turns)
	return body, turn, err
}

// findNear finds an answer in memory, while NATS is away.
func (a *AnswerStore) findNear(ctx context.Context, k archive.Key, away error) ([]byte, *archive.Turn, error) {
	body, err := a.near.Find(ctx, k)
	if err != nil {
		return nil, nil, away
	}
	turn, err := a.near.Conversation(ctx, k)
	if err != nil {
		return nil, nil, away
	}
	return body, turn, nil
}

// conversation reads turns.
func (a *AnswerStore) conversation(ctx context.Context, op string, k archive.Key, refs []string) (*archive.Turn, error) {
	all := make([]*archive.Turn, len(refs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, ref := range refs {
		group.Go(func() error {
			m, err := a.turns.last(ctx, op, answerTime, token(string(k.Owner)), ref)
			if errors.Is(err, errNothing) {
				return archive.NotFound(op, "answer", k)
			}
			if err != nil {
				return err
			}
			at, _ := strconv.ParseInt(m.head.Get(headAt), 10, 64)
			a.remember(ref, written{m.seq, time.Unix(0, at)}, 0)
			all[i] = &archive.Turn{Items: m.data, Ref: ref}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var last *archive.Turn
	for _, t := range all {
		t.Before, last = last, t
	}
	return last, nil
}

// Find returns the body of an answer.
func (a *AnswerStore) Find(ctx context.Context, k archive.Key) ([]byte, error) {
	body, _, err := a.find(ctx, opFindAnswer, k)
	if err != nil {
		return nil, err
	}
	return body, nil
}

// Conversation returns the last turn of the conversation that an answer ends.
func (a *AnswerStore) Conversation(ctx context.Context, k archive.Key) (*archive.Turn, error) {
	_, turn, err := a.find(ctx, opFindAnswer, k)
	if err != nil {
		return nil, err
	}
	return turn, nil
}

// Delete drops an answer. Its turns go when they are too old.
func (a *AnswerStore) Delete(ctx context.Context, k archive.Key) error {
	if _, _, err := a.find(ctx, opDeleteAnswer, k); err != nil {
		return err
	}
	_ = a.near.Delete(ctx, k)
	a.later.Drop(k)
	return a.answers.purge(ctx, opDeleteAnswer, answerTime, tokensOf(k)...)
}
