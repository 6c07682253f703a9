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

// An AnswerStore is an [archive.Answers] shared by all gateways of a space. It stores model responses for later
// requests that refer to them. Each turn of a conversation is a separate NATS message, and the message of a response
// lists the turns of its conversation. While NATS is unavailable, the last responses of this gateway are read from
// memory, and writes are queued.
//
// A turn is written again if it is used after half of its lifetime, or when the newer messages fill half of its stream.
// A turn therefore lasts as long as the responses that refer to it.
type AnswerStore struct {
	s       *Store
	answers *stream
	turns   *stream
	limits  archive.Limits
	recent  *archive.MemoryAnswers                      // last responses of this gateway, in memory
	backlog *backlog.Queue[archive.Key, archive.Answer] // responses to be written when NATS is available

	away atomic.Bool // the last write failed for want of NATS; backlog retries it

	mu    sync.Mutex         // also protects Ref of each archive.Turn
	known map[string]written // by Ref of a turn: its last write
	usage streamUsage
}

var _ archive.Answers = (*AnswerStore)(nil)

// A written contains the sequence number and the time of the last write of a turn.
type written struct {
	seq uint64
	at  time.Time
}

// A streamUsage describes how full the stream of turns is, at the time at.
type streamUsage struct {
	first, last uint64 // first and last sequence number of the stream
	half        bool   // more than half of the maximum bytes are used
	at          time.Time
	since       int64 // bytes written since at
}

const (
	opKeepAnswer   = "store.keep_answer"
	opFindAnswer   = "store.find_answer"
	opDeleteAnswer = "store.delete_answer"
	// maxNear is the maximum size in bytes of the responses in memory, for times without NATS.
	maxNear = 8 * mebi
	// answerTime is the maximum time to store or find a response.
	answerTime = 10 * time.Second
	// lookEvery is the maximum age of a streamUsage before it is read again.
	lookEvery = 5 * time.Second
	// maxLater is the maximum size in bytes of queued responses. Above it, responses are not stored.
	maxLater = 32 * mebi
	// atOnce is the number of concurrent reads and writes.
	atOnce = 8
)

// Answers returns a new AnswerStore of the space. l limits the stored responses with their conversations.
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
		s: s, limits: l, recent: archive.NewMemoryAnswers(s.conf.Now, near), known: map[string]written{},
		answers: s.stream(Answers, bounds{bytes: l.Bytes / 8 * 3, age: l.Age, count: int64(l.Count)}),
		turns:   s.stream(turns, bounds{bytes: l.Bytes / 8 * 5, age: age}),
	}
	a.backlog = backlog.New(backlog.Config[archive.Key, archive.Answer]{
		Write: a.write, Again: a.again, Size: sizeOf, Bytes: maxLater, AtOnce: atOnce, Pause: longestPause, Go: s.tasks.Go, Context: s.ctx,
	})
	s.mirror.mu.Lock()
	defer s.mirror.mu.Unlock()
	s.mirror.answers = append(s.mirror.answers, a)
	return a
}

// An answerHead is the first line of a response's message, as JSON. The response body follows.
type answerHead struct {
	At    time.Time `json:"at"`
	Turns []string  `json:"turns"` // Ref of each turn, oldest first
}

// Keep stores a response and replaces an earlier one with the same key. If it cannot be written now but is queued, the
// error is archive.ErrLater.
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
	_ = a.recent.Keep(ctx, k, ans)
	err := errAnswersAway
	if !a.isAway() {
		limited, cancel := a.briefly(ctx)
		err = a.write(limited, k, ans)
		cancel()
	}
	switch {
	case err == nil:
		a.backlog.Drop(k)
	case isAwayError(err) && a.backlog.Add(k, ans):
		return &callwright.Error{Op: opKeepAnswer, Kind: callwright.KindUnavailable,
			Message: "the answer is in memory, and is written later", Err: errors.Join(archive.ErrLater, err)}
	}
	return err
}

// errAnswersAway is the error of a response that is queued because the previous write failed.
var errAnswersAway error = &callwright.Error{Op: opKeepAnswer, Kind: callwright.KindUnavailable, Err: errAway}

// isAway reports whether responses cannot be written at present. Requests then do not wait for a write; a background
// task retries.
func (a *AnswerStore) isAway() bool { return a.away.Load() && a.backlog.Len() > 0 }

// briefly returns a context with a short timeout for calls of a cluster, for operations that can continue without it. A
// server in this process gets no timeout.
func (a *AnswerStore) briefly(ctx context.Context) (context.Context, context.CancelFunc) {
	if a.s.server != nil {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, attemptTime, errLate)
}

// isAwayError reports whether err means that NATS is unavailable, so that a retry may succeed.
func isAwayError(err error) bool { return callwright.KindOf(err) == callwright.KindUnavailable }

// again reports whether a failed write of a queued response is retried. It logs a response that is lost.
func (a *AnswerStore) again(k archive.Key, err error) bool {
	if isAwayError(err) {
		return true
	}
	a.s.conf.Logger.Warn("state: a stored answer was lost", "id", k.ID, "error", err)
	return false
}

