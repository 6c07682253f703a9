package archive

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// A MemoryAnswers stores answers in memory. Create it with NewMemoryAnswers. It is safe for concurrent use and never
// blocks on anything except its mutex.
type MemoryAnswers struct {
	now    func() time.Time
	limits Limits

	mu    sync.Mutex
	byKey map[Key]*list.Element
	order *list.List // *keptAnswer elements, oldest first
	bytes int64
}

var _ Answers = (*MemoryAnswers)(nil)

type keptAnswer struct {
	key  Key
	body []byte
	turn *Turn
	at   time.Time
}

// size returns the approximate size of an answer in bytes, without its conversation.
func (a *keptAnswer) size() int64 {
	return int64(keptSize + len(a.key.ID) + len(a.key.Owner) + len(a.body))
}

// keptSize and turnSize are the approximate overheads in bytes of an answer and of a turn.
const (
	keptSize = 256
	turnSize = 96
)

func (t *Turn) size() int { return turnSize + len(t.Items) }

// NewMemoryAnswers returns an empty MemoryAnswers. now returns the current time; nil means time.Now. Zero limits are
// those of DefaultAnswers.
func NewMemoryAnswers(now func() time.Time, l Limits) *MemoryAnswers {
	if now == nil {
		now = time.Now
	}
	return &MemoryAnswers{now: now, limits: l.Or(DefaultAnswers), byKey: map[Key]*list.Element{}, order: list.New()}
}

const (
	opKeepAnswer   = "archive.keep_answer"
	opFindAnswer   = "archive.find_answer"
	opDeleteAnswer = "archive.delete_answer"
)

// Keep implements Answers.
func (m *MemoryAnswers) Keep(ctx context.Context, k Key, a Answer) error {
	if err := contextError(opKeepAnswer, ctx.Err()); err != nil {
		return err
	}
	kept := &keptAnswer{key: k, body: a.Body, turn: a.Turn, at: m.now()}
	m.mu.Lock()
	defer m.mu.Unlock()
	if size := kept.size() + int64(a.Turn.whole()); m.limits.IsExceeded(1, size) {
		return TooLarge(opKeepAnswer, size, m.limits.Bytes)
	}
	m.expire(kept.at)
	m.hold(a.Turn)
	if e := m.byKey[k]; e != nil {
		m.drop(e)
	}
	m.byKey[k] = m.order.PushBack(kept)
	m.bytes += kept.size()
	for m.limits.IsExceeded(m.order.Len(), m.bytes) {
		m.drop(m.order.Front())
	}
	return nil
}

// whole returns the total size of a conversation in bytes. The caller holds the lock.
func (t *Turn) whole() int {
	var added []*Turn
	for ; t != nil && t.bytes == 0; t = t.Before {
		added = append(added, t)
	}
	n := 0
	if t != nil {
		n = t.bytes
	}
	for i := len(added) - 1; i >= 0; i-- {
		n += added[i].size()
		added[i].bytes = n
	}
	return n
}

// hold adds a user of a turn. If it is the first user, the turn also becomes a user of its previous turn.
func (m *MemoryAnswers) hold(t *Turn) {
	for ; t != nil; t = t.Before {
		if t.users++; t.users > 1 {
			return
		}
		m.bytes += int64(t.size())
	}
}

// release decrements the use count of a turn and reverses hold. If the count becomes 0, it also releases the previous
// turn.
func (m *MemoryAnswers) release(t *Turn) {
	for ; t != nil; t = t.Before {
		if t.users--; t.users > 0 {
			return
		}
		m.bytes -= int64(t.size())
	}
}

func (m *MemoryAnswers) drop(e *list.Element) {
	a := m.order.Remove(e).(*keptAnswer)
	delete(m.byKey, a.key)
	m.bytes -= a.size()
	m.release(a.turn)
}

// expire removes expired answers. The caller holds the lock.
func (m *MemoryAnswers) expire(now time.Time) {
	for e := m.order.Front(); e != nil && m.limits.IsExpired(e.Value.(*keptAnswer).at, now); e = m.order.Front() {
		m.drop(e)
	}
}

// find returns the element of an unexpired answer, nil if there is none. The caller holds the lock.
func (m *MemoryAnswers) find(k Key) *list.Element {
	m.expire(m.now())
	return m.byKey[k]
}

// lookup returns an answer for Find and Conversation.
func (m *MemoryAnswers) lookup(ctx context.Context, k Key) (*keptAnswer, error) {
	if err := contextError(opFindAnswer, ctx.Err()); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if e := m.find(k); e != nil {
		return e.Value.(*keptAnswer), nil
	}
	return nil, NotFound(opFindAnswer, "answer", k)
}

// Find implements Answers.
func (m *MemoryAnswers) Find(ctx context.Context, k Key) ([]byte, error) {
	a, err := m.lookup(ctx, k)
	if err != nil {
		return nil, err
	}
	return a.body, nil
}

// Conversation implements Answers.
func (m *MemoryAnswers) Conversation(ctx context.Context, k Key) (*Turn, error) {
	a, err := m.lookup(ctx, k)
	if err != nil {
		return nil, err
	}
	return a.turn, nil
}

// Delete implements Answers.
func (m *MemoryAnswers) Delete(ctx context.Context, k Key) error {
	if err := contextError(opDeleteAnswer, ctx.Err()); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.find(k)
	if e == nil {
		return NotFound(opDeleteAnswer, "answer", k)
	}
	m.drop(e)
	return nil
}