// sizeOf returns the memory in bytes of a response and its last turn, without the earlier turns.
func sizeOf(ans archive.Answer) int {
	size := len(ans.Body) + 512
	if ans.Turn != nil {
		size += len(ans.Turn.Items)
	}
	return size
}

// drain waits up to attemptTime until all queued responses are written.
func (a *AnswerStore) drain() {
	ctx, cancel := context.WithTimeout(a.s.ctx, attemptTime)
	defer cancel()
	for a.backlog.Len() > 0 && a.s.nc != nil && a.s.nc.IsConnected() && ctx.Err() == nil {
		a.s.wait(firstPause)
	}
}

// health returns a problem if responses are queued.
func (a *AnswerStore) health() []health.Problem {
	if n := a.backlog.Len(); n > 0 {
		return []health.Problem{problem(writtenLater, "%d answers are only in the memory of this gateway, and wait to be written", n)}
	}
	return nil
}

// write writes a response and the turns of its conversation.
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

// keepTurn writes a turn unless the stored one lasts long enough. It returns the turn's Ref.
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

// headAt is the header with the time at which a turn was written, in Unix nanoseconds of Config.Now.
const headAt = "Callwright-At"

// lasts reports whether a stored turn remains at least as long as a response stored now.
func (a *AnswerStore) lasts(ctx context.Context, is written) bool {
	if a.limits.Age > 0 && a.s.conf.Now().Sub(is.at) > a.limits.Age/2 {
		return false
	}
	if a.limits.Bytes < 0 {
		return true
	}
	a.mu.Lock()
	r := a.usage
	a.mu.Unlock()
	if time.Since(r.at) > lookEvery || r.since > a.limits.Bytes/8 {
		if looked, err := a.look(ctx); err == nil {
			r = looked
		}
	}
	return !r.half || is.seq >= r.first+(r.last-r.first)/2
}

// look reads the usage of the stream of turns.
func (a *AnswerStore) look(ctx context.Context) (r streamUsage, err error) {
	info, err := a.turns.info(ctx, opKeepAnswer, requestTimeout)
	if err != nil {
		return r, err
	}
	st := &info.State
	r = streamUsage{first: st.FirstSeq, last: st.LastSeq, half: st.Bytes > uint64(max(info.Config.MaxBytes, 0)/2), at: time.Now()}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.usage = r
	return r, nil
}

// remember records the position of a turn. wrote is the number of bytes just written.
func (a *AnswerStore) remember(ref string, is written, wrote int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.known) >= 4*maxKnown {
		clear(a.known)
	}
	a.known[ref] = is
	a.usage.since += wrote
}

// find returns the body of a response and the last turn of its conversation. op names the operation in errors.
func (a *AnswerStore) find(ctx context.Context, op string, k archive.Key) (body []byte, turn *archive.Turn, err error) {
	if ans, waits := a.backlog.Find(k); waits {
		return ans.Body, ans.Turn, nil
	}
	if _, missing := a.recent.Find(ctx, k); missing == nil || a.isAway() {
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
		return nil, nil, &callwright.Error{Op: op, Kind: callwright.KindInternal, Message: "the stored answer is damaged", Err: err}
	}
	if a.limits.IsExpired(head.At, a.s.conf.Now()) {
		return nil, nil, archive.NotFound(op, "answer", k)
	}
	turn, err = a.conversation(ctx, op, k, head.Turns)
	return body, turn, err
}

// findNear returns a response and the last turn of its conversation from memory. It returns the error passed as away if
// they are not in memory.
func (a *AnswerStore) findNear(ctx context.Context, k archive.Key, away error) ([]byte, *archive.Turn, error) {
	body, err := a.recent.Find(ctx, k)
	if err != nil {
		return nil, nil, away
	}
	turn, err := a.recent.Conversation(ctx, k)
	if err != nil {
		return nil, nil, away
	}
	return body, turn, nil
}

// conversation reads the turns with the given Refs, oldest first. It returns the last one, linked to the earlier ones.
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

// Find returns the body of a response. A missing response is an error of KindNotFound.
func (a *AnswerStore) Find(ctx context.Context, k archive.Key) ([]byte, error) {
	body, _, err := a.find(ctx, opFindAnswer, k)
	if err != nil {
		return nil, err
	}
	return body, nil
}

// Conversation returns the last turn of the conversation that ends with a response.
func (a *AnswerStore) Conversation(ctx context.Context, k archive.Key) (*archive.Turn, error) {
	_, turn, err := a.find(ctx, opFindAnswer, k)
	if err != nil {
		return nil, err
	}
	return turn, nil
}

// Delete deletes a response. Its turns remain until they expire, because other responses may refer to them.
func (a *AnswerStore) Delete(ctx context.Context, k archive.Key) error {
	if _, _, err := a.find(ctx, opDeleteAnswer, k); err != nil {
		return err
	}
	_ = a.recent.Delete(ctx, k)
	a.backlog.Drop(k)
	return a.answers.purge(ctx, opDeleteAnswer, answerTime, tokensOf(k)...)
}
